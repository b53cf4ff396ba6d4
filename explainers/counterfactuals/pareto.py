"""The best compromises between distance, number of changes, plausibility and score.

Deb, Pratap, Agarwal and Meyarivan, "A fast and elitist multiobjective genetic algorithm:
NSGA-II", 2002, with the objectives of Dandl, Molnar, Binder and Bischl, "Multi-objective
counterfactual explanations", 2020. Rows that flip come before those that don't (Deb's
rule for constraints).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explainers.counterfactuals.assembly import Candidate
from explainers.counterfactuals.evolution import Evolution, EvolutionOptions, Population
from explainers.counterfactuals.neighbours import desired_training_rows
from explainers.counterfactuals.searching import InventiveSearcher, Prepared, Search
from explainers.distances import heom
from explainers.schema import Rows

MOST_REFERENCE_ROWS = 500


class Pareto(InventiveSearcher):
    """NSGA-II over four wishes."""

    name = "pareto"
    title = "Pareto front (NSGA-II)"
    question = "Which changes can't be bettered in distance, number, plausibility and score at once?"
    options_type = EvolutionOptions

    def seek(self, search: Search, options: EvolutionOptions, prepared: Prepared) -> None:
        """Breed a front; only what is on it in the end is found."""
        if not search.has_desired_rows:
            return
        evolution, wishes = Evolution.of(search), Wishes.of(search)
        living = evolution.first(options.population)
        try:
            for generation in range(options.generations):
                if not len(living):
                    break
                search.run.progress((generation + 1) / (options.generations + 1))
                living = living.kept(best_first(living, wishes.objectives(living)))
                everybody = living.with_others(evolution.children(living, options.population))
                order = best_first(everybody, wishes.objectives(everybody))
                living = everybody.kept(order[: options.population])
        finally:
            on_front = {row.tobytes() for row in _front(living, wishes)}
            search.found[:] = [candidate for candidate in search.found if candidate.row.tobytes() in on_front]

    def ranked(self, search: Search, options: EvolutionOptions, prepared: Prepared) -> Sequence[Candidate]:
        """Of the front, those with other features first, fewest changes first."""
        return search.fewest_changes_first()[: options.ways]


def ranks(objectives: NDArray[np.float64]) -> NDArray[np.intp]:
    """How many fronts lie before each row, shape (n_rows,); the front itself has 0.

    Parameters
    ----------
    objectives : array of shape (n_rows, n_objectives)
        Less is better.
    """
    no_worse = np.all(objectives[:, None] <= objectives[None], axis=2)
    better = np.any(objectives[:, None] < objectives[None], axis=2)
    dominates = np.asarray(no_worse & better)
    rank, left, level = np.zeros(len(objectives), dtype=np.intp), np.ones(len(objectives), dtype=bool), 0
    while left.any():
        front = left & ~dominates[left].any(axis=0)
        rank[front] = level
        left &= ~front
        level += 1
    return rank


def crowding(objectives: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much room each row of one front has around it, infinite at the ends, shape (n_rows,)."""
    room = np.zeros(len(objectives))
    for values in objectives.T:
        order = np.argsort(values, kind="stable")
        spread = values[order[-1]] - values[order[0]]
        room[order[[0, -1]]] = np.inf
        if spread > 0 and len(order) > 2:
            room[order[1:-1]] += (values[order[2:]] - values[order[:-2]]) / spread
    return room


def best_first(population: Population, objectives: NDArray[np.float64]) -> NDArray[np.intp]:
    """Rows that flip, front by front and the least crowded first; then the others by closeness."""
    flipping = np.flatnonzero(population.flips)
    rank = ranks(objectives[flipping])
    order: list[int] = []
    for level in range(int(rank.max(initial=-1)) + 1):
        members = flipping[rank == level]
        order += members[np.argsort(-crowding(objectives[members]), kind="stable")].tolist()
    others = np.flatnonzero(~population.flips)
    return np.array([*order, *others[np.argsort(-population.closeness[others], kind="stable")]], dtype=np.intp)


@dataclass(frozen=True, eq=False)
class Wishes:
    """What is wanted of a row, less being better.

    Attributes
    ----------
    search : Search
    reference : array of shape (n_reference_rows, n_features)
        Real cases on the desired side, evenly spread over the table if there are many.
    known : dict
        The distance to the nearest of them, by row.
    """

    search: Search
    reference: Rows
    known: dict[bytes, float] = field(default_factory=dict)

    @classmethod
    def of(cls, search: Search) -> Wishes:
        """The wishes of a case."""
        positions = desired_training_rows(search.problem, search.target, search.run)
        step = max(1, -(-len(positions) // MOST_REFERENCE_ROWS))
        return cls(search, search.problem.rows[positions[::step]])

    def objectives(self, population: Population) -> NDArray[np.float64]:
        """Distance, number of changes, distance to a real case, minus closeness, shape (n_rows, 4)."""
        to_real = np.array([self._to_real(row) for row in population.rows])
        return np.column_stack([population.distances, population.changes, to_real, -population.closeness])

    def _to_real(self, row: Rows) -> float:
        key = row.tobytes()
        if key not in self.known:
            self.known[key] = float(heom(self.search.schema, self.search.ranges, row, self.reference).min())
        return self.known[key]


def _front(population: Population, wishes: Wishes) -> Rows:
    flipping = population.kept(np.flatnonzero(population.flips))
    if not len(flipping):
        return flipping.rows
    return np.asarray(flipping.rows[ranks(wishes.objectives(flipping)) == 0])
