"""Rows as points in which one can move, and the prototypes of the desired side among them.

Van Looveren and Klaise, "Interpretable counterfactual explanations guided by prototypes",
2019, Sections 3.3 and 3.4: numbers are standardised, categories stand on a line, and one
k-d tree for each predicted side finds real cases near the case. Sides are those of the
decision asked for, with its threshold or interval, as otherwise a prototype need not flip.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explainers.autoencoder import DeepAutoencoder, fit_deep_autoencoder
from explainers.counterfactuals.neighbours import Neighbour, desired_training_rows
from explainers.counterfactuals.room import Room
from explainers.counterfactuals.searching import Prepared, Search, SearchOptions
from explainers.distances import value_ranges
from explainers.embedding import ABDM, LIKENESS, MVDM, Embedding, embed_by_context, embed_by_outputs
from explainers.method import choice
from explainers.picture import with_one_deviation
from explainers.problem import Problem
from explainers.run import Run
from explainers.schema import Rows, Schema

Points = NDArray[np.float64]

ROWS_LOOKED_AT = 128


@dataclass(frozen=True)
class SpaceOptions(SearchOptions):
    """What a person may set on every search in the space."""

    likeness: str = choice(
        ABDM,
        label="Categories are alike by",
        help="Categories stand on a line on which one moves. By ABDM those stand near each other that go along with "
        "the same values of the other features, by MVDM those that the model decides alike.",
        choices=LIKENESS,
    )


@dataclass(frozen=True, eq=False)
class Space:
    """Where rows stand as points.

    Attributes
    ----------
    schema : Schema
    embedding : Embedding
    centre, scale : array of shape (n_features,)
        Mean and standard deviation of the training rows, once embedded; one deviation for all pixels of a picture.
    """

    schema: Schema
    embedding: Embedding
    centre: NDArray[np.float64]
    scale: NDArray[np.float64]

    @classmethod
    def of(cls, schema: Schema, rows: Rows, embedding: Embedding | None = None) -> Space:
        """The space of training rows; categories are placed by ABDM unless they are given their places."""
        embedding = embedding or embed_by_context(schema, rows)
        embedded = np.ma.masked_invalid(embedding.embedded(rows))
        scale = with_one_deviation(schema, embedded.std(axis=0).filled(0.0))
        return cls(schema, embedding, embedded.mean(axis=0).filled(0.0), np.where(scale > 0, scale, 1.0))

    def points(self, rows: Rows) -> Points:
        """Rows as points; missing stands at the mean."""
        points = (self.embedding.embedded(rows) - self.centre) / self.scale
        return np.where(np.isnan(points), 0.0, points)

    def may_move(self, room: Room) -> NDArray[np.bool_]:
        """Along which coordinates the case may move bit by bit, shape (n_features,)."""
        is_free = np.zeros(len(room.case), dtype=bool)
        is_free[room.free] = True
        return np.asarray((room.is_measured | ~self.schema.is_number) & is_free & ~np.isnan(room.case))

    def box(self, room: Room) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Between which coordinates the case may move; both its own where it may not."""
        own = self.points(room.case[None])[0]
        low, high = own.copy(), own.copy()
        for place in np.flatnonzero(self.may_move(room)).tolist():
            ends = (room.low[place], room.high[place])
            if not self.schema.is_number[place]:
                places = self.embedding.places[place][_categories(room, place)]
                ends = (places.min(), places.max())
            at = (np.array(ends) - self.centre[place]) / self.scale[place]
            low[place], high[place] = min(own[place], at[0]), max(own[place], at[1])
        return low, high

    def rows(self, points: Points, room: Room) -> Rows:
        """The rows nearest to points: recorded decimals, allowed categories, every rule kept."""
        moves, values = self.may_move(room), points * self.scale + self.centre
        rows = np.where(moves & self.schema.is_number, values, room.case)
        for place in np.flatnonzero(moves & ~self.schema.is_number).tolist():
            categories = _categories(room, place)
            gaps = np.abs(values[:, [place]] - self.embedding.places[place][categories])
            rows[:, place] = categories[gaps.argmin(axis=1)]
        return room.fitted(rows)


