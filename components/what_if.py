"""What if? The case's features as fields, what it would score, and what speaks against it."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from components import explaining
from components.calendar_days import FIRST_DATE, LAST_DATE, field_value
from components.charts.text import width_of, wrap
from components.explaining import MOMENT
from components.html import notes, plain_label, spans_html
from components.jobs import Ticket
from components.palette import Palette
from components.pending import LOOK_EVERY
from components.state import edits, session, widgets
from components.state.session import of_case, of_data
from components.state.view import EDITS
from components.state.widgets import seed
from components.style import MOST_FIELD_LINES
from explainers import standing, wording
from explainers.intake.typed import missing_text, read_value, write_value
from explainers.model import ModelError
from explainers.problem import Case, Problem
from explainers.run import Stopped
from explainers.schema import Feature
from explainers.what_if import WhatIf

MOST_DECIMALS = 12
FIELD_WIDTH, FIELD_FONT = 198, 14
"""Pixels that a category has in its field where the page is narrow, and of its letters."""
EMPTY, ONE_OF = "Empty for missing.", "One of the table's categories."


def what_if_strip(problem: Problem, case: Case, palette: Palette) -> WhatIf | None:
    """Draw what the case scores with the edits, and the acts on all of them; gives what is known of it."""
    with st.container(key="tried"):
        tried = _tried(problem, case, palette)
        _acts(tried)
    return tried


def _acts(tried: WhatIf | None) -> None:
    history, view = edits.history(), session.view()
    with st.container(horizontal=True, gap="small"):
        for name, icon, do, can, help_ in (
            ("Undo", "undo", edits.undo, history.past, "Takes back the last edit."),
            ("Redo", "redo", edits.redo, history.future, "Makes the edit again that was taken back."),
            ("Reset", "restart_alt", edits.reset, view.edits, "Takes the case as it is."),
        ):
            st.button(
                name,
                icon=f":material/{icon}:",
                key=f"edits {name.lower()}",
                on_click=of_case(do),
                disabled=not can,
                help=help_,
            )
    is_one = tried is not None and tried.is_counterfactual
    is_shown = is_one and view.given == EDITS
    st.button(
        "Shown in the charts" if is_shown else "Make this the counterfactual", key="adopt edits", width="stretch",
        on_click=of_case(edits.adopt),
        disabled=is_shown or not is_one,
        help="Shows these edits in all charts, once they flip the case and keep every lock and limit.",
    )  # fmt: skip


def _tried(problem: Problem, case: Case, palette: Palette) -> WhatIf | None:
    trying = explaining.try_edits(session.view(), problem, case)
    if not trying.wait(MOMENT):
        _wait(trying)
        return None
    try:
        tried = trying.result()
    except Stopped:
        return None
    except (ModelError, ValueError) as error:
        notes([str(error)], palette)
        return None
    st.html(f'<div class="tried" role="status">{spans_html(standing.as_it_might_be(tried), palette)}</div>')
    if tried.flips and tried.broken:
        notes([standing.why_no_counterfactual(tried)], palette)
    return tried


def _wait(trying: Ticket[WhatIf]) -> None:
    @st.fragment(run_every=LOOK_EVERY)
    def watch() -> None:
        trying.renew()
        if trying.is_done:
            st.rerun()
        st.caption("Asking the model…")
        st.button("Stop", key="stop trying", on_click=trying.stop, help="Leaves the model alone.")

    watch()


def field(problem: Problem, case: Case, feature: Feature) -> None:
    """Draw the field of one feature, headed by its name and, once it is edited, by the case's own value."""
    own = float(case.row[problem.schema.index(feature.name)])
    text = dict(session.view().edits).get(feature.name)
    value = own if text is None else read_value(feature, text)
    named = f"{feature.title} ({feature.unit})" if feature.unit and not feature.is_date else feature.title
    label = named if text is None else f"{named} · was {wording.value(feature, own, unit=False)}"
    key = seed(f"edit {feature.name}", _held(feature, value))
    common: dict[str, Any] = {
        "key": key,
        "help": f"{feature.description} {EMPTY if feature.is_number else ''}".strip()
        or "One of the table's categories.",
        "on_change": of_case(edits.edit),
        "args": (problem, case, feature.name, key),
    }
    if not feature.is_number:
        _category(problem, feature, plain_label(label), common)
    elif feature.is_date and feature.decimals == 0:
        st.date_input(
            plain_label(label), value=None, min_value=FIRST_DATE, max_value=LAST_DATE, format="YYYY-MM-DD", **common
        )
    elif feature.is_date:
        st.text_input(plain_label(label), placeholder="year-month-day hour:minute:second", **common)
    else:
        decimals = feature.decimals if text is None else max(feature.decimals, len(text.partition(".")[2]))
        st.number_input(
            plain_label(label), value=None, step=10.0**-feature.decimals, format=f"%.{min(decimals, MOST_DECIMALS)}f",
            placeholder=wording.MISSING, **common,
        )  # fmt: skip


def _held(feature: Feature, value: float) -> Any:
    """What the field of a feature holds for a value."""
    if feature.is_number and not (feature.is_date and feature.decimals):
        return field_value(feature, value)
    return write_value(feature, value)


def _category(problem: Problem, feature: Feature, label: str, common: dict[str, Any]) -> None:
    """The categories and, where some row lacks one, missing; what else is typed is refused by name."""
    options = [*feature.labels]
    if problem.has_missing[problem.schema.index(feature.name)]:
        options.append(missing_text(feature))
    st.selectbox(label, options, accept_new_options=True, **common)


def _spread(feature: Feature) -> None:
    """A category that its field has no room for, in lines in the field's place; the style makes the field as high."""
    shown = "" if feature.is_number else str(widgets.value(widgets.seeded(f"edit {feature.name}")))
    if width_of(shown, FIELD_FONT) > FIELD_WIDTH:
        n_lines = min(len(wrap(shown, FIELD_WIDTH, FIELD_FONT)), MOST_FIELD_LINES)
        st.html(f'<div class="whole lines_{n_lines}" aria-hidden="true">{escape(shown)}</div>')


def said_of(problem: Problem, feature: Feature, tried: WhatIf | None, palette: Palette) -> None:
    """Say beside a field what was refused, which rule is broken, and what no row has."""
    _spread(feature)
    remarks = [remark for remark in tried.remarks if remark.feature == feature.name] if tried else []
    refusal = edits.refusal(feature.name)
    notes(filter(None, [refusal, *(remark.sentence for remark in remarks)]), palette)
    if any(remark.breaks_rule for remark in remarks):
        st.button(
            f"Free {plain_label(feature.title)}", key=f"free edited {feature.name}", type="tertiary",
            on_click=of_data(widgets.free), args=(problem.schema, feature.name),
            help="Takes the lock and every limit off this feature.",
        )  # fmt: skip
