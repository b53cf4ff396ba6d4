"""Distances between encoded rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explainers.schema import Rows, Schema, same


def value_ranges(rows: Rows) -> NDArray[np.float64]:
    """Largest minus smallest known value of each feature, shape (n_features,); 1 where there is none."""
    known = np.isfinite(rows)
    high = np.where(known, rows, -np.inf).max(axis=0, initial=-np.inf)
    low = np.where(known, rows, np.inf).min(axis=0, initial=np.inf)
    with np.errstate(invalid="ignore"):
        spread = high - low
    return np.where(np.isfinite(spread) & (spread > 0), spread, 1.0)


def heom_parts(schema: Schema, ranges: NDArray[np.float64], row: Rows, rows: Rows) -> NDArray[np.float64]:
    """HEOM by feature: how far each value of `rows` is from that of `row`.

    Numbers differ by their difference over the range, categories by 0 or 1; a value
    missing on one side counts 1, on both 0. (Wilson and Martinez 1997, as NICE uses it.)

    Parameters
    ----------
    schema : Schema
    ranges : array of shape (n_features,)
    row : array of shape (n_features,)
    rows : array of shape (n_rows, n_features)

    Returns
    -------
    array of shape (n_rows, n_features)
    """
    equal = same(rows, np.broadcast_to(row, rows.shape))
    with np.errstate(invalid="ignore"):
        gaps = np.abs(rows - row) / ranges
    parts = np.where(schema.is_number, gaps, 1.0)
    parts = np.where(np.isnan(rows) | np.isnan(row), 1.0, parts)
    return np.where(equal, 0.0, parts)


def heom(schema: Schema, ranges: NDArray[np.float64], row: Rows, rows: Rows) -> NDArray[np.float64]:
    """Plain sum of `heom_parts` over the features, shape (n_rows,)."""
    return np.asarray(heom_parts(schema, ranges, row, rows).sum(axis=1))
