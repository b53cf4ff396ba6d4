"""How good counterfactuals are: the measures of Redelmeier, Jullum, Aas and Løland, "MCCE", 2021.

Section 2.3 has the costs L0 and L1, Section 3.1 violations and success, Section 3.3
correlations and the discriminator, Section 4 copies.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explainers.decision import Target
from explainers.distances import heom
from explainers.model import Model
from explainers.run import Run
from explainers.schema import Rows, Schema, same

TREES = 100


def n_changes(case: Rows, rows: Rows) -> NDArray[np.intp]:
    """L0: how many features of each row differ from the case, shape (n_rows,)."""
    return np.asarray((~same(rows, np.broadcast_to(case, rows.shape))).sum(axis=-1))


def gower_sum(schema: Schema, ranges: Rows, case: Rows, rows: Rows) -> NDArray[np.float64]:
    """L1 as the paper's tables have it: a sum over features of differences scaled to 0 to 1, shape (n_rows,)."""
    return heom(schema, ranges, case, rows)


def gower_mean(schema: Schema, ranges: Rows, case: Rows, rows: Rows) -> NDArray[np.float64]:
    """L1 as Equation 3 has it: the mean over features, from 0 to 1 within the ranges, shape (n_rows,)."""
    return heom(schema, ranges, case, rows) / len(schema)


def violations(locked: Sequence[int], case: Rows, rows: Rows) -> NDArray[np.intp]:
    """How many of the locked features, given by position, each row changes, shape (n_rows,)."""
    return n_changes(case[..., list(locked)], rows[..., list(locked)])


def success(model: Model, target: Target, rows: Rows, run: Run | None = None) -> float:
    """The share of rows that have the desired decision; NaN for no rows."""
    return float(target.flips(model.score(rows, run)).mean()) if len(rows) else float("nan")


def copies(training: Rows, rows: Rows) -> NDArray[np.intp]:
    """Of which training row each row is a copy, the first one, or -1 for none, shape (n_rows,)."""
    return TrainingRows.of(training).copies(rows)


class TrainingRows:
    """The training rows by their values, so that copies are told quickly.

    Parameters
    ----------
    places : dict
        The first position at which each row stands, by its bytes.
    """

    def __init__(self, places: dict[bytes, int]) -> None:
        self._places = places

    @classmethod
    def of(cls, training: Rows) -> TrainingRows:
        """Those of an array of shape (n_training_rows, n_features)."""
        return cls({row: place for place, row in reversed(list(enumerate(_as_bytes(training))))})

    def copies(self, rows: Rows) -> NDArray[np.intp]:
        """See `copies`."""
        return np.array([self._places.get(row, -1) for row in _as_bytes(rows)], dtype=np.intp)


def associations(schema: Schema, rows: Rows) -> NDArray[np.float64]:
    """How strongly every two features go together, shape (n_features, n_features).

    Two numbers by Pearson's correlation, over rows that know both; two categories by
    Cramér's V; a category and a number by the correlation ratio. Missing is a category of
    its own, and what doesn't vary goes with nothing: 0, and 1 with itself.
    """
    found = np.eye(len(schema))
    codes = [np.unique(column, return_inverse=True)[1] for column in rows.T]
    for i in range(len(schema)):
        for j in range(i):
            if schema.is_number[i] and schema.is_number[j]:
                strength = _pearson(rows[:, i], rows[:, j])
            elif schema.is_number[i] or schema.is_number[j]:
                category, number = (j, i) if schema.is_number[i] else (i, j)
                strength = _correlation_ratio(codes[category], rows[:, number])
            else:
                strength = _cramers_v(codes[i], codes[j])
            found[i, j] = found[j, i] = strength
    return found


def discriminator(schema: Schema, real: Rows, generated: Rows, seed: int = 0) -> float:
    """How well a random forest tells generated rows from real ones it has not seen; .5 is by chance.

    Section 3.3, after Borisov et al. 2023. Half of each kind is fitted on, and the other
    half told apart by the more probable kind.

    Parameters
    ----------
    real, generated : array of shape (n_rows, n_features)
        As many of both, at least two.
    """
    from sklearn.ensemble import RandomForestClassifier

    if len(real) != len(generated) or len(real) < 2:
        raise ValueError("Real and generated rows are told apart by as many of both, and by two at least.")
    random = np.random.default_rng(seed)
    levels = [np.unique(np.concatenate(pair), return_inverse=True)[1] for pair in zip(real.T, generated.T, strict=True)]
    table = np.column_stack(levels).astype(np.float64)
    is_real = np.arange(len(table)) < len(real)
    is_fitted = np.zeros(len(table), dtype=bool)
    for kind in (is_real, ~is_real):
        is_fitted[random.permutation(np.flatnonzero(kind))[: len(real) // 2]] = True
    forest = RandomForestClassifier(TREES, random_state=seed).fit(table[is_fitted], is_real[is_fitted])
    return float((forest.predict(table[~is_fitted]) == is_real[~is_fitted]).mean())


def _as_bytes(rows: Rows) -> list[bytes]:
    """Each row as a key, in which all zeros and all missing values are alike."""
    plain = np.where(np.isnan(rows), np.nan, rows + 0.0)
    return [row.tobytes() for row in plain]


def _pearson(one: Rows, other: Rows) -> float:
    known = np.isfinite(one) & np.isfinite(other)
    if not known.any():
        return 0.0
    a, b = one[known] - one[known].mean(), other[known] - other[known].mean()
    spread = np.sqrt((a**2).sum() * (b**2).sum())
    return float((a * b).sum() / spread) if spread > 0 else 0.0


def _correlation_ratio(codes: NDArray[np.intp], number: Rows) -> float:
    """The root of the share of a number's variance that lies between the categories."""
    known = np.isfinite(number)
    if not known.any():
        return 0.0
    centred = number[known] - number[known].mean()
    sums, counts = np.bincount(codes[known], centred), np.bincount(codes[known])
    total = (centred**2).sum()
    between = (sums[counts > 0] ** 2 / counts[counts > 0]).sum()
    return float(np.sqrt(min(1.0, between / total))) if total > 0 else 0.0


def _cramers_v(one: NDArray[np.intp], other: NDArray[np.intp]) -> float:
    shape = one.max() + 1, other.max() + 1
    if min(shape) < 2:
        return 0.0
    table = np.bincount(one * shape[1] + other, minlength=shape[0] * shape[1]).reshape(shape)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / len(one)
    chi_squared = ((table - expected) ** 2 / expected).sum()
    return float(np.sqrt(min(1.0, chi_squared / len(one) / (min(shape) - 1))))
