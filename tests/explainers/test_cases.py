"""Cases of every kind of problem: filters, order and what the table says of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explainers.cases import CaseQuery, Filter, Order, case_frame, scores, select
from explainers.constraints import Rule
from explainers.problem import Problem
from tests.contract.problems import BUILDERS, problem_called

EVERY = pytest.mark.parametrize("name", BUILDERS)


def all_of(problem: Problem, **query: object) -> set[int]:
    return set(select(problem, CaseQuery(**query)).tolist())  # type: ignore[arg-type]


@EVERY
def test_sides_part_the_rows_as_the_decision_does(name: str) -> None:
    problem = problem_called(name)
    decided = problem.decision.sides(problem.outputs)
    for side, called in enumerate(problem.decision.side_names()):
        assert all_of(problem, side=called) == set(np.flatnonzero(decided == side).tolist())


@EVERY
def test_nearest_is_nearest_to_each_case_s_own_target(name: str) -> None:
    problem = problem_called(name)
    order = select(problem, CaseQuery(Order.NEAREST))
    targets = [problem.decision.target(output) for output in problem.outputs]
    way = [
        min(abs(drawn - line) for line in (target.low, target.high) if np.isfinite(line))
        for target, drawn in ((t, t.drawn(o[None])[0]) for t, o in zip(targets, problem.outputs, strict=True))
    ]
    assert (np.diff(np.array(way)[order]) >= -1e-9).all()


@EVERY
def test_scores_order_the_cases(name: str) -> None:
    problem = problem_called(name)
    assert (np.diff(scores(problem)[select(problem, CaseQuery(Order.LOWEST))]) >= 0).all()
    assert (np.diff(scores(problem)[select(problem, CaseQuery(Order.HIGHEST))]) <= 0).all()
    in_table = select(problem, CaseQuery())
    assert (np.diff(problem.training[in_table].astype(int)) >= 0).all()
    assert sorted(in_table.tolist()) == list(range(len(problem.rows)))


@EVERY
def test_wrong_is_what_turned_out_on_another_side(name: str) -> None:
    problem = problem_called(name)
    wrong = all_of(problem, filters=frozenset({Filter.WRONG}))
    if problem.observed is None:
        assert not wrong
        return
    observed = problem.observed_sides
    assert observed is not None
    sides = problem.decision.sides(problem.outputs)
    assert wrong == {i for i in range(len(sides)) if observed[i] >= 0 and observed[i] != sides[i]}
    unknown = problem.observed.copy()
    unknown[:] = np.nan if unknown.dtype.kind == "f" else -1
    assert not all_of(replace(problem, observed=unknown), filters=frozenset({Filter.WRONG}))


@EVERY
def test_the_table_says_what_was_observed(name: str) -> None:
    problem = problem_called(name)
    positions = select(problem, CaseQuery())[:20]
    frame = case_frame(problem, positions)
    assert list(frame["case"]) == [problem.ids[position] for position in positions]
    assert set(frame["decision"]) <= set(problem.decision.side_names())
    assert ("observed" in frame) == (problem.observed is not None)
    if problem.observed is not None:
        told = frame["observed"].tolist()
        known = problem.observed[positions].tolist()
        assert told == ([problem.model.classes[i] for i in known] if problem.model.classes else known)


def test_seen_and_unseen_part_the_rows() -> None:
    problem = problem_called("three classes")
    seen, unseen = (all_of(problem, filters=frozenset({name})) for name in (Filter.SEEN, Filter.UNSEEN))
    assert seen == set(np.flatnonzero(problem.training).tolist())
    assert not seen & unseen and len(seen | unseen) == len(problem.rows)


def test_near_is_a_tenth() -> None:
    problem = problem_called("quartile")
    near = all_of(problem, filters=frozenset({Filter.NEAR}))
    assert len(near) == len(problem.rows) // 10
    assert list(near) and near <= set(select(problem, CaseQuery(Order.NEAREST)).tolist())


def test_values_and_texts_are_looked_for() -> None:
    problem = problem_called("mixed")
    grade = problem.schema.index("grade")
    high = all_of(problem, where=(("grade", Rule(categories=frozenset({"high"}))),))
    assert high == set(np.flatnonzero(problem.rows[:, grade] == 2).tolist())
    small = all_of(problem, where=(("whole", Rule(low=2, high=3)),))
    assert small == set(np.flatnonzero(np.isin(problem.rows[:, problem.schema.index("whole")], [2, 3])).tolist())
    assert all_of(problem, text="GRÜN") == set(np.flatnonzero(problem.rows[:, problem.schema.index("colour <b>")] == 1))
    assert all_of(problem, text="case 17") == {17}
