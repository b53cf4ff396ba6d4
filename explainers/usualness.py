"""How usual are the values of a case and of its counterfactual, among the rows of a table?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers import wording
from explainers.results import Counterfactual
from explainers.schema import Feature, Rows, Schema

MOST_BINS = 40


@dataclass(frozen=True)
class Place:
    """Where a value stands among the rows.

    Attributes
    ----------
    value : float
        Encoded; NaN where missing.
    n_equal : int
        Rows that have this very value; missing is equal to missing.
    n_below, n_above : int
        Rows whose known value is smaller, larger; 0 for categories without an order.
    n_known, n_rows : int
        Rows whose value is known, and all of them.
    """

    value: float
    n_equal: int
    n_below: int
    n_above: int
    n_known: int
    n_rows: int


@dataclass(frozen=True, eq=False)
class Usualness:
    """A changed feature's old and new value on the distribution of the data.

    Attributes
    ----------
    feature : Feature
        As it is read.
    counts : array of int of shape (n_bins,)
        Of a number, rows a bin; of a category, rows a category, in the schema's order.
    edges : array of shape (n_bins + 1,)
        Of a number's bins; empty for a category, and where no number is known.
    low, high : float
        Smallest and largest known number; NaN for a category.
    n_missing : int
        Rows without a value; with `counts` they add up to all rows.
    old, new : Place
    """

    feature: Feature
    counts: NDArray[np.int64]
    edges: NDArray[np.float64]
    low: float
    high: float
    n_missing: int
    old: Place
    new: Place

    def __post_init__(self) -> None:
        self.counts.setflags(write=False)
        self.edges.setflags(write=False)


def usualness(schema: Schema, rows: Rows, counterfactual: Counterfactual) -> tuple[Usualness, ...]:
    """The old and the new value of every change, in the order of the schema's features.

    Parameters
    ----------
    schema : Schema
    rows : array of shape (n_rows, n_features)
        What is called usual: mostly all rows of the table.
    counterfactual : Counterfactual
    """
    places = [schema.index(change.feature) for change in counterfactual.changes]
    return tuple(
        _usualness(
            schema.features[place],
            rows[:, place],
            float(counterfactual.factual[place]),
            float(counterfactual.row[place]),
        )
        for place in places
    )


def usual_frame(found: Sequence[Usualness]) -> pd.DataFrame:
    """Two rows a change, its old and its new value: how many rows have it, have less and have more."""
    listed = [(one.feature, what, place) for one in found for what, place in (("old", one.old), ("new", one.new))]
    return pd.DataFrame(
        {
            "feature": [feature.title for feature, _, _ in listed],
            "which": [what for _, what, _ in listed],
            "value": [wording.value(feature, place.value) for feature, _, place in listed],
            "rows with it": [place.n_equal for _, _, place in listed],
            "rows with less": [place.n_below if feature.has_order else None for feature, _, place in listed],
            "rows with more": [place.n_above if feature.has_order else None for feature, _, place in listed],
            "rows without a value": [place.n_rows - place.n_known for _, _, place in listed],
        }
    ).astype({"rows with less": "Int64", "rows with more": "Int64"})


def centred_bins(known: Rows, decimals: int) -> NDArray[np.float64]:
    """Edges of at most `MOST_BINS` bins that are centred on round values.

    They are as wide as the smallest of 1, 2, 5 times a power of ten that is no finer than
    the numbers are recorded; so where there are few different ones, each has a bin of its own.

    Parameters
    ----------
    known : array of shape (n_values,)
        At least one; finite.
    decimals : int
        With how many the numbers are recorded.

    Returns
    -------
    array of shape (n_bins + 1,)
    """
    low, high = float(known.min()), float(known.max())
    told_apart = 4 * float(np.spacing(max(abs(low), abs(high), np.finfo(float).tiny)))
    finest = max(high / MOST_BINS - low / MOST_BINS, told_apart, 10.0**-decimals)
    least = math.floor(math.log10(finest) + 1e-9)
    for power in range(least, least + 3):
        for factor in (1, 2, 5):
            width = factor * 10.0**power
            first, last = math.floor(low / width + 0.5), math.floor(high / width + 0.5)
            if width >= told_apart and last - first < MOST_BINS:
                return np.asarray((np.arange(first, last + 2) - 0.5) * width)
    raise AssertionError("A thousand times the finest width is always wide enough.")


def _usualness(feature: Feature, values: Rows, old: float, new: float) -> Usualness:
    known = values[~np.isnan(values)]
    edges, low, high = np.empty(0), math.nan, math.nan
    if not feature.is_number:
        counts = np.bincount(known.astype(np.intp), minlength=len(feature.categories))
    elif not np.isfinite(known).any():
        counts = np.empty(0, dtype=np.int64)
    else:
        low, high = float(known.min()), float(known.max())
        edges = centred_bins(known[np.isfinite(known)], feature.decimals)
        # What is infinite, or by rounding a hair outside the first or last bin, is counted there.
        inside = np.clip(np.searchsorted(edges, known, side="right") - 1, 0, len(edges) - 2)
        counts = np.bincount(inside, minlength=len(edges) - 1)
    return Usualness(
        feature=feature.as_read(),
        counts=counts.astype(np.int64),
        edges=edges,
        low=low,
        high=high,
        n_missing=len(values) - len(known),
        old=_place(feature, known, len(values), old),
        new=_place(feature, known, len(values), new),
    )


def _place(feature: Feature, known: Rows, n_rows: int, value: float) -> Place:
    is_missing = math.isnan(value)
    has_sides = feature.has_order and not is_missing
    return Place(
        value=value,
        n_equal=n_rows - len(known) if is_missing else int((known == value).sum()),
        n_below=int((known < value).sum()) if has_sides else 0,
        n_above=int((known > value).sum()) if has_sides else 0,
        n_known=len(known),
        n_rows=n_rows,
    )
