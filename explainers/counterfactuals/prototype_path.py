"""The path from the case to a prototype, feature after feature, and where on it the decision flips.

Van Looveren and Klaise, "Interpretable counterfactual explanations guided by prototypes",
2019. Their loss without the model's score (C in Section 4.3) has its minimum, for every
weight of the prototype, on one path: each coordinate goes the way to the prototype by what
is left of it over a bound, and the bound falls to nothing as the weight grows. So the whole
path is asked in one call, on any model, and ends at the prototype itself, which flips.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.constraints import Constraints
from explainers.counterfactuals.assembly import Candidate
from explainers.counterfactuals.neighbours import Neighbour, desired_training_rows
from explainers.counterfactuals.prototype_space import (
    Points,
    PrototypePrepared,
    Space,
    SpaceOptions,
    nearest_prototypes,
    prepare_space,
    space_key,
)
from explainers.counterfactuals.reduction import reduced_row
from explainers.counterfactuals.room import Room
from explainers.counterfactuals.searching import Search, Searcher
from explainers.decision import Target
from explainers.distances import heom
from explainers.embedding import Embedding
from explainers.method import switch, whole
from explainers.problem import Case, Problem
from explainers.results import NoneFound
from explainers.run import Run
from explainers.schema import Rows

STEPS = 64


@dataclass(frozen=True)
class PathOptions(SpaceOptions):
    """What a person may set on the prototype path."""

    prototypes: int = whole(
        5,
        label="Prototypes",
        help="Paths lead to so many of the nearest real cases on the wanted side; the best of them are shown.",
        low=1,
        high=20,
    )
    typicality: int = whole(
        0,
        label="From sparse to typical, in percent",
        help="0 stops where the decision first flips; 100 goes on to the real case itself, which is as typical as "
        "can be and changes most.",
        low=0,
        high=100,
    )
    reduce: bool = switch(
        False,
        label="Always keep only what is enough",
        help="Drops every change that is not needed to flip. Fewer changes, and a less typical case.",
    )


@dataclass(frozen=True, eq=False)
class Path:
    """The way from a case to one prototype.

    Attributes
    ----------
    prototype : Neighbour
        With the case's own values where a rule keeps them.
    shares : array of shape (n_steps,)
        How far along each row is, from above 0 to 1.
    rows : array of shape (n_steps, n_features)
        Different from each other; the last one is the prototype.
    scores : array of shape (n_steps,)
        Drawn.
    flips : array of bool of shape (n_steps,)
    """

    prototype: Neighbour
    shares: NDArray[np.float64]
    rows: Rows
    scores: NDArray[np.float64]
    flips: NDArray[np.bool_]

    def __post_init__(self) -> None:
        for array in (self.shares, self.rows, self.scores, self.flips):
            array.setflags(write=False)

    def stop(self, typicality: int) -> int:
        """The row to show: the first that flips so many percent of the way from the first flip to the end."""
        first = int(self.flips.argmax())
        wanted = first + round((len(self.flips) - 1 - first) * typicality / 100)
        return wanted + int(self.flips[wanted:].argmax())


@dataclass(frozen=True, eq=False)
class TracedPaths:
    """The paths of a case and what can be watched on them.

    Attributes
    ----------
    target : Target
    factual_score : float
        Drawn score of the case.
    paths : tuple of Path
        To the nearest prototypes, nearest first.
    to_real : tuple of arrays of shape (n_steps,)
        For each path and step the distance to the nearest real case of the desired side; 0 is one.
    embedding : Embedding
        Where categories stand on the way.
    none_found : NoneFound, optional
        Why there is no path; given if and only if there is none.
    """

    target: Target
    factual_score: float
    paths: tuple[Path, ...]
    to_real: tuple[NDArray[np.float64], ...]
    embedding: Embedding
    none_found: NoneFound | None


class PrototypePath(Searcher):
    """Paths to the nearest prototypes."""

    name = "prototype_path"
    title = "Prototype path"
    question = "How far towards a typical case of the wanted side does it take?"
    options_type = PathOptions

    def prepared_key(self, problem: Problem, constraints: Constraints, options: PathOptions) -> Hashable:
        """The rows, and by what categories are alike."""
        return space_key(problem, options.likeness)

    def prepare(self, problem: Problem, constraints: Constraints, options: PathOptions, run: Run) -> PrototypePrepared:
        """The space of prototypes."""
        return prepare_space(problem, run, likeness=options.likeness)

    def seek(self, search: Search, options: PathOptions, prepared: PrototypePrepared) -> None:
        """Score all paths in one call and stop on each where the person wants."""
        for path in paths_of(search, prepared, options.prototypes):
            at = path.stop(options.typicality)
            is_end = at == len(path.rows) - 1
            search.found.append(
                Candidate(
                    path.rows[at].copy(),
                    float(path.scores[at]),
                    path.prototype.id if is_end else "",
                    prototype="" if is_end else path.prototype.id,
                )
            )
        if options.reduce:
            for place, candidate in enumerate(search.found):
                row, score = reduced_row(
                    search.problem.model, search.target, search.case.row, candidate.row, candidate.score, search.run
                )
                search.found[place] = Candidate(row, score, candidate.neighbour, prototype=candidate.prototype)

    def ranked(self, search: Search, options: PathOptions, prepared: PrototypePrepared) -> Sequence[Candidate]:
        """The shortest way in the space first, each row once."""
        distinct = list({candidate.row.tobytes(): candidate for candidate in search.found}.values())
        if not distinct:
            return ()
        own = prepared.space.points(search.case.row[None])
        moved = np.linalg.norm(prepared.space.points(np.stack([c.row for c in distinct])) - own, axis=1)
        return [distinct[at] for at in np.argsort(moved, kind="stable")[: options.ways]]


def trace_paths(
    problem: Problem,
    case: Case,
    constraints: Constraints,
    prepared: PrototypePrepared,
    run: Run | None = None,
    most: int = 5,
) -> TracedPaths:
    """The paths from a case to the nearest prototypes, step by step.

    Raises
    ------
    Stopped
        If the run ended first.
    """
    run = run or Run()
    outputs = problem.case_outputs(case, run)
    target = problem.decision.target(outputs)
    factual_score = float(target.drawn(outputs[None])[0])
    space = prepared.space
    if target.is_reached:
        return TracedPaths(target, factual_score, (), (), space.embedding, NoneFound("reached"))
    search = Search(problem, case, constraints, outputs, target, prepared.ranges, run)
    paths = tuple(paths_of(search, prepared, most))
    if not paths:
        why = PrototypePath().why_not(search, PathOptions(), prepared)
        return TracedPaths(target, factual_score, (), (), space.embedding, why)
    real = problem.rows[desired_training_rows(problem, target, run)]
    to_real = tuple(
        np.array([heom(problem.schema, prepared.ranges, row, real).min() for row in path.rows]) for path in paths
    )
    return TracedPaths(target, factual_score, paths, to_real, space.embedding, None)


def paths_of(search: Search, prepared: PrototypePrepared, most: int) -> list[Path]:
    """The paths to the nearest prototypes, nearest first, scored in one call."""
    prototypes = nearest_prototypes(search, prepared, most)
    if not prototypes:
        return []
    room = Room.of(search.schema, search.case.row, search.constraints, search.training_rows)
    ways = [rows_between(prepared.space, room, prototype.row) for prototype in prototypes]
    outputs = search.problem.model.score(np.concatenate([rows for rows, _ in ways]), search.run)
    ends = np.cumsum([len(rows) for rows, _ in ways])[:-1]
    return [
        Path(prototype, shares, rows, search.target.drawn(part), search.target.flips(part))
        for prototype, (rows, shares), part in zip(prototypes, ways, np.split(outputs, ends), strict=True)
    ]


def rows_between(space: Space, room: Room, prototype: Rows) -> tuple[Rows, NDArray[np.float64]]:
    """The rows from the case (left out) to a prototype, each once, and how far along each is."""
    own, goal = space.points(np.stack([room.case, prototype]))
    moves = space.may_move(room) & ~np.isnan(prototype)
    # What can't move bit by bit, as it is missing at one end, is one unit away and jumps half way.
    gaps = np.where(moves, goal - own, np.where(np.isnan(room.case) != np.isnan(prototype), 1.0, 0.0))
    shares = np.linspace(0.0, 1.0, STEPS + 1)[1:]
    steps = shrunk(gaps, np.abs(gaps).max(initial=0.0) * (1.0 - shares))
    rows = space.rows(np.where(moves, own + steps, own), room)
    rows = np.where(~moves & (steps >= gaps / 2) & (gaps > 0), prototype, rows)
    rows[-1] = prototype
    firsts = {row.tobytes(): at for at, row in reversed(list(enumerate(rows[:-1])))}
    ends = (room.case.tobytes(), rows[-1].tobytes())
    kept = [*sorted(at for row, at in firsts.items() if row not in ends), STEPS - 1]
    return rows[kept], shares[kept]


def shrunk(gaps: Points, bounds: NDArray[np.float64]) -> Points:
    """What of each gap is over each bound, with the gap's sign, shape (n_bounds, n_features)."""
    return np.asarray(np.sign(gaps) * np.maximum(np.abs(gaps) - bounds[:, None], 0.0))
