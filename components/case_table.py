"""Which case? Filters, order, and a table to pick from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components.calendar_days import FIRST_DATE, LAST_DATE, days_of, field_value
from components.html import plain_label
from components.palette import Palette
from components.state import picks, session, widgets
from components.state.session import of_data
from components.state.widgets import PAGE_OF_CASES, PLACE, seed
from explainers import wording
from explainers.cases import Cases, Filter, Order, case_frame, score_texts
from explainers.constraints import Rule
from explainers.problem import Problem
from explainers.schema import Feature

ROWS_A_PAGE = 500
ORDERS = {
    Order.TABLE: "as in the table",
    Order.NEAREST: "nearest to another decision first",
    Order.LOWEST: "lowest score first",
    Order.HIGHEST: "highest score first",
}
FILTERS = {
    Filter.UNSEEN: "not seen in training",
    Filter.SEEN: "seen in training",
    Filter.WRONG: "decided otherwise than observed",
    Filter.NEAR: "nearest tenth to another decision",
}
OF_TRAINING = (Filter.UNSEEN, Filter.SEEN)
ANY_SIDE = "any decision"


def case_filters(problem: Problem, cases: Cases) -> None:
    """Say which cases are to be shown, and in which order."""
    query = session.view().query
    key = seed("query order", query.order.value)
    st.selectbox(
        "Order", [order.value for order in ORDERS], key=key, format_func=lambda name: ORDERS[Order(name)],
        on_change=of_data(widgets.choose_query), args=("order", key, Order),
        help="Previous and next follow it. Cases that the model has not seen come first in a tie.",
    )  # fmt: skip
    key = seed("query side", query.side or ANY_SIDE)
    st.selectbox(
        "Decision", [ANY_SIDE, *problem.decision.side_names()], key=key, on_change=of_data(widgets.choose_query),
        args=("side", key, lambda side: None if side == ANY_SIDE else side),
        help="On which side of the decision the model puts the case.",
    )  # fmt: skip
    answerable = [name for name in FILTERS if problem.knows_training or name not in OF_TRAINING]
    unanswered = query.filters.difference(answerable)
    key = seed("query only", [name.value for name in answerable if name in query.filters])
    st.multiselect(
        "Only cases", [name.value for name in answerable], key=key, format_func=lambda name: FILTERS[Filter(name)],
        on_change=of_data(widgets.choose_query),
        args=("filters", key, lambda names: unanswered.union(map(Filter, names))),
        placeholder="all", help="All that is chosen must hold.",
    )  # fmt: skip
    key = seed("query text", query.text)
    st.text_input(
        "Holding the text", key=key, on_change=of_data(widgets.choose_query), args=("text", key, str.strip),
        help="Looks in the case's id and in all its values, as they are printed.",
    )  # fmt: skip
    _value_filters(problem)
    _gap_filter(problem)
    st.button(
        "Random case", key="random", on_click=of_data(widgets.random_case), args=(cases,), disabled=not cases,
        help="Explains one of the cases that are shown.",
    )  # fmt: skip


def case_table(problem: Problem, cases: Cases, palette: Palette) -> None:
    """The cases asked for, a page at a time; picking one goes to Explain."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f'<div class="sentence" style="font-size:16px">{_how_many(len(cases), problem)}</div>')
        page = _page(len(cases))
    if not cases:
        st.html(
            f'<div class="empty" role="status" style="background:{palette.panel}">'
            "No case is like that. Take a filter off, or see all cases.</div>"
        )
        st.button("All cases", key="all cases", on_click=widgets.ask_for_all, help="Takes all filters off.")
        return
    shown = cases.positions[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
    frame = case_frame(problem, shown)
    if problem.model.classes:  # as texts probabilities are in the order of their numbers
        frame["score"] = score_texts(problem, shown)
    frame.insert(0, PLACE, np.arange(len(shown)) + (page - 1) * ROWS_A_PAGE + 1)
    key = picks.chart_key("cases")
    st.dataframe(
        frame, hide_index=True, key=key, height=620, selection_mode=["single-row", "single-cell"],
        on_select=of_data(lambda: widgets.pick_case(key, list(frame["case"]))), column_config=_columns(problem, frame),
        placeholder=wording.MISSING, alt="The cases asked for, with their scores, decisions and values.",
    )  # fmt: skip


def _page(n_cases: int) -> int:
    """Which page of the table is shown; after another question it is the first."""
    pages = max(1, -(-n_cases // ROWS_A_PAGE))
    page: int = min(widgets.chosen(PAGE_OF_CASES, 1), pages)
    if pages > 1:
        key = seed("page", page)
        st.selectbox(
            "Page", range(1, pages + 1), key=key, format_func=lambda n: f"page {n} of {pages}",
            on_change=widgets.take, args=(PAGE_OF_CASES, key), label_visibility="collapsed", width=160,
            help=f"{ROWS_A_PAGE} cases a page.",
        )  # fmt: skip
    return page


def _how_many(found: int, problem: Problem) -> str:
    told = f"<b>{wording.count(found, 'case')}</b> of {wording.number(len(problem.rows), 0)}."
    return f"{told} Pick one to explain it." if found else told


def _columns(problem: Problem, frame: pd.DataFrame) -> dict[str, Any]:
    """How each column is printed: numbers with the decimals that they have elsewhere, dates as ISO dates."""
    config: dict[str, Any] = {
        PLACE: st.column_config.NumberColumn(
            width=48, pinned=True, help="Which of the cases asked for; click another column."
        ),
        "case": st.column_config.TextColumn(pinned=True),
        "score": _score_column(problem),
        "decision": st.column_config.TextColumn(help="The side of the decision that the model puts the case on."),
        "seen in training": st.column_config.Column(help="Whether the model was fitted on this row."),
    }
    if "observed" in frame and not problem.model.classes:
        config["observed"] = st.column_config.NumberColumn(format=_numbers(problem.decision.decimals))
    for title, feature in zip(frame.columns[-len(problem.schema) :], problem.schema.features, strict=True):
        config[title] = _column(title, feature)
    return config


def _column(title: str, feature: Feature) -> Any:
    if feature.is_date and feature.decimals:
        return st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm:ss")
    if feature.is_date:
        return st.column_config.DateColumn(format="YYYY-MM-DD")
    if feature.is_number:
        label = f"{title} ({feature.unit})" if feature.unit else title
        return st.column_config.NumberColumn(label, format=_numbers(feature.decimals))
    return st.column_config.TextColumn()


def _score_column(problem: Problem) -> Any:
    classes = problem.model.classes
    if not classes:
        return st.column_config.NumberColumn(format=_numbers(problem.decision.decimals), help="What the model says.")
    of = classes[1] if len(classes) == 2 else "the decision's class"
    return st.column_config.TextColumn(alignment="right", help=f"Probability of {of}.")


def _numbers(decimals: int) -> str:
    return f"%.{decimals}f"


def _value_filters(problem: Problem) -> None:
    """Filters on the case's own values: a feature is chosen, then its range or categories."""
    query = session.view().query
    key = seed("query where", list(dict(query.where)))
    known = [f.name for f in problem.schema.features if not f.is_number or np.isfinite([f.low, f.high]).all()]
    st.multiselect(
        "By value of", known, key=key, format_func=lambda name: problem.schema[name].title,
        on_change=of_data(widgets.choose_query_features), args=(key, problem.schema), placeholder="no feature",
        help="Shows only cases whose own value lies in a range, or is one of some categories.",
    )  # fmt: skip
    for name, rule in query.where:
        feature = problem.schema[name]
        if feature.is_number:
            _range_filter(feature, rule)
            continue
        chosen = [label for label in feature.labels if label in (rule.categories or ())]
        key = seed(f"where {name}", chosen)
        st.multiselect(
            plain_label(feature.title), feature.labels, key=key, on_change=of_data(widgets.choose_query_categories),
            args=(name, key), help="Cases with any of these.",
        )  # fmt: skip


def _gap_filter(problem: Problem) -> None:
    """A filter on what is missing, where anything is."""
    query = session.view().query
    having = np.flatnonzero(np.isnan(problem.rows).any(axis=0))
    names = dict.fromkeys([*(problem.schema.names[place] for place in having), *query.missing, *query.known])
    if not names:
        return
    key = seed("query gaps", [*((name, True) for name in query.missing), *((name, False) for name in query.known)])
    st.multiselect(
        "Only where", [(name, is_missing) for name in names for is_missing in (True, False)], key=key,
        format_func=lambda gap: f"{problem.schema[gap[0]].title} is {'' if gap[1] else 'not '}missing",
        on_change=of_data(widgets.choose_query_gaps), args=(key,), placeholder="missing or not",
        help="Shows only cases whose own value is missing, or is not. All that is chosen must hold.",
    )  # fmt: skip


def _range_filter(feature: Feature, rule: Rule) -> None:
    """Two fields for the ends of a range, both included; dates are chosen from a calendar."""
    read = days_of if feature.is_date else _same
    bounds = {"low": rule.low, "high": rule.high}
    keys = tuple(seed(f"where {end} {feature.name}", field_value(feature, bound)) for end, bound in bounds.items())
    title = f"{feature.title} ({feature.unit})" if feature.unit and not feature.is_date else feature.title
    common: dict[str, Any] = {"on_change": of_data(widgets.choose_query_range), "args": (feature.name, *keys, read)}
    for column, key, end in zip(st.columns(2), keys, ("from", "up to"), strict=True):
        label, help_ = plain_label(f"{title} {end}"), "This value included; empty for no bound."
        if feature.is_date:
            column.date_input(
                label, value=None, key=key, min_value=FIRST_DATE, max_value=LAST_DATE, help=help_, **common
            )
        else:
            column.number_input(
                label, value=None, key=key, step=10.0**-feature.decimals, format=f"%.{feature.decimals}f", help=help_,
                placeholder="no bound", **common,
            )  # fmt: skip


def _same(number: float, is_end: bool) -> float:
    return number
