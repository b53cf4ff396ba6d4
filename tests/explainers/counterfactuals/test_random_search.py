"""The random search never overlooks a single change, and drops what isn't needed."""

from __future__ import annotations

import numpy as np
import pytest

from explainers.constraints import Constraints
from explainers.counterfactuals.random_search import RandomOptions, RandomSearch, _single_changes
from explainers.counterfactuals.room import Room
from explainers.importance.coalitions import MOST_CHANGES, score_coalitions
from explainers.problem import Case, Problem
from tests.contract.problems import cases_of, problem_called

NAMES = ["mixed", "missing", "three classes", "less is wanted"]


def single_changes_that_flip(problem: Problem, case: Case) -> int:
    """How many features have a training value that flips alone."""
    target, flipping = problem.target(case), 0
    for place in range(len(case.row)):
        values = np.unique(problem.rows[problem.training, place])
        rows = np.repeat(case.row[None], len(values), axis=0)
        rows[:, place] = values
        flipping += bool(target.flips(problem.model.score(rows)).any())
    return flipping


@pytest.mark.parametrize("name", NAMES)
def test_single_changes_are_tried_with_every_value(name: str) -> None:
    problem, known = problem_called(name), 0
    for case in cases_of(problem):
        expected = single_changes_that_flip(problem, case)
        found = RandomSearch().explain(problem, case, Constraints(), RandomOptions(ways=10)).found
        assert sum(len(c) == 1 for c in found) >= min(expected, 10)
        assert len({c.changes[0].feature for c in found if len(c) == 1}) == min(expected, 10)
        known += expected
    assert known


def test_of_very_many_values_some_are_tried_from_one_end_to_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_called("numbers")
    case, room_for = cases_of(problem)[0], 60
    monkeypatch.setattr("explainers.counterfactuals.random_search.MOST_SINGLES", room_for)
    room = Room.of(problem.schema, case.row, Constraints(), problem.rows[problem.training])
    rows = _single_changes(room)
    assert len(rows) <= room_for and ((rows != case.row).sum(axis=1) == 1).all()
    for place in range(len(case.row)):
        tried = rows[rows[:, place] != case.row[place], place]
        assert {tried.min(), tried.max()} == {room.values[place].min(), room.values[place].max()}


@pytest.mark.parametrize("name", NAMES)
def test_the_first_one_has_no_part_that_is_enough(name: str) -> None:
    problem = problem_called(name)
    for case in cases_of(problem):
        first = RandomSearch().explain(problem, case, Constraints()).found[0]
        assert len(first) <= MOST_CHANGES
        assert not score_coalitions(problem, first).is_reducible


def test_values_are_those_of_training_cases() -> None:
    problem = problem_called("mixed")
    for case in cases_of(problem):
        for counterfactual in RandomSearch().explain(problem, case, Constraints()).found:
            for change in counterfactual.changes:
                place = problem.schema.index(change.feature)
                assert counterfactual.row[place] in problem.rows[problem.training, place]
