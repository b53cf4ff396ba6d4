"""The diverse selection against a brute-force determinant."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from explainers.distances import heom, value_ranges
from explainers.diversity import most_diverse
from explainers.results import Counterfactual
from tests.explainers.tables import counterfactual, numeric_table, posed


def pool(seed: int) -> tuple[Counterfactual, ...]:
    problem = posed(numeric_table(40, 4, seed), lambda rows: (rows[:, 0] + rows[:, 1] > 2).astype(float))
    sides = problem.decision.sides(problem.outputs)
    case = problem.case(str(np.flatnonzero(sides == 0)[0]))
    return tuple(counterfactual(problem, case, problem.rows[i]) for i in np.flatnonzero(sides == 1))


def kernel(problem_rows: np.ndarray, schema: object, ranges: np.ndarray) -> np.ndarray:
    return np.array([1 / (1 + heom(schema, ranges, row, problem_rows)) for row in problem_rows])  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(4))
def test_each_next_one_adds_most_to_the_determinant(seed: int) -> None:
    problem = posed(numeric_table(40, 4, seed), lambda rows: (rows[:, 0] + rows[:, 1] > 2).astype(float))
    ranges, all_ = value_ranges(problem.rows), pool(seed)
    distinct = list(dict.fromkeys(c.row.tobytes() for c in all_))
    rows = np.stack([np.frombuffer(row) for row in distinct])
    near = 1 / (1 + heom(problem.schema, ranges, all_[0].factual, rows))
    chosen = [int(near.argmax())]
    while len(chosen) < 4:
        before = np.linalg.det(kernel(rows[chosen], problem.schema, ranges))
        gains = [
            -1.0 if i in chosen
            else np.linalg.det(kernel(rows[[*chosen, i]], problem.schema, ranges)) / before * near[i]
            for i in range(len(rows))
        ]  # fmt: skip
        chosen.append(int(np.argmax(np.round(gains, 12))))
    picked = most_diverse(problem.schema, ranges, all_, 4)
    assert [rows[i].tobytes() for i in chosen] == [c.row.tobytes() for c in picked]


def test_equal_rows_count_once_and_fewer_may_be_all_there_are() -> None:
    problem = posed(numeric_table(40, 4), lambda rows: (rows[:, 0] > 2).astype(float))
    first = pool(0)[0]
    assert most_diverse(problem.schema, value_ranges(problem.rows), [first, first], 3) == (first,)
    assert most_diverse(problem.schema, value_ranges(problem.rows), [], 3) == ()


def test_the_nearest_comes_first_whatever_the_order_of_the_pool() -> None:
    problem = posed(numeric_table(40, 4), lambda rows: (rows[:, 0] > 2).astype(float))
    forwards, ranges = pool(1), value_ranges(problem.rows)
    picked = most_diverse(problem.schema, ranges, forwards[::-1], 3)
    assert picked[0].distance == min(c.distance for c in forwards)
    assert all(np.any(one.row != other.row) for one, other in pairwise(picked))
