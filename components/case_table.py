"""Which case? Filters, order, and a table to pick from."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.palette import Palette
from components.state import session, widgets
from components.state.widgets import seed
from explainers import wording
from explainers.cases import Filter, Order, case_frame, select
from explainers.problem import Problem

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
ANY_SIDE = "any decision"


def case_filters(problem: Problem) -> None:
    """Say which cases are to be shown, and in which order."""
    query = session.view().query
    key = seed("query order", query.order.value)
    st.selectbox(
        "Order", [order.value for order in ORDERS], key=key, format_func=lambda name: ORDERS[Order(name)],
        on_change=widgets.choose_query, args=("order", key, Order),
        help="Previous and next follow it. Cases that the model has not seen come first in a tie.",
    )  # fmt: skip
    key = seed("query side", query.side or ANY_SIDE)
    st.selectbox(
        "Decision", [ANY_SIDE, *problem.decision.side_names()], key=key, on_change=widgets.choose_query,
        args=("side", key, lambda side: None if side == ANY_SIDE else side),
        help="On which side of the decision the model puts the case.",
    )  # fmt: skip
    key = seed("query only", [name.value for name in FILTERS if name in query.filters])
    st.multiselect(
        "Only cases", [name.value for name in FILTERS], key=key, format_func=lambda name: FILTERS[Filter(name)],
        on_change=widgets.choose_query, args=("filters", key, lambda names: frozenset(map(Filter, names))),
        placeholder="all", help="All that is chosen must hold.",
    )  # fmt: skip
    key = seed("query text", query.text)
    st.text_input(
        "Holding the text", key=key, on_change=widgets.choose_query, args=("text", key, str.strip),
        help="Looks in the case's id and in all its values, as they are printed.",
    )  # fmt: skip
    _value_filters(problem)
    st.button(
        "Random case", key="random", on_click=widgets.random_case, args=(problem,),
        help="Picks one of the cases that are shown.",
    )  # fmt: skip


def case_table(problem: Problem, palette: Palette) -> None:
    """The cases asked for, a page at a time; picking one goes to Explain."""
    positions = select(problem, session.view().query)
    pages = max(1, -(-len(positions) // ROWS_A_PAGE))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(f'<div class="sentence" style="font-size:16px">{_how_many(len(positions), problem)}</div>')
        page = 1 if pages == 1 else st.selectbox(
            "Page", range(1, pages + 1), key="page of cases", format_func=lambda n: f"page {n} of {pages}",
            label_visibility="collapsed", width=160, help=f"{ROWS_A_PAGE} cases a page.",
        )  # fmt: skip
    shown = positions[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
    if not len(shown):
        st.html(f'<div class="empty" style="background:{palette.panel}">No case is like that. Take a filter off.</div>')
        return
    frame = case_frame(problem, shown)
    key = widgets.chart_key("cases")
    st.dataframe(
        frame, hide_index=True, key=key, height=620, selection_mode=["single-row", "single-cell"],
        on_select=lambda: widgets.pick_case(key, list(frame["case"])), column_config=_columns(problem),
    )  # fmt: skip


def _how_many(found: int, problem: Problem) -> str:
    return f"<b>{wording.count(found, 'case')}</b> of {wording.number(len(problem.rows), 0)}. Pick one to explain it."


def _columns(problem: Problem) -> dict[str, Any]:
    config: dict[str, Any] = {"case": st.column_config.TextColumn(pinned=True)}
    if problem.model.classes:
        config["score"] = st.column_config.NumberColumn(format="%.3f", help="Probability of the decision's class.")
    return config


def _value_filters(problem: Problem) -> None:
    """Filters on the case's own values: a feature is chosen, then its range or categories."""
    query = session.view().query
    bound = dict(query.where)
    key = seed("query where", list(bound))
    st.multiselect(
        "By value of", problem.schema.names, key=key, format_func=lambda name: problem.schema[name].title,
        on_change=widgets.choose_query_features, args=(key, problem.schema), placeholder="no feature",
        help="Shows only cases whose own value lies in a range, or is one of some categories.",
    )  # fmt: skip
    for name, rule in query.where:
        feature = problem.schema[name]
        key = f"where {name}"
        if feature.is_number:
            low = feature.low if rule.low is None else rule.low
            high = feature.high if rule.high is None else rule.high
            st.slider(
                feature.title, feature.low, feature.high, key=seed(key, (low, high)),
                on_change=widgets.choose_query_range, args=(name, key), help="Both ends included.",
            )  # fmt: skip
        else:
            chosen = [label for label in feature.labels if label in (rule.categories or ())]
            st.multiselect(
                feature.title, feature.labels, key=seed(key, chosen), on_change=widgets.choose_query_categories,
                args=(name, key), help="Cases with any of these.",
            )  # fmt: skip
