"""CounterShapley, SHAP and LIME feature by feature, and where they say different things of a case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from explainers import wording
from explainers.attributions.attribution import Attribution
from explainers.decision import Target
from explainers.explanation import Explanation
from explainers.results import FeatureChange
from explainers.schema import Feature, Rows, Schema

NOTICEABLE = 0.1
"""A value counts as said if it is at least this share of the largest of its view."""
SURE = 2.0
"""And at least so many standard errors."""
JOINT = 0.25
"""Changes act together if what one adds alone and last differ by this share of the whole move."""
TOGETHER = 0.5
"""Rank correlation from which two features go together."""


@dataclass(frozen=True)
class Compared:
    """One feature in every view.

    Attributes
    ----------
    feature : Feature
    own, text : str
        The case's value as printed, and its change or, where there is none, the value again.
    change : FeatureChange, optional
    values : tuple of (float or None)
        One a view, in drawn-score units; none where the view says nothing of the feature.
    """

    feature: Feature
    own: str
    text: str
    change: FeatureChange | None
    values: tuple[float | None, ...]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several views of a case side by side.

    Attributes
    ----------
    explanation : Explanation
    told : tuple of Attribution
        SHAP first, then LIME if there is one.
    views : tuple of str
        The views' names; the counterfactual's comes first.
    rows : tuple of Compared
        What changes first, in the order of CounterShapley, then what SHAP finds largest.
    """

    explanation: Explanation
    told: tuple[Attribution, ...]
    views: tuple[str, ...]
    rows: tuple[Compared, ...]

    @property
    def target(self) -> Target:
        return self.explanation.counterfactual.target

    @property
    def direction(self) -> int:
        """1 where more is nearer to the decision wanted, else -1."""
        return self.target.direction(self.explanation.counterfactual.factual_score)

    def is_for(self, value: float) -> bool:
        """Whether a value is for the decision wanted."""
        return value * self.direction > 0

    def to_frame(self) -> pd.DataFrame:
        """One row a feature: its value or change, and what each view says."""
        frame = pd.DataFrame(
            {"feature": [row.feature.title for row in self.rows], "value": [r.text for r in self.rows]}
        )
        for place, view in enumerate(self.views):
            frame[view] = np.array([row.values[place] for row in self.rows], dtype=float)
        for attribution in self.told:
            if attribution.standard_errors is not None:
                by_name = dict(zip(attribution.features, attribution.standard_errors.tolist(), strict=True))
                title = f"{self.views[1 + self.told.index(attribution)]}, standard error"
                frame[title] = [by_name[row.feature.name] for row in self.rows]
        return frame


def compare(schema: Schema, explanation: Explanation, told: Sequence[Attribution], titles: Sequence[str]) -> Comparison:
    """Put what several views say of a case side by side.

    Parameters
    ----------
    schema : Schema
    explanation : Explanation
    told : sequence of Attribution
        At least one, all of the explanation's case.
    titles : sequence of str
        What experts call each of these.
    """
    counterfactual, importance = explanation.counterfactual, explanation.countershapley
    order = importance.order if importance else tuple(range(len(counterfactual)))
    names = [counterfactual.changes[i].feature for i in order]
    sizes = {feature: abs(told[0].of(feature)) for feature in schema.names}
    unchanged = sorted((name for name in schema.names if name not in names), key=lambda name: -sizes[name])
    places = {change.feature: i for i, change in enumerate(counterfactual.changes)}
    rows = tuple(_compared(schema, explanation, name, places.get(name), told) for name in (*names, *unchanged))
    return Comparison(explanation, tuple(told), ("CounterShapley", *titles), rows)


def _compared(
    schema: Schema, explanation: Explanation, name: str, place: int | None, told: Sequence[Attribution]
) -> Compared:
    """A feature in every view; `place` is that of its change, if it has one."""
    counterfactual, importance = explanation.counterfactual, explanation.countershapley
    feature = schema[name]
    own = wording.value(feature, float(counterfactual.factual[schema.index(name)]))
    change = None if place is None else counterfactual.changes[place]
    text = f"{change.old_text} → {change.new_text}" if change else own
    count = float(importance.values[place]) if importance and place is not None else None
    return Compared(feature, own, text, change, (count, *(one.of(name) for one in told)))


@dataclass(frozen=True)
class LeftAsItIs:
    """What holds the case back most, by SHAP, is not what the counterfactual changes."""

    row: Compared
    shap: float
    is_locked: bool


@dataclass(frozen=True)
class AlreadyGood:
    """A value that SHAP finds in favour is changed all the same.

    `usual` is the mean of a number in the background, or the share of rows that have the category.
    """

    row: Compared
    shap: float
    countershapley: float
    usual: float


@dataclass(frozen=True)
class OtherFirst:
    """Of the changes one counts most, and of the values they change another holds back most."""

    by_change: Compared
    countershapley: float
    by_value: Compared
    shap: float


@dataclass(frozen=True)
class ActTogether:
    """A change moves the score differently alone and on top of the others."""

    row: Compared
    alone: float
    last: float


@dataclass(frozen=True)
class GoTogether:
    """A changed feature goes with another one in the background."""

    row: Compared
    other: Feature
    correlation: float


@dataclass(frozen=True)
class Opposed:
    """SHAP and LIME have a value on different sides."""

    row: Compared
    shap: float
    lime: float


CONTRADICTIONS = (LeftAsItIs, AlreadyGood, OtherFirst, Opposed)
"""The others are reasons for which the views may differ in size."""
Disagreement = LeftAsItIs | AlreadyGood | OtherFirst | ActTogether | GoTogether | Opposed


