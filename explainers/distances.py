"""Distances between encoded rows."""

from __future__ import annotations

from collections.abc import Sequence

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
    return np.asarray(heom_parts(schema, ranges, row, rows).sum(axis=-1))


def co_occurrence(levels: Sequence[NDArray[np.intp]], n_levels: Sequence[int], of: int) -> NDArray[np.float64]:
    """How differently two values of one attribute go together with the values of the others.

    Against another attribute two values are as far apart as P(W|a) + P(not W|b) - 1 at its
    largest over sets W of that attribute's values, which is half the L1 distance of both
    conditional distributions; over the other attributes this is averaged. (Ahmad and Dey
    2007.) Values that differ are 1 apart where one of them never occurs, or where there is
    no other attribute.

    Parameters
    ----------
    levels : sequence of arrays of int of shape (n_rows,)
        Attributes by the numbers of their values.
    n_levels : sequence of int
        How many values each attribute has.
    of : int
        The attribute asked about.

    Returns
    -------
    array of shape (n_levels[of], n_levels[of])
    """
    own, n_own = levels[of], n_levels[of]
    others = [place for place in range(len(levels)) if place != of]
    apart = 1.0 - np.eye(n_own)
    occurs = np.bincount(own, minlength=n_own) > 0
    if not others:
        return apart
    total = np.zeros((n_own, n_own))
    for place in others:
        pairs = own * n_levels[place] + levels[place]
        counts = np.bincount(pairs, minlength=n_own * n_levels[place]).reshape(n_own, n_levels[place])
        given = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        for value in range(n_own):  # one at a time: all pairs at once would not fit where values are many
            total[value] += np.abs(given[value] - given).sum(axis=1) / 2.0
    both = occurs[:, None] & occurs[None]
    return np.where(both, total / len(others), apart)
