"""Rows as BELLA sees them: the columns of its equations, and how far rows are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.distances import co_occurrence
from explainers.schema import Rows, Schema

MISSING = -1
"""The level of a column that asks whether a category is missing."""
BINS = 10
"""Equal-width bins of a number, where values of categories are told apart by what they go together with."""


@dataclass(frozen=True)
class Column:
    """A column of the equations: a standardised number, or whether a feature is of one category.

    Attributes
    ----------
    feature : int
        Place in the schema.
    level : int, optional
        Code of the category, or `MISSING`; nothing for a number.
    mean, scale : float
        Of a number, so that value = (number - mean) / scale.
    """

    feature: int
    level: int | None = None
    mean: float = 0.0
    scale: float = 1.0

    def values(self, rows: Rows) -> NDArray[np.float64]:
        """The column of encoded rows, shape (n_rows,); a missing number counts as the mean."""
        own = rows[:, self.feature]
        if self.level is None:
            return np.nan_to_num((own - self.mean) / self.scale)
        return np.asarray(np.isnan(own) if self.level == MISSING else own == self.level, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Points:
    """Rows in the space of the equations.

    Attributes
    ----------
    values : array of shape (n_rows, n_columns)
        Of the columns.
    levels : array of int of shape (n_rows, n_features)
        Codes of categories, "missing" after the last of them; 0 for numbers.
    """

    values: NDArray[np.float64]
    levels: NDArray[np.intp]

    def __getitem__(self, places: NDArray[np.intp] | slice) -> Points:
        return Points(self.values[places], self.levels[places])


@dataclass(frozen=True, eq=False)
class Space:
    """Columns and distances, as some rows define them.

    A missing number counts as the mean; "missing" is a category of its own. What is the
    same in all rows has no column.

    Attributes
    ----------
    schema : Schema
    columns : tuple of Column
        In the schema's order; of a category with two values in use one column, of one with
        more values a column for each.
    tables : tuple of (feature, array)
        For each category in use the distances between its values: 0 or 1 where it has two
        values, by `co_occurrence` where it has more.
    """

    schema: Schema
    columns: tuple[Column, ...]
    tables: tuple[tuple[int, NDArray[np.float64]], ...]

    @classmethod
    def of(cls, schema: Schema, rows: Rows) -> Space:
        """The space of the rows that may be learnt from."""
        levels = _levels(schema, rows)
        columns: list[Column] = []
        tables: list[tuple[int, NDArray[np.float64]]] = []
        attributes, counts = _attributes(schema, rows, levels)
        for place, feature in enumerate(schema.features):
            if feature.is_number:
                columns += _number(place, rows[:, place])
                continue
            used = np.unique(levels[:, place]).tolist()
            if len(used) < 2:
                continue
            codes = [MISSING if level == len(feature.categories) else level for level in used]
            columns += [Column(place, code) for code in (codes[1:] if len(codes) == 2 else codes)]
            apart = 1.0 - np.eye(counts[place]) if len(codes) == 2 else co_occurrence(attributes, counts, place)
            tables.append((place, apart))
        return cls(schema, tuple(columns), tuple(tables))

    def points(self, rows: Rows) -> Points:
        """Rows in this space."""
        values = np.empty((len(rows), len(self.columns)))
        for at, column in enumerate(self.columns):
            values[:, at] = column.values(rows)
        return Points(values, _levels(self.schema, rows))

    def distances(self, point: Points, points: Points) -> NDArray[np.float64]:
        """Equation 1: from one point to others, shape (n_points,)."""
        total = np.zeros(len(points.values))
        for at, column in enumerate(self.columns):
            if column.level is None:
                total += np.abs(points.values[:, at] - point.values[0, at])
        for feature, apart in self.tables:
            total += apart[point.levels[0, feature]][points.levels[:, feature]]
        return total


def _number(place: int, values: NDArray[np.float64]) -> list[Column]:
    known = values[np.isfinite(values)]
    if not known.size or known.min() == known.max():
        return []
    return [Column(place, None, float(known.mean()), float(known.std()))]


def _levels(schema: Schema, rows: Rows) -> NDArray[np.intp]:
    """Codes of categories, one more than the last for "missing"."""
    last = np.array([len(feature.categories) for feature in schema.features], dtype=np.float64)
    codes = np.where(np.isnan(rows), last, rows)
    return np.where(schema.is_number, 0.0, codes).astype(np.intp)


def _attributes(
    schema: Schema, rows: Rows, levels: NDArray[np.intp]
) -> tuple[Sequence[NDArray[np.intp]], Sequence[int]]:
    """Every feature by values that can be counted, and how many there are: numbers in bins, missing apart."""
    attributes, counts = [], []
    for place, feature in enumerate(schema.features):
        if not feature.is_number:
            attributes.append(levels[:, place])
            counts.append(len(feature.categories) + 1)
            continue
        values = rows[:, place]
        known = np.isfinite(values)
        low, high = (values[known].min(), values[known].max()) if known.any() else (0.0, 0.0)
        width = (high - low) / BINS or 1.0
        binned = np.minimum(np.floor((np.where(known, values, low) - low) / width), BINS - 1)
        attributes.append(np.where(known, binned, BINS).astype(np.intp))
        counts.append(BINS + 1)
    return attributes, counts