def _categories(room: Room, place: int) -> NDArray[np.intp]:
    """The case's own category, which wins a tie, then those it may change to."""
    others = np.unique(room.values[place])
    return np.array([room.case[place], *others[~np.isnan(others)]], dtype=np.intp)


@dataclass(frozen=True, eq=False)
class PrototypePrepared(Prepared):
    """What serves every case of a problem.

    Attributes
    ----------
    space : Space
    points : array of shape (n_training_rows, n_features)
    autoencoder : DeepAutoencoder, optional
    trees : dict
        A k-d tree for each desired side that was asked for so far.
    """

    space: Space
    points: Points
    autoencoder: DeepAutoencoder | None = None
    trees: dict[Hashable, Any] = field(default_factory=dict)

    def tree(self, positions: NDArray[np.intp]) -> Any:
        """The k-d tree of some training rows, by their places among these."""
        from scipy.spatial import KDTree

        key = positions.tobytes()
        if key not in self.trees:
            self.trees[key] = KDTree(self.points[positions])
        return self.trees[key]


def space_key(problem: Problem, likeness: str) -> Hashable:
    """Equal for problems that have the same space."""
    return "prototype space", likeness, problem.key if likeness == MVDM else problem.content_key


def prepare_space(
    problem: Problem, run: Run, *, likeness: str = ABDM, needs_autoencoder: bool = False
) -> PrototypePrepared:
    """Scale and place the training rows, and fit the autoencoder if it is wanted."""
    run.check()
    rows, embedding = problem.rows[problem.training], None
    if likeness == MVDM:
        sides = problem.decision.sides(problem.scored(run)[problem.training])
        embedding = embed_by_outputs(problem.schema, rows, sides)
    space = Space.of(problem.schema, rows, embedding)
    points = space.points(rows)
    autoencoder = fit_deep_autoencoder(points, run.seed, run) if needs_autoencoder else None
    return PrototypePrepared(value_ranges(rows), space, points, autoencoder)


def nearest_prototypes(search: Search, prepared: PrototypePrepared, most: int) -> list[Neighbour]:
    """The nearest real cases of the desired side in the space, with every rule kept, different from each other.

    Rules change rows and so their distances; the nearest `ROWS_LOOKED_AT` rows are put in
    order anew. Where none of them flips under the rules, all rows are looked at.
    """
    positions = desired_training_rows(search.problem, search.target, search.run)
    if not len(positions):
        return []
    own = prepared.space.points(search.case.row[None])[0]
    among = np.searchsorted(np.flatnonzero(search.problem.training), positions)
    looked_at = min(ROWS_LOOKED_AT, len(positions))
    nearest = np.sort(np.atleast_1d(prepared.tree(among).query(own, looked_at)[1]))
    found = _kept(search, prepared.space, own, positions[nearest], most)
    return found or list(search.nearest(most))


def _kept(search: Search, space: Space, own: Points, positions: NDArray[np.intp], most: int) -> list[Neighbour]:
    """Those of the rows that flip once rules are kept, nearest first, the earlier one in a tie."""
    rows = search.problem.rows[positions]
    allowed = search.constraints.allowed(search.schema, search.case.row, rows)
    touched = np.asarray(~allowed.all(axis=1))
    kept = np.where(allowed, rows, search.case.row)
    outputs = search.problem.outputs[positions].copy()
    outputs[touched] = search.problem.model.score(kept[touched], search.run)
    flips, scores, closeness = (f(outputs) for f in (search.target.flips, search.target.drawn, search.target.closeness))
    order = np.argsort(np.linalg.norm(space.points(kept) - own, axis=1), kind="stable")
    found: dict[bytes, Neighbour] = {}
    for at in order[flips[order]].tolist():
        neighbour = Neighbour(search.problem.ids[positions[at]], kept[at], float(scores[at]), float(closeness[at]))
        found.setdefault(kept[at].tobytes(), neighbour)
        if len(found) == most:
            break
    return list(found.values())
