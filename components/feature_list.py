"""The case's features: what changes first, then the rest, each with its lock and its limits; or as fields."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import partial
from html import escape

import streamlit as st

from components.calendar_days import FIRST_DATE, LAST_DATE, days_of, field_value
from components.html import plain_label
from components.palette import Palette
from components.state import edits, session, widgets
from components.state.session import of_data
from components.state.widgets import seed
from components.what_if import field, said_of, what_if_strip
from explainers import wording
from explainers.constraints import Constraints, Rule
from explainers.problem import Case, Problem
from explainers.results import Counterfactual, FeatureChange
from explainers.schema import Direction, Feature, Schema

ROWS_THAT_FIT = 18
DIRECTIONS = {Direction.ANY: "any way", Direction.UP: "may only rise", Direction.DOWN: "may only fall"}


def feature_list(problem: Problem, case: Case, counterfactual: Counterfactual | None, palette: Palette) -> None:
    """Draw the list, as a form if the person asks what if; locks and limits act on the view."""
    schema = problem.schema
    constraints = session.view().constraints(schema)
    with st.container(key="features"):
        _switch()
        if session.view().asks_what_if:
            _form(problem, case, constraints, palette)
        else:
            changes = counterfactual.changes if counterfactual else None
            _list(schema, case, changes, constraints, palette)


def features_and_rules(schema: Schema, case: Case, changes: Sequence[FeatureChange] | None, palette: Palette) -> None:
    """Draw the list without the form; `changes` stand first, if there is anything that changes the case."""
    with st.container(key="features"):
        _list(schema, case, changes, session.view().constraints(schema), palette)


def _switch() -> None:
    n_edits = len(session.view().edits)
    key = seed("what if", session.view().asks_what_if)
    st.toggle(
        f"What if… ({wording.count(n_edits, 'edit')})" if n_edits else "What if…", key=key,
        on_change=edits.ask, args=(key,), help="Makes the features fields: try other values and see the score follow.",
    )  # fmt: skip


def _form(problem: Problem, case: Case, constraints: Constraints, palette: Palette) -> None:
    """All features in the table's order, so that none moves while it is edited; those edited are always shown."""
    tried = what_if_strip(problem, case, palette)
    edited = dict(session.view().edits)
    for feature in _that_fit(problem.schema.features, ROWS_THAT_FIT, constraints, edited):
        _row(problem.schema, feature, constraints[feature.name], partial(field, problem, case, feature))
        said_of(problem, feature, tried, palette)


def _list(
    schema: Schema,
    case: Case,
    changed: Sequence[FeatureChange] | None,
    constraints: Constraints,
    palette: Palette,
) -> None:
    changes = {change.feature: change for change in changed or ()}
    selected = set(session.view().selection)
    if changed:
        st.html(f'<h3 style="padding-bottom:6px">{_how_many(len(changes), len(schema))}</h3>')
    for feature in schema.features:
        if feature.name in changes:
            text = _change_html(changes[feature.name], feature.name in selected, palette)
            _row(schema, feature, constraints[feature.name], partial(st.html, text, width="stretch"))
    rest = [feature for feature in schema.features if feature.name not in changes]
    locked = _locked(" · ", schema.features, constraints)
    if rest:
        st.html(
            f'<div style="font-size:14px;color:{palette.ink_secondary};padding:9px 0 3px;'
            f'border-top:1px solid {palette.rule}">{"Unchanged" if changed else "As it is"}{locked}</div>'
        )
    for feature in _that_fit(rest, max(3, ROWS_THAT_FIT - len(changes)), constraints):
        text = _value_html(feature, float(case.row[schema.index(feature.name)]), palette)
        _row(schema, feature, constraints[feature.name], partial(st.html, text, width="stretch"))


def _that_fit(
    features: Sequence[Feature], fit: int, constraints: Constraints, always: Container[str] = ()
) -> Iterator[Feature]:
    """The features that fit beside the charts, and after them the button that shows the others."""
    is_open, is_long = widgets.is_open("features"), len(features) > fit + 1
    for place, feature in enumerate(features):
        if is_open or not is_long or place < fit or feature.name in always:
            yield feature
    if is_long:
        more = f"{len(features) - fit} more{_locked(', ', features[fit:], constraints)}"
        st.button(
            "Show fewer" if is_open else more, key="more features", type="tertiary",
            on_click=widgets.toggle, args=("features",),
            help="Shows or hides the features that do not fit beside the charts.",
        )  # fmt: skip


def _locked(before: str, features: Sequence[Feature], constraints: Constraints) -> str:
    """How many of these are locked, if any."""
    n_locked = sum(constraints[feature.name].locked for feature in features)
    return f"{before}{wording.number(n_locked, 0)} locked" if n_locked else ""


def _how_many(changed: int, all_: int) -> str:
    return f"{changed} of {all_} features {'changes' if changed == 1 else 'change'}"


def _change_html(change: FeatureChange, is_selected: bool, palette: Palette) -> str:
    mark = "● " if is_selected else ""
    return (
        f'<div class="change" style="border-top:1px solid {palette.grid}"><b>{mark}{escape(change.title)}</b><br>'
        f'<span style="color:{palette.factual}">{escape(change.old_text)}</span>'
        f' <span style="color:{palette.ink_secondary}">→</span>'
        f' <b style="color:{palette.desired}">{escape(change.new_text)}</b></div>'
    )


