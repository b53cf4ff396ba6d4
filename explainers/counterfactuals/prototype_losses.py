"""The terms of the losses that draw a case over, and their slopes.

Van Looveren and Klaise 2019: L_pred (Equation 2), L2 (3), L_AE (4) and L_proto (9, with an
encoder, and 10, with a k-d tree). L_pred is the way to the desired decision, in the score's
own terms: for two classes at .5 it is the paper's difference of the two probabilities.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explainers.counterfactuals.neighbours import desired_training_rows
from explainers.counterfactuals.prototype_space import Points, PrototypePrepared
from explainers.counterfactuals.room import Room
from explainers.counterfactuals.searching import Search
from explainers.decision import BinaryTarget, LeadTarget, Target
from explainers.descent import Smooth
from explainers.problem import Problem
from explainers.run import Run
from explainers.schema import Rows

GAMMA = 1.0
SLOPE_STEP = 0.05
"""Half the width of a difference, in standard deviations; more where the table records less finely."""
NEAREST_ENCODINGS = 5


@dataclass(eq=False)
class Asked:
    """What the model said of rows, by their bytes, and how often a row that flips was come by."""

    drawn: dict[bytes, float] = field(default_factory=dict)
    flips: dict[bytes, bool] = field(default_factory=dict)
    n_flipping: int = 0


@dataclass(frozen=True, eq=False)
class Losses:
    """A loss of one case.

    Attributes
    ----------
    search : Search
    prepared : PrototypePrepared
    room : Room
    begin, low, high : array of shape (n_features,)
        The case as a point, and the box in which it may move.
    widths : array of shape (n_features,)
        Half the widths of differences; 0 where the case can't move.
    unit : float
        What one unit of the way to the decision counts in L_pred.
    goal : array, optional
        The prototype as a point, or as a code.
    is_encoded : bool
        Whether it is a code.
    c, theta, gamma : float
        Weights of L_pred, of the prototype and of the autoencoder; 0 leaves a term out.
    asked : Asked
        What the model said so far: each descent begins at the case, and points between two
        categories are the same row.
    """

    search: Search
    prepared: PrototypePrepared
    room: Room
    begin: Points
    low: Points
    high: Points
    widths: Points
    unit: float
    goal: Points | None
    is_encoded: bool
    c: float
    theta: float
    gamma: float
    asked: Asked = field(default_factory=Asked)

    @classmethod
    def of(
        cls, search: Search, prepared: PrototypePrepared, room: Room, options: Any, prototype: Rows | None
    ) -> Losses:
        """The loss that the options ask for."""
        space = prepared.space
        begin = space.points(search.case.row[None])[0]
        low, high = space.box(room)
        is_encoded = options.prototype == "encoding"
        guides = options.loss in "CDEF"
        goal: Points | None = None
        if guides and is_encoded:
            nearest = mean_encoding(search.problem, search.target, prepared, begin, search.run)
            goal = nearest and nearest[1]
        elif guides and prototype is not None:
            goal = space.points(prototype[None])[0]
        return cls(
            search, prepared, room, begin, low, high, _widths(prepared, room), _unit(search), goal, is_encoded,
            c=1.0 if options.loss in "ABCD" else 0.0,
            theta=float(options.theta) if goal is not None else 0.0,
            gamma=GAMMA if options.loss in "BDF" else 0.0,
        )  # fmt: skip

    def with_c(self, c: float) -> Losses:
        """The same loss with another weight of L_pred."""
        return replace(self, c=c)

    def with_theta(self, theta: float) -> Losses:
        """The same loss with another weight of the prototype."""
        return replace(self, theta=theta if self.goal is not None else 0.0)

    def visit(self, points: Points) -> None:
        """Ask the model about points, unless it was asked already for the loss; what flips is found."""
        if not self.c:
            self._way(points)

    def is_moved(self) -> bool:
        """Whether any small move from the case changes the score."""
        return bool(np.any(self._slope(self.begin)[1]))

    def first_power(self, beta: float) -> int:
        """The power of 10 that c begins with: 0, or the first with which the score outweighs `beta`, so that it moves.

        Confident models have slopes of 1e-20.
        """
        steepest = float(np.abs(self._slope(self.begin)[1]).max(initial=0.0))
        is_moved_anyway = self.theta > 0 or self.gamma > 0 or not steepest
        return 0 if is_moved_anyway else max(0, math.ceil(math.log10(beta / steepest)))

    def smooth(self) -> Smooth:
        """All of the loss but the sum of absolute moves."""
        uses_encoder = self.gamma > 0 or (self.theta > 0 and self.is_encoded)
        quadratic = 2.0 * (1.0 + (0.0 if self.is_encoded else self.theta) + self.gamma)
        return Smooth(self.values, self.value_and_slope, quadratic, is_exact=not self.c and not uses_encoder)

    def values(self, points: Points) -> NDArray[np.float64]:
        """The loss at points, shape (n_points,)."""
        return self._own_values(points) + (self.c * self._way(points) if self.c else 0.0)

    def value_and_slope(self, point: Points) -> tuple[float, Points]:
        """The loss at a point and its gradient."""
        value, slope = float(self._own_values(point[None])[0]), self._own_slope(point)
        if self.c:
            way, way_slope = self._slope(point)
            value, slope = value + self.c * way, slope + self.c * way_slope
        return value, np.where(self.widths > 0, slope, 0.0)

    def _own_values(self, points: Points) -> NDArray[np.float64]:
        """All terms that need no model."""
        total = ((points - self.begin) ** 2).sum(axis=1)
        autoencoder = self.prepared.autoencoder
        if self.gamma and autoencoder is not None:
            total = total + self.gamma * autoencoder.errors(points)
        if self.theta and self.goal is not None:
            at = autoencoder.encoded(points) if self.is_encoded and autoencoder is not None else points
            total = total + self.theta * ((at - self.goal) ** 2).sum(axis=1)
        return np.asarray(total)

    def _own_slope(self, point: Points) -> Points:
        slope = 2.0 * (point - self.begin)
        autoencoder = self.prepared.autoencoder
        if self.gamma and autoencoder is not None:
            slope = slope + self.gamma * autoencoder.error_gradients(point[None])[0]
        if self.theta and self.goal is not None:
            if self.is_encoded and autoencoder is not None:
                return np.asarray(slope + self.theta * autoencoder.code_gradients(point[None], self.goal)[0])
            slope = slope + self.theta * 2.0 * (point - self.goal)
        return np.asarray(slope)

    def _way(self, points: Points) -> NDArray[np.float64]:
        """L_pred: how far the rows at points are from the desired decision, shape (n_points,).

        It is counted from a score of 0 and not from the bound, so that scores of 1e-20, as
        confident models give them, still differ.
        """
        drawn, target = self._drawn(self.prepared.space.rows(points, self.room)), self.search.target
        below = 0.0 if np.isinf(target.low) else -np.minimum(drawn, target.low)
        above = 0.0 if np.isinf(target.high) else np.maximum(drawn, target.high)
        return np.asarray(self.unit * (below + above))

    def _drawn(self, rows: Rows) -> NDArray[np.float64]:
        """Drawn scores of rows, which the model is asked for once."""
        keys = [row.tobytes() for row in rows]
        new = {key: at for at, key in enumerate(keys) if key not in self.asked.drawn}
        if new:
            outputs, target = self.search.ask(rows[list(new.values())]), self.search.target
            self.asked.drawn.update(zip(new, target.drawn(outputs).tolist(), strict=True))
            self.asked.flips.update(zip(new, target.flips(outputs).tolist(), strict=True))
        self.asked.n_flipping += sum(self.asked.flips[key] for key in keys)
        return np.array([self.asked.drawn[key] for key in keys])

    def _slope(self, point: Points) -> tuple[float, Points]:
        """L_pred at a point and its slopes by central differences, all in one call.

        Differences are between rows as they can be recorded, over the way between these.
        """
        movable = np.flatnonzero(self.widths > 0)
        steps = np.zeros((len(movable), len(point)))
        steps[np.arange(len(movable)), movable] = self.widths[movable]
        asked = np.clip(np.vstack([point[None], point + steps, point - steps]), self.low, self.high)
        ways = self._way(asked)
        reached = self.prepared.space.points(self.prepared.space.rows(asked, self.room))
        up, down = slice(1, 1 + len(movable)), slice(1 + len(movable), None)
        between = reached[up][np.arange(len(movable)), movable] - reached[down][np.arange(len(movable)), movable]
        slope = np.zeros(len(point))
        slope[movable] = np.where(between > 0, (ways[up] - ways[down]) / np.where(between > 0, between, 1.0), 0.0)
        return float(ways[0]), slope


def _widths(prepared: PrototypePrepared, room: Room) -> Points:
    """Wide enough to reach the next number that is recorded, or the next category on the line."""
    space = prepared.space
    widths = np.zeros(len(room.case))
    for place in np.flatnonzero(space.may_move(room)):
        feature = space.schema.features[place]
        if feature.is_number:
            widths[place] = max(SLOPE_STEP, 10.0**-feature.decimals / space.scale[place])
        else:
            gaps = np.diff(np.sort(space.embedding.places[place]))
            widths[place] = max(SLOPE_STEP, gaps.max(initial=0.0) / space.scale[place])
    return widths


def _unit(search: Search) -> float:
    """Ways count as the paper's difference of two probabilities; those of numbers in standard deviations."""
    if isinstance(search.target, BinaryTarget):
        return 2.0
    if isinstance(search.target, LeadTarget):
        return 1.0
    spread = float(search.problem.scored(search.run)[search.problem.training].std())
    return 1.0 / spread if spread > 0 else 1.0


def mean_encoding(
    problem: Problem, target: Target, prepared: PrototypePrepared, own: Points, run: Run
) -> tuple[Target, Points] | None:
    """The mean code of the nearest cases of the desired side (Equation 7), and whose it is; nothing without cases.

    Where several classes will do it is the nearest of their mean codes (Equation 8).
    """
    if prepared.autoencoder is None:
        return None
    code, means = prepared.autoencoder.encoded(own[None]), []
    for part in target.parts():
        positions = desired_training_rows(problem, part, run)
        codes = prepared.autoencoder.encoded(prepared.space.points(problem.rows[positions]))
        nearest = np.argsort(np.linalg.norm(codes - code, axis=1), kind="stable")[:NEAREST_ENCODINGS]
        if len(nearest):
            means.append((part, np.asarray(codes[nearest].mean(axis=0))))
    return min(means, key=lambda mean: float(np.linalg.norm(mean[1] - code)), default=None)
