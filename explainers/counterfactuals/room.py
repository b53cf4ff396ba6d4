"""Where a case may go: the values each feature may take, and rows made to fit them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from explainers.constraints import Constraints
from explainers.schema import Direction, Rows, Schema, same

HIDDEN = 5e-7
"""So near to a multiple of the recorded decimals a bound is that multiple."""


@dataclass(frozen=True, eq=False)
class Room:
    """The room that a case has under some rules.

    Attributes
    ----------
    schema : Schema
    case : array of shape (n_features,)
    constraints : Constraints
    rows : array of shape (n_rows, n_features)
        Training rows.
    may : array of bool of shape (n_rows, n_features)
        Which of their values the case may change to.
    low, high : array of shape (n_features,)
        Between which a number may change: its rule, and what training rows have; NaN for
        categories, and where it has to stay.
    """

    schema: Schema
    case: Rows
    constraints: Constraints
    rows: Rows
    may: NDArray[np.bool_]
    low: Rows
    high: Rows

    @classmethod
    def of(cls, schema: Schema, case: Rows, constraints: Constraints, rows: Rows) -> Room:
        """The room of a case among training rows, shape (n_rows, n_features)."""
        may = constraints.allowed(schema, case, rows) & ~same(rows, np.broadcast_to(case, rows.shape))
        low, high = _bounds(schema, case, constraints, rows)
        is_open = schema.is_number & may.any(axis=0)
        return cls(
            schema, case, constraints, rows, may, np.where(is_open, low, np.nan), np.where(is_open, high, np.nan)
        )

    @cached_property
    def values(self) -> tuple[Rows, ...]:
        """What training rows have and each feature may change to, as often as they have it."""
        return tuple(self.rows[self.may[:, place], place] for place in range(len(self.schema)))

    @cached_property
    def free(self) -> NDArray[np.intp]:
        """Positions of the features that may change."""
        return np.flatnonzero(self.may.any(axis=0))

    @cached_property
    def is_measured(self) -> NDArray[np.bool_]:
        """Which features are numbers that may move from a known value, shape (n_features,)."""
        return np.asarray(~np.isnan(self.low) & ~np.isnan(self.case))

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
        recorded = _recorded(self.schema, np.clip(rows, self.low, self.high))
        hidden = recorded == _recorded(self.schema, self.case)
        fitted = np.where(np.isnan(self.low), rows, np.where(hidden, own, recorded))
        fitted = np.where(same(rows, own), own, fitted)
        return np.where(self.constraints.allowed(self.schema, self.case, fitted), fitted, own)


def _bounds(schema: Schema, case: Rows, constraints: Constraints, rows: Rows) -> tuple[Rows, Rows]:
    """The rules' bounds within what was seen, on the grid of the recorded decimals."""
    low, high = np.fmin.reduce(rows, axis=0, initial=np.nan), np.fmax.reduce(rows, axis=0, initial=np.nan)
    for name, rule in constraints.rules:
        place = schema.index(name)
        lows = (low[place], rule.low, case[place] if rule.direction is Direction.UP else None)
        highs = (high[place], rule.high, case[place] if rule.direction is Direction.DOWN else None)
        low[place] = max(bound for bound in lows if bound is not None)
        high[place] = min(bound for bound in highs if bound is not None)
    low, high = low * schema.grid, high * schema.grid
    low = np.where(np.abs(low - np.rint(low)) <= HIDDEN, np.rint(low), np.ceil(low)) / schema.grid
    high = np.where(np.abs(high - np.rint(high)) <= HIDDEN, np.rint(high), np.floor(high)) / schema.grid
    return low, high


def _recorded(schema: Schema, rows: Rows) -> Rows:
    """Numbers as somebody would type them who goes by the table's own decimals."""
    recorded = np.rint(rows * schema.grid) / schema.grid
    for place, dtype in schema.short_floats:
        recorded[..., place] = recorded[..., place].astype(dtype)
    return np.asarray(recorded)
