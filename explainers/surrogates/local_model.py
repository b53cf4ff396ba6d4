"""One neighbourhood's linear model: from sums of products to a few features (BELLA, Algorithm 3).

Columns whose variance inflation is 10 or more leave, one at a time; the Lasso, tuned on
five folds of adjacent rows by the one-standard-error rule, chooses among those that stay;
ordinary least squares says by how much each of the chosen counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FOLDS = 5
LEAST_ROWS = FOLDS
"""With fewer there is nothing to tune the Lasso on."""
CONSTANT = 1e-12
"""A column whose centred square is not above this share of its raw one doesn't vary."""
MOST_INFLATION = 10.0
EXACT = 1e-12
"""A column that the others leave less than this share of its variance depends on them exactly."""
INFLATION_IF_EXACT = 100.0
"""Below a computed inflation of more than 100, as in the reference."""
TIE = 1e-9
TRUSTED_INFLATION = 1e6
"""When a column with more leaves, too much of the inverse is rounding to go on from it."""
N_ALPHAS = 100
LEAST_ALPHA = 1e-3

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moments:
    """What is to be known of a neighbourhood: sums over each of its folds, about the case.

    Attributes
    ----------
    counts : array of shape (n_folds,)
    sums : array of shape (n_folds, p + 1)
        Of the columns and, last, of the label.
    products : array of shape (n_folds, p + 1, p + 1)
    """

    counts: NDArray[np.float64]
    sums: Matrix
    products: Matrix

    def of(self, columns: NDArray[np.intp]) -> Moments:
        """Those of some columns and the label."""
        kept = np.append(columns, self.sums.shape[1] - 1)
        return Moments(self.counts, self.sums[:, kept], self.products[:, kept[:, None], kept])

    def without(self, fold: int | None = None) -> tuple[float, NDArray[np.float64], Matrix]:
        """Rows, means and centred products of all folds but one, or of all; rounding is no variance."""
        kept = np.arange(len(self.counts)) != (-1 if fold is None else fold)
        n = float(self.counts[kept].sum())
        raw = self.products[kept].sum(axis=0)
        means = self.sums[kept].sum(axis=0) / n
        centred = raw - n * np.outer(means, means)
        constant = centred.diagonal() <= CONSTANT * raw.diagonal()
        centred[constant] = 0.0
        centred[:, constant] = 0.0
        return n, means, centred


@dataclass(frozen=True, eq=False)
class LocalModel:
    """A linear model of a neighbourhood, in standardised columns about the case.

    Attributes
    ----------
    columns : array of int
        The chosen ones, rising.
    coefficients : array of shape (n_chosen,)
    intercept : float
    fold_coefficients : array of shape (n_folds, n_chosen)
    fold_intercepts : array of shape (n_folds,)
        Of the same columns with one fold left out in turn.
    """

    columns: NDArray[np.intp]
    coefficients: NDArray[np.float64]
    intercept: float
    fold_coefficients: Matrix
    fold_intercepts: NDArray[np.float64]


def fit(moments: Moments) -> LocalModel:
    """The model of a neighbourhood of `LEAST_ROWS` rows or more; without columns if none counts."""
    n, _, centred = moments.without()
    kept = not_inflated(centred[:-1, :-1])
    columns = kept[_chosen(n, centred, kept, moments.of(kept))]
    own = moments.of(columns)
    coefficients, intercept = _least_squares(*own.without()[1:])
    folds = [_least_squares(*own.without(fold)[1:]) for fold in range(len(own.counts))]
    return LocalModel(
        columns=columns,
        coefficients=coefficients,
        intercept=intercept,
        fold_coefficients=np.array([weights for weights, _ in folds]).reshape(len(folds), len(columns)),
        fold_intercepts=np.array([at_zero for _, at_zero in folds]),
    )


