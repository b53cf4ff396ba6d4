"""Widgets' keys and callbacks: how a person's acts change the view."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from components.state import session
from components.state.session import own
from components.state.view import View
from explainers.cases import CaseQuery
from explainers.constraints import FREE, Rule
from explainers.schema import Direction, Schema

CHART_ROUND = "chart round"
OPENED = "opened"
PICKED_CASE = "picked case"
REFUSED = "refused range"
PAGE_OF_CASES = "page of cases"
PLACE = "#"
WALK, WALKED, NOWHERE = "walk", "walked", (0, 0, 0)
SEEDED = "names of seeded widgets"
LEFT = "views of data that were left"
MOST_ROUNDS = 10
"""Streamlit remembers every widget that there ever was, so their keys come round again."""


def seed(name: str, value: Any) -> str:
    """Let a widget show a value, that of the view; gives the widget's key.

    A browser sends along what its widgets hold, and that may lag behind: what was shown
    before would count as chosen by the person. So where the view, and not the widget
    itself, has come to another value, another widget takes its place.
    """
    shown = st.session_state.get(seeded(name), value)
    if _is_same(shown, value):
        value = shown
    else:
        next_round(name)
    key = seeded(name)
    own().setdefault(SEEDED, {})[key] = name
    st.session_state[key] = value
    return key


def seeded(name: str) -> str:
    """The key of the widget that was last seeded under a name."""
    number = round_of(name) % MOST_ROUNDS
    return f"{name} {number}" if number else name


def _is_same(shown: Any, value: Any) -> bool:
    """Whether a widget holds a value, whatever the order in which several were chosen."""
    if isinstance(shown, list) and isinstance(value, list):
        return sorted(shown) == sorted(value)
    return bool(shown == value)


def value(key: str) -> Any:
    """What the widget with this key holds, or the one that has taken its place."""
    name = own().get(SEEDED, {}).get(key)
    return st.session_state[seeded(name) if name else key]


def chosen(name: str, default: Any) -> Any:
    """What was chosen of something that belongs to the screen alone; see `take`."""
    return own().get(name, default)


def change(**changes: Any) -> None:
    """Look at something else; see `View.changed`."""
    session.show(session.view().changed(**changes))


def choose(field: str, key: str, read: Callable[[Any], Any] | None = None) -> None:
    """Let a field of the view follow a widget."""
    chosen = value(key)
    change(**{field: read(chosen) if read else chosen})


def choose_data(key: str) -> None:
    """Go to another data set: to where the person was when leaving it, else to the case that it begins with."""
    data, view = value(key), session.view()
    if data == view.data:
        return
    left: dict[str, View] = own().setdefault(LEFT, {})
    left[view.data] = view
    session.show(left.get(data, View(data=data)))


def choose_method(key: str) -> None:
    """Go over to another generator, with its own defaults."""
    view, method = session.view(), value(key)
    session.show(view if method == view.method else view.changed(method=method, options=()))


def choose_option(method: str, name: str, key: str) -> None:
    """Let an option of a generator, which is the one that is asked from now on, follow a widget."""
    session.show(session.view().asking(method).with_option(name, value(key)))


def pick_candidate(method: str, place: int) -> None:
    """Show one of the counterfactuals that a generator found, which is the one that is asked from now on."""
    session.show(session.view().asking(method).changed(counterfactual=place))


def pick_candidate_row(method: str, key: str, places: Sequence[int]) -> None:
    """Show the candidate whose row was picked of those at these places; see `pick_case` for the first column."""
    selection = value(key)["selection"]
    rows = [*selection["rows"], *(row for row, column in selection["cells"] if column != PLACE)]
    if rows:
        pick_candidate(method, places[rows[0]])


def choose_query(field: str, key: str, read: Callable[[Any], Any]) -> None:
    """Let a field of the query for cases follow a widget."""
    _ask(**{field: read(value(key))})


def choose_query_features(key: str, schema: Schema) -> None:
    """Ask for cases by the values of these features; a feature is asked about with all its values at first."""
    earlier = dict(session.view().query.where)
    _ask(where=tuple((name, earlier.get(name, _everything(schema, name))) for name in sorted(value(key))))


def choose_query_range(name: str, key_low: str, key_high: str, read: Callable[[Any, bool], float]) -> None:
    """Ask for cases whose value lies in a range; an empty field is no bound, and two are no question.

    The ends are told apart when they are read, as the second may be all of a day.
    """
    low, high = value(key_low), value(key_high)
    if low is not None and high is not None and low > high:
        low, high = high, low
    rule: Rule = Rule(low=None if low is None else read(low, False), high=None if high is None else read(high, True))
    _ask_where(name, rule)


def choose_query_categories(name: str, key: str) -> None:
    """Ask for cases whose value is one of some categories."""
    _ask_where(name, Rule(categories=frozenset(value(key))))


def choose_query_gaps(key: str) -> None:
    """Ask for cases of which some values are missing, or are not."""
    by_gap = {gap: tuple(sorted(name for name, is_missing in value(key) if is_missing is gap)) for gap in (True, False)}
    _ask(missing=by_gap[True], known=by_gap[False])


def ask_for_all() -> None:
    """Ask for all cases, in the order that there is."""
    session.show(session.view().changed(query=CaseQuery(order=session.view().query.order)))
    own().pop(PAGE_OF_CASES, None)


def random_case(cases: Sequence[str]) -> None:
    """Take one of these cases, and go to where it is explained."""
    change(case=cases[random.randrange(len(cases))])
    own()[PICKED_CASE] = True


def pick_case(key: str, ids: Sequence[str]) -> None:
    """Take the case whose row was picked, and go to where it is explained.

    The browser picks the first cell by itself when the table is focused, such as by a sort
    in its header; so the column that stands first picks nothing.
    """
    selection = value(key)["selection"]
    rows = [*selection["rows"], *(row for row, column in selection["cells"] if column != PLACE)]
    if rows:
        change(case=ids[rows[0]])
        own()[PICKED_CASE] = True


def open_counterfactual(method: str, place: int, **options: Any) -> None:
    """Take a counterfactual of some method, asked with these options, and go to where it is explained."""
    view = session.view().asking(method)
    for name, value in options.items():
        view = view.with_option(name, value)
    session.show(view.changed(counterfactual=place))
    own()[PICKED_CASE] = True


def has_picked_case() -> bool:
    """Whether a case was just picked; asking forgets it, and the table forgets its row."""
    picked = own().pop(PICKED_CASE, False)
    if picked:
        own()[CHART_ROUND] = own().get(CHART_ROUND, 0) + 1
    return picked


def _ask(**changes: Any) -> None:
    view = session.view()
    session.show(view.changed(query=replace(view.query, **changes)))
    own().pop(PAGE_OF_CASES, None)


def _ask_where(name: str, rule: Rule) -> None:
    where = {**dict(session.view().query.where), name: rule}
    _ask(where=tuple((other, kept) for other, kept in where.items() if not kept.is_free))


def _everything(schema: Schema, name: str) -> Rule:
    feature = schema[name]
    return Rule(low=feature.low, high=feature.high) if feature.is_number else Rule(categories=frozenset(feature.labels))


def step(order: Sequence[str], by: int) -> None:
    """Go so many cases forwards or backwards, and round at the ends."""
    current = session.view().case
    place = order.index(current) if current in order else (-1 if by > 0 else 0)
    change(case=order[(place + by) % len(order)])


def walk(order: Sequence[str]) -> None:
    """Go as many cases on or back as the browser has counted since it was last heard."""
    begun_before, _, steps_before = own().get(WALKED, NOWHERE)
    walked = st.session_state[WALK].walk
    if note_walk(walked):
        begun, _, steps = walked
        step(order, steps - steps_before if begun == begun_before else steps)


def note_walk(walked: Sequence[int] | None) -> bool:
    """Remember up to where the presses that the browser counted are answered; whether that is news.

    Told are since when it counts, how many there were, and their sum. Each page has its own
    widget for it, and what the browser kept of another page's comes along later.
    """
    is_news = walked is not None and tuple(walked[:2]) > own().get(WALKED, NOWHERE)[:2]
    if is_news:
        own()[WALKED] = tuple(walked)
    return is_news


def lock(schema: Schema, name: str, locked: bool) -> None:
    """Lock or unlock a feature."""
    view = session.view()
    rule = view.constraints(schema)[name]
    session.show(view.with_rule(schema, name, replace(rule, locked=locked)))


def free(schema: Schema, *names: str) -> None:
    """Take every rule off some features."""
    view = session.view()
    for name in names:
        view = view.with_rule(schema, name, FREE)
    session.show(view)


def limit_direction(schema: Schema, name: str, key: str) -> None:
    """Set which way a feature may move."""
    view = session.view()
    direction = Direction(value(key) or Direction.ANY)
    session.show(view.with_rule(schema, name, replace(view.constraints(schema)[name], direction=direction)))


def limit_range(
    schema: Schema, name: str, key_low: str, key_high: str, read: Callable[[Any, bool], float] | None = None
) -> None:
    """Set between which numbers a feature may move; an empty field is no bound.

    What the fields hold is read by `read`, if given, which is told whether it is the upper end.
    """
    view = session.view()
    low, high = (
        chosen if chosen is None or read is None else read(chosen, is_end)
        for chosen, is_end in ((value(key_low), False), (value(key_high), True))
    )
    is_empty = low is not None and high is not None and low > high
    own()[REFUSED] = name if is_empty else None
    if not is_empty:
        session.show(view.with_rule(schema, name, replace(view.constraints(schema)[name], low=low, high=high)))


def was_refused(name: str) -> bool:
    """Whether the last range that was asked for this feature could not be."""
    return bool(own().get(REFUSED) == name)


def limit_categories(schema: Schema, name: str, key: str) -> None:
    """Set to which categories a feature may change; all of them is no rule."""
    view = session.view()
    chosen = frozenset(value(key))
    everything = chosen == frozenset(schema[name].labels)
    rule: Rule = replace(view.constraints(schema)[name], categories=None if everything else chosen)
    session.show(view.with_rule(schema, name, rule))


def follow_neighbour(key: str, ids: Sequence[str]) -> None:
    """Go to the case whose row was picked in a table of neighbours."""
    rows = value(key)["selection"]["rows"]
    if rows:
        change(case=ids[rows[0]])


def is_open(name: str) -> bool:
    """Whether a part of the page that can be opened is open."""
    return bool(own().get(f"{OPENED} {name}", False))


def toggle(name: str) -> None:
    """Open or close a part of the page."""
    own()[f"{OPENED} {name}"] = not is_open(name)


def take(name: str, key: str) -> None:
    """Let something that belongs to the screen alone follow a widget; see `chosen`."""
    own()[name] = value(key)


def round_of(name: str) -> int:
    """A number for the key of a widget that can't be told to forget what was typed."""
    number: int = own().get(f"round of {name}", 0)
    return number


def next_round(name: str) -> None:
    """Let such a widget begin anew."""
    own()[f"round of {name}"] = round_of(name) + 1
