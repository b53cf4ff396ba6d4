"""Which case? The rows of a problem, filtered and put in order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers import wording
from explainers.constraints import Rule
from explainers.decision import OneVsRestDecision
from explainers.problem import Problem
from explainers.schema import Rows

NEAREST_SHARE = 0.1
"""Which part of the rows counts as near the threshold."""
UNKNOWN = "unknown"
"""What stands in the place of "seen in training" where nobody knows."""


class Order(StrEnum):
    """How cases follow each other; rows in a tie as in the table, unseen ones first."""

    TABLE = "table"
    NEAREST = "nearest"
    LOWEST = "lowest"
    HIGHEST = "highest"


class Filter(StrEnum):
    """What a case must be, besides its values."""

    UNSEEN = "unseen"
    SEEN = "seen"
    WRONG = "wrong"
    NEAR = "near"


@dataclass(frozen=True)
class CaseQuery:
    """Which cases to show, and in which order.

    Attributes
    ----------
    order : Order
    filters : frozenset of Filter
        All must hold.
    side : str, optional
        The side of the decision that the model puts the case on.
    text : str
        Must occur in the id or in a value as printed, whatever the case of its letters.
    where : tuple of (feature name, Rule)
        Ranges and categories that the case's own values must lie in; locks and
        directions say nothing about a single row.
    """

    order: Order = Order.TABLE
    filters: frozenset[Filter] = frozenset()
    side: str | None = None
    text: str = ""
    where: tuple[tuple[str, Rule], ...] = ()


def select(problem: Problem, query: CaseQuery) -> NDArray[np.intp]:
    """Positions of the cases that a query asks for, in its order."""
    kept = np.ones(len(problem.rows), dtype=bool)
    for name in query.filters:
        kept &= _filtered(problem, name)
    if query.side is not None:
        kept &= _sides(problem) == problem.decision.side_names().index(query.side)
    for feature, rule in query.where:
        kept &= _within(problem, feature, rule)
    positions = np.flatnonzero(kept)
    if query.text:
        positions = positions[_holds_text(problem, positions, query.text)]
    return positions[_ranked(problem, positions, query.order)]


def case_frame(problem: Problem, positions: NDArray[np.intp]) -> pd.DataFrame:
    """Cases as a table: id, score, decision, what was observed, whether it was seen, and its values.

    Returns
    -------
    DataFrame
        One row a position. Columns ``case``, ``score``, ``decision``, ``observed`` (absent
        where nothing is known), ``seen in training`` and one a feature, called by its
        title; numbers as numbers, categories by their labels.
    """
    names = np.array(problem.decision.side_names(), dtype=object)
    columns: dict[str, object] = {
        "case": [problem.ids[position] for position in positions],
        "score": scores(problem)[positions],
        "decision": names[_sides(problem)[positions]],
    }
    if problem.observed is not None:
        columns["observed"] = _turned_out(problem, positions)
    columns["seen in training"] = problem.training[positions] if problem.knows_training else UNKNOWN
    for place, feature in enumerate(problem.schema.features):
        title = feature.title if feature.title not in columns else f"{feature.title} ({feature.name})"
        columns[title] = _readable(problem, place, problem.rows[positions, place])
    return pd.DataFrame(columns)


def scores(problem: Problem) -> NDArray[np.float64]:
    """What the model says of each row: the number, or a class's probability.

    Of two classes that of the second, of several that of the class with a threshold or
    else of the most probable one.
    """
    outputs, decision = problem.outputs, problem.decision
    if isinstance(decision, OneVsRestDecision):
        return np.asarray(outputs[:, decision.column])
    if outputs.shape[1] == 2:
        return np.asarray(outputs[:, 1])
    return np.asarray(outputs.max(axis=1))


def _turned_out(problem: Problem, positions: NDArray[np.intp]) -> NDArray[Any]:
    """What was observed: the number itself or the class, whatever the decision makes of it."""
    assert problem.observed is not None
    observed = problem.observed[positions]
    if not problem.model.classes:
        return observed
    return np.where(observed >= 0, np.array(problem.model.classes, dtype=object)[observed], "")


def _sides(problem: Problem) -> NDArray[np.intp]:
    return problem.decision.sides(problem.outputs)


def _filtered(problem: Problem, name: Filter) -> NDArray[np.bool_]:
    if name in (Filter.UNSEEN, Filter.SEEN) and not problem.knows_training:
        return np.ones(len(problem.rows), dtype=bool)
    if name is Filter.UNSEEN:
        return np.asarray(~problem.training)
    if name is Filter.SEEN:
        return problem.training
    if name is Filter.WRONG:
        return problem.wrong()
    distances = problem.decision.distances(problem.outputs)
    return np.asarray(distances <= np.quantile(distances, NEAREST_SHARE))


def _within(problem: Problem, name: str, rule: Rule) -> NDArray[np.bool_]:
    place = problem.schema.index(name)
    feature, values = problem.schema.features[place], problem.rows[:, place]
    kept = np.ones(len(values), dtype=bool)
    if rule.low is not None:
        kept &= values >= rule.low
    if rule.high is not None:
        kept &= values <= rule.high
    if rule.categories is not None:
        kept &= np.isin(values, [feature.code(label) for label in sorted(rule.categories)])
    return kept


def _holds_text(problem: Problem, positions: NDArray[np.intp], text: str) -> NDArray[np.bool_]:
    """Where the text occurs; every distinct value is printed once."""
    wanted = text.casefold()
    found = np.array([wanted in problem.ids[position].casefold() for position in positions], dtype=bool)
    for place, feature in enumerate(problem.schema.features):
        codes, values = pd.factorize(problem.rows[positions, place], use_na_sentinel=False)
        holds = np.array([wanted in wording.value(feature, float(value)).casefold() for value in values], dtype=bool)
        if len(values):
            found |= holds[codes]
    return found


def _ranked(problem: Problem, positions: NDArray[np.intp], order: Order) -> NDArray[np.intp]:
    seen = problem.training[positions]
    if order is Order.TABLE:
        return np.lexsort((positions, seen))
    by = problem.decision.distances(problem.outputs) if order is Order.NEAREST else scores(problem)
    key = by[positions]
    return np.lexsort((positions, seen, -key if order is Order.HIGHEST else key))


def _readable(problem: Problem, place: int, values: Rows) -> object:
    feature = problem.schema.features[place]
    if feature.is_number:
        return values
    labels = np.array([*feature.labels, wording.MISSING], dtype=object)
    return labels[np.where(np.isnan(values), len(feature.labels), values).astype(np.intp)]