def not_inflated(gram: Matrix) -> NDArray[np.intp]:
    """The columns that stay: the most inflated one leaves until none is inflated by 10 or more.

    Of equally inflated ones the later leaves. What doesn't vary leaves first.

    Parameters
    ----------
    gram : array of shape (p, p)
        Centred sums of products.
    """
    kept = np.flatnonzero(np.diag(gram) > 0.0)
    sizes = np.sqrt(np.diag(gram)[kept])
    correlations = gram[kept[:, None], kept] / np.outer(sizes, sizes)
    inverse = _inverse(correlations)
    while len(kept) > 1:
        inflations = np.diag(inverse) if inverse is not None else _inflations_of_dependent(correlations)
        coded = np.where(inflations > 1.0 / EXACT, INFLATION_IF_EXACT, inflations)
        worst = int(np.flatnonzero(coded >= coded.max() * (1.0 - TIE))[-1])
        if coded[worst] < MOST_INFLATION:
            break
        stay = np.arange(len(kept)) != worst
        kept, correlations = kept[stay], correlations[stay][:, stay]
        if inverse is None or inflations[worst] > TRUSTED_INFLATION:
            inverse = _inverse(correlations)
        else:
            left = inverse[stay][:, worst]
            inverse = inverse[stay][:, stay] - np.outer(left, left) / inverse[worst, worst]
    return kept


def _is_dependent(correlations: Matrix) -> bool:
    """Whether some columns depend on others exactly."""
    try:
        lower = np.linalg.cholesky(correlations)
    except np.linalg.LinAlgError:
        return True
    return bool(lower.diagonal().min(initial=1.0) ** 2 <= 10 * EXACT)


def _inverse(correlations: Matrix) -> Matrix | None:
    """The inverse, whose diagonal are the inflations; nothing if some columns depend on others exactly."""
    return None if _is_dependent(correlations) else np.asarray(np.linalg.inv(correlations))


def _inflations_of_dependent(correlations: Matrix) -> NDArray[np.float64]:
    """Inflations where some columns depend on others exactly: infinite for those that do."""
    values, vectors = np.linalg.eigh(correlations)
    is_null = values <= 10 * EXACT * len(values)
    takes_part = (vectors[:, is_null] ** 2).sum(axis=1) > TIE
    inflations = (vectors[:, ~is_null] ** 2 / values[~is_null]).sum(axis=1)
    return np.where(takes_part, math.inf, inflations)


def _chosen(n: float, centred: Matrix, kept: NDArray[np.intp], moments: Moments) -> NDArray[np.intp]:
    """Places, among the columns that stay, of those that the Lasso chooses."""
    from explainers.surrogates.descent import fold_errors, lasso_path  # compiled, which the first screen can't wait for

    cross = centred[kept, -1]
    largest = float(np.abs(cross).max(initial=0.0)) / n
    if largest <= 0.0:
        return np.array([], dtype=np.intp)
    alphas = largest * LEAST_ALPHA ** (np.arange(N_ALPHAS) / (N_ALPHAS - 1))
    errors = fold_errors(moments.counts, moments.sums, moments.products, alphas, CONSTANT)
    place = _one_standard_error(errors)
    if place == 0:  # at the largest penalty nothing is left, but for rounding
        return np.array([], dtype=np.intp)
    gram = np.ascontiguousarray(centred[kept[:, None], kept])
    weights = lasso_path(gram, np.ascontiguousarray(cross), float(centred[-1, -1]), n * alphas[place : place + 1])[0]
    return np.flatnonzero(weights)


def _one_standard_error(errors: Matrix) -> int:
    """The largest penalty whose error is within a standard error of the smallest one."""
    means = errors.mean(axis=0)
    best = int(np.argmin(means))
    limit = means[best] + errors[:, best].std() / math.sqrt(len(errors))
    within = np.flatnonzero(means < limit)
    return int(within[0]) if within.size else best


def _least_squares(means: NDArray[np.float64], centred: Matrix) -> tuple[NDArray[np.float64], float]:
    """Coefficients and intercept; the shortest ones where several fit equally."""
    gram, cross = centred[:-1, :-1], centred[:-1, -1]
    if not len(cross):
        return np.empty(0), float(means[-1])
    squares = gram.diagonal()
    sizes = np.sqrt(np.where(squares > 0.0, squares, 1.0))
    correlations = gram / np.outer(sizes, sizes)
    if _is_dependent(correlations):
        weights = np.linalg.lstsq(correlations, cross / sizes, rcond=10 * EXACT)[0] / sizes
    else:
        weights = np.linalg.solve(correlations, cross / sizes) / sizes
    return weights, float(means[-1] - means[:-1] @ weights)
