"""Sampled values lie where the exact ones are, as far off as they say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from explainers.importance import sampled
from explainers.importance.countershapley import CounterShapley, shapley_values
from explainers.importance.sampled import ENOUGH_PAIRS, LEAST_PAIRS, MOST_ROWS, TOLERANCE, Sampled, standard_errors
from explainers.problem import Case, Problem
from explainers.results import Counterfactual
from explainers.run import Run, Stopped
from tests.contract.asking import Watched, assert_equal
from tests.explainers.tables import counterfactual, game, posed


def random_game(seed: int) -> tuple[Problem, Case, Counterfactual]:
    """Scores of 3 to 8 changes: noise on a sum, rough to smooth; it flips with all of them."""
    random = np.random.default_rng(seed)
    n_changes = int(random.integers(3, 9))
    bits = (np.arange(2**n_changes)[:, None] >> np.arange(n_changes)) & 1
    scores = bits @ random.normal(size=n_changes) + random.normal(scale=random.choice([0.01, 0.3, 2]), size=len(bits))
    low, high = scores.min(), scores.max()
    scores = 0.9 * (scores - low) / (high - low)
    scores[0], scores[-1] = 0.2, 0.95
    return game(scores)


def test_values_are_within_four_errors_of_the_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """On 200 random games; errors are neither too small nor so large that they say nothing."""
    monkeypatch.setattr(sampled, "MOST_ROWS", 2**12)
    off = []
    for seed in range(200):
        problem, case, found = random_game(seed)
        drawn = Sampled().explain(problem, case, found)
        exact = CounterShapley().explain(problem, case, found)
        assert drawn.standard_errors is not None
        off.append(np.abs(drawn.values - exact.values) / drawn.standard_errors)
    away = np.concatenate(off)
    assert away.max() < 4
    assert 0.5 < np.sqrt((away**2).mean()) < 1.2


@pytest.mark.parametrize("n_changes", [1, 2, 5, 40])
def test_where_each_change_counts_the_same_everywhere_nothing_is_off(n_changes: int) -> None:
    gains = np.random.default_rng(n_changes).normal(0.0, 0.1, n_changes)
    gains *= 0.6 / gains.sum()
    problem, case, found = of_function(lambda rows: 0.2 + rows @ gains, n_changes)
    drawn = Sampled().explain(problem, case, found)
    np.testing.assert_allclose(drawn.values, gains, atol=1e-12)
    assert drawn.standard_errors is not None and drawn.standard_errors.max() < 1e-12
    assert drawn.orders == 2 * LEAST_PAIRS


@pytest.mark.parametrize("n_changes", [6, 30, 80])
def test_where_only_the_number_of_changes_counts_all_are_equal(n_changes: int) -> None:
    """Only with all of them does it flip: what is seen in few orders is not taken for exact."""
    problem, case, found = of_function(lambda rows: 0.1 + 0.8 * rows.all(axis=1), n_changes)
    drawn = Sampled().explain(problem, case, found)
    assert drawn.standard_errors is not None
    assert (np.abs(drawn.values - 0.8 / n_changes) < 4 * drawn.standard_errors).all()
    np.testing.assert_allclose(drawn.values.sum(), 0.8, atol=1e-9)


def of_function(score: Any, n_changes: int) -> tuple[Problem, Case, Counterfactual]:
    columns = [f"f{i}" for i in range(n_changes)]
    problem = posed(pd.DataFrame(np.array([[0] * n_changes, [1] * n_changes]), columns=columns), score)
    return problem, problem.case(0), counterfactual(problem, problem.case(0), problem.rows[1])


def rough(n_changes: int) -> tuple[Problem, Case, Counterfactual]:
    """A game whose values need many orders."""
    weights = np.random.default_rng(1).normal(size=(n_changes, n_changes)) * 3
    return of_function(
        lambda rows: (
            (0.45 + 0.4 * np.sin((rows @ weights * rows).sum(axis=1))) * ~rows.all(axis=1) + 0.9 * rows.all(axis=1)
        ),
        n_changes,
    )


def test_it_ends_when_errors_are_small_or_rows_are_many() -> None:
    problem, case, found = rough(20)
    watched = Watched.of(problem)
    drawn = Sampled().explain(watched.problem, case, found)
    assert drawn.standard_errors is not None and drawn.cost is not None
    move = abs(found.score - found.factual_score)
    is_sure = drawn.standard_errors.max() <= TOLERANCE * move
    assert is_sure or drawn.orders * 19 >= MOST_ROWS
    assert drawn.cost.rows <= MOST_ROWS * 1.2
    calm = of_function(lambda rows: 0.2 + 0.7 * rows.mean(axis=1) ** 2, 20)
    steady = Sampled().explain(*calm)
    assert steady.standard_errors is not None and steady.standard_errors.max() <= TOLERANCE * 0.7
    assert steady.orders < drawn.orders


def test_what_is_random_comes_from_the_seed_and_the_case() -> None:
    problem, case, found = random_game(5)
    first, other = (Sampled().explain(problem, case, found, run=Run(seed=seed)).values for seed in (0, 1))
    named = Sampled().explain(problem, Case("another", case.row.copy()), found).values
    assert (first != other).any() and (first != named).any()
    assert_equal(first, Sampled().explain(problem, case, found, run=Run(seed=0)).values)


def test_a_stopped_run_is_a_result_with_larger_errors_or_none() -> None:
    """Few orders say nothing; more say something, and that they are fewer."""
    problem, case, found = rough(12)
    whole = Sampled().explain(problem, case, found)
    parts = []
    for after in range(1, 12):
        watched = Watched.of(problem)
        run = Run(cancelled=lambda w=watched, n=after: w.calls >= n)  # type: ignore[misc]
        try:
            parts.append(Sampled().explain(watched.problem, case, found, run=run))
        except Stopped:
            assert not parts
    assert parts and whole.standard_errors is not None
    for part in parts:
        assert not part.is_complete and 2 * ENOUGH_PAIRS <= part.orders < whole.orders
        assert part.standard_errors is not None and part.standard_errors.max() > whole.standard_errors.max()
        np.testing.assert_allclose(part.values.sum(), whole.values.sum(), atol=1e-9)


def test_errors_are_those_of_the_means() -> None:
    """Over many repetitions the means spread as much as each of them says."""
    random = np.random.default_rng(0)
    draws = random.normal(size=(200, 1000, 3)) * [1.0, 2.0, 3.0]
    told = np.array([standard_errors(effects) for effects in draws])
    spread = draws.mean(axis=1).std(axis=0)
    assert (told.mean(axis=0) > spread).all()
    np.testing.assert_allclose(np.sqrt((told**2).mean(axis=0)[2]), spread[2], rtol=0.25)


def test_shares_of_a_lead_are_sampled_as_it_is_drawn() -> None:
    """Exact values of the same scores, by the formula, are what the mean tends to."""
    problem, case, found = random_game(11)
    scores = found.target.drawn(problem.model.score(all_rows(found)))
    drawn = Sampled().explain(problem, case, found)
    np.testing.assert_allclose(drawn.values, shapley_values(scores), atol=0.05)


def all_rows(found: Counterfactual) -> np.ndarray:
    return ((np.arange(2 ** len(found))[:, None] >> np.arange(len(found))) & 1).astype(float)
