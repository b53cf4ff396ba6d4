"""Every coalition's score, and the smallest that flip."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from explainers.decision import IntervalDecision
from explainers.importance.coalitions import (
    MOST_CHANGES,
    TooManyChanges,
    changed_features,
    coalition_rows,
    coalition_sizes,
    minimal_flipping,
    score_coalitions,
)
from tests.explainers.tables import counterfactual, game, posed

GAMES = st.integers(0, 6).flatmap(
    lambda k: st.tuples(arrays.arrays(bool, 2**k), arrays.arrays(float, 2**k, elements=st.sampled_from([0.1, 0.5, 1])))
)


@given(GAMES)
def test_minimal_sets_flip_and_no_part_of_them_does(drawn: tuple[np.ndarray, np.ndarray]) -> None:
    """By brute force, for games that need not rise with every change."""
    flips, closeness = drawn
    before = flips.copy()
    n_changes = len(flips).bit_length() - 1
    expected = []
    for size in range(n_changes + 1):
        for members in combinations(range(n_changes), size):
            parts = [part for smaller in range(size) for part in combinations(members, smaller)]
            if flips[mask(members)] and not any(flips[mask(part)] for part in parts):
                expected.append(mask(members))
    found = minimal_flipping(flips, closeness)
    assert sorted(found) == sorted(expected)
    assert list(found) == sorted(found, key=lambda m: (m.bit_count(), -closeness[m], m))
    np.testing.assert_array_equal(flips, before)


def mask(members: tuple[int, ...]) -> int:
    return sum(1 << i for i in members)


def test_scores_are_by_bit_mask() -> None:
    scores = np.array([0.1, 0.2, 0.3, 0.45, 0.7, 0.15, 0.05, 0.9])
    problem, _, found = game(scores)
    coalitions = score_coalitions(problem, found)
    np.testing.assert_array_equal(coalitions.scores, scores)
    np.testing.assert_array_equal(coalitions.flips, scores >= 0.5)
    assert coalitions.minimal == (4,) and coalitions.is_reducible
    assert coalitions.members(6) == (1, 2) and coalitions.names(6) == ("f1", "f2")
    assert coalitions.find(("f2", "f1", "nobody")) == 6
    frame = coalitions.to_frame()
    assert frame["combination"].tolist()[5] == "f0 + f2" and frame["minimal"].tolist()[4]
    assert not coalitions.scores.flags.writeable


def test_rows_take_the_new_values_of_their_members() -> None:
    factual, row = np.array([1.0, np.nan, 3.0, np.nan]), np.array([1.0, np.nan, 4.0, 5.0])
    changed = changed_features(factual, row)
    assert changed == (2, 3)
    rows = coalition_rows(factual, row, np.arange(4), changed)
    np.testing.assert_array_equal(rows[:, 2:], [[3, np.nan], [4, np.nan], [3, 5], [4, 5]])


def test_sizes_count_bits() -> None:
    assert coalition_sizes(5).tolist() == [m.bit_count() for m in range(32)]


def test_too_many_changes_are_refused_in_a_sentence() -> None:
    n = MOST_CHANGES + 1
    table = pd.DataFrame(np.array([[0] * n, [1] * n]), columns=[f"f{i}" for i in range(n)])
    problem = posed(table, lambda rows: rows.mean(axis=1))
    found = counterfactual(problem, problem.case(0), problem.rows[1])
    with pytest.raises(TooManyChanges, match=r"17 changes make 131,072 combinations.*\.$"):
        score_coalitions(problem, found)


def test_where_less_is_wanted_the_lower_score_comes_first() -> None:
    table = pd.DataFrame({"f0": [0, 1], "f1": [0, 1]})
    decision = IntervalDecision("price", (1, 5, 9), high=4.0)
    problem = posed(table, lambda rows: 9 - 6 * rows[:, 0] - 8 * rows[:, 1] + 6 * rows.prod(axis=1), decision)
    found = counterfactual(problem, problem.case(0), problem.rows[1])
    assert score_coalitions(problem, found).minimal == (2, 1)