def disagreements(
    comparison: Comparison, schema: Schema, background: Rows, locked: frozenset[str] = frozenset()
) -> tuple[Disagreement, ...]:
    """Where the views part and what may part them, at most one of a kind, the most pronounced.

    Parameters
    ----------
    comparison : Comparison
    schema : Schema
    background : array of shape (n_background, n_features)
        The rows that SHAP sets the case against.
    locked : frozenset of str
        Features that may not change.
    """
    if comparison.explanation.countershapley is None:
        return ()
    found = (
        _left_as_it_is(comparison, locked),
        _already_good(comparison, schema, background),
        _other_first(comparison),
        _act_together(comparison),
        _go_together(comparison, schema, background),
        _opposed(comparison),
    )
    return tuple(one for one in found if one is not None)


def _said(comparison: Comparison, view: int) -> dict[str, float]:
    """By feature, what a view says clearly; positive where it is for the decision wanted."""
    values = {row.feature.name: value for row in comparison.rows if (value := row.values[view]) is not None}
    least = NOTICEABLE * max((abs(value) for value in values.values()), default=0.0)
    errors: dict[str, float] = {}
    if view and comparison.told[view - 1].standard_errors is not None:
        told = comparison.told[view - 1]
        errors = dict(zip(told.features, np.asarray(told.standard_errors).tolist(), strict=True))
    return {
        name: comparison.direction * value
        for name, value in values.items()
        if value and abs(value) >= max(least, SURE * errors.get(name, 0.0))
    }


def _row(comparison: Comparison, name: str) -> Compared:
    return next(row for row in comparison.rows if row.feature.name == name)


def _value(comparison: Comparison, name: str, view: int) -> float:
    value = _row(comparison, name).values[view]
    assert value is not None
    return value


def _left_as_it_is(comparison: Comparison, locked: frozenset[str]) -> LeftAsItIs | None:
    against = {name: value for name, value in _said(comparison, 1).items() if value < 0}
    if not against:
        return None
    name = min(against, key=lambda one: against[one])
    row = _row(comparison, name)
    return None if row.change else LeftAsItIs(row, _value(comparison, name, 1), name in locked)


def _already_good(comparison: Comparison, schema: Schema, background: Rows) -> AlreadyGood | None:
    changes, values = _said(comparison, 0), _said(comparison, 1)
    both = [name for name in changes if changes[name] > 0 and values.get(name, 0.0) > 0]
    if not both:
        return None
    name = max(both, key=lambda one: values[one])
    row, place = _row(comparison, name), schema.index(name)
    column, own = background[:, place], comparison.explanation.counterfactual.factual[place]
    known = column[~np.isnan(column)]
    is_number = row.feature.is_number and known.size
    usual = float(known.mean()) if is_number else float(np.mean((column == own) | (np.isnan(column) & np.isnan(own))))
    return AlreadyGood(row, _value(comparison, name, 1), _value(comparison, name, 0), usual)


def _other_first(comparison: Comparison) -> OtherFirst | None:
    changes = {name: value for name, value in _said(comparison, 0).items() if value > 0}
    values = {name: value for name, value in _said(comparison, 1).items() if name in changes and value < 0}
    if not values:
        return None
    by_change = max(changes, key=lambda one: changes[one])
    by_value = min(values, key=lambda one: values[one])
    if by_change == by_value:
        return None
    return OtherFirst(
        _row(comparison, by_change), _value(comparison, by_change, 0),
        _row(comparison, by_value), _value(comparison, by_value, 1),
    )  # fmt: skip


def _act_together(comparison: Comparison) -> ActTogether | None:
    coalitions = comparison.explanation.coalitions
    if coalitions is None or len(coalitions.scores) < 4:
        return None
    scores, full = coalitions.scores, len(coalitions.scores) - 1
    effects = [
        (float(scores[1 << i] - scores[0]), float(scores[full] - scores[full ^ 1 << i]))
        for i in range(len(coalitions.counterfactual))
    ]
    most = max(range(len(effects)), key=lambda i: abs(effects[i][1] - effects[i][0]))
    alone, last = effects[most]
    if abs(last - alone) < JOINT * abs(float(scores[full] - scores[0])) or last == alone:
        return None
    return ActTogether(_row(comparison, coalitions.counterfactual.changes[most].feature), alone, last)


def _go_together(comparison: Comparison, schema: Schema, background: Rows) -> GoTogether | None:
    """Among features with an order, by Spearman's rank correlation over the rows that have both."""
    ordered = [place for place, feature in enumerate(schema.features) if feature.has_order]
    ranks = pd.DataFrame(background[:, ordered]).corr(method="spearman").to_numpy().copy()
    np.fill_diagonal(ranks, 0.0)
    ranks = np.nan_to_num(ranks)
    changed = [at for at, place in enumerate(ordered) if _row(comparison, schema.names[place]).change]
    if not changed or np.abs(ranks[changed]).max() < TOGETHER:
        return None
    at, other = np.unravel_index(int(np.abs(ranks[changed]).argmax()), ranks[changed].shape)
    one = schema.features[ordered[changed[int(at)]]]
    return GoTogether(
        _row(comparison, one.name), schema.features[ordered[int(other)]], float(ranks[changed[int(at)], int(other)])
    )


def _opposed(comparison: Comparison) -> Opposed | None:
    if len(comparison.told) < 2:
        return None
    shap, lime = _said(comparison, 1), _said(comparison, 2)
    apart = [name for name in shap if shap[name] * lime.get(name, 0.0) < 0]
    if not apart:
        return None
    name = max(apart, key=lambda one: min(abs(shap[one]), abs(lime[one])))
    return Opposed(_row(comparison, name), _value(comparison, name, 1), _value(comparison, name, 2))
