"""The bar that every page shares: which case, where it stands, from which side to which."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import streamlit as st

from components import catalogue
from components.data_picker import data_picker
from components.link_box import link_box
from components.palette import Palette
from components.state import session, widgets
from components.state.session import of_data
from components.state.view import DEFAULT_QUERY, NO_CASE
from components.state.widgets import seed
from explainers import wording
from explainers.decision import Target
from explainers.labelled import LabelledTable
from explainers.problem import Case, Problem
from explainers.results import Counterfactual

NEAR_PERCENT = 14
MOST_LISTED = 500


def case_bar(problem: Problem, case: Case | None, counterfactual: Counterfactual | None, palette: Palette) -> None:
    """Draw the bar."""
    with st.container(key="casebar", horizontal=True, vertical_alignment="center", gap="small"):
        order = catalogue.cases(session.view(), problem)
        _pickers(order)
        st.html(_about(problem, order, palette), width=165)
        if case is not None:
            target = problem.target(case)
            factual = float(target.drawn(problem.case_outputs(case)[None])[0])
            reached = counterfactual.score if counterfactual else None
            st.html(track(target, factual, reached, palette, _extent(target, problem)), width="stretch")
            st.html(_sides(target, palette), width="content")
        _copy_link()


def observed_bar(labelled: LabelledTable, palette: Palette) -> None:
    """The bar of a table without a model: which case, and of what."""
    with st.container(key="casebar", horizontal=True, vertical_alignment="center", gap="small"):
        _pickers(labelled.ids)
        many = wording.count(len(labelled.ids), "row")
        text = f"{escape(labelled.target.quantity)}, observed<br>{many}"
        st.html(f'<div style="color:{palette.ink_secondary};font-size:14px;line-height:1.3">{text}</div>', width=165)
        _copy_link()


def _pickers(order: Sequence[str]) -> None:
    view = session.view()
    data_picker()
    st.button(
        "Previous case", icon=":material/chevron_left:", key="previous", shortcut="Left", help="Previous case",
        on_click=of_data(widgets.step), args=(order, -1), disabled=not order,
    )  # fmt: skip
    key = seed("case", None if view.case == NO_CASE else view.case)
    st.selectbox(
        "Case", _around(order, view.case), key=key, format_func=lambda id_: f"Case {id_}", placeholder="Pick a case",
        label_visibility="collapsed", width=118, on_change=of_data(widgets.choose), args=("case", key),
        help="The cases chosen on the page Cases; by default those that the model has not seen.",
    )  # fmt: skip
    st.button(
        "Next case", icon=":material/chevron_right:", key="next", shortcut="Right", help="Next case",
        on_click=of_data(widgets.step), args=(order, 1), disabled=not order,
    )  # fmt: skip


def _around(order: Sequence[str], case: str | None) -> Sequence[str]:
    """The cases to choose from: as many as a list can hold, around the one that is shown."""
    if case not in order:
        return (*([case] if case else []), *order[:MOST_LISTED])
    begin = max(0, order.index(case) - MOST_LISTED // 2)
    return order[begin : begin + MOST_LISTED]


def _about(problem: Problem, order: Sequence[str], palette: Palette) -> str:
    case = session.view().case
    is_default = session.view().query == DEFAULT_QUERY
    what = ("unseen case" if problem.knows_training else "case") if is_default else "chosen case"
    many = wording.count(len(order), what)
    place = f"no. {wording.number(order.index(case) + 1, 0)} of {many}" if case in order else f"none of {many}"
    text = f"{escape(problem.model.name)}<br>{place if case else many}"
    return f'<div style="color:{palette.ink_secondary};font-size:14px;line-height:1.3">{text}</div>'


def _sides(target: Target, palette: Palette) -> str:
    if target.is_reached:
        return f'<div class="sides"><span style="color:{palette.desired}">{escape(target.desired)}</span></div>'
    return (
        f'<div class="sides"><span style="color:{palette.factual}">{escape(target.factual)}</span>'
        f' <span style="color:{palette.ink_secondary};font-weight:400">→</span>'
        f' <span style="color:{palette.desired}">{escape(target.desired)}</span></div>'
    )


def _extent(target: Target, problem: Problem) -> tuple[float, float]:
    """Between which scores cases are: for numbers those of the table, so that all cases share one track."""
    if math.isfinite(target.extent[0]):
        return target.extent
    return float(problem.outputs.min()), float(problem.outputs.max())


def track(
    target: Target, factual: float, reached: float | None, palette: Palette, extent: tuple[float, float] = (0.0, 1.0)
) -> str:
    """A line with the threshold, the case's score (hollow) and its counterfactual's (filled).

    It reaches over the extent, and further where that doesn't hold the scores and the bounds.
    """
    known = [factual, *([] if reached is None else [reached]), *wording.lines(target)]
    low, high = min(extent[0], *known), max(extent[1], *known)
    at = {value: 100.0 * (value - low) / ((high - low) or 1.0) for value in known}
    texts = wording.scores([factual] if reached is None else [factual, reached], target)
    colour, leaning = palette.side(target.is_reached), _side_of(at, factual, reached)
    marks = [_mark(at[factual], texts[0], colour, palette.background, leaning)]
    if reached is not None:
        marks.append(_mark(at[reached], texts[1], palette.desired, palette.desired, _side_of(at, reached, factual)))
    words = [f"score {texts[0]}", *(f"with the changes {text}" for text in texts[1:])]
    label = escape(", ".join([*words, wording.wanted(target)]))
    bounds = "".join(
        _threshold(at[line], *wording.bound(line, target), palette, _side_of(at, line, _other_bound(target, line)))
        for line in wording.lines(target)
    )
    return (
        f'<div class="track" role="img" aria-label="{label}">{_rail(target, at, palette)}{bounds}{"".join(marks)}</div>'
    )


def _other_bound(target: Target, line: float) -> float | None:
    return next((other for other in wording.lines(target) if other != line), None)


def _rail(target: Target, at: dict[float, float], palette: Palette) -> str:
    begin = at.get(target.low, 0.0)
    end = at.get(target.high, 100.0)
    parts = ((0.0, begin, palette.factual_tint), (begin, end, palette.desired_tint), (end, 100.0, palette.factual_tint))
    return "".join(
        f'<i class="rail" style="left:{left:.2f}%;width:{right - left:.2f}%;background:{colour}"></i>'
        for left, right, colour in parts
        if right > left
    )


def _threshold(place: float, number: str, word: str, palette: Palette, shift: str) -> str:
    return (
        f'<i class="line" style="left:{place:.2f}%;background:{palette.ink}"></i>'
        f'<span class="below {shift}" style="left:{place:.2f}%;color:{palette.ink_secondary}">'
        f"<b>{number}</b> {escape(word)}</span>"
    )


def _mark(place: float, text: str, colour: str, fill: str, shift: str) -> str:
    return (
        f'<i class="mark" style="left:{place:.2f}%;border-color:{colour};background:{fill}"></i>'
        f'<span class="above {shift}" style="left:{place:.2f}%;color:{colour}">{text}</span>'
    )


def _side_of(at: dict[float, float], own: float, other: float | None) -> str:
    """Which way a score's text leans, so that two close ones do not run into each other."""
    if other is None or abs(at[own] - at[other]) > NEAR_PERCENT:
        return "centred"
    return "leftwards" if at[own] <= at[other] else "rightwards"


def _copy_link() -> None:
    with st.popover("Copy link", icon=":material/link:", key="link", help="Copies the address of what you see."):
        link_box("linkbox")
