"""Counterfactuals by gradients, drawn towards a prototype.

Van Looveren and Klaise, "Interpretable counterfactual explanations guided by prototypes",
2019. The loss is c·L_pred + β·L1 + L2, and with it, or in place of L_pred, the distance to
a prototype and what an autoencoder loses (Sections 3.2 and 4.2, losses A to F; A, C and E
are A, B and C of Section 4.3). The model is a black box: its slopes are differences, all of
a step in one call. c begins at 1, or at the first power of 10 that moves anything, is
multiplied by 10 until something flips, then halved into the gap on a logarithmic scale.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from explainers.constraints import Constraints
from explainers.counterfactuals.assembly import Candidate
from explainers.counterfactuals.prototype_losses import Losses
from explainers.counterfactuals.prototype_space import (
    PrototypePrepared,
    SpaceOptions,
    nearest_prototypes,
    prepare_space,
    space_key,
)
from explainers.counterfactuals.room import Room
from explainers.counterfactuals.searching import InventiveSearcher, Search
from explainers.descent import descend
from explainers.importance.coalitions import changed_features
from explainers.method import choice, whole
from explainers.problem import Problem
from explainers.results import NoneFound
from explainers.run import Run
from explainers.schema import Rows

BETA = 0.1
MOST_STEPS = 30
TENFOLDS = 7
BISECTIONS = 3

LOSSES = {
    "A": "the score alone (A)",
    "B": "the score and usual values (B)",
    "C": "the score and the prototype (C)",
    "D": "score, usual values and prototype (D)",
    "E": "the prototype alone (E)",
    "F": "usual values and the prototype (F)",
}
PROTOTYPES = {"case": "a real case", "encoding": "a mean of encodings"}


@dataclass(frozen=True)
class PrototypeOptions(SpaceOptions):
    """What a person may set on the search by gradients."""

    loss: str = choice(
        "E",
        label="Guided by",
        help="What draws the case over: the model's score, a prototype of the wanted side, and how well an "
        "autoencoder knows the values. The letters are those of the paper's Section 4.2.",
        choices=LOSSES,
    )
    prototype: str = choice(
        "case",
        label="The prototype is",
        help="The nearest real case on the wanted side, or the mean of the five nearest ones as an autoencoder "
        "encodes them.",
        choices=PROTOTYPES,
    )
    theta: int = whole(
        10,
        label="Weight of the prototype (theta)",
        help="The larger, the nearer to the prototype and the more changes. It is raised where nothing flips.",
        low=1,
        high=1_000,
    )
    rank: int = whole(
        1,
        label="Which nearest real case",
        help="1 takes the nearest one as prototype, 2 the second nearest, and so on.",
        low=1,
        high=20,
    )


@dataclass(eq=False)
class Effort:
    """How much a search has done; for benchmarks."""

    steps: int = 0
    weights: list[float] = field(default_factory=list)


class PrototypeSearch(InventiveSearcher):
    """FISTA on the losses of the paper."""

    name = "prototype_search"
    title = "Prototypes by gradients"
    question = "Which small changes lead towards a typical case of the wanted side?"
    options_type = PrototypeOptions

    def prepared_key(self, problem: Problem, constraints: Constraints, options: PrototypeOptions) -> Hashable:
        """The rows, by what categories are alike, and whether an autoencoder is wanted."""
        return space_key(problem, options.likeness), _needs_autoencoder(options)

    def prepare(
        self, problem: Problem, constraints: Constraints, options: PrototypeOptions, run: Run
    ) -> PrototypePrepared:
        """The space, and the autoencoder for the losses that need one."""
        return prepare_space(problem, run, likeness=options.likeness, needs_autoencoder=_needs_autoencoder(options))

    def seek(self, search: Search, options: PrototypeOptions, prepared: PrototypePrepared) -> None:
        """Go down the loss for one weight after another."""
        self.spend(search, options, prepared)

    def spend(self, search: Search, options: PrototypeOptions, prepared: PrototypePrepared) -> Effort:
        """`seek`, and how many steps it took.

        Where the prototype guides the search and nothing flips, its weight is raised, up to
        the prototype itself, which flips.
        """
        losses, effort = self._losses(search, options, prepared), Effort()
        if losses is not None and options.loss in "ABCD" and losses.is_moved():
            _search_weights(search, losses, effort)
        if options.loss in "AB":
            return effort
        weights = [options.theta * 10.0**power for power in range(TENFOLDS)]
        while losses is not None and weights and not search.found:
            _go(losses.with_theta(weights.pop(0)).with_c(0.0), effort)
        if not search.found:
            search.found.extend(Candidate(n.row, n.score, n.id) for n in nearest_prototypes(search, prepared, 1))
        return effort

    def can_find(self, search: Search, options: PrototypeOptions, prepared: PrototypePrepared) -> bool:
        """Without a prototype the search itself tells; a real case need not help it."""
        if options.loss not in "AB":
            return super().can_find(search, options, prepared)
        self.seek(search, options, prepared)
        return bool(search.found)

    def why_not(self, search: Search, options: PrototypeOptions, prepared: PrototypePrepared) -> NoneFound:
        """Why nothing was found: rules, a score without slopes, or a search without guide that came to its end."""
        losses = self._losses(search, options, prepared)
        if losses is None or options.loss not in "AB":
            return super().why_not(search, options, prepared)
        return NoneFound("exhausted" if losses.is_moved() else "flat")

    def ranked(self, search: Search, options: PrototypeOptions, prepared: PrototypePrepared) -> Sequence[Candidate]:
        """The smallest elastic net of the moves first, each row once, other sets of features before repeated ones."""
        distinct = search.fewest_changes_first()
        if not distinct:
            return ()
        rows = np.stack([candidate.row for candidate in distinct])
        moves = prepared.space.points(rows) - prepared.space.points(search.case.row[None])
        order = np.argsort(elastic_net(moves), kind="stable").tolist()
        firsts = {changed_features(search.case.row, rows[at]): at for at in reversed(order)}
        repeats = [at for at in order if firsts[changed_features(search.case.row, rows[at])] != at]
        return [distinct[at] for at in (*(at for at in order if at not in repeats), *repeats)][: options.ways]

    @staticmethod
    def _losses(search: Search, options: PrototypeOptions, prepared: PrototypePrepared) -> Losses | None:
        """What is gone down; nothing where there is nowhere to go."""
        room = Room.of(search.schema, search.case.row, search.constraints, search.training_rows)
        if not search.has_desired_rows or not prepared.space.may_move(room).any():
            return None
        goal = _goal(search, prepared, options.rank) if options.prototype == "case" else None
        return Losses.of(search, prepared, room, options, goal)


def _goal(search: Search, prepared: PrototypePrepared, rank: int) -> Rows | None:
    """The k-th nearest real case of the desired side or, where several classes will do, the nearest of theirs."""
    nearest = [nearest_prototypes(replace(search, target=part), prepared, rank) for part in search.target.parts()]
    goals = [some[-1].row for some in nearest if some]
    if not goals:
        return None
    points = prepared.space.points(np.stack([search.case.row, *goals]))
    return goals[int(np.linalg.norm(points[1:] - points[0], axis=1).argmin())]


def _search_weights(search: Search, losses: Losses, effort: Effort) -> None:
    """Raise c tenfold until something flips, then look between the last two for a smaller one."""
    first = losses.first_power(BETA)
    for power in range(first, first + TENFOLDS):
        search.run.progress((power - first) / (TENFOLDS + BISECTIONS))
        if _go(losses.with_c(10.0**power), effort):
            break
    else:
        return
    low, high = power - 1.0, float(power)
    for bisection in range(BISECTIONS):
        search.run.progress((TENFOLDS + bisection) / (TENFOLDS + BISECTIONS))
        middle = (low + high) / 2
        low, high = (low, middle) if _go(losses.with_c(10.0**middle), effort) else (middle, high)


def _go(losses: Losses, effort: Effort) -> bool:
    """Descend once; whether anything on the way flips."""
    before = losses.asked.n_flipping
    effort.weights.append(losses.c)
    effort.steps += descend(losses.smooth(), losses.begin, losses.low, losses.high, BETA, MOST_STEPS, losses.visit)
    return losses.asked.n_flipping > before


def _needs_autoencoder(options: PrototypeOptions) -> bool:
    return options.loss in "BDF" or (options.prototype == "encoding" and options.loss not in "AB")


def elastic_net(moves: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far points were moved: β·L1 + L2 (Section 4.1), shape (n_points,)."""
    return np.asarray(BETA * np.abs(moves).sum(axis=-1) + (moves**2).sum(axis=-1))