def _value_html(feature: Feature, encoded: float, palette: Palette) -> str:
    return (
        f'<div class="row" title="{escape(feature.description)}">'
        f'<span style="color:{palette.ink_secondary}">{escape(feature.title)}</span>'
        f"<span>{escape(wording.value(feature, encoded))}</span></div>"
    )


def _row(schema: Schema, feature: Feature, rule: Rule, draw: Callable[[], object]) -> None:
    title = plain_label(feature.title)
    name = f"{'Unlock' if rule.locked else 'Lock'} {title}"
    now = _limit_text(feature, rule)
    with st.container(key=f"row_{feature.name}", horizontal=True, vertical_alignment="center"):
        draw()
        opened = st.popover(
            f"Limit {title}", icon=_limit_icon(rule), type="tertiary", key=f"limits {feature.name}",
            on_change="rerun", help=f"Limit how {title} may change{plain_label(now)}",
        )  # fmt: skip
        if opened.open:
            with opened:
                _limits(schema, feature, rule)
        st.button(
            name, key=f"lock {feature.name}", type="secondary" if rule.locked else "tertiary",
            icon=":material/lock:" if rule.locked else ":material/lock_open_right:",
            help=name if rule.locked else f"{name}: it then stays as it is",
            on_click=of_data(widgets.lock), args=(schema, feature.name, not rule.locked),
        )  # fmt: skip


def _limit_icon(rule: Rule) -> str:
    if rule.low is not None or rule.high is not None or rule.categories is not None:
        return ":material/filter_alt:"
    icons = {Direction.UP: "arrow_upward", Direction.DOWN: "arrow_downward", Direction.ANY: "tune"}
    return f":material/{icons[rule.direction]}:"


def _limit_text(feature: Feature, rule: Rule) -> str:
    parts = [] if rule.direction is Direction.ANY else [f"it {DIRECTIONS[rule.direction]}"]
    if rule.low is not None:
        parts.append(f"at least {wording.value(feature, rule.low)}")
    if rule.high is not None:
        parts.append(f"at most {wording.value(feature, rule.high)}")
    if rule.categories is not None:
        parts.append(f"only to {', '.join(sorted(rule.categories))}")
    return f" (now: {'; '.join(parts)})" if parts else ""


def _limits(schema: Schema, feature: Feature, rule: Rule) -> None:
    """The form behind a feature's limits; drawn only while it is open."""
    st.markdown(f"**{plain_label(feature.title)}** may change")
    if feature.has_order:
        key = seed(f"direction {feature.name}", rule.direction.value)
        st.segmented_control(
            "Direction", [d.value for d in Direction], key=key, format_func=lambda d: DIRECTIONS[Direction(d)],
            on_change=of_data(widgets.limit_direction), args=(schema, feature.name, key),
            help="Seen from this case's own value.",
        )  # fmt: skip
    if feature.is_number:
        _range(schema, feature, rule)
        if widgets.was_refused(feature.name):
            st.caption("That range would end before it begins, so the one before is kept.")
    else:
        allowed = [label for label in feature.labels if rule.categories is None or label in rule.categories]
        key = seed(f"categories {feature.name}", allowed)
        st.multiselect(
            "Only to", feature.labels, key=key,
            on_change=of_data(widgets.limit_categories), args=(schema, feature.name, key),
            help="The categories that a change may lead to.",
        )  # fmt: skip
    st.button(
        "No limits", key=f"free {feature.name}", on_click=of_data(widgets.free), args=(schema, feature.name),
        disabled=rule.is_free, help="Takes the lock and every limit off this feature.",
    )  # fmt: skip


def _range(schema: Schema, feature: Feature, rule: Rule) -> None:
    """Two fields for the bounds; dates are chosen from a calendar."""
    bounds = {"low": rule.low, "high": rule.high}
    keys = tuple(seed(f"{end} {feature.name}", field_value(feature, bound)) for end, bound in bounds.items())
    unit = f" ({feature.unit})" if feature.unit and not feature.is_date else ""
    ends = (("At least", feature.low), ("At most", feature.high))
    help_ = "Where a change may lead; empty for no bound. The case's own value may always stay."
    read = days_of if feature.is_date else None
    for column, key, (label, extreme) in zip(st.columns(2), keys, ends, strict=True):
        if feature.is_date:
            column.date_input(
                label, value=None, key=key, min_value=FIRST_DATE, max_value=LAST_DATE, help=help_,
                on_change=of_data(widgets.limit_range), args=(schema, feature.name, *keys, read),
            )  # fmt: skip
            continue
        column.number_input(
            plain_label(f"{label}{unit}"), value=None, key=key, step=10.0**-feature.decimals,
            format=f"%.{feature.decimals}f", placeholder=wording.value(feature, extreme), help=help_,
            on_change=of_data(widgets.limit_range), args=(schema, feature.name, *keys, read),
        )  # fmt: skip
