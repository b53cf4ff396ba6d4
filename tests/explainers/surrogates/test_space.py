"""Distances as Equation 1 and Ahmad and Dey have them, by brute force and by hand."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pandas as pd
import pytest

from explainers.distances import co_occurrence
from explainers.schema import Schema
from explainers.surrogates.space import Space


def by_sets(own: np.ndarray, other: np.ndarray, a: int, b: int) -> float:
    """P(W|a) + P(not W|b) - 1 at its largest over all sets W of the other attribute's values."""
    values = range(int(other.max()) + 1)
    sets = chain.from_iterable(combinations(values, size) for size in range(len(values) + 1))
    return max(np.isin(other[own == a], w).mean() + (~np.isin(other[own == b], w)).mean() - 1 for w in sets)


def test_co_occurrence_is_the_best_set_averaged_over_the_others() -> None:
    random = np.random.default_rng(0)
    levels = [random.integers(0, n, 80) for n in (3, 4, 2)]
    apart = co_occurrence(levels, [3, 4, 2], 0)
    for a in range(3):
        for b in range(3):
            expected = np.mean([by_sets(levels[0], other, a, b) for other in levels[1:]])
            assert apart[a, b] == pytest.approx(expected)


def test_values_that_go_together_with_the_same_are_near() -> None:
    """Two grades of the same stone and one of another: 0 apart and 1 apart."""
    grade = np.array([0, 0, 1, 1, 2, 2])
    stone = np.array([0, 0, 0, 0, 1, 1])
    assert co_occurrence([grade, stone], [4, 2], 0)[:3, :3].tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    assert co_occurrence([grade, stone], [4, 2], 0)[3, 0] == 1.0, "a value that never occurs is 1 from the others"
    assert co_occurrence([grade], [3], 0).tolist() == (1 - np.eye(3)).tolist(), "with nothing to go by"


def test_the_parts_of_a_distance_by_hand() -> None:
    table = pd.DataFrame(
        {
            "size": [1.0, 3.0, 5.0, 7.0],
            "open": [True, False, True, False],
            "kind": pd.Series(["a", "b", "c", "c"], dtype="str"),
            "same": [2.0] * 4,
        }
    )
    schema = Schema.infer(table)
    rows = schema.encode(table)
    space = Space.of(schema, rows)
    points = space.points(rows)
    own = space.distances(points[np.array([0])], points)
    scale = np.std([1.0, 3.0, 5.0, 7.0])
    # a is 1 from b and c by size; by open 1 from b and .5 from c; by what is the same 0.
    kinds = [0.0, (1 + 1 + 0) / 3, (1 + 0.5 + 0) / 3, (1 + 0.5 + 0) / 3]
    expected = [2 * i / scale + (i % 2) + kinds[i] for i in range(4)]
    assert own == pytest.approx(expected)


def test_a_missing_number_counts_as_the_mean_and_a_missing_category_as_one() -> None:
    table = pd.DataFrame(
        {"size": [1.0, 3.0, np.nan, 5.0], "open": pd.Series([True, False, None, None], dtype="boolean")}
    )
    schema = Schema.infer(table)
    space = Space.of(schema, schema.encode(table))
    points = space.points(schema.encode(table))
    assert len(space.columns) == 4
    assert points.values[2].tolist() == [0.0, 0.0, 0.0, 1.0]
    assert space.distances(points[np.array([2])], points)[3] == pytest.approx(2 / np.std([1.0, 3.0, 5.0]))
