"""What a person picks in a chart, and how that changes the view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from components.state import session
from components.state.session import own
from components.state.widgets import CHART_ROUND, change, open_counterfactual, pick_candidate, value
from explainers.combinations import Combinations


def chart_key(chart: str) -> str:
    """The key of a chart; another one after each clearing, as a chart can't be told to forget."""
    return f"{chart} {own().get(CHART_ROUND, 0)}"


def clear_selection() -> None:
    """Mark nothing."""
    own()[CHART_ROUND] = own().get(CHART_ROUND, 0) + 1
    change(selection=())


def pick_change(chart: str) -> None:
    """Mark the change that was picked in a chart whose marks carry features' names."""
    _pick(chart, lambda name: (str(name),) if name else ())


def pick_combination(chart: str, coalitions: Combinations) -> None:
    """Mark the combination that was picked in a chart whose marks carry their ids."""
    _pick(chart, lambda id_: coalitions.names(int(id_)))


def pick_candidate_dot(method: str, chart: str) -> None:
    """Show the candidate whose dot was picked; dots of others than those in the table carry less than 0."""
    points = value(chart_key(chart))["selection"]["points"]
    if points:
        data = points[0]["customdata"]
        place = int(data[0] if isinstance(data, list) else data)
        if place >= 0:
            pick_candidate(method, place)


def open_way(chart: str) -> None:
    """Go to where the way is explained one of whose marks was picked; a mark stands for its method."""
    method = _picked(chart)
    if method is not None:
        open_counterfactual(method, 0)


def pick_neighbour(chart: str) -> None:
    """Go to the case that was picked in a chart whose marks carry cases' ids."""
    id_ = _picked(chart)
    if id_ is not None:
        own()[CHART_ROUND] = own().get(CHART_ROUND, 0) + 1
        change(case=str(id_))


def pick_size(chart: str) -> None:
    """Look at the neighbourhood that was picked in a chart whose marks carry sizes; at the best one if it is seen."""
    size = _picked(chart)
    if size is not None:
        change(size=None if int(size) == session.view().size else int(size))


def _pick(chart: str, names: Callable[[Any], tuple[str, ...]]) -> None:
    """Follow a chart's selection; picking what is marked already takes the mark away."""
    picked = _picked(chart)
    if picked is not None:
        chosen = names(picked)
        change(selection=() if set(chosen) == set(session.view().selection) else chosen)


def _picked(chart: str) -> Any:
    """What the mark that was picked stands for, if one was.

    A chart tells nothing when a mark is picked that it believes picked: then it sends an
    empty selection, and what it sent last is meant.
    """
    event = st.session_state.get(chart_key(chart))
    if event is None:  # the mark was picked in a chart that has just been cleared
        return None
    points = event["selection"]["points"]
    last = f"last picked in {chart}"
    if points:
        picked = points[0]["customdata"]
        own()[last] = picked[0] if isinstance(picked, list) else picked
    return own().get(last)
