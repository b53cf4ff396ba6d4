"""One scoring for all importances, and the case to begin with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

from explainers.constraints import Constraints
from explainers.counterfactuals.nice import Nice
from explainers.explanation import MOST_TRIED, case_to_begin_with, explain_changes
from explainers.importance.countershapley import CounterShapley
from explainers.importance.greedy import Greedy
from explainers.problem import Case, Problem
from explainers.results import Counterfactuals
from explainers.run import Run, Stopped
from tests.contract.asking import Watched, assert_equal
from tests.explainers.tables import counterfactual, game, posed


def test_all_importances_come_from_one_call() -> None:
    problem, case, found = game([0.0, 0.4, 0.44, 0.3, 0.25, 0.2, 0.4, 1.0])
    watched, told = Watched.of(problem), []
    explanation = explain_changes(watched.problem, case, found, Run(progress=told.append))
    assert watched.calls == 1 and told[-1] == 1.0
    assert explanation.coalitions is not None and explanation.countershapley is not None
    assert_equal(explanation.greedy, replace(Greedy().explain(problem, case, found), cost=None))
    by_itself = CounterShapley().explain(problem, case, found)
    assert_equal(replace(explanation.countershapley, cost=None), replace(by_itself, cost=None))


def test_too_many_changes_to_combine_are_all_valued() -> None:
    n = 17
    table = pd.DataFrame(np.array([[0] * n, [1] * n]), columns=[f"f{i}" for i in range(n)])
    problem = posed(table, lambda rows: rows.mean(axis=1))
    told: list[float] = []
    explanation = explain_changes(
        problem, problem.case(0), counterfactual(problem, problem.case(0), problem.rows[1]), Run(progress=told.append)
    )
    assert explanation.coalitions is None and explanation.some is not None and explanation.is_complete
    assert explanation.countershapley is not None
    np.testing.assert_allclose(explanation.countershapley.values, 1 / n, atol=1e-12)
    assert len(explanation.greedy.values) == n
    assert told == sorted(told) and told[-1] == 1.0


def test_a_run_that_ended_is_said() -> None:
    problem, case, found = game([0.0, 0.4, 0.44, 1.0])
    with pytest.raises(Stopped):
        explain_changes(problem, case, found, Run(cancelled=lambda: True))


class Counting(Nice):
    """NICE that counts what it is asked."""

    asked: ClassVar[list[str]] = []

    def explain(self, problem: Problem, case: Case, *args: Any, **more: Any) -> Counterfactuals:
        self.asked.append(case.id)
        return super().explain(problem, case, *args, **more)


@pytest.fixture
def many() -> Problem:
    """Rows of 8 features that each count an eighth; row i has its first i features set."""
    rows = np.array([[1 if place < row else 0 for place in range(8)] for row in range(9)] * 2)
    table = pd.DataFrame(rows, columns=[f"f{i}" for i in range(8)])
    problem = posed(table, lambda rows: rows.mean(axis=1) * 0.9 + 0.05)
    return replace(problem, training=np.arange(18) >= 9)


def test_it_begins_with_three_to_six_changes(many: Problem) -> None:
    """It takes 4 features set to flip: row 1 needs 3 changes, row 0, which is farther, 4, and row 3 only 1."""
    case = case_to_begin_with(many, Nice())
    assert case.id == "1"
    assert len(Nice().explain(many, case, Constraints()).found[0]) == 3


def test_it_begins_with_most_changes_below_that(many: Problem) -> None:
    few = replace(many, training=many.training | (np.arange(18) < 2))
    assert case_to_begin_with(few, Nice()).id == "2"


def test_few_cases_are_tried() -> None:
    """However many rows there are, and none of them makes three changes."""
    table = pd.DataFrame({"f0": np.arange(1000.0)})
    problem = posed(table, lambda rows: rows[:, 0] / 1000)
    generator = Counting()
    case_to_begin_with(replace(problem, training=np.arange(1000) % 2 == 0), generator)
    assert len(set(generator.asked)) == len(generator.asked) == MOST_TRIED


def test_where_none_makes_so_many_it_begins_with_the_nearest(many: Problem) -> None:
    few = replace(many, training=many.training | (np.arange(18) < 3))
    assert case_to_begin_with(few, Nice()).id == "3"


def test_where_every_row_is_known_it_begins_with_the_first(many: Problem) -> None:
    assert case_to_begin_with(replace(many, training=np.ones(18, dtype=bool)), Nice()).id == "0"


def test_the_ends_outputs_are_kept() -> None:
    problem, case, found = game([0.0, 0.4, 0.44, 1.0])
    np.testing.assert_array_equal(explain_changes(problem, case, found).outputs, [[1.0, 0.0], [0.0, 1.0]])
