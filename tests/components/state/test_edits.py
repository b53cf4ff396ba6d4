"""Edits follow each other, and every one can be taken back and made again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from components.state.edits import MOST_STEPS, Edits, History

CASE = ("data", "1")
edits = st.dictionaries(st.sampled_from("abc"), st.sampled_from(["1", "2"]), max_size=3).map(
    lambda by_name: tuple(sorted(by_name.items()))
)


def after(steps: list[Edits]) -> History:
    history = History(CASE)
    for step in steps:
        history = history.changed(step)
    return history


@given(st.lists(edits, max_size=8))
def test_all_edits_are_undone_to_the_case_and_redone_to_the_last(steps: list[Edits]) -> None:
    history = last = after(steps)
    while history.past:
        history = history.undone()
    assert history.present == ()
    while history.future:
        history = history.redone()
    assert history == last


@given(st.lists(edits, min_size=1, max_size=8), edits)
def test_another_edit_after_undoing_leaves_nothing_to_redo(steps: list[Edits], other: Edits) -> None:
    history = after(steps)
    if not history.past:
        return
    before = history.undone()
    changed = before.changed(other)
    assert changed.present == other
    assert changed.future == (() if other != before.present else before.future)


def test_an_edit_that_says_the_same_is_no_step() -> None:
    once = after([(("a", "1"),)])
    assert once.changed((("a", "1"),)) is once


def test_resetting_can_be_undone() -> None:
    history = after([(("a", "1"),), ()])
    assert history.undone().present == (("a", "1"),)


def test_only_so_many_steps_are_kept() -> None:
    history = after([(("a", str(step)),) for step in range(2 * MOST_STEPS)])
    assert len(history.past) == MOST_STEPS
    assert history.undone().present == (("a", str(2 * MOST_STEPS - 2)),)
