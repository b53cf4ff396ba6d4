"""Rows that somebody gives become counterfactuals where they are, and are told apart where they are not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from explainers import sentences, wording
from explainers.constraints import Constraints, Rule
from explainers.counterfactuals.given import given
from explainers.counterfactuals.nice import Nice
from explainers.decision import BinaryDecision
from explainers.explanation import explain_changes
from explainers.intake.rows import Proposal
from explainers.problem import Problem
from explainers.run import Run, Stopped
from explainers.sentences_none_found import none_found
from tests.contract.problems import BUILDERS, cases_of, problem_called
from tests.explainers.tables import posed

TABLE = pd.DataFrame({"age": [20, 40, 60], "job": ["none", "clerk", "none"]})
FREE = Constraints()


def problem(wanted: str | None = None) -> Problem:
    """A hundredth of the age, and a quarter more for being no clerk."""
    return posed(TABLE, lambda rows: rows[:, 0] / 100 + (rows[:, 1] > 0) / 4, BinaryDecision(("0", "1"), 0.6, wanted))


def test_rows_are_sorted_out_and_each_says_why() -> None:
    asked = problem()
    case = asked.case("0")
    frame = pd.DataFrame({"age": [50, 21, 20, 40.5, 55], "job": ["none", "none", "none", "none", "pilot"]})
    found = given(asked, case, frame, FREE, source="mine.csv")
    assert [(len(one), one.score) for one in found.found] == [(1, 0.75)]
    assert found.none_found is None
    assert [row.sentence for row in found.rejected] == [
        "Row 2 does not flip: it scores 0.46, 0.14 under the threshold of 0.60.",
        "Row 3 is the case as it is; nothing differs.",
        "Row 4: age takes whole numbers only, not 40.5.",
        "Row 5: job has no category called 'pilot'; it has clerk, none.",
    ]
    assert found.origin.method == found.found[0].origin.method == "given"
    assert found.found[0].origin.options == (("source", "mine.csv"), ("row", "Row 1"))


def test_rows_keep_their_order_and_their_names() -> None:
    asked = problem()
    found = given(asked, asked.case("0"), pd.DataFrame({"age": [60, 20, 50]}), FREE)
    assert [wording.plain((wording.Span(text),)) for text in sentences.alternatives(found)] == [
        "Row 1: 1\u00a0change, 0.85", "Row 3: 1\u00a0change, 0.75",
    ]  # fmt: skip


def test_a_row_that_flips_but_breaks_a_rule_says_which() -> None:
    asked = problem()
    locked = FREE.with_rule("age", Rule(locked=True))
    found = given(asked, asked.case("0"), {"age": 60}, locked)
    assert not found.found
    (row,) = found.rejected
    assert row.binding == ("age",)
    assert row.sentence == "The row flips, but breaks what was set: age is locked."
    assert found.none_found is not None
    told = none_found(asked.schema, found.target, found.factual_score, found.none_found)
    assert wording.plain(told) == row.sentence


def test_a_row_that_does_not_flip_binds_nothing() -> None:
    asked = problem()
    found = given(asked, asked.case("0"), {"age": 21}, FREE.with_rule("age", Rule(locked=True)))
    assert found.rejected[0].binding == ()
    assert "0.14 under" in found.rejected[0].sentence


def test_several_that_are_none_are_said_to_be_none() -> None:
    asked = problem()
    found = given(asked, asked.case("0"), pd.DataFrame({"age": [21, 22]}), FREE)
    assert found.none_found is not None
    told = none_found(asked.schema, found.target, found.factual_score, found.none_found)
    assert wording.plain(told) == "None of the rows that were given is a counterfactual of this case."


def test_a_case_that_has_the_decision_needs_none() -> None:
    asked = problem(wanted="0")
    found = given(asked, asked.case("0"), {"age": 60}, FREE)
    assert found.none_found is not None
    assert found.none_found.reason == "reached"


def test_what_was_given_says_so_where_it_is_checked() -> None:
    asked = problem()
    explanation = explain_changes(asked, asked.case("0"), given(asked, asked.case("0"), {"age": 60}, FREE).found[0])
    assert "It was given, not searched for." in sentences.checked(explanation)[0]


def test_nothing_given_is_no_result() -> None:
    asked = problem()
    assert given(asked, asked.case("0"), (), FREE).found == ()
    assert given(asked, asked.case("0"), (Proposal("Row 1", refusal="It is none."),), FREE).rejected[0].sentence == (
        "Row 1: It is none."
    )


def test_constraints_that_can_not_be_are_refused() -> None:
    asked = problem()
    with pytest.raises(ValueError, match="no feature called 'size'"):
        given(asked, asked.case("0"), {"age": 60}, FREE.with_rule("size", Rule(locked=True)))


def test_a_run_that_has_ended_gives_nothing() -> None:
    asked = problem()
    with pytest.raises(Stopped):
        given(asked, asked.case("0"), {"age": 60}, FREE, Run(cancelled=lambda: True))


@pytest.mark.parametrize("kind", sorted(BUILDERS))
def test_what_a_generator_found_is_one_when_it_is_given(kind: str) -> None:
    """By the values of the table, on every kind of problem: the same row, score, changes and distance."""
    asked = problem_called(kind)
    for case in list(cases_of(asked))[:4]:
        for one in Nice().explain(asked, case).found[:2]:
            frame = asked.schema.decode(one.row[None])
            again = given(asked, case, frame)
            assert not again.rejected
            (same,) = again.found
            assert np.array_equal(same.row, one.row, equal_nan=True)
            assert (same.score, same.distance) == pytest.approx((one.score, one.distance), rel=1e-9)
            assert same.changes == one.changes
