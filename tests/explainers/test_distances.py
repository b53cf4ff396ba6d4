"""HEOM against its definition, value by value."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.distances import heom, heom_parts, value_ranges
from explainers.schema import Schema

SCHEMA = Schema.infer(pd.DataFrame({"x": [1.0, 2.0], "kind": ["a", "b"], "y": [1.0, 2.0]}))
VALUES = st.one_of(st.just(float("nan")), st.integers(-3, 3).map(float))
CODES = st.sampled_from([0.0, 1.0, float("nan")])
ROWS = st.tuples(VALUES, CODES, VALUES).map(np.array)


def by_definition(one: float, other: float, spread: float, is_number: bool) -> float:
    if np.isnan(one) and np.isnan(other):
        return 0.0
    if np.isnan(one) or np.isnan(other):
        return 1.0
    return abs(one - other) / spread if is_number else float(one != other)


@given(row=ROWS, rows=st.lists(ROWS, min_size=1, max_size=5).map(np.array), spread=st.floats(0.5, 9))
def test_heom_is_its_definition(row: np.ndarray, rows: np.ndarray, spread: float) -> None:
    ranges = np.array([spread, 1.0, spread / 2])
    parts = np.array(
        [[by_definition(row[i], other[i], ranges[i], bool(SCHEMA.is_number[i])) for i in range(3)] for other in rows]
    )
    np.testing.assert_allclose(heom_parts(SCHEMA, ranges, row, rows), parts)
    np.testing.assert_allclose(heom(SCHEMA, ranges, row, rows), parts.sum(axis=1))


@pytest.mark.parametrize(
    ("column", "spread"),
    [([1.0, 4.0, np.nan], 3.0), ([np.nan, np.nan, np.nan], 1.0), ([2.0, 2.0, 2.0], 1.0), ([0.0, np.inf, 5.0], 5.0)],
)
def test_ranges_are_of_known_values(column: list[float], spread: float) -> None:
    assert value_ranges(np.array(column)[:, None]).tolist() == [spread]


def test_no_rows_have_no_range() -> None:
    assert value_ranges(np.empty((0, 2))).tolist() == [1.0, 1.0]
