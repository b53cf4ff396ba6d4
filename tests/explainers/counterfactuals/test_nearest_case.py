"""The nearest real cases against a loop over all of them."""

from __future__ import annotations

import numpy as np
import pytest

from explainers.constraints import Constraints, Rule
from explainers.counterfactuals.nearest_case import NearestCase
from explainers.counterfactuals.searching import SearchOptions
from explainers.distances import heom, value_ranges
from tests.contract.problems import cases_of, problem_called


@pytest.mark.parametrize("name", ["mixed", "missing", "narrow interval"])
def test_the_nearest_rows_come_in_order(name: str) -> None:
    problem = problem_called(name)
    ranges = value_ranges(problem.rows[problem.training])
    for case in cases_of(problem):
        target = problem.target(case)
        wanted = np.flatnonzero(
            problem.training & target.flips(problem.outputs) & problem.may_have_been(target)
        )  # fmt: skip
        order = wanted[np.argsort(heom(problem.schema, ranges, case.row, problem.rows[wanted]), kind="stable")]
        found = NearestCase().explain(problem, case, Constraints(), SearchOptions(ways=5)).found
        assert [c.neighbour for c in found] == [problem.ids[i] for i in order[: len(found)]]
        for counterfactual, position in zip(found, order, strict=False):
            np.testing.assert_array_equal(counterfactual.row, problem.rows[position])


def test_a_lock_keeps_the_case_s_own_value_in_the_real_case() -> None:
    problem = problem_called("numbers")
    case = cases_of(problem)[0]
    found = NearestCase().explain(problem, case, Constraints((("whole", Rule(locked=True)),))).found
    place = problem.schema.index("whole")
    for counterfactual in found:
        real = problem.rows[problem.position(counterfactual.neighbour)]
        others = np.arange(len(real)) != place
        np.testing.assert_array_equal(counterfactual.row[others], real[others])
        assert counterfactual.row[place] == case.row[place]
