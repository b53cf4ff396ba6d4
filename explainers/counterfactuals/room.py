"""Where a case may go: the values each feature may take, and rows made to fit them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.constraints import Constraints
from explainers.schema import SECONDS_A_DAY, Direction, Feature, Rows, Schema, plain, same


@dataclass(frozen=True, eq=False)
class Room:
    """The room that a case has under some rules.

    Attributes
    ----------
    schema : Schema
    case : array of shape (n_features,)
    constraints : Constraints
    values : tuple of arrays, one a feature
        What training rows have and the feature may change to, as often as they have it;
        empty where it has to stay.
    low, high : array of shape (n_features,)
        Between which a number may change: its rule, and what training rows have; NaN for
        categories, and where it has to stay.
    """

    schema: Schema
    case: Rows
    constraints: Constraints
    values: tuple[Rows, ...]
    low: Rows
    high: Rows

    @classmethod
    def of(cls, schema: Schema, case: Rows, constraints: Constraints, rows: Rows) -> Room:
        """The room of a case among training rows, shape (n_rows, n_features)."""
        may = constraints.allowed(schema, case, rows) & ~same(rows, np.broadcast_to(case, rows.shape))
        values = tuple(rows[may[:, place], place] for place in range(len(schema)))
        bounds = [
            _bounds(feature, constraints, own, rows[:, place]) if len(values[place]) else (np.nan, np.nan)
            for place, (feature, own) in enumerate(zip(schema.features, case.tolist(), strict=True))
        ]
        low, high = np.array(bounds).reshape(-1, 2).T
        return cls(schema, case, constraints, values, low, high)

    @property
    def free(self) -> NDArray[np.intp]:
        """Positions of the features that may change."""
        return np.flatnonzero([len(values) > 0 for values in self.values])

    @property
    def is_measured(self) -> NDArray[np.bool_]:
        """Which features are numbers that may move from a known value, shape (n_features,)."""
        return np.asarray(self.schema.is_number & ~np.isnan(self.low) & ~np.isnan(self.case))

    def drawn(self, random: np.random.Generator, masks: NDArray[np.bool_]) -> Rows:
        """The case with values drawn for the features of each mask, shape of `masks`."""
        rows = np.repeat(self.case[None], len(masks), axis=0)
        for place in self.free:
            wanted = np.flatnonzero(masks[:, place])
            rows[wanted, place] = random.choice(self.values[place], len(wanted))
        return rows

    def fitted(self, rows: Rows) -> Rows:
        """The nearest rows that keep every rule and can be recorded as the table's are.

        Numbers are clipped to their bounds and rounded to the recorded decimals. What then
        breaks a rule, or prints as the case's own value, is the case's own value.
        """
        own = np.broadcast_to(self.case, rows.shape)
        fitted = rows.copy()
        for place in np.flatnonzero(self.schema.is_number):
            feature, values = self.schema.features[place], rows[:, place]
            if np.isnan(self.low[place]):
                continue
            recorded = _recorded(feature, np.clip(values, self.low[place], self.high[place]))
            hidden = recorded == _recorded(feature, self.case[[place]])
            fitted[:, place] = np.where(hidden, self.case[place], recorded)
        fitted = np.where(same(rows, own), own, fitted)
        return np.where(self.constraints.allowed(self.schema, self.case, fitted), fitted, own)


def _bounds(feature: Feature, constraints: Constraints, own: float, values: Rows) -> tuple[float, float]:
    """The rule's bounds within what was seen, on the grid of the recorded decimals."""
    if not feature.is_number:
        return np.nan, np.nan
    rule = constraints[feature.name]
    lows = [np.nanmin(values), rule.low, own if rule.direction is Direction.UP else None]
    highs = [np.nanmax(values), rule.high, own if rule.direction is Direction.DOWN else None]
    low = float(max(bound for bound in lows if bound is not None))
    high = float(min(bound for bound in highs if bound is not None))
    grid = SECONDS_A_DAY if feature.is_date and feature.decimals else 10.0**feature.decimals
    return float(np.ceil(round(low * grid, 6)) / grid), float(np.floor(round(high * grid, 6)) / grid)


def _recorded(feature: Feature, values: Rows) -> Rows:
    """Numbers as somebody would type them who goes by the table's own decimals."""
    if feature.is_date and feature.decimals:
        return np.asarray(np.round(values * SECONDS_A_DAY) / SECONDS_A_DAY)
    known = np.round(values, feature.decimals)
    dtype = plain(feature.dtypes[0])
    return np.asarray(known.astype(dtype) if dtype.kind == "f" else known, dtype=np.float64)
