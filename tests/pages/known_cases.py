"""Cases that have what a test needs, looked for by the library so that no row number is written down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from components import catalogue
from explainers import sentences
from explainers.constraints import Constraints
from explainers.counterfactuals.nice import Nice, NiceOptions
from explainers.counterfactuals.prototype_search import PrototypeOptions, PrototypeSearch
from explainers.explanation import Explanation, explain_changes
from explainers.problem import Problem
from explainers.results import Counterfactual, Counterfactuals

SAMPLE = "german_credit"


@dataclass(frozen=True)
class Locked:
    """A case that nothing flips while these features are locked, and those of which one unlocked is enough."""

    case: str
    locked: tuple[str, ...]
    relaxing: tuple[str, ...]


def problem() -> Problem:
    return catalogue.sample_problem(SAMPLE)


@cache
def order() -> tuple[str, ...]:
    """The cases to go through: those that the model has not seen."""
    return tuple(id_ for id_, seen in zip(problem().ids, problem().training, strict=True) if not seen)


@cache
def search(case: str, reward: str = "sparsity") -> Counterfactuals:
    return Nice().explain(problem(), problem().case(case), options=NiceOptions(reward=reward))


@cache
def explanation(case: str, place: int = 0, reward: str = "sparsity") -> Explanation:
    return explain_changes(problem(), problem().case(case), search(case, reward).found[place])


def names(counterfactual: Counterfactual) -> set[str]:
    """The features that a counterfactual changes."""
    return {change.feature for change in counterfactual.changes}


def beginning(data: str = SAMPLE) -> str:
    """The case of a data set that is shown first."""
    return catalogue.beginning(data)


@cache
def with_changes(fewest: int, most: int, side: int | None = None, reward: str = "sparsity") -> str:
    """An unseen case, on a side of the decision or on any, whose first counterfactual has so many changes."""
    return next(case for case in _unseen(side) if fewest <= len(search(case, reward).found[0]) <= most)


@cache
def reducible() -> str:
    """A case of which, with the smallest changes, a part of three to six is enough, but not one alone."""
    for case in _unseen():
        if 3 <= len(search(case, "proximity").found[0]) <= 6:
            coalitions = explanation(case, reward="proximity").coalitions
            assert coalitions is not None
            if coalitions.is_reducible and coalitions.minimal[0].bit_count() > 1:
                return case
    raise AssertionError("There is none.")


@cache
def with_ways_that_read_the_same() -> str:
    """A case with two counterfactuals of as many changes and, as printed, the same score."""
    return next(case for case in _unseen() if len(set(sentences.alternatives(search(case)))) < len(search(case).found))


@cache
def locked_but_one() -> Locked:
    """A case with all features locked but one of two that flip it together, so that there is one to unlock."""
    schema = problem().schema
    for case in _unseen():
        two = names(search(case).found[0])
        if len(two) == 2:
            locked = tuple(name for name in schema.names if name != min(two))
            constraints = locked_constraints(locked)
            none = Nice().explain(problem(), problem().case(case), constraints).none_found
            if none is not None and none.relaxing:
                return Locked(case, locked, none.relaxing)
    raise AssertionError("There is none.")


def locked_constraints(locked: Sequence[str]) -> Constraints:
    """The sample's own rules, and these features locked."""
    constraints = Constraints.default(problem().schema)
    for name in locked:
        constraints = constraints.with_lock(name, True)
    return constraints


@cache
def without_slope() -> tuple[str, ...]:
    """All features but one, along which alone the score of the case that is shown first doesn't change at first."""
    schema, case = problem().schema, problem().case(beginning())
    options = PrototypeOptions(loss="A")
    for free in schema.names:
        locked = tuple(name for name in schema.names if name != free)
        none = PrototypeSearch().explain(problem(), case, locked_constraints(locked), options).none_found
        if none is not None and none.reason == "flat":
            return locked
    raise AssertionError("There is none.")


def _unseen(side: int | None = None) -> Iterator[str]:
    sides = problem().decision.sides(problem().outputs)
    for case in order():
        if side is None or sides[problem().position(case)] == side:
            yield case
