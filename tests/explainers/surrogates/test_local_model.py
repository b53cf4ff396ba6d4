"""The Lasso and the inflations, against scikit-learn and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import lasso_path as peer_path

from benchmarks import plain_bella
from explainers.surrogates.bella import Bella
from explainers.surrogates.descent import compile_now, fold_errors, lasso_path
from explainers.surrogates.local_model import not_inflated
from tests.explainers.surrogates.labelled_tables import bent, labelled, mixed


def correlated(n: int, p: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.asarray(random.normal(size=(n, p)) @ random.normal(size=(p, p)))


def centred_gram(values: np.ndarray) -> np.ndarray:
    centred = values - values.mean(axis=0)
    return np.asarray(centred.T @ centred)


@pytest.mark.parametrize("seed", range(4))
def test_the_path_is_the_peer_s_solved_exactly(seed: int) -> None:
    values = correlated(60, 8, seed)
    labels = values @ np.r_[np.ones(3), np.zeros(5)] + np.random.default_rng(seed).normal(size=60)
    values, labels = values - values.mean(axis=0), labels - labels.mean()
    alphas = np.abs(values.T @ labels).max() / 60 * np.geomspace(1, 1e-3, 30)
    expected = peer_path(values, labels, alphas=alphas, tol=1e-14, max_iter=100_000)[1].T
    ours = lasso_path(values.T @ values, values.T @ labels, float(labels @ labels), 60 * alphas)
    np.testing.assert_allclose(ours, expected, atol=1e-7)
    # Optimal by itself: the gradient is the penalty where a coefficient is not 0, and no more elsewhere.
    for weights, alpha in zip(ours, alphas, strict=True):
        pull = values.T @ (labels - values @ weights) / 60
        used = weights != 0
        np.testing.assert_allclose(pull[used], alpha * np.sign(weights[used]), rtol=1e-7)
        assert (np.abs(pull) <= alpha * (1 + 1e-7)).all()


def test_a_column_twice_is_no_obstacle_to_the_path() -> None:
    values = correlated(40, 3, 0)
    values = np.column_stack([values, values[:, 0]])
    values -= values.mean(axis=0)
    labels = values[:, 0] + values[:, 1]
    penalties = 0.01 * np.abs(values.T @ labels).max() * np.ones(1)
    weights = lasso_path(values.T @ values, values.T @ labels, float(labels @ labels), penalties)[0]
    alone = lasso_path(values[:, :3].T @ values[:, :3], values[:, :3].T @ labels, float(labels @ labels), penalties)[0]
    np.testing.assert_allclose(values @ weights, values[:, :3] @ alone, atol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_same_columns_leave_as_with_one_fit_each(seed: int) -> None:
    values = correlated(50, 12, seed)
    assert 0 < len(not_inflated(centred_gram(values))) < 12
    assert not_inflated(centred_gram(values)).tolist() == plain_bella.not_inflated(values)


def test_exact_dependence_counts_less_than_a_large_inflation_and_the_later_column_leaves() -> None:
    random = np.random.default_rng(0)
    free = random.normal(size=(80, 3))
    dependent = np.column_stack([free, free.sum(axis=1)])
    assert not_inflated(centred_gram(dependent)).tolist() == [0, 1, 2]
    near = free[:, 0] * 3 + random.normal(scale=0.01, size=80)
    both = np.column_stack([dependent, near])
    assert not_inflated(centred_gram(both)).tolist() == plain_bella.not_inflated(both)
    constant = np.column_stack([np.full(80, 7.0), free, np.zeros(80)])
    assert not_inflated(centred_gram(constant - constant[0])).tolist() == [1, 2, 3]
    assert not_inflated(np.zeros((0, 0))).tolist() == []


def test_what_is_compiled_ahead_is_what_an_equation_needs() -> None:
    compile_now()
    ahead = len(fold_errors.signatures), len(lasso_path.signatures)
    table = labelled(mixed(), bent(mixed()))
    Bella().explain(table, table.case("3"))
    assert (len(fold_errors.signatures), len(lasso_path.signatures)) == ahead
