"""Frozen results. They say what was found and how, and hold no model and no data set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.decision import Target
from explainers.schema import Rows

GIVEN = "given"
"""What stands in the place of a method where a counterfactual was not searched for."""


@dataclass(frozen=True)
class Origin:
    """How a result came about: enough to have it again.

    Attributes
    ----------
    method : str
        Name in the registry.
    options : tuple of (name, value)
    seed : int
    problem : str
        Key of the problem.
    """

    method: str
    options: tuple[tuple[str, Any], ...]
    seed: int
    problem: str


@dataclass(frozen=True)
class FeatureChange:
    """One feature's move from the factual to the counterfactual.

    Attributes
    ----------
    feature : str
        Name in the schema.
    title : str
        How a person calls the feature.
    old, new : float or str
        The number, or the category's label; ``None`` where missing.
    old_text, new_text : str
        As printed; a unit that both share stands once, after the new value.
    """

    feature: str
    title: str
    old: float | str | None
    new: float | str | None
    old_text: str
    new_text: str


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """A row on the desired side of the decision, seen from the case it belongs to.

    Attributes
    ----------
    case : str
    factual, row : array of shape (n_features,)
        The case and its counterfactual, encoded; read-only.
    changes : tuple of FeatureChange
        In the order of the schema's features.
    factual_score, score : float
        Drawn scores of both.
    target : Target
    decimals : tuple of int
        Decimals, one a feature, with which the row as printed still flips.
    distance : float
        HEOM between the two, summed over features.
    neighbour : str
        Id of the training row that the values were taken from; empty if none.
    origin : Origin
    route : tuple of str
        Ids of the training rows that a way there leads through, in order; empty if none.
    prototype : str
        Id of the training row that it lies on the way to; empty if none.
    """

    case: str
    factual: Rows
    row: Rows
    changes: tuple[FeatureChange, ...]
    factual_score: float
    score: float
    target: Target
    decimals: tuple[int, ...]
    distance: float
    neighbour: str
    origin: Origin
    route: tuple[str, ...] = ()
    prototype: str = ""

    def __post_init__(self) -> None:
        self.factual.setflags(write=False)
        self.row.setflags(write=False)

    def __len__(self) -> int:
        return len(self.changes)

    def to_frame(self) -> pd.DataFrame:
        """One row a change: feature, old and new value as printed."""
        return pd.DataFrame(
            {
                "feature": [change.title for change in self.changes],
                "old": [change.old_text for change in self.changes],
                "new": [change.new_text for change in self.changes],
            }
        )


@dataclass(frozen=True)
class NoneFound:
    """Why there is no counterfactual.

    Attributes
    ----------
    reason : str
        ``reached``: the case has the desired decision already. ``stopped``: the run
        ended first. ``unseen``: no training row has the desired decision.
        ``constrained``: every one of them breaks a rule, and flips no more once the
        case's own values are kept there. ``given``: none of the rows that were given is one.
        ``bounded``: what flips costs more than is allowed, or is a copy where none is wanted.
        ``unsampled``: nothing that was sampled flips, and no rule stands in the way.
    binding : tuple of str
        Features whose rule stands in the way.
    relaxing : tuple of str
        Those of them that would be enough to free, each on its own.
    emptying : tuple of str
        Those of them that no training row with the desired decision keeps.
    together : tuple of str
        Where none is enough on its own, those that are together, and none of which can be spared.
    nearest : (int, float), optional
        Changes and distance of the cheapest row that flips beyond the bounds.
    detail : str
        What stopped the run, or what is wrong with the only row that was given.
    """

    reason: str
    binding: tuple[str, ...] = ()
    relaxing: tuple[str, ...] = ()
    emptying: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    nearest: tuple[int, float] | None = None
    detail: str = ""


@dataclass(frozen=True)
class Rejected:
    """A row that was given and is no counterfactual.

    Attributes
    ----------
    name : str
        How a person calls the row.
    sentence : str
        Why it is none.
    binding : tuple of str
        Features whose rule alone stands in the way, as it flips.
    """

    name: str
    sentence: str
    binding: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Counterfactuals:
    """What a generator found for a case, best first, or why it found nothing; or what was given, in its order.

    Attributes
    ----------
    case : str
    target : Target
    factual_score : float
        Drawn score of the case.
    found : tuple of Counterfactual
    none_found : NoneFound, optional
        Given if and only if `found` is empty.
    is_complete : bool
        Whether the run ended by itself.
    origin : Origin
    rejected : tuple of Rejected
        Rows that were given and are none.
    """

    case: str
    target: Target
    factual_score: float
    found: tuple[Counterfactual, ...]
    none_found: NoneFound | None
    is_complete: bool
    origin: Origin
    rejected: tuple[Rejected, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """One row a counterfactual: number of changes, score, distance, then each change as printed."""
        return pd.DataFrame(
            [
                {
                    "changes": len(counterfactual),
                    "score": counterfactual.score,
                    "distance": counterfactual.distance,
                    **{c.title: f"{c.old_text} → {c.new_text}" for c in counterfactual.changes},
                }
                for counterfactual in self.found
            ]
        )


@dataclass(frozen=True, eq=False)
class CoalitionScores:
    """The score of every coalition of a counterfactual's changes.

    A coalition is a bit mask: bit i is set when ``counterfactual.changes[i]`` is made.

    Attributes
    ----------
    counterfactual : Counterfactual
    scores : array of shape (2**n_changes,)
        Drawn scores; entry 0 is the case, the last entry the counterfactual.
    flips : array of bool of shape (2**n_changes,)
        Whether the coalition has the desired decision.
    minimal : tuple of int
        The coalitions that flip while no proper part of them does, fewest changes
        first, then more `Target.closeness`, then lower mask.
    """

    counterfactual: Counterfactual
    scores: NDArray[np.float64]
    flips: NDArray[np.bool_]
    minimal: tuple[int, ...]

    def __post_init__(self) -> None:
        self.scores.setflags(write=False)
        self.flips.setflags(write=False)

    def size(self, mask: int) -> int:
        """How many changes a coalition makes."""
        return mask.bit_count()

    def members(self, mask: int) -> tuple[int, ...]:
        """Positions of the changes in a coalition."""
        return tuple(i for i in range(len(self.counterfactual)) if mask >> i & 1)

    def names(self, mask: int) -> tuple[str, ...]:
        """Features changed in a coalition."""
        return tuple(self.counterfactual.changes[i].feature for i in self.members(mask))

    def find(self, names: tuple[str, ...]) -> int:
        """The coalition that changes these features; those that don't change are passed over."""
        return sum(1 << i for i, change in enumerate(self.counterfactual.changes) if change.feature in names)

    @property
    def is_reducible(self) -> bool:
        """Whether a part of the changes is enough (the paper's Equation 8 fails)."""
        return self.minimal != (len(self.scores) - 1,)

    def to_frame(self) -> pd.DataFrame:
        """One row a coalition: its changes, size, score, whether it flips and is minimal."""
        changes = self.counterfactual.changes
        masks = range(len(self.scores))
        minimal = set(self.minimal)
        return pd.DataFrame(
            {
                "combination": [" + ".join(changes[i].title for i in self.members(m)) or "as it is" for m in masks],
                "changes": [m.bit_count() for m in masks],
                "score": self.scores,
                "flips": self.flips,
                "minimal": [m in minimal for m in masks],
            }
        )


