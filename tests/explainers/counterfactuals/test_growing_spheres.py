"""Growing spheres find what is near, and take back the smallest moves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from explainers.constraints import Constraints, Rule
from explainers.counterfactuals.growing_spheres import GrowingSpheres, SpheresOptions
from explainers.counterfactuals.nearest_case import NearestCase
from explainers.problem import Case, Problem
from tests.explainers.tables import posed


def plane(weights: list[float], bound: float) -> tuple[Problem, Case]:
    """Class 1 on one side of a line through a square, and a case on the other side."""
    values = np.random.default_rng(1).uniform(0, 1, (400, len(weights))).round(4)
    values[0] = 0.2
    table = pd.DataFrame(values, columns=[f"x{i}" for i in range(len(weights))])
    problem = posed(table, lambda rows: np.clip(rows @ weights - bound + 0.5, 0, 1))
    return problem, problem.case("0")


def test_it_comes_near_the_shortest_way_to_the_other_side() -> None:
    problem, case = plane([1.0, 1.0], 1.2)
    shortest = (1.2 - 0.4) / np.sqrt(2)
    found = GrowingSpheres().explain(problem, case, Constraints(), SpheresOptions(draws=2000, ways=10)).found
    moves = [float(np.linalg.norm(c.row - case.row)) for c in found if len(c) == 2]
    assert shortest - 1e-9 <= min(moves) <= 1.15 * shortest


def test_a_move_that_counts_for_nothing_is_taken_back() -> None:
    problem, case = plane([1.0, 0.0, 0.0], 0.5)
    first = GrowingSpheres().explain(problem, case, Constraints()).found[0]
    assert [change.feature for change in first.changes] == ["x0"]
    assert 0.5 <= first.row[0] <= 0.6


def test_numbers_are_recorded_as_the_table_s_are() -> None:
    problem, case = plane([1.0, 1.0], 1.2)
    for counterfactual in GrowingSpheres().explain(problem, case, Constraints()).found:
        np.testing.assert_array_equal(counterfactual.row, counterfactual.row.round(4))


@pytest.mark.parametrize("locked", ["x0", "x1"])
def test_the_sphere_lies_where_it_may(locked: str) -> None:
    problem, case = plane([1.0, 1.0], 1.1)
    found = GrowingSpheres().explain(problem, case, Constraints(((locked, Rule(locked=True)),))).found
    assert found and all(change.feature != locked for c in found for change in c.changes)


def test_nothing_is_further_than_the_nearest_real_case_by_more_than_a_layer() -> None:
    problem, case = plane([1.0, 1.0, 0.3], 1.4)
    real = NearestCase().explain(problem, case, Constraints()).found[0]
    reach = float(np.linalg.norm(real.row - case.row))
    for counterfactual in GrowingSpheres().explain(problem, case, Constraints()).found:
        assert float(np.linalg.norm(counterfactual.row - case.row)) <= reach * 1.2
