"""Cases of every kind of problem: filters, order and what the table says of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explainers import wording
from explainers.cases import CaseQuery, Filter, Order, case_frame, cases, scores, select
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


def test_what_is_missing_is_asked_for_and_what_is_not() -> None:
    problem = problem_called("missing")
    gaps = np.isnan(problem.rows)
    for place, name in enumerate(problem.schema.names):
        assert all_of(problem, missing=(name,)) == set(np.flatnonzero(gaps[:, place]).tolist())
        assert all_of(problem, known=(name,)) == set(np.flatnonzero(~gaps[:, place]).tolist())
    assert all_of(problem, known=problem.schema.names) == set(np.flatnonzero(~gaps.any(axis=1)).tolist())
    assert all_of(problem, known=problem.schema.names) and gaps.any()


@EVERY
def test_cases_are_a_sequence_of_ids_in_the_order_asked_for(name: str) -> None:
    problem = problem_called(name)
    query = CaseQuery(Order.NEAREST, side=problem.decision.side_names()[0])
    found, ids = cases(problem, query), [problem.ids[position] for position in select(problem, query)]
    assert list(found) == ids and len(found) == len(ids)
    assert found[-1] == ids[-1] and found[1:4] == tuple(ids[1:4])
    assert [found.index(id_) for id_ in ids] == list(range(len(ids)))
    others = set(problem.ids) - set(ids)
    assert not any(id_ in found for id_ in [*others, "nobody", None])
    with pytest.raises(ValueError, match="nobody"):
        found.index("nobody")
    with pytest.raises(ValueError, match="not among"):
        found.index(ids[0], 1)


def test_truth_that_is_known_of_no_row_is_no_column() -> None:
    problem = problem_called("mixed")
    assert problem.observed is not None
    nobody = replace(problem, observed=np.full_like(problem.observed, -1))
    assert "observed" not in case_frame(nobody, select(nobody, CaseQuery()))
    some = problem.observed.copy()
    some[3] = -1
    shown = case_frame(replace(problem, observed=some), np.array([3, 4]))["observed"]
    assert shown.isna().tolist() == [True, False]


def test_titles_that_are_taken_are_told_apart() -> None:
    problem = problem_called("mixed")
    named = tuple(replace(feature, title="score") for feature in problem.schema.features)
    words = problem.with_words(replace(problem.schema, features=named), problem.model.classes)
    columns = case_frame(words, np.array([0])).columns
    assert columns.is_unique and len(columns) == len(case_frame(problem, np.array([0])).columns)


def test_numbers_are_found_as_somebody_types_them() -> None:
    problem = problem_called("numbers")
    place, position = next(
        (place, position)
        for place, feature in enumerate(problem.schema.features)
        for position in np.flatnonzero(problem.rows[:, place] < 0)
        if feature.is_number
    )
    printed = wording.value(problem.schema.features[place], float(problem.rows[position, place]))
    typed = printed.replace(wording.MINUS, "-").replace(wording.SPACE, " ")
    assert typed.startswith("-")
    assert int(position) in all_of(problem, text=typed)
    assert not all_of(problem, text="no number")
