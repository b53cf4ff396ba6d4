"""Spheres around the case that grow until something in them flips.

Laugel, Lesot, Marsala, Renard and Detyniecki, "Comparison-based inverse classification for
interpretability in machine learning", 2018 (Algorithms 1 to 3). Here a category moves once
its coordinate is past one half, and no sphere grows beyond the nearest real case on the
desired side, which is the answer if nothing nearer is; so the search ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explainers.counterfactuals.assembly import Candidate
from explainers.counterfactuals.room import Room
from explainers.counterfactuals.searching import InventiveSearcher, Prepared, Search, SearchOptions
from explainers.distances import heom_parts
from explainers.importance.coalitions import changed_features
from explainers.method import whole
from explainers.schema import Rows, same

MOST_HALVINGS = 8


@dataclass(frozen=True)
class SpheresOptions(SearchOptions):
    """What a person may set on growing spheres."""

    draws: int = whole(
        500,
        label="Draws a sphere",
        help="So many rows are drawn evenly in each layer between two spheres. More draws may find nearer ones.",
        low=50,
        high=5_000,
    )


class GrowingSpheres(InventiveSearcher):
    """Random rows nearer and nearer to the case, then further and further."""

    name = "spheres"
    title = "Growing spheres"
    question = "How small is the sphere around this case in which something flips?"
    options_type = SpheresOptions

    def seek(self, search: Search, options: SpheresOptions, prepared: Prepared) -> None:
        """Shrink the first sphere until nothing in it flips, grow layers from there, then drop what isn't needed."""
        nearest = search.nearest(1)
        room = Room.of(search.schema, search.case.row, search.constraints, search.training_rows)
        if not search.has_desired_rows or not len(room.free):
            return
        random, most = search.random(), self._reach(search, nearest[0].row if nearest else None, len(room.free))
        radius = most
        for halving in range(MOST_HALVINGS):
            search.run.progress((halving + 1) / (3 * MOST_HALVINGS))
            if not self._any_flip(search, _layer(room, search.ranges, random, 0.0, radius, options.draws)):
                break
            radius /= 2
        inner, step = radius, max(radius, most / MOST_HALVINGS)
        while not search.found and inner < most:
            self._any_flip(search, _layer(room, search.ranges, random, inner, inner + step, options.draws))
            inner += step
        if not search.found:
            search.found.extend(Candidate(n.row, n.score, n.id) for n in nearest)
        for candidate in _nearest_first(search)[: options.ways]:
            search.ask(_fewer_changes(search, candidate.row))

    @staticmethod
    def _reach(search: Search, nearest: Rows | None, n_free: int) -> float:
        if nearest is None:
            return float(np.sqrt(n_free))
        parts = heom_parts(search.schema, search.ranges, search.case.row, nearest[None])[0]
        return float(np.linalg.norm(parts))

    @staticmethod
    def _any_flip(search: Search, rows: Rows) -> bool:
        before = len(search.found)
        moved = rows[~same(rows, np.broadcast_to(search.case.row, rows.shape)).all(axis=1)]
        search.ask(moved)
        return len(search.found) > before


def _layer(room: Room, ranges: Rows, random: np.random.Generator, inner: float, outer: float, draws: int) -> Rows:
    """Rows drawn evenly from between two spheres, in units of the features' ranges."""
    free = room.free
    directions = random.normal(size=(draws, len(free)))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    radii = random.uniform((inner / outer) ** len(free), 1.0, draws) ** (1 / len(free)) * outer
    steps = np.zeros((draws, len(room.case)))
    steps[:, free] = directions * radii[:, None]
    jumps = (np.abs(steps) >= 0.5) & ~room.is_measured
    rows = room.drawn(random, jumps)
    measured = np.broadcast_to(room.is_measured, rows.shape)
    return np.where(measured, room.fitted(rows + np.where(measured, steps * ranges, 0.0)), rows)


def _nearest_first(search: Search) -> list[Candidate]:
    rows = np.stack([candidate.row for candidate in search.found]) if search.found else np.empty((0, 0))
    if not len(rows):
        return []
    parts = heom_parts(search.schema, search.ranges, search.case.row, rows)
    return [search.found[at] for at in np.argsort(np.linalg.norm(parts, axis=1), kind="stable")]


def _fewer_changes(search: Search, row: Rows) -> Rows:
    """The row with its smallest moves taken back: one, then two, and so on (Algorithm 3)."""
    own = search.case.row
    moves = heom_parts(search.schema, search.ranges, own, row[None])[0]
    smallest_first = sorted(changed_features(own, row), key=lambda place: (moves[place], place))[:-1]
    rows = np.repeat(row[None], len(smallest_first), axis=0)
    for taken_back, place in enumerate(smallest_first):
        rows[taken_back:, place] = own[place]
    return rows
