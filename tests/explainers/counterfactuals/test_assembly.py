"""What is printed is still a counterfactual, and a part of the changes can be kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explainers.constraints import Constraints, Rule
from explainers.counterfactuals.assembly import Candidate, NotACounterfactual, assemble, keep_only
from explainers.counterfactuals.reduction import reduced_row
from explainers.decision import BinaryDecision, IntervalDecision
from explainers.distances import value_ranges
from explainers.importance.coalitions import score_coalitions
from explainers.problem import Problem
from explainers.results import Counterfactual, Origin
from explainers.run import Run
from tests.contract.asking import Watched, check_counterfactuals
from tests.explainers.tables import counterfactual, game, posed

ORIGIN = Origin("hand", (), 0, "")


def made(problem: Problem, row: np.ndarray, constraints: Constraints | None = None) -> Counterfactual:
    case = problem.case(0)
    target = problem.target(case)
    drawn = target.drawn(problem.model.score(np.stack([case.row, row]))).tolist()
    return assemble(
        problem,
        case,
        constraints or Constraints(),
        target,
        drawn[0],
        [Candidate(row, drawn[1])],
        value_ranges(problem.rows),
        ORIGIN,
        Run(),
    )[0]


@settings(max_examples=80)
@given(
    line=st.floats(-1, 1),
    way=st.floats(1e-9, 0.5),
    side=st.floats(1e-9, 0.5),
    scale=st.sampled_from([1e-6, 1.0, 3e5]),
)
def test_both_rows_stay_on_their_sides_as_printed(line: float, way: float, side: float, scale: float) -> None:
    """Case and counterfactual as near to the line as one likes."""
    rows = np.array([line - way, line + side]) * scale
    if rows[0] == rows[1] or not (rows[0] / scale < line <= rows[1] / scale):
        return
    table = pd.DataFrame({"x": rows, "same": [1 / 3, 1 / 3], "whole": [1, 1]})
    problem = posed(table, lambda rows: rows[:, 0] / scale, IntervalDecision("x", (0, 1, 2), low=line))
    found = made(problem, problem.rows[1])
    check_counterfactuals(problem, problem.case(0), Constraints(), [found])


def test_no_more_decimals_than_it_takes() -> None:
    table = pd.DataFrame({"x": [0.123456789, 0.987641321, 0.555555555]})
    problem = posed(table, lambda rows: rows[:, 0], BinaryDecision(("0", "1"), 0.9))
    found = made(problem, problem.rows[1])
    assert (found.changes[0].old_text, found.changes[0].new_text) == ("0.1235", "0.9876")
    near = problem.with_decision(BinaryDecision(("0", "1"), 0.98763))
    assert made(near, problem.rows[1]).changes[0].new_text == "0.98764"


def test_every_change_is_seen_as_printed() -> None:
    """However small it is, and although the row flips with fewer decimals."""
    table = pd.DataFrame({"x": [0.123456, 0.123457891], "kind": ["a", "b"], "y": [1 / 3, 0.5]})
    problem = posed(table, lambda rows: rows[:, 1])
    found = made(problem, problem.rows[1])
    assert [change.feature for change in found.changes] == ["x", "kind", "y"]
    assert (found.changes[0].old_text, found.changes[0].new_text) == ("0.123456", "0.123458")


def test_a_rule_holds_as_printed() -> None:
    table = pd.DataFrame({"x": [0.123456789, 0.987654321, 0.555555555]})
    problem = posed(table, lambda rows: rows[:, 0])
    found = made(problem, problem.rows[1], Constraints((("x", Rule(high=0.98766)),)))
    assert found.changes[0].new_text == "0.98765"


def test_recorded_numbers_need_no_call() -> None:
    table = pd.DataFrame({"x": [0.25, 0.75], "kind": ["a", "b"]})
    watched = Watched.of(posed(table, lambda rows: rows[:, 0]))
    case = watched.problem.case(0)
    target = watched.problem.target(case)
    watched.calls = 0
    ranges = value_ranges(watched.problem.rows)
    candidates = [Candidate(watched.problem.rows[1], 0.75)]
    found = assemble(watched.problem, case, Constraints(), target, 0.25, candidates, ranges, ORIGIN, Run())
    assert watched.calls == 0 and found[0].decimals == (2, 0)


def test_units_categories_and_missing_are_printed() -> None:
    table = pd.DataFrame({"x": [1500.5, 20.0], "kind": ["a", "b"], "y": [np.nan, 2.0]})
    problem = posed(table, lambda rows: rows[:, 1])
    schema = problem.schema.described({"x": {"unit": "km", "title": "Way"}, "y": {"unit": "s"}})
    problem = posed(table, lambda rows: rows[:, 1], schema=schema)
    changes = made(problem, problem.rows[1]).changes
    assert [(c.title, c.old_text, c.new_text) for c in changes] == [
        ("Way", "1\u00a0500.5", "20\u00a0km"),
        ("kind", "a", "b"),
        ("y", "missing", "2\u00a0s"),
    ]
    assert [(c.old, c.new) for c in changes] == [(1500.5, 20.0), ("a", "b"), (None, 2.0)]


def test_a_part_is_kept() -> None:
    problem, case, found = game([0.0, 0.4, 0.6, 0.3, 0.25, 0.2, 0.7, 1.0])
    ranges = value_ranges(problem.rows)
    kept = keep_only(problem, case, Constraints(), found, ["f2", "f1"], ranges)
    assert [change.feature for change in kept.changes] == ["f1", "f2"]
    assert kept.score == 0.7 and kept.factual_score == found.factual_score
    with pytest.raises(NotACounterfactual, match=r"do not flip the case\.$"):
        keep_only(problem, case, Constraints(), found, ["f0"], ranges)
    with pytest.raises(NotACounterfactual, match=r"do not flip the case\.$"):
        keep_only(problem, case, Constraints(), found, [], ranges)
    with pytest.raises(NotACounterfactual, match=r"^nobody is not among the changes"):
        keep_only(problem, case, Constraints(), found, ["nobody"], ranges)


@given(st.lists(st.sampled_from([0.1, 0.3, 0.6, 0.8]), min_size=32, max_size=32))
def test_reducing_keeps_the_first_minimal_part(scores: list[float]) -> None:
    scores[0], scores[-1] = 0.1, 0.9
    problem, case, found = game(scores)
    row, score = reduced_row(problem.model, found.target, case.row, found.row, found.score, Run())
    smallest = score_coalitions(problem, found).minimal[0]
    assert (row @ (1 << np.arange(5)), score) == (smallest, scores[smallest])


def test_reducing_many_changes_leaves_none_that_can_go() -> None:
    n = 24
    table = pd.DataFrame(np.array([[0] * n, [1] * n]), columns=[f"f{i}" for i in range(n)])
    problem = posed(table, lambda rows: np.clip(rows[:, ::4].sum(axis=1) / 12 + rows[:, 23] * 0.01, 0, 1))
    found = counterfactual(problem, problem.case(0), problem.rows[1])
    assert not problem.target(problem.case(0)).flips(problem.model.score(problem.rows[1][None] * 0.9))[0]
    row, score = reduced_row(problem.model, found.target, found.factual, found.row, found.score, Run())
    assert np.flatnonzero(row).tolist() == list(range(0, 24, 4)) and score == pytest.approx(0.5)
