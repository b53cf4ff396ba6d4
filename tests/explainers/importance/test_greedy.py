"""Greedy against a literal reading of Algorithm 1."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from explainers import sentences
from explainers.decision import IntervalDecision
from explainers.importance.coalitions import score_coalitions
from explainers.importance.countershapley import CounterShapley
from explainers.importance.greedy import Greedy, first_best
from explainers.wording import plain
from tests.contract.asking import Watched
from tests.explainers.tables import counterfactual, game, game_of_numbers, posed

TIED = st.sampled_from([0.0, 0.1, 0.2, 0.4])
ANY_GAME = st.integers(1, 6).flatmap(lambda k: arrays.arrays(float, 2**k, elements=TIED))


def literally(scores: np.ndarray, sign: float = 1.0) -> tuple[list[int], list[float]]:
    """Of the remaining changes the one with the best score, the earlier in a tie, until all are made."""
    left, made, path = list(range(len(scores).bit_length() - 1)), 0, [float(scores[0])]
    order = []
    while left:
        best = left[0]
        for change in left[1:]:
            if sign * scores[made | 1 << change] > sign * scores[made | 1 << best]:
                best = change
        left.remove(best)
        made |= 1 << best
        order.append(best)
        path.append(float(scores[made]))
    return order, path


@given(ANY_GAME)
def test_it_is_algorithm_1(scores: np.ndarray) -> None:
    scores[-1] = 0.9
    problem, case, found = game(scores)
    order, path = literally(scores)
    walked = Greedy().explain(problem, case, found)
    looked_up = Greedy().of_coalitions(problem, score_coalitions(problem, found))
    for importance in (walked, looked_up):
        assert list(importance.order) == order
        np.testing.assert_array_equal(importance.path, path)
        np.testing.assert_allclose(importance.values[order], np.diff(path))
        assert importance.path_flips.tolist() == [score >= 0.5 for score in path]


def test_figure_1() -> None:
    problem, case, found = game([0.2, 0.3, 0.35, 0.95])
    greedy = Greedy().explain(problem, case, found)
    assert greedy.order == (1, 0)
    np.testing.assert_allclose(greedy.values, [0.60, 0.15])


def test_three_features_walk_on_although_the_score_drops() -> None:
    problem, case, found = game([0.0, 0.4, 0.44, 0.3, 0.25, 0.2, 0.4, 1.0], threshold=0.42)
    greedy = Greedy().explain(problem, case, found)
    assert greedy.order == (1, 2, 0)
    np.testing.assert_allclose(greedy.path, [0, 0.44, 0.40, 1.0])
    assert greedy.path_flips.tolist() == [False, True, False, True]


@given(st.lists(st.floats(0.01, 0.12), min_size=1, max_size=6))
def test_for_additive_scores_it_is_countershapley(gains: list[float]) -> None:
    bits = np.arange(2 ** len(gains))[:, None] >> np.arange(len(gains)) & 1
    scores = 0.2 + bits @ np.array(gains)
    problem, case, found = game(scores, threshold=float(scores[-1]) - 1e-6)
    greedy, shapley = Greedy().explain(problem, case, found), CounterShapley().explain(problem, case, found)
    np.testing.assert_allclose(greedy.values, shapley.values, atol=1e-12)


def test_where_less_is_wanted_it_walks_down() -> None:
    table = pd.DataFrame({"f0": [0, 1], "f1": [0, 1], "f2": [0, 1]})
    problem = posed(table, lambda rows: 9 + rows @ [1.0, -5.0, -3.0], IntervalDecision("price", (1, 5, 9), high=4.0))
    case = problem.case(0)
    greedy = Greedy().explain(problem, case, counterfactual(problem, case, problem.rows[1]))
    assert greedy.order == (1, 2, 0)
    np.testing.assert_allclose(greedy.path, [9, 4, 1, 2])


def test_any_number_of_changes_takes_a_call_a_step() -> None:
    table = pd.DataFrame(np.array([[0] * 70, [1] * 70]), columns=[f"f{i}" for i in range(70)])
    watched = Watched.of(posed(table, lambda rows: rows @ np.arange(70) / 2415))
    found = counterfactual(watched.problem, watched.problem.case(0), watched.problem.rows[1])
    watched.calls = 0
    greedy = Greedy().explain(watched.problem, watched.problem.case(0), found)
    assert greedy.order == tuple(range(69, -1, -1))
    assert watched.calls == 70


def test_rounding_is_no_difference() -> None:
    assert first_best(np.array([0.1 + 0.2, 0.3])) == 0
    assert first_best(np.array([0.3, 0.1 + 0.2])) == 0
    assert first_best(np.array([0.1, 0.3, 0.2])) == 1


@given(ANY_GAME, st.booleans())
def test_every_step_is_the_one_that_comes_nearest_to_an_interval(scores: np.ndarray, is_below: bool) -> None:
    """Algorithm 1 on what is left to the interval, from either side of it; values are steps of the score itself."""
    scores = scores * (1.0 if is_below else -1.0)
    scores[0], scores[-1] = (0.0, 0.3) if is_below else (0.0, -0.3)
    bounds = (0.25, 0.35) if is_below else (-0.35, -0.25)
    problem, case, found = game_of_numbers(scores, *bounds)
    left = np.maximum(0.0, np.maximum(bounds[0] - scores, scores - bounds[1]))
    order, _ = literally(-left.round(9))
    masks = np.cumsum([0, *(1 << i for i in order)])
    greedy = Greedy().explain(problem, case, found)
    assert list(greedy.order) == order
    np.testing.assert_array_equal(greedy.path, scores[masks])
    np.testing.assert_allclose(greedy.values[order], np.diff(scores[masks]))
    assert greedy.path_flips.tolist() == [bool(bounds[0] <= score <= bounds[1]) for score in scores[masks]]
    shapley = CounterShapley().explain(problem, case, found)
    towards = shapley.values[list(shapley.order)] * (1 if is_below else -1)
    assert (np.diff(towards) <= 1e-12).all()
    np.testing.assert_allclose(shapley.values.sum(), scores[-1] - scores[0], atol=1e-12)
    back = {f"f{i}" for i in range(len(towards)) if shapley.values[i] * (1 if is_below else -1) < -1e-10}
    assert set(sentences.pulling_back(shapley)) == back


def test_a_step_that_leaves_the_range_again_is_said() -> None:
    """All that is left after the first step goes past the range, and the last comes back."""
    problem, case, found = game_of_numbers([0.0, 10.0, 5.0, 20.0, -1.0, 3.0, -2.0, 10.5], 9.0, 11.0)
    greedy = Greedy().explain(problem, case, found)
    assert greedy.order == (0, 2, 1)
    assert greedy.path_flips.tolist() == [False, True, False, True]
    assert "Step 2 leaves the range again." in plain(sentences.about_greedy(greedy))
