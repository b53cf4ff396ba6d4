"""A population of rows that changes by crossing and mutating; what its searches share."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explainers.counterfactuals.room import Room
from explainers.counterfactuals.searching import Search, SearchOptions
from explainers.decision import Outputs
from explainers.distances import heom_parts
from explainers.method import whole
from explainers.schema import Rows, same

MUTATIONS_A_ROW = 1.5
REVERT_SHARE = 0.5
NUDGE_SHARE = 0.3


@dataclass(frozen=True)
class EvolutionOptions(SearchOptions):
    """What a person may set on a search by generations."""

    generations: int = whole(
        15,
        label="Generations at most",
        help="The search ends after so many generations, or earlier once five of them in a row gave nothing better.",
        low=5,
        high=200,
    )
    population: int = whole(
        60,
        label="Rows a generation",
        help="So many rows are kept from one generation to the next. More find better changes and take longer.",
        low=20,
        high=400,
    )


@dataclass(frozen=True, eq=False)
class Population:
    """Rows and what is known of them.

    Attributes
    ----------
    rows : array of shape (n_rows, n_features)
    flips : array of bool of shape (n_rows,)
    closeness : array of shape (n_rows,)
        See `Target.closeness`.
    changes : array of shape (n_rows,)
        How many features differ from the case.
    distances : array of shape (n_rows,)
        HEOM to the case.
    """

    rows: Rows
    flips: NDArray[np.bool_]
    closeness: NDArray[np.float64]
    changes: NDArray[np.intp]
    distances: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)

    def kept(self, places: NDArray[np.intp]) -> Population:
        """Some of the rows, in that order."""
        return Population(
            self.rows[places], self.flips[places], self.closeness[places], self.changes[places], self.distances[places]
        )

    def with_others(self, other: Population) -> Population:
        """Both together."""
        return Population(*(
            np.concatenate([getattr(self, name), getattr(other, name)])
            for name in ("rows", "flips", "closeness", "changes", "distances")
        ))  # fmt: skip


@dataclass(eq=False)
class Evolution:
    """The generations of one search; `asked` are the rows that the model has seen.

    Parameters
    ----------
    search : Search
    room : Room
    random : numpy.random.Generator
    """

    search: Search
    room: Room
    random: np.random.Generator
    asked: set[bytes] = field(default_factory=set)

    @classmethod
    def of(cls, search: Search) -> Evolution:
        """The evolution of a case's counterfactuals, with the case's own random numbers."""
        room = Room.of(search.schema, search.case.row, search.constraints, search.training_rows)
        return cls(search, room, search.random())

    def first(self, size: int) -> Population:
        """Half real cases on the desired side, half random changes of the case."""
        real = [neighbour.row for neighbour in self.search.nearest(size // 2)]
        n_random = size - len(real)
        masks = np.zeros((n_random, len(self.room.case)), dtype=bool)
        share = self.random.random((n_random, 1))
        masks[:, self.room.free] = self.random.random((n_random, len(self.room.free))) < share
        return self.scored(np.vstack([*real, self.room.drawn(self.random, masks)]))

    def children(self, parents: Population, how_many: int) -> Population:
        """New rows, each from two parents, the earlier of two drawn ones preferred."""
        pairs = self.random.integers(0, len(parents), (2, how_many, 2)).min(axis=2)
        mothers, fathers = parents.rows[pairs[0]], parents.rows[pairs[1]]
        rows = np.where(self.random.random(mothers.shape) < 0.5, mothers, fathers)
        return self.scored(self._mutated(rows))

    def scored(self, rows: Rows) -> Population:
        """The rows that were not asked yet, without the case itself."""
        own = self.room.case
        kept: list[int] = []
        for at, row in enumerate(rows):
            key = row.tobytes()
            if key not in self.asked and not same(row, own).all():
                self.asked.add(key)
                kept.append(at)
        rows = rows[kept]
        outputs: Outputs = self.search.ask(rows)
        parts = heom_parts(self.search.schema, self.search.ranges, own, rows)
        return Population(
            rows,
            self.search.target.flips(outputs),
            self.search.target.closeness(outputs),
            np.asarray((~same(rows, np.broadcast_to(own, rows.shape))).sum(axis=1)),
            parts.sum(axis=1),
        )

    def _mutated(self, rows: Rows) -> Rows:
        """Some values back to the case's own, some nudged towards it, some drawn anew."""
        free = self.room.free
        hits = np.zeros(rows.shape, dtype=bool)
        hits[:, free] = self.random.random((len(rows), len(free))) < MUTATIONS_A_ROW / max(1, len(free))
        how = self.random.random(rows.shape)
        drawn = self.room.drawn(self.random, hits)
        nudged = rows + self.random.random(rows.shape) * (self.room.case - rows)
        nudges = hits & (how < REVERT_SHARE + NUDGE_SHARE) & self.room.is_measured & ~np.isnan(rows)
        mutated = np.where(hits, drawn, rows)
        mutated = np.where(nudges, nudged, mutated)
        mutated = np.where(hits & (how < REVERT_SHARE), self.room.case, mutated)
        # Only what was nudged is a number of its own; all else a real case has.
        return np.where(nudges, self.room.fitted(mutated), mutated)
