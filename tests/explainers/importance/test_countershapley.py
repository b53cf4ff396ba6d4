"""CounterShapley against the definition by orders, its axioms and the paper's numbers."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from explainers.decision import BinaryDecision, IntervalDecision
from explainers.importance.coalitions import score_coalitions
from explainers.importance.countershapley import CounterShapley, shapley_values
from tests.explainers.tables import counterfactual, game, posed

SCORES = st.floats(-10, 10)


def games(k: int) -> st.SearchStrategy[np.ndarray]:
    return arrays.arrays(float, 2**k, elements=SCORES)


ANY_GAME = st.integers(1, 6).flatmap(games)


def by_orders(scores: np.ndarray) -> np.ndarray:
    """Mean gain over every order in which the changes can be made."""
    n_changes = len(scores).bit_length() - 1
    values = np.zeros(n_changes)
    for order in permutations(range(n_changes)):
        made = 0
        for change in order:
            values[change] += scores[made | 1 << change] - scores[made]
            made |= 1 << change
    return values / factorial(n_changes)


@given(ANY_GAME)
def test_it_is_the_mean_over_all_orders(scores: np.ndarray) -> None:
    np.testing.assert_allclose(shapley_values(scores), by_orders(scores), atol=1e-10)


@given(st.integers(0, 12).flatmap(games))
def test_values_sum_to_the_move(scores: np.ndarray) -> None:
    assert shapley_values(scores).sum() == pytest.approx(scores[-1] - scores[0], abs=1e-9)


@given(st.integers(1, 5).flatmap(games), st.data())
def test_a_change_that_changes_nothing_gets_nothing(scores: np.ndarray, data: st.DataObject) -> None:
    n_changes = len(scores).bit_length()
    dummy = data.draw(st.integers(0, n_changes - 1))
    masks = np.arange(2**n_changes)
    without = (masks & (1 << dummy) - 1) | (masks >> dummy + 1 << dummy)
    values = shapley_values(scores[without])
    assert values[dummy] == 0.0
    np.testing.assert_allclose(np.delete(values, dummy), shapley_values(scores), atol=1e-10)


@given(st.integers(2, 5).flatmap(games), st.data())
def test_changes_that_do_the_same_get_the_same(scores: np.ndarray, data: st.DataObject) -> None:
    n_changes = len(scores).bit_length() - 1
    one, other = data.draw(st.permutations(range(n_changes)))[:2]
    masks = np.arange(len(scores))
    flipped = masks ^ np.where((masks >> one & 1) != (masks >> other & 1), 1 << one | 1 << other, 0)
    values = shapley_values(scores + scores[flipped])
    assert values[one] == pytest.approx(values[other], abs=1e-9)


@given(st.integers(1, 5).flatmap(lambda k: st.tuples(games(k), games(k))), SCORES)
def test_values_are_linear(pair: tuple[np.ndarray, np.ndarray], factor: float) -> None:
    one, other = pair
    expected = shapley_values(one) + factor * shapley_values(other)
    np.testing.assert_allclose(shapley_values(one + factor * other), expected, atol=1e-8)


def test_figure_1() -> None:
    """Age and salary, each in two values; the paper's mock."""
    table = pd.DataFrame({"age": [20, 28], "salary": [1200, 4000]})
    known = {(20, 1200): 0.2, (20, 4000): 0.35, (28, 1200): 0.3, (28, 4000): 0.95}
    problem = posed(table, lambda rows: np.array([known[int(age), int(salary)] for age, salary in rows]))
    case = problem.case(0)
    importance = CounterShapley().explain(problem, case, counterfactual(problem, case, problem.rows[1]))
    np.testing.assert_allclose(importance.values, [0.35, 0.40], atol=1e-12)
    assert importance.order == (1, 0)
    np.testing.assert_allclose(importance.path, [0.2, 0.6, 0.95])
    assert importance.path_flips.tolist() == [False, True, True]


def test_three_features() -> None:
    problem, case, found = game([0.0, 0.4, 0.44, 0.3, 0.25, 0.2, 0.4, 1.0], threshold=0.42)
    importance = CounterShapley().explain(problem, case, found)
    np.testing.assert_allclose(importance.values, [0.30167, 0.42167, 0.27667], atol=5e-6)
    assert importance.order == (1, 0, 2)
    coalitions = score_coalitions(problem, found)
    assert coalitions.minimal == (0b010,)
    without_one = [0b110, 0b101, 0b011]
    assert not coalitions.flips[without_one].any(), "leaving out one change at a time finds nothing to leave out"


def test_where_less_is_wanted_the_largest_fall_comes_first() -> None:
    table = pd.DataFrame({"f0": [0, 1], "f1": [0, 1], "f2": [0, 1]})
    decision = IntervalDecision("price", (1, 5, 9), high=4.0)
    problem = posed(table, lambda rows: 9 + rows @ [1.0, -5.0, -3.0], decision)
    case = problem.case(0)
    importance = CounterShapley().explain(problem, case, counterfactual(problem, case, problem.rows[1]))
    assert importance.order == (1, 2, 0)
    np.testing.assert_allclose(importance.path, [9, 4, 1, 2])


@given(st.integers(1, 5).flatmap(lambda k: arrays.arrays(float, 2**k, elements=st.floats(0, 0.49))))
def test_the_ends_of_the_path_are_the_scores_themselves(scores: np.ndarray) -> None:
    scores[-1] = 0.5
    problem, case, found = game(scores)
    importance = CounterShapley().explain(problem, case, found)
    assert (importance.path[0], importance.path[-1]) == (scores[0], 0.5)
    assert not importance.path_flips[0] and importance.path_flips[-1]


def test_one_change_has_it_all_and_none_has_nothing() -> None:
    np.testing.assert_array_equal(shapley_values(np.array([0.2, 0.7])), [0.7 - 0.2])
    assert shapley_values(np.array([0.2])).shape == (0,)


def test_towards_class_zero_one_minus_the_score_is_drawn() -> None:
    problem, _, _ = game([0.9, 0.6, 0.7, 0.3])
    case = problem.case(0)
    found = counterfactual(problem.with_decision(BinaryDecision(("0", "1"), 0.35)), case, problem.rows[1])
    importance = CounterShapley().explain(problem, case, found)
    np.testing.assert_allclose(importance.values, [0.35, 0.25])
    np.testing.assert_allclose(importance.path, [0.1, 0.45, 0.7])
