"""Where a case may go: bounds, recorded decimals, and rows made to fit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from explainers.constraints import Constraints, Rule
from explainers.counterfactuals.room import Room
from explainers.schema import Direction, Schema
from tests.contract.problems import cases_of, problem_called, random_rules


def room(table: pd.DataFrame, constraints: Constraints, at: int = 0) -> Room:
    schema = Schema.infer(table)
    rows = schema.encode(table)
    return Room.of(schema, rows[at], constraints, rows)


TABLE = pd.DataFrame({"a": [1, 2, 7, 9], "b": [0.25, 1.5, 2.75, 3.0], "c": ["x", "y", "x", "z"]})


def test_bounds_are_the_rule_s_within_what_was_seen() -> None:
    limited = Constraints((("a", Rule(high=7.5)), ("b", Rule(low=0.5, direction=Direction.UP))))
    found = room(TABLE, limited, 1)
    assert (found.low[0], found.high[0]) == (1.0, 7.0)
    assert (found.low[1], found.high[1]) == (1.5, 3.0)
    assert np.isnan(found.low[2])


def test_values_are_those_of_others_that_the_rules_allow() -> None:
    found = room(TABLE, Constraints((("a", Rule(direction=Direction.UP)), ("c", Rule(categories=frozenset("z"))))), 1)
    assert found.values[0].tolist() == [7.0, 9.0]
    assert found.values[2].tolist() == [2.0]
    assert room(TABLE, Constraints((("b", Rule(locked=True)),))).free.tolist() == [0, 2]


def test_rows_are_rounded_clipped_and_left_where_nothing_shows() -> None:
    found = room(TABLE, Constraints())
    rows = np.array([[3.4, 9.0, 0.0], [1.2, 0.2512, 0.0], [-5.0, -5.0, 1.0]])
    assert found.fitted(rows).tolist() == [[3.0, 3.0, 0.0], [1.0, 0.25, 0.0], [1.0, 0.25, 1.0]]


@pytest.mark.parametrize("name", ["mixed", "missing", "one-hot by hand", "numbers"])
def test_fitted_rows_keep_every_rule(name: str) -> None:
    problem = problem_called(name)
    random = np.random.default_rng(0)
    for case in cases_of(problem):
        for seed in range(4):
            constraints = random_rules(problem, case, seed)
            found = Room.of(problem.schema, case.row, constraints, problem.rows)
            stretched = problem.rows * random.uniform(-2, 3, problem.rows.shape)
            wild = np.where(problem.schema.is_number, stretched, problem.rows)
            fitted = found.fitted(wild)
            assert constraints.allowed(problem.schema, case.row, fitted).all()
            np.testing.assert_array_equal(found.fitted(fitted), fitted)
            assert np.array_equal(found.fitted(case.row[None])[0], case.row, equal_nan=True)
