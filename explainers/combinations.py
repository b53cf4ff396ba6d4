"""Combinations of a counterfactual's changes: what all kinds of them answer, and some chosen ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.results import Counterfactual


class Combinations(Protocol):
    """Scores of combinations of a counterfactual's changes: of all, or of some.

    A combination has an id: its position in `scores`. Entry 0 is the case as it is, the
    last entry the counterfactual.
    """

    @property
    def counterfactual(self) -> Counterfactual: ...
    @property
    def scores(self) -> NDArray[np.float64]: ...
    @property
    def flips(self) -> NDArray[np.bool_]: ...
    @property
    def minimal(self) -> tuple[int, ...]:
        """Ids of those known to flip while no proper part of them does."""
        ...

    def size(self, id_: int) -> int:
        """How many changes a combination makes."""
        ...

    def members(self, id_: int) -> tuple[int, ...]:
        """Positions of the changes in a combination."""
        ...

    def names(self, id_: int) -> tuple[str, ...]:
        """Features changed in a combination."""
        ...

    def find(self, names: tuple[str, ...]) -> int | None:
        """The combination that changes these features, if it is scored; those that don't change are passed over."""
        ...

    def to_frame(self) -> pd.DataFrame:
        """One row a combination: its changes, size, score, whether it flips and is known to be minimal."""
        ...


@dataclass(frozen=True, eq=False)
class SomeCoalitions:
    """The scores of those coalitions that say most, where there are too many to score them all.

    Attributes
    ----------
    counterfactual : Counterfactual
    made : array of bool of shape (n_scored, n_changes)
        Which changes each coalition makes; first none of them, last all.
    walk : tuple of int
        The ids of Greedy's walk, from none of the changes to all.
    scores : array of shape (n_scored,)
        Drawn scores.
    flips : array of bool of shape (n_scored,)
        Whether the coalition has the desired decision.
    minimal : tuple of int
        Ids of the coalitions that flip while no proper part of them does, as far as all
        their parts are scored; in the order of `CoalitionScores.minimal`.
    enough : int
        Id of the smallest coalition scored that flips; of several the one with most
        `Target.closeness`, then the first.
    """

    counterfactual: Counterfactual
    made: NDArray[np.bool_]
    walk: tuple[int, ...]
    scores: NDArray[np.float64]
    flips: NDArray[np.bool_]
    minimal: tuple[int, ...]
    enough: int

    def __post_init__(self) -> None:
        for array in (self.made, self.scores, self.flips):
            array.setflags(write=False)

    def size(self, id_: int) -> int:
        """How many changes a coalition makes."""
        return int(self.made[id_].sum())

    def members(self, id_: int) -> tuple[int, ...]:
        """Positions of the changes in a coalition."""
        return tuple(np.flatnonzero(self.made[id_]).tolist())

    def names(self, id_: int) -> tuple[str, ...]:
        """Features changed in a coalition."""
        return tuple(self.counterfactual.changes[i].feature for i in self.members(id_))

    def find(self, names: tuple[str, ...]) -> int | None:
        """The coalition that changes these features, if it is scored; those that don't change are passed over."""
        wanted = [change.feature in names for change in self.counterfactual.changes]
        found = np.flatnonzero((self.made == wanted).all(axis=1))
        return int(found[0]) if found.size else None

    @property
    def needs_each(self) -> bool:
        """Whether no single change can be left out; more than one at a time may be."""
        all_but_one = self.made.sum(axis=1) == len(self.counterfactual) - 1
        return not bool(self.flips[all_but_one].any())

    def to_frame(self) -> pd.DataFrame:
        """One row a coalition scored: its changes, size, score, whether it flips and is known to be minimal."""
        ids = range(len(self.scores))
        return pd.DataFrame(
            {
                "combination": [" + ".join(self._titles(id_)) or "as it is" for id_ in ids],
                "changes": self.made.sum(axis=1),
                "score": self.scores,
                "flips": self.flips,
                "minimal": [id_ in set(self.minimal) for id_ in ids],
            }
        )

    def _titles(self, id_: int) -> list[str]:
        return [self.counterfactual.changes[i].title for i in self.members(id_)]
