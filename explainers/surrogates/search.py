"""The neighbourhood search: the largest bound over growing neighbourhoods (BELLA, Algorithm 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.run import Run
from explainers.surrogates.local_model import FOLDS, LocalModel, Moments, fit

LEAST_SIZE = 10
CONFIDENCE = 0.975
EQUAL_BOUNDS = 1e-10
"""Bounds that differ by less are equal, and the smaller neighbourhood wins."""
MOST_HELD = 4_000_000
"""So many numbers of cumulated products are held at a time."""


@dataclass(frozen=True, eq=False)
class Neighbourhoods:
    """Linear models of the nearest rows, in growing numbers.

    Attributes
    ----------
    sizes : array of int of shape (n_sizes,)
        Rows in each, the case itself included.
    bounds : array of shape (n_sizes,)
        Lower bounds of Berry and Mielke's R.
    coefficients : array of shape (n_sizes, n_columns)
        Of standardised columns; 0 for those that a model is without.
    intercepts : array of shape (n_sizes,)
    chosen : int
        Place of the largest bound.
    """

    sizes: NDArray[np.intp]
    bounds: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    chosen: int


def sizes_to_try(n_others: int, n_columns: int, percent: int) -> NDArray[np.intp]:
    """Sizes of neighbourhoods, the case included: by steps of so many percent of the other rows.

    Parameters
    ----------
    n_others, n_columns : int
    percent : int
        0 for every row.
    """
    step = max(1, round(n_others * percent / 100)) if percent else 1
    all_rows = n_others + 1
    sizes = np.array([*range(1 + step, all_rows, step), all_rows], dtype=np.intp)
    enough = sizes[sizes >= max(LEAST_SIZE, 2 * n_columns)]
    return enough if enough.size else sizes[-1:]


def search(
    values: NDArray[np.float64], labels: NDArray[np.float64], sizes: NDArray[np.intp], run: Run
) -> Neighbourhoods:
    """Fit a model to the first rows, in each of some numbers, and find the best.

    Parameters
    ----------
    values : array of shape (n_rows, n_columns)
        By distance, the case first.
    labels : array of shape (n_rows,)
    sizes : array of int
        Rising; each at least `LEAST_ROWS`.
    run : Run

    Raises
    ------
    Stopped
        If the run ended first.
    """
    # About the case itself, sums stay small where rows are near, and what doesn't vary is 0.
    table = np.column_stack([values - values[0], labels - labels[0]])
    n_columns = values.shape[1]
    coefficients, intercepts = np.zeros((len(sizes), n_columns)), np.empty(len(sizes))
    bounds, quantiles = np.empty(len(sizes)), _quantiles(sizes)
    for place, moments in enumerate(_moments(table, sizes)):
        run.check()
        model = fit(moments)
        bounds[place] = _bound(table[: sizes[place]], model, quantiles[place])
        coefficients[place, model.columns] = model.coefficients
        intercepts[place] = labels[0] + model.intercept - values[0, model.columns] @ model.coefficients
        run.progress((place + 1) / len(sizes))
    chosen = 0
    for place in range(1, len(sizes)):
        if bounds[place] > bounds[chosen] + EQUAL_BOUNDS:
            chosen = place
    return Neighbourhoods(sizes, bounds, coefficients, intercepts, chosen)


def _quantiles(sizes: NDArray[np.intp]) -> NDArray[np.float64]:
    from scipy.special import stdtrit

    return np.asarray(stdtrit(sizes - 1.0, CONFIDENCE))


def fold_edges(size: int) -> NDArray[np.intp]:
    """Where the folds of so many rows begin and end: adjacent rows, the first folds one longer."""
    lengths = np.full(FOLDS, size // FOLDS)
    lengths[: size % FOLDS] += 1
    return np.concatenate([[0], np.cumsum(lengths)])


def _moments(table: NDArray[np.float64], sizes: NDArray[np.intp]) -> Iterator[Moments]:
    """Moments of each size's folds, as differences of sums that are cumulated once for many sizes."""
    width = table.shape[1]
    together = max(1, MOST_HELD // ((FOLDS + 1) * width * width))
    for start in range(0, len(sizes), together):
        edges = [fold_edges(int(size)) for size in sizes[start : start + together]]
        marks = np.unique(np.concatenate(edges))
        sums, products = _cumulated(table, marks)
        for own in edges:
            at = np.searchsorted(marks, own)
            yield Moments(np.diff(own).astype(np.float64), np.diff(sums[at], axis=0), np.diff(products[at], axis=0))


def _cumulated(table: NDArray[np.float64], marks: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums, and sums of products, of the rows before each mark."""
    width = table.shape[1]
    sums, products = np.zeros((len(marks), width)), np.zeros((len(marks), width, width))
    for at in range(1, len(marks)):
        rows = table[marks[at - 1] : marks[at]]
        sums[at] = rows.sum(axis=0)
        products[at] = rows.T @ rows
    return np.cumsum(sums, axis=0), np.cumsum(products, axis=0)


def _bound(rows: NDArray[np.float64], model: LocalModel, quantile: float) -> float:
    """The lower bound of R (Equations 2 and 3), from predictions of each fold by the others."""
    if not len(model.columns):
        return 0.0
    values, labels = rows[:, model.columns], rows[:, -1]
    edges = fold_edges(len(rows))
    predicted = np.empty(len(rows))
    for fold in range(FOLDS):
        own = slice(edges[fold], edges[fold + 1])
        predicted[own] = values[own] @ model.fold_coefficients[fold] + model.fold_intercepts[fold]
    errors = (predicted - labels) ** 2
    margin = quantile * errors.std() / np.sqrt(len(rows))
    by_chance = predicted.var() + labels.var() + (predicted.mean() - labels.mean()) ** 2
    return float(1.0 - min(1.0, (errors.mean() + margin) / by_chance)) if by_chance > 0 else 0.0
