"""What may change: locks, ranges and directions.

A rule binds *changes*: a feature may always keep the case's own value, even one
outside its range. What changes must be unlocked, move the allowed way, and land
inside the range or among the allowed categories. "Missing" is in no range, and where
a direction is set nothing may come from it either, for it has no place in the order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from explainers.schema import Direction, Feature, Rows, Schema, SchemaError, same


@dataclass(frozen=True)
class Rule:
    """What binds one feature.

    Attributes
    ----------
    locked : bool
    direction : Direction
    low, high : float, optional
        Bounds, both included, in the feature's unit.
    categories : frozenset of str, optional
        Labels of the categories that a change may lead to.
    """

    locked: bool = False
    direction: Direction = Direction.ANY
    low: float | None = None
    high: float | None = None
    categories: frozenset[str] | None = None

    @property
    def is_free(self) -> bool:
        return self == Rule()


FREE = Rule()


@dataclass(frozen=True)
class Constraints:
    """The rules of all features that have one; everything else is free.

    Attributes
    ----------
    rules : tuple of (feature name, Rule)
        Sorted by name, without free ones, so that equal constraints are equal objects.
    """

    rules: tuple[tuple[str, Rule], ...] = ()
    _by_name: Mapping[str, Rule] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        kept = [(name, rule) for name, rule in dict(self.rules).items() if not rule.is_free]
        object.__setattr__(self, "rules", tuple(sorted(kept, key=lambda item: item[0])))
        object.__setattr__(self, "_by_name", dict(kept))

    @classmethod
    def default(cls, schema: Schema) -> Constraints:
        """The locks, directions and ranges that the schema itself suggests."""
        return cls(
            tuple(
                (f.name, Rule(locked=f.locked, direction=f.direction, low=f.allowed_low, high=f.allowed_high))
                for f in schema.features
            )
        )

    def __getitem__(self, name: str) -> Rule:
        return self._by_name.get(name, FREE)

    def with_rule(self, name: str, rule: Rule) -> Constraints:
        """The same constraints with one feature's rule replaced."""
        return Constraints((*((n, r) for n, r in self.rules if n != name), (name, rule)))

    def with_lock(self, name: str, locked: bool) -> Constraints:
        """The same constraints with one feature locked or unlocked."""
        return self.with_rule(name, replace(self[name], locked=locked))

    def check(self, schema: Schema) -> tuple[str, ...]:
        """What can't hold, as sentences; empty if all is well."""
        problems: list[str] = []
        for name, rule in self.rules:
            try:
                feature = schema[name]
            except SchemaError as error:
                problems.append(str(error))
                continue
            problems += _problems(feature, rule)
        return tuple(problems)

    def allowed(self, schema: Schema, case: Rows, rows: Rows) -> NDArray[np.bool_]:
        """Which values of `rows` a counterfactual of `case` may have.

        Parameters
        ----------
        schema : Schema
        case : array of shape (n_features,)
        rows : array of shape (n_rows, n_features)

        Returns
        -------
        array of bool of shape (n_rows, n_features)
        """
        allowed = np.ones(rows.shape, dtype=bool)
        for name, rule in self.rules:
            position = schema.index(name)
            allowed[:, position] = _allowed(schema.features[position], rule, case[position], rows[:, position])
        return allowed

    def binding(self, schema: Schema, case: Rows, rows: Rows) -> tuple[str, ...]:
        """Names of the features whose rule at least one of `rows` breaks."""
        broken = np.asarray(~self.allowed(schema, case, rows).all(axis=0))
        return tuple(name for name, is_broken in zip(schema.names, broken, strict=True) if is_broken)


def _problems(feature: Feature, rule: Rule) -> list[str]:
    problems: list[str] = []
    if rule.direction != Direction.ANY and not feature.has_order:
        problems.append(f"{feature.title} has no order, so it can't be told to rise or fall.")
    if (rule.low is not None or rule.high is not None) and not feature.is_number:
        problems.append(f"{feature.title} is not a number, so it has no range.")
    if any(bound is not None and math.isnan(bound) for bound in (rule.low, rule.high)):
        problems.append(f"A bound of {feature.title} is not a number.")
    if rule.low is not None and rule.high is not None and rule.low > rule.high:
        problems.append(f"The range of {feature.title} ends before it begins.")
    if rule.categories is not None:
        unknown = sorted(rule.categories - set(feature.labels))
        if unknown:
            problems.append(f"{feature.title} has no category called {unknown[0]!r}.")
    return problems


def _allowed(feature: Feature, rule: Rule, own: float, values: Rows) -> NDArray[np.bool_]:
    kept = same(values, np.full_like(values, own))
    if rule.locked:
        return kept
    allowed = np.ones(values.shape, dtype=bool)
    if rule.direction == Direction.UP:
        allowed &= values >= own
    elif rule.direction == Direction.DOWN:
        allowed &= values <= own
    if rule.low is not None:
        allowed &= values >= rule.low
    if rule.high is not None:
        allowed &= values <= rule.high
    if rule.categories is not None:
        codes = [feature.code(label) for label in rule.categories]
        allowed &= np.isin(values, codes)
    return kept | allowed
