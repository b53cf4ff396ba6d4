"""Distances between categories against a literal reading, and lines that keep an order that is known."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from explainers.embedding import SMOOTHING, abdm, embed_by_context, embed_by_outputs, mvdm, on_a_line
from explainers.schema import Schema
from tests.contract.problems import problem_called


def literal_abdm(codes: list[float], n: int, others: list[list[int]]) -> np.ndarray:
    """Every divergence by hand, one cell at a time."""
    total = np.zeros((n, n))
    for other in others:
        levels = range(max(other) + 1)
        shares = []
        for category in range(n):
            counts = [sum(c == category and o == level for c, o in zip(codes, other, strict=True)) for level in levels]
            smoothed = [count + SMOOTHING for count in counts]
            shares.append([count / sum(smoothed) for count in smoothed])
        for a in range(n):
            for b in range(n):
                total[a, b] += sum(
                    p * math.log(p / q) + q * math.log(q / p) for p, q in zip(shares[a], shares[b], strict=True)
                )
    return total


def test_abdm_is_the_sum_of_both_divergences() -> None:
    random = np.random.default_rng(0)
    codes = random.integers(0, 4, 60).astype(float)
    others = [random.integers(0, 3, 60), (codes + random.integers(0, 2, 60)).astype(int)]
    expected = literal_abdm(codes.tolist(), 4, [other.tolist() for other in others])
    np.testing.assert_allclose(abdm(codes, 4, list(others)), expected, atol=1e-12)


def test_mvdm_is_the_gap_between_the_shares_of_each_class() -> None:
    codes = np.array([0.0, 0, 0, 0, 1, 1, 2, 2, np.nan])
    sides = np.array([0, 0, 0, 1, 1, 1, 0, 1, 1])
    expected = [[0, 1.5, 0.5], [1.5, 0, 1.0], [0.5, 1.0, 0]]
    np.testing.assert_allclose(mvdm(codes, 3, sides), expected)


def test_a_category_that_nobody_has_stands_at_the_mean() -> None:
    codes, sides = np.array([0.0, 0, 1, 1]), np.array([0, 0, 1, 1])
    np.testing.assert_allclose(mvdm(codes, 3, sides)[2], [1.0, 1.0, 0.0])


def test_points_of_a_line_come_back_in_their_places() -> None:
    known = np.array([3.0, -1.0, 0.5, 7.0])
    places = on_a_line(np.abs(known[:, None] - known[None]))
    standardised = (known - known.mean()) / known.std()
    np.testing.assert_allclose(np.sign(places[0]) * np.sign(standardised[0]) * places, standardised, atol=1e-9)
    assert places[0] < 0


def test_categories_that_differ_in_nothing_stand_apart_in_their_own_order() -> None:
    assert np.diff(on_a_line(np.zeros((3, 3)))).tolist() == [1.0, 1.0]
    assert on_a_line(np.zeros((1, 1))).tolist() == [0.0]


@pytest.mark.parametrize("by", ["context", "outputs"])
def test_an_order_that_all_else_follows_is_found(by: str) -> None:
    random = np.random.default_rng(1)
    level = random.integers(0, 5, 4000)
    names = np.array(["e", "c", "a", "d", "b"])
    table = pd.DataFrame(
        {
            "level": pd.Series(names[level], dtype="str"),
            "income": level + random.normal(scale=1.0, size=4000),
            "car": random.random(4000) < level / 5,
        }
    )
    schema = Schema.infer(table)
    rows = schema.encode(table)
    sides = (random.random(4000) < level / 4).astype(np.intp)
    embedding = embed_by_context(schema, rows) if by == "context" else embed_by_outputs(schema, rows, sides)
    found = [schema["level"].labels[code] for code in embedding.order(0)]
    assert found in (names.tolist(), names.tolist()[::-1])


def test_what_is_left_out_tells_nothing() -> None:
    problem = problem_called("mixed")
    names = problem.schema.names
    at = problem.schema.index("grade")
    all_but_one = embed_by_context(problem.schema, problem.rows, frozenset(names) - {"code", "grade"})
    order = [i for i, name in enumerate(names) if name == "code"]
    expected = abdm(problem.rows[:, at], 4, [problem.rows[:, order[0]].astype(np.intp)])
    np.testing.assert_allclose(all_but_one.places[at], on_a_line(expected))


def test_missing_stays_missing_and_numbers_stay_themselves() -> None:
    problem = problem_called("missing")
    embedded = embed_by_context(problem.schema, problem.rows).embedded(problem.rows)
    np.testing.assert_array_equal(np.isnan(embedded), np.isnan(problem.rows))
    numbers = problem.schema.is_number
    np.testing.assert_array_equal(embedded[:, numbers], problem.rows[:, numbers])
    assert np.isfinite(embedded[~np.isnan(problem.rows)]).all()
