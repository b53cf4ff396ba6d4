"""One neighbourhood's linear model: from sums of products to a few features (BELLA, Algorithm 3).

Columns whose variance inflation is 10 or more leave, one at a time; the Lasso, tuned on
five folds of adjacent rows by the one-standard-error rule, chooses among those that stay;
ordinary least squares says by how much each of the chosen counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

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
        products = np.take(np.take(self.products, kept, axis=1), kept, axis=2)  # in one piece, as is compiled for
        return Moments(self.counts, np.take(self.sums, kept, axis=1), products)

    def centred(self) -> tuple[float, NDArray[np.float64], Matrix]:
        """Rows, means and centred products of all folds; rounding is no variance."""
        n = self.counts.sum()
        means, centred = _centred(n, self.sums.sum(axis=0), self.products.sum(axis=0))
        return float(n), means, centred

    def left_out(self) -> tuple[NDArray[np.float64], Matrix]:
        """Means and centred products of all folds, and with each fold left out in turn: n_folds + 1 of them."""
        counts, sums, products = self.counts.sum(), self.sums.sum(axis=0), self.products.sum(axis=0)
        n = np.concatenate([[counts], counts - self.counts])
        each = (
            np.concatenate([sums[None], sums - self.sums]),
            np.concatenate([products[None], products - self.products]),
        )
        return _centred(n[:, None, None], *each)


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
    n, _, centred = moments.centred()
    kept = not_inflated(centred[:-1, :-1])
    columns = kept[_chosen(n, centred, kept, moments.of(kept))]
    coefficients, intercepts = _least_squares(*moments.of(columns).left_out())
    return LocalModel(
        columns=columns,
        coefficients=coefficients[0],
        intercept=float(intercepts[0]),
        fold_coefficients=coefficients[1:],
        fold_intercepts=intercepts[1:],
    )


def _centred(n: Any, sums: Matrix, raw: Matrix) -> tuple[NDArray[np.float64], Matrix]:
    """Means and centred products of one or of several stacked sums; what is but rounding is 0."""
    means = sums / np.reshape(n, np.shape(n)[: sums.ndim])
    centred = raw - n * means[..., :, None] * means[..., None, :]
    constant = np.diagonal(centred, axis1=-2, axis2=-1) <= CONSTANT * np.diagonal(raw, axis1=-2, axis2=-1)
    if constant.any():
        centred = np.where(constant[..., :, None] | constant[..., None, :], 0.0, centred)
    return means, centred


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
    """Whether some columns, of any of stacked matrices, depend on others exactly."""
    try:
        lower = np.linalg.cholesky(correlations)
    except np.linalg.LinAlgError:
        return True
    return bool(np.diagonal(lower, axis1=-2, axis2=-1).min(initial=1.0) ** 2 <= 10 * EXACT)


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


def _least_squares(means: Matrix, centred: Matrix) -> tuple[Matrix, NDArray[np.float64]]:
    """Coefficients and intercepts of stacked problems; the shortest coefficients where several fit equally."""
    gram, cross = centred[:, :-1, :-1], centred[:, :-1, -1]
    squares = np.diagonal(gram, axis1=1, axis2=2)
    sizes = np.sqrt(np.where(squares > 0.0, squares, 1.0))
    correlations = gram / (sizes[:, :, None] * sizes[:, None, :])
    aim = (cross / sizes)[:, :, None]
    if _is_dependent(correlations):
        weights = np.stack([
            np.linalg.lstsq(own, right, rcond=10 * EXACT)[0] for own, right in zip(correlations, aim, strict=True)
        ])  # fmt: skip
    else:
        weights = np.linalg.solve(correlations, aim)
    coefficients = weights[:, :, 0] / sizes
    return coefficients, means[:, -1] - (means[:, :-1] * coefficients).sum(axis=1)