@dataclass(frozen=True)
class Cost:
    """What it took to find something out.

    Attributes
    ----------
    rows : int
        Rows that the model scored, equal ones in a call once.
    calls : int
        Calls of the model.
    seconds : float
        On the clock.
    """

    rows: int
    calls: int
    seconds: float


@dataclass(frozen=True, eq=False)
class Importance:
    """How much each change counts.

    Attributes
    ----------
    counterfactual : Counterfactual
    values : array of shape (n_changes,)
        One a change, in drawn-score units; they sum to the move from the case's score
        to the counterfactual's.
    order : tuple of int
        Changes in the order in which they are shown: Greedy as it walks, others by
        falling share of the move from the case's score to the counterfactual's.
    path : array of shape (n_changes + 1,)
        Drawn scores from the case on, after each change of `order`; for values that
        are no walk, the running total.
    path_flips : array of bool of shape (n_changes + 1,)
        Whether the walk is on the desired side there; for values that are no walk,
        whether the running total is; see `Target.has_reached`.
    origin : Origin
    standard_errors : array of shape (n_changes,), optional
        Of `values`, in the same unit; absent where they are exact.
    orders : int
        From how many random orders of the changes they are estimated; 0 where they are exact.
    cost : Cost, optional
        Absent where it isn't known, or all was scored for something else.
    is_complete : bool
        Whether the run ended by itself.
    """

    counterfactual: Counterfactual
    values: NDArray[np.float64]
    order: tuple[int, ...]
    path: NDArray[np.float64]
    path_flips: NDArray[np.bool_]
    origin: Origin
    standard_errors: NDArray[np.float64] | None = None
    orders: int = 0
    cost: Cost | None = None
    is_complete: bool = True

    def __post_init__(self) -> None:
        for array in (self.values, self.path, self.path_flips, self.standard_errors):
            if array is not None:
                array.setflags(write=False)

    def to_frame(self) -> pd.DataFrame:
        """One row a change in the order shown: feature, old, new, importance, its error if any, and `path` so far."""
        order, errors = list(self.order), self.standard_errors
        changes = [self.counterfactual.changes[i] for i in order]
        return pd.DataFrame(
            {
                "feature": [change.title for change in changes],
                "old": [change.old_text for change in changes],
                "new": [change.new_text for change in changes],
                "importance": self.values[order],
                **({} if errors is None else {"standard error": errors[order]}),
                "running total": self.path[1:],
            }
        )
