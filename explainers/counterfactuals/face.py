"""FACE: a way to the other side through real cases, kept where there are many of them.

Poyiadzi, Sokol, Santos-Rodriguez, De Bie and Flach, "FACE: feasible and actionable
counterfactual explanations", 2020. Every step leads to one of the nearest real cases, and
a step through a thin region counts as longer (Equation 1, with the inverse of the density
as weight). Rules keep the case's own values on all of the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.counterfactuals.assembly import Candidate
from explainers.counterfactuals.searching import Prepared, Search, Searcher, SearchOptions
from explainers.distances import heom
from explainers.method import whole
from explainers.run import Stopped
from explainers.schema import Rows

ROWS_BETWEEN_LOOKS = 200


@dataclass(frozen=True)
class FaceOptions(SearchOptions):
    """What a person may set on FACE."""

    cases: int = whole(
        300,
        label="Real cases on the map",
        help="The way leads through the nearest real cases, so many of each side. More find more ways, and take "
        "longer.",
        low=20,
        high=1_000,
    )
    links: int = whole(
        8,
        label="Steps from each case",
        help="From each real case so many of the nearest ones can be reached in one step. With more the way has "
        "fewer and larger steps.",
        low=1,
        high=50,
    )


class Face(Searcher):
    """The shortest ways through a graph of real cases."""

    name = "face"
    title = "FACE"
    question = "Which way leads to the wanted side through real cases, one like the next?"
    options_type = FaceOptions

    def seek(self, search: Search, options: FaceOptions, prepared: Prepared) -> None:
        """Link the nearest real cases, and take the shortest ways to those with the desired decision."""
        ends = search.nearest(options.cases)
        if not ends:
            return
        passed, names = _others(search, np.stack([end.row for end in ends]), options.cases)
        names = ("", *(end.id for end in ends), *names)
        try:
            gaps = _gaps(search, np.vstack([search.case.row, *(end.row for end in ends), *passed]))
        except Stopped:
            # The ends are known, though not the ways to them.
            search.found.extend(Candidate(end.row, end.score, end.id) for end in ends[: options.ways])
            raise
        for route in shortest_ways(gaps, range(1, len(ends) + 1), options.links)[: options.ways]:
            end = ends[route[-1] - 1]
            search.found.append(Candidate(end.row, end.score, end.id, tuple(names[at] for at in route[1:-1])))

    def ranked(self, search: Search, options: FaceOptions, prepared: Prepared) -> Sequence[Candidate]:
        """The shortest way first."""
        return search.found


def _gaps(search: Search, rows: Rows) -> NDArray[np.float64]:
    """HEOM between all rows, which asks now and then whether the run has ended."""
    gaps = np.empty((len(rows), len(rows)))
    for at, row in enumerate(rows):
        if at and at % ROWS_BETWEEN_LOOKS == 0:
            search.run.check()
            search.run.progress(at / len(rows))
        gaps[at] = heom(search.schema, search.ranges, row, rows)
    return gaps


def _others(search: Search, ends: Rows, most: int) -> tuple[Rows, tuple[str, ...]]:
    """The nearest training rows that are none of the ends, with every rule kept, and their ids."""
    positions = np.flatnonzero(search.problem.training)
    rows = search.problem.rows[positions]
    rows = np.where(search.constraints.allowed(search.schema, search.case.row, rows), rows, search.case.row)
    known = {search.case.row.tobytes(), *(end.tobytes() for end in ends)}
    chosen: list[int] = []
    for at in np.argsort(heom(search.schema, search.ranges, search.case.row, rows), kind="stable").tolist():
        if len(chosen) == most:
            break
        if rows[at].tobytes() not in known:
            known.add(rows[at].tobytes())
            chosen.append(at)
    return rows[chosen], tuple(search.problem.ids[positions[at]] for at in chosen)


def shortest_ways(gaps: NDArray[np.float64], ends: Sequence[int], links: int) -> list[tuple[int, ...]]:
    """Ways from the first row to ends, the shortest first; none passes another end of the list.

    Parameters
    ----------
    gaps : array of shape (n_rows, n_rows)
        Distances.
    ends : sequence of int
    links : int
        How many nearest rows can be reached from each; doubled until some end can be.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    n_rows = len(gaps)
    order = np.argsort(gaps + np.diag(np.full(n_rows, np.inf)), axis=1, kind="stable")[:, : n_rows - 1]
    thinness = np.take_along_axis(gaps, order[:, :links], axis=1).mean(axis=1)
    usual = np.median(thinness[thinness > 0]) if (thinness > 0).any() else 1.0
    while True:
        starts = np.repeat(np.arange(n_rows), min(links, n_rows - 1))
        nexts = order[:, :links].ravel()
        lengths = gaps[starts, nexts] * (thinness[starts] + thinness[nexts]) / (2 * usual)
        # A way ends at the first row that has the desired decision.
        is_step = ~np.isin(starts, ends)
        graph = csr_array((lengths[is_step] + 1e-12, (starts[is_step], nexts[is_step])), shape=(n_rows, n_rows))
        total, before = dijkstra(graph, indices=0, return_predecessors=True)
        reached = [end for end in sorted(ends, key=lambda end: (total[end], end)) if np.isfinite(total[end])]
        if reached or links >= n_rows - 1:
            return [_way(before, end) for end in reached]
        links *= 2


def _way(before: NDArray[np.int32], end: int) -> tuple[int, ...]:
    way = [end]
    while way[-1]:
        way.append(int(before[way[-1]]))
    return tuple(reversed(way))
