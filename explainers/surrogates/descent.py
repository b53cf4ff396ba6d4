"""The Lasso from Gram matrices, by coordinate descent in machine code.

Minimises |y - Xw|^2 / (2n) + alpha |w|_1, given the centred sums of products only
(Friedman, Hastie and Tibshirani 2010, Section 2.2). Solved until nothing moves, so that
neither the order of columns nor where the search begins shows in what is chosen.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

STILL = 1e-10
"""No coefficient may move the fit by more than this share of the label's spread in a last round."""
MOST_ROUNDS = 20_000
DEPENDENT = 1e-10
"""Columns that leave less than this share of another's square can't be solved for together."""


@njit(cache=True, nogil=True)
def _round(
    gram: NDArray[np.float64], penalty: float, weights: NDArray[np.float64], rest: NDArray[np.float64]
) -> tuple[float, bool]:
    """Move each coefficient once; how far the fit moved at most, and whether one came, went or turned."""
    moved, turned = 0.0, False
    for j in range(len(weights)):
        square, old = gram[j, j], weights[j]
        if square <= 0.0:
            continue
        pull = rest[j] + square * old
        new = 0.0
        if pull > penalty:
            new = (pull - penalty) / square
        elif pull < -penalty:
            new = (pull + penalty) / square
        if new != old:
            turned = turned or np.sign(new) != np.sign(old)
            by = new - old
            for i in range(len(weights)):
                rest[i] -= gram[j, i] * by
            weights[j] = new
            moved = max(moved, abs(by) * np.sqrt(square))
    return moved, turned


@njit(cache=True, nogil=True)
def _jump(
    gram: NDArray[np.float64],
    cross: NDArray[np.float64],
    penalty: float,
    weights: NDArray[np.float64],
    rest: NDArray[np.float64],
    room: tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]],
) -> None:
    """Go where the rounds lead to as long as no coefficient comes, goes or turns; stay if one would.

    It works in the room that it is given, for making room anew would cost as much as the work.
    """
    used, lower, aim = room
    n = 0
    for j in range(len(weights)):
        if weights[j] != 0.0:
            used[n] = j
            n += 1
    for i in range(n):
        for j in range(i + 1):
            left = gram[used[i], used[j]]
            for k in range(j):
                left -= lower[i, k] * lower[j, k]
            if i == j:
                if left <= DEPENDENT * gram[used[i], used[i]]:
                    return
                lower[i, i] = np.sqrt(left)
            else:
                lower[i, j] = left / lower[j, j]
        aim[i] = cross[used[i]] - penalty * np.sign(weights[used[i]])
        for k in range(i):
            aim[i] -= lower[i, k] * aim[k]
        aim[i] /= lower[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            aim[i] -= lower[k, i] * aim[k]
        aim[i] /= lower[i, i]
        if np.sign(aim[i]) != np.sign(weights[used[i]]):
            return
    rest[:] = cross
    for i in range(n):
        weights[used[i]] = aim[i]
        for j in range(len(rest)):
            rest[j] -= gram[used[i], j] * aim[i]


@njit(cache=True, nogil=True)
def lasso_path(
    gram: NDArray[np.float64], cross: NDArray[np.float64], spread: float, penalties: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Coefficients for falling penalties, each search beginning where the last one ended.

    Parameters
    ----------
    gram : array of shape (p, p)
        Centred sums of products of the columns; 0 on the diagonal for one that doesn't vary.
    cross : array of shape (p,)
        Centred sums of products with the label.
    spread : float
        Centred sum of squares of the label.
    penalties : array of shape (n_penalties,)
        n times alpha.

    Returns
    -------
    array of shape (n_penalties, p)
    """
    path = np.zeros((len(penalties), len(cross)))
    weights = np.zeros(len(cross))
    rest = cross.copy()
    p = len(cross)
    room = (np.empty(p, dtype=np.int64), np.empty((p, p)), np.empty(p))
    still = STILL * np.sqrt(spread)
    for step in range(len(penalties)):
        _jump(gram, cross, penalties[step], weights, rest, room)  # mostly the same columns are used as before
        for _ in range(MOST_ROUNDS):
            moved, turned = _round(gram, penalties[step], weights, rest)
            if moved <= still:
                break
            if not turned:
                _jump(gram, cross, penalties[step], weights, rest, room)
        path[step] = weights
    return path


@njit(cache=True, nogil=True)
def fold_errors(
    counts: NDArray[np.float64],
    sums: NDArray[np.float64],
    products: NDArray[np.float64],
    alphas: NDArray[np.float64],
    constant: float,
) -> NDArray[np.float64]:
    """Mean squared errors of each fold left out in turn, for each alpha.

    Parameters
    ----------
    counts : array of shape (n_folds,)
        Rows of each fold.
    sums : array of shape (n_folds, p + 1)
        Sums of the columns and, last, of the label, in each fold.
    products : array of shape (n_folds, p + 1, p + 1)
        Sums of products of them, in each fold.
    alphas : array of shape (n_alphas,)
        Falling.
    constant : float
        A column whose centred square is not above this share of its raw one doesn't vary.

    Returns
    -------
    array of shape (n_folds, n_alphas)
    """
    n_folds, width = sums.shape
    p = width - 1
    errors = np.empty((n_folds, len(alphas)))
    for fold in range(n_folds):
        n = 0.0
        mean = np.zeros(width)
        raw = np.zeros((width, width))
        for other in range(n_folds):
            if other != fold:
                n += counts[other]
                mean += sums[other]
                raw += products[other]
        mean /= n
        centred = np.empty((width, width))
        for i in range(width):
            for j in range(width):
                centred[i, j] = raw[i, j] - n * mean[i] * mean[j]
        for i in range(p):
            if centred[i, i] <= constant * raw[i, i]:
                centred[i, :] = 0.0
                centred[:, i] = 0.0
        gram = centred[:p, :p].copy()
        path = lasso_path(gram, centred[:p, p].copy(), max(centred[p, p], 0.0), n * alphas)
        # The fold's own products about the means of the others.
        m, own = counts[fold], sums[fold]
        about = np.empty((width, width))
        for i in range(width):
            for j in range(width):
                about[i, j] = products[fold, i, j] - mean[i] * own[j] - own[i] * mean[j] + m * mean[i] * mean[j]
        for step in range(len(alphas)):
            error = about[p, p]
            for i in range(p):
                weight = path[step, i]
                if weight != 0.0:
                    part = -2.0 * about[i, p]
                    for j in range(p):
                        part += about[i, j] * path[step, j]
                    error += weight * part
            errors[fold, step] = max(error, 0.0) / m
    return errors


def compile_now() -> None:
    """Compile, so that the first equation needn't wait; what was compiled once is kept beside this file."""
    products = np.stack([np.eye(2) * (fold + 1.0) for fold in range(2)])
    fold_errors(np.full(2, 2.0), np.zeros((2, 2)), products, np.array([1.0, 0.1]), 0.0)
    lasso_path(np.eye(1), np.ones(1), 1.0, np.array([0.5]))
