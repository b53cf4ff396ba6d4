"""BELLA's neighbourhood search as the paper's text reads, in scikit-learn's own words.

One least-squares fit a feature for each variance inflation, LassoCV over five folds, one fit
of the Lasso, predictions by cross-validation: the yardstick of the fast search, and a second
opinion on it.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LassoCV, LinearRegression
from sklearn.model_selection import KFold, cross_val_predict

Values = NDArray[np.float64]
FOLDS = KFold(5)


@dataclass(frozen=True, eq=False)
class PlainModel:
    """A model of one neighbourhood: bound, chosen columns, coefficients and intercept."""

    bound: float
    columns: list[int]
    coefficients: Values
    intercept: float


def search(values: Values, labels: Values, sizes: NDArray[np.intp], tolerance: float = 1e-4) -> list[PlainModel]:
    """The model of each size of neighbourhood; rows by distance, the case first."""
    return [model(values[:size], labels[:size], tolerance) for size in sizes]


def model(values: Values, labels: Values, tolerance: float = 1e-4) -> PlainModel:
    kept = not_inflated(values)
    columns = [kept[place] for place in chosen(values[:, kept], labels, tolerance)] if kept else []
    if not columns:
        return PlainModel(0.0, [], np.empty(0), float(labels.mean()))
    fitted = LinearRegression().fit(values[:, columns], labels)
    predicted = cross_val_predict(LinearRegression(), values[:, columns], labels, cv=FOLDS)
    return PlainModel(bound(predicted, labels), columns, fitted.coef_, float(fitted.intercept_))


def not_inflated(values: Values) -> list[int]:
    kept = [column for column in range(values.shape[1]) if np.ptp(values[:, column]) > 0]
    while len(kept) > 1:
        inflations = [inflation(values, column, [other for other in kept if other != column]) for column in kept]
        worst = max(range(len(kept)), key=lambda place: (inflations[place], place))
        if inflations[worst] < 10:
            break
        del kept[worst]
    return kept


def inflation(values: Values, column: int, others: list[int]) -> float:
    left = 1 - LinearRegression().fit(values[:, others], values[:, column]).score(values[:, others], values[:, column])
    return 100.0 if left < 1e-12 else 1 / left


def chosen(values: Values, labels: Values, tolerance: float) -> list[int]:
    if np.ptp(labels) == 0:
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        tuned = LassoCV(cv=FOLDS, alphas=100, tol=tolerance).fit(values, labels)
        means = tuned.mse_path_.mean(axis=1)
        best = int(np.argmin(means))
        within = np.flatnonzero(means < means[best] + tuned.mse_path_[best].std() / np.sqrt(5))
        place = int(within[0]) if within.size else best
        if place == 0:
            return []
        lasso = Lasso(alpha=tuned.alphas_[place], tol=tolerance).fit(values, labels)
    return np.flatnonzero(lasso.coef_).tolist()


def bound(predicted: Values, labels: Values) -> float:
    errors = (predicted - labels) ** 2
    margin = student.ppf(0.975, len(labels) - 1) * errors.std() / np.sqrt(len(labels))
    by_chance = ((predicted[:, None] - labels[None]) ** 2).mean()
    return float(1 - min(1.0, (errors.mean() + margin) / by_chance))
