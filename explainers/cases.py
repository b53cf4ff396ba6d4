"""Which case? The rows of a problem, filtered and put in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers import wording
from explainers.constraints import Rule
from explainers.decision import OneVsRestDecision
from explainers.problem import Problem, UnknownCase
from explainers.schema import SECONDS_A_DAY, Feature, Rows

NEAREST_SHARE = 0.1
"""Which part of the rows counts as near the threshold."""
PRINTED_IN_NUMBERS = frozenset(f"0123456789.:- {wording.MINUS}{wording.SPACE}")
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
    missing, known : tuple of str
        Features, by name, of which the case's own value must be missing, or must not be.
    """

    order: Order = Order.TABLE
    filters: frozenset[Filter] = frozenset()
    side: str | None = None
    text: str = ""
    where: tuple[tuple[str, Rule], ...] = ()
    missing: tuple[str, ...] = ()
    known: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Cases(Sequence[str]):
    """The ids of some cases in an order, as a sequence that costs no id until it is asked for one.

    Attributes
    ----------
    problem : Problem
    positions : array of int
        Rows of the problem, each at most once; read-only.
    """

    problem: Problem
    positions: NDArray[np.intp]

    def __post_init__(self) -> None:
        self.positions.setflags(write=False)

    def __len__(self) -> int:
        return len(self.positions)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self.problem.ids[position] for position in self.positions[place])
        return self.problem.ids[int(self.positions[place])]

    def __contains__(self, id_: object) -> bool:
        return self._place(id_) >= 0

    def index(self, id_: object, start: int = 0, stop: int | None = None) -> int:
        """Where a case stands.

        Raises
        ------
        ValueError
            If it isn't among them.
        """
        place = self._place(id_)
        if place < 0 or place not in range(*slice(start, stop).indices(len(self))):
            raise ValueError(f"Case {id_} is not among these.")
        return place

    def _place(self, id_: object) -> int:
        try:
            return int(self._places[self.problem.position(str(id_))])
        except UnknownCase:
            return -1

    @cached_property
    def _places(self) -> NDArray[np.int32]:
        """Where each row of the problem stands, -1 for one that doesn't."""
        places = np.full(len(self.problem.rows), -1, dtype=np.int32)
        places[self.positions] = np.arange(len(self.positions), dtype=np.int32)
        return places


def cases(problem: Problem, query: CaseQuery) -> Cases:
    """The cases that a query asks for, in its order."""
    return Cases(problem, select(problem, query))


def select(problem: Problem, query: CaseQuery) -> NDArray[np.intp]:
    """Positions of the cases that a query asks for, in its order."""
    kept = np.ones(len(problem.rows), dtype=bool)
    for name in query.filters:
        kept &= _filtered(problem, name)
    if query.side is not None:
        kept &= _sides(problem) == problem.decision.side_names().index(query.side)
    for feature, rule in query.where:
        kept &= _within(problem, feature, rule)
    for names, wanted in ((query.missing, True), (query.known, False)):
        for feature in names:
            kept &= np.isnan(problem.rows[:, problem.schema.index(feature)]) == wanted
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
        where nothing is known), ``seen in training`` and one a feature, in the schema's
        order and called by its title; numbers as numbers, dates as dates, categories by
        their labels; missing numbers as NaN, missing categories as they are printed.
    """
    names = np.array(problem.decision.side_names(), dtype=object)
    columns: dict[str, object] = {
        "case": [problem.ids[position] for position in positions],
        "score": scores(problem)[positions],
        "decision": names[_sides(problem)[positions]],
    }
    if knows_observed(problem):
        columns["observed"] = _turned_out(problem, positions)
    columns["seen in training"] = problem.training[positions] if problem.knows_training else UNKNOWN
    for place, title in enumerate(_titles(problem, columns)):
        columns[title] = _readable(problem, place, problem.rows[positions, place])
    return pd.DataFrame(columns)


def knows_observed(problem: Problem) -> bool:
    """Whether it is known of any row what it turned out to be."""
    observed = problem.observed
    if observed is None:
        return False
    return bool((observed >= 0).any() if problem.model.classes else np.isfinite(observed).any())


def _titles(problem: Problem, taken: Iterable[str]) -> list[str]:
    """What the features' columns are called: each by a name of its own, nothing else's."""
    titles: list[str] = []
    used = set(taken)
    for feature in problem.schema.features:
        title = feature.title
        if title in used:
            title = f"{feature.title} ({feature.name})"
        while title in used:
            title += "'"
        used.add(title)
        titles.append(title)
    return titles


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


def score_texts(problem: Problem, positions: NDArray[np.intp]) -> tuple[str, ...]:
    """The `scores` of a model of classes, each as `wording.score` prints it."""
    classes, decision = problem.model.classes, problem.decision
    target = (decision.adjusted(wanted=classes[1]) if len(classes) == 2 else decision).target(problem.outputs[0])
    return wording.scores(scores(problem)[positions], target)


def _turned_out(problem: Problem, positions: NDArray[np.intp]) -> NDArray[Any]:
    """What was observed: the number itself or the class, whatever the decision makes of it."""
    assert problem.observed is not None
    observed = problem.observed[positions]
    if not problem.model.classes:
        return observed
    called: NDArray[Any] = np.array(problem.model.classes, dtype=object)[observed]
    called[observed < 0] = None
    return called


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
    """Where the text occurs; every distinct value is printed once, numbers only where they may hold it."""
    wanted = text.casefold()
    found = np.array([wanted in problem.ids[position].casefold() for position in positions], dtype=bool)
    for place, feature in enumerate(problem.schema.features):
        sought = wanted if not feature.is_number or feature.is_date else _as_printed(wanted)
        if feature.is_number and not _may_hold(feature, sought):
            continue
        codes, values = pd.factorize(problem.rows[positions, place], use_na_sentinel=False)
        printed = map(str.casefold, wording.values(feature, values))
        holds = np.fromiter((sought in text for text in printed), dtype=bool, count=len(values))
        if len(values):
            found |= holds[codes]
    return found


def _as_printed(text: str) -> str:
    """A number as somebody types it with the blanks and the minus that numbers are printed with."""
    return text.replace(" ", wording.SPACE).replace("-", wording.MINUS)


def _may_hold(feature: Feature, text: str) -> bool:
    """Whether a number of the feature can be printed so that the text occurs in it, by its characters."""
    unit = feature.unit.casefold()
    return set(text) <= {*PRINTED_IN_NUMBERS, *unit} or text in wording.MISSING


def _ranked(problem: Problem, positions: NDArray[np.intp], order: Order) -> NDArray[np.intp]:
    seen = problem.training[positions]
    if order is Order.TABLE:
        return np.lexsort((positions, seen))
    by = problem.decision.distances(problem.outputs) if order is Order.NEAREST else scores(problem)
    key = by[positions]
    return np.lexsort((positions, seen, -key if order is Order.HIGHEST else key))


def _readable(problem: Problem, place: int, values: Rows) -> object:
    feature = problem.schema.features[place]
    if feature.is_date:
        seconds = np.where(np.isnan(values), 0.0, values) * SECONDS_A_DAY
        return np.where(np.isnan(values), np.datetime64("NaT"), np.round(seconds).astype("datetime64[s]"))
    if feature.is_number:
        return values
    labels = np.array([*feature.labels, wording.MISSING], dtype=object)
    return labels[np.where(np.isnan(values), len(feature.labels), values).astype(np.intp)]
