"""Widgets' keys and callbacks: how a person's acts change the view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from components.state import session
from components.state.view import View
from explainers.constraints import FREE, Rule
from explainers.results import CoalitionScores
from explainers.schema import Direction, Schema

CHART_ROUND = "chart round"
OPENED = "opened"


def seed(key: str, value: Any) -> str:
    """Let the widget with this key show a value, that of the view; gives the key."""
    st.session_state[key] = value
    return key


def value(key: str) -> Any:
    """What the widget with this key holds."""
    return st.session_state[key]


def chosen(key: str, default: Any) -> Any:
    """What a widget that belongs to the screen alone holds, after a first time at its default."""
    if st.session_state.get(key) is None:
        st.session_state[key] = default
    return st.session_state[key]


def change(**changes: Any) -> None:
    """Look at something else; see `View.changed`."""
    session.show(session.view().changed(**changes))


def choose(field: str, key: str, read: Callable[[Any], Any] | None = None) -> None:
    """Let a field of the view follow a widget."""
    chosen = value(key)
    change(**{field: read(chosen) if read else chosen})


def choose_data(key: str) -> None:
    """Go to another data set, and to the case that it begins with."""
    session.show(View(data=value(key)))


def choose_method(key: str) -> None:
    """Go over to another generator, with its own defaults."""
    change(method=value(key), options=())


def set_option(name: str, to: Any) -> None:
    """Set one option of the generator."""
    session.show(session.view().with_option(name, to))


def choose_option(name: str, key: str) -> None:
    """Let an option of the generator follow a widget."""
    set_option(name, value(key))


def step(order: Sequence[str], by: int) -> None:
    """Go so many cases forwards or backwards, and round at the ends."""
    current = session.view().case
    place = order.index(current) if current in order else (-1 if by > 0 else 0)
    change(case=order[(place + by) % len(order)])


def lock(schema: Schema, name: str, locked: bool) -> None:
    """Lock or unlock a feature."""
    view = session.view()
    rule = view.constraints(schema)[name]
    session.show(view.with_rule(schema, name, replace(rule, locked=locked)))


def free(schema: Schema, name: str) -> None:
    """Take every rule off a feature."""
    session.show(session.view().with_rule(schema, name, FREE))


def limit_direction(schema: Schema, name: str, key: str) -> None:
    """Set which way a feature may move."""
    view = session.view()
    direction = Direction(value(key) or Direction.ANY)
    session.show(view.with_rule(schema, name, replace(view.constraints(schema)[name], direction=direction)))


def limit_range(schema: Schema, name: str, key_low: str, key_high: str) -> None:
    """Set between which numbers a feature may move; an empty field is no bound."""
    view = session.view()
    rule = view.constraints(schema)[name]
    session.show(view.with_rule(schema, name, replace(rule, low=value(key_low), high=value(key_high))))


def limit_categories(schema: Schema, name: str, key: str) -> None:
    """Set to which categories a feature may change; all of them is no rule."""
    view = session.view()
    chosen = frozenset(value(key))
    everything = chosen == frozenset(schema[name].labels)
    rule: Rule = replace(view.constraints(schema)[name], categories=None if everything else chosen)
    session.show(view.with_rule(schema, name, rule))


def chart_key(chart: str) -> str:
    """The key of a chart; another one after each clearing, as a chart can't be told to forget."""
    return f"{chart} {st.session_state.get(CHART_ROUND, 0)}"


def clear_selection() -> None:
    """Mark nothing."""
    st.session_state[CHART_ROUND] = st.session_state.get(CHART_ROUND, 0) + 1
    change(selection=())


def pick_change(chart: str) -> None:
    """Mark the change that was picked in a chart whose marks carry features' names."""
    _pick(chart, lambda name: (str(name),) if name else ())


def pick_combination(chart: str, coalitions: CoalitionScores) -> None:
    """Mark the combination that was picked in a chart whose marks carry bit masks."""
    _pick(chart, lambda mask: coalitions.names(int(mask)))


def _pick(chart: str, names: Callable[[Any], tuple[str, ...]]) -> None:
    """Follow a chart's selection; picking what is marked already takes the mark away.

    A chart tells nothing when a mark is picked that it believes picked: then it sends an
    empty selection, and what it sent last is meant.
    """
    event = st.session_state.get(chart_key(chart))
    if event is None:  # the mark was picked in a chart that has just been cleared
        return
    points = event["selection"]["points"]
    last = f"last picked in {chart}"
    if points:
        picked = points[0]["customdata"]
        st.session_state[last] = picked[0] if isinstance(picked, list) else picked
    if st.session_state.get(last) is None:
        return
    chosen = names(st.session_state[last])
    change(selection=() if set(chosen) == set(session.view().selection) else chosen)


def is_open(name: str) -> bool:
    """Whether a part of the page that can be opened is open."""
    return bool(st.session_state.get(f"{OPENED} {name}", False))


def toggle(name: str) -> None:
    """Open or close a part of the page."""
    st.session_state[f"{OPENED} {name}"] = not is_open(name)
