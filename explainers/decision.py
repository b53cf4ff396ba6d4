"""What is desired, and by how much a row is there.

A `Decision` is set once for a problem. Asked about a case it gives a `Target`: the
side the case is on, the side wanted, and how outputs are drawn: always as the score
of the desired side, so that more is nearer.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Outputs = NDArray[np.float64]


class DecisionError(ValueError):
    """A decision does not fit the model; the message says what to choose instead."""


@dataclass(frozen=True)
class Target(ABC):
    """A decision seen from one case.

    Attributes
    ----------
    factual, desired : str
        Names of the side the case is on and of the side wanted.
    quantity : str
        What the drawn score is, such as "probability of good risk".
    low, high : float
        The drawn scores between which a row has the desired decision; infinite where
        there is no bound.
    is_reached : bool
        Whether the case itself has the desired decision.
    """

    factual: str
    desired: str
    quantity: str
    low: float
    high: float
    is_reached: bool

    @abstractmethod
    def drawn(self, outputs: Outputs) -> NDArray[np.float64]:
        """The score that is drawn, shape (n_rows,)."""

    @abstractmethod
    def flips(self, outputs: Outputs) -> NDArray[np.bool_]:
        """Which rows have the desired decision, shape (n_rows,)."""

    def has_reached(self, drawn: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which drawn scores are on the desired side, shape (n_scores,); bounds are included."""
        return np.asarray((drawn >= self.low) & (drawn <= self.high))

    def closeness(self, outputs: Outputs) -> NDArray[np.float64]:
        """How near rows are to the desired decision, the more the nearer, shape (n_rows,).

        The drawn score itself or, where both ends are bounded, minus the way that is
        left to the interval.
        """
        score = self.drawn(outputs)
        if math.isinf(self.high):
            return score
        if math.isinf(self.low):
            return -score
        return -np.maximum(0.0, np.maximum(self.low - score, score - self.high))


@dataclass(frozen=True)
class Decision(ABC):
    """What the outputs of a model mean."""

    @abstractmethod
    def side_names(self) -> tuple[str, ...]:
        """Names of the sides a row can be on."""

    @abstractmethod
    def sides(self, outputs: Outputs) -> NDArray[np.intp]:
        """Which side each row is on, as a position in `side_names`, shape (n_rows,)."""

    @abstractmethod
    def distances(self, outputs: Outputs) -> NDArray[np.float64]:
        """How far each row is from another decision, in units of the score, shape (n_rows,)."""

    @abstractmethod
    def target(self, outputs: Outputs) -> Target:
        """The decision as seen from a case with these outputs, shape (n_outputs,)."""


@dataclass(frozen=True)
class BinaryTarget(Target):
    """One of two classes: class 1 if and only if its probability reaches the threshold."""

    wants_one: bool
    threshold: float

    def drawn(self, outputs: Outputs) -> NDArray[np.float64]:
        one = outputs[:, 1]
        return one if self.wants_one else 1.0 - one

    def flips(self, outputs: Outputs) -> NDArray[np.bool_]:
        has_one = outputs[:, 1] >= self.threshold
        return np.asarray(has_one if self.wants_one else ~has_one)

    def has_reached(self, drawn: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which drawn scores are on the desired side; exactly at the line it is class 1."""
        return np.asarray(drawn >= self.low if self.wants_one else drawn > self.low)


@dataclass(frozen=True)
class BinaryDecision(Decision):
    """Two classes and a threshold on the probability of the second.

    Attributes
    ----------
    classes : (str, str)
    threshold : float
        Class 1 if and only if its probability is at least this.
    wanted : str, optional
        A class that is always wanted; by default the one a case is not in.
    """

    classes: tuple[str, str]
    threshold: float = 0.5
    wanted: str | None = None

    def __post_init__(self) -> None:
        if self.wanted is not None and self.wanted not in self.classes:
            raise DecisionError(f"There is no class {self.wanted!r}; choose {self.classes[0]} or {self.classes[1]}.")
        if not 0.0 < self.threshold < 1.0:
            raise DecisionError(f"The threshold must lie between 0 and 1, and {self.threshold:g} does not.")

    def side_names(self) -> tuple[str, ...]:
        return self.classes

    def sides(self, outputs: Outputs) -> NDArray[np.intp]:
        return (outputs[:, 1] >= self.threshold).astype(np.intp)

    def distances(self, outputs: Outputs) -> NDArray[np.float64]:
        """From the threshold."""
        return np.abs(outputs[:, 1] - self.threshold)

    def target(self, outputs: Outputs) -> Target:
        side = int(outputs[1] >= self.threshold)
        wanted = 1 - side if self.wanted is None else self.classes.index(self.wanted)
        return BinaryTarget(
            factual=self.classes[side] if side != wanted else self.classes[1 - wanted],
            desired=self.classes[wanted],
            quantity=f"probability of {self.classes[wanted]}",
            low=self.threshold if wanted else 1.0 - self.threshold,
            high=math.inf,
            is_reached=side == wanted,
            wants_one=bool(wanted),
            threshold=self.threshold,
        )


@dataclass(frozen=True)
class ClassTarget(Target):
    """One of many classes: the most probable one; ties go to the earlier class."""

    wanted: int

    def drawn(self, outputs: Outputs) -> NDArray[np.float64]:
        others = np.delete(outputs, self.wanted, axis=1)
        return np.asarray(outputs[:, self.wanted] - others.max(axis=1))

    def flips(self, outputs: Outputs) -> NDArray[np.bool_]:
        return np.asarray(outputs.argmax(axis=1) == self.wanted)


@dataclass(frozen=True)
class ClassDecision(Decision):
    """The most probable of several classes.

    Attributes
    ----------
    classes : tuple of str
    wanted : str, optional
        A class that is always wanted; by default the runner-up of each case.
    """

    classes: tuple[str, ...]
    wanted: str | None = None

    def __post_init__(self) -> None:
        if self.wanted is not None and self.wanted not in self.classes:
            raise DecisionError(f"There is no class {self.wanted!r}; choose one of {', '.join(self.classes)}.")

    def side_names(self) -> tuple[str, ...]:
        return self.classes

    def sides(self, outputs: Outputs) -> NDArray[np.intp]:
        return np.asarray(outputs.argmax(axis=1), dtype=np.intp)

    def distances(self, outputs: Outputs) -> NDArray[np.float64]:
        """Between the two most probable classes."""
        best = np.sort(outputs, axis=1)
        return np.asarray(best[:, -1] - best[:, -2])

    def target(self, outputs: Outputs) -> Target:
        own = int(outputs.argmax())
        if self.wanted is None:
            others = outputs.copy()
            others[own] = -math.inf
            wanted = int(others.argmax())
        else:
            wanted = self.classes.index(self.wanted)
        return ClassTarget(
            factual=self.classes[own],
            desired=self.classes[wanted],
            quantity=f"lead of {self.classes[wanted]} over the best other class",
            low=0.0,
            high=math.inf,
            is_reached=own == wanted,
            wanted=wanted,
        )


@dataclass(frozen=True)
class IntervalTarget(Target):
    """A number inside an interval, both ends included."""

    def drawn(self, outputs: Outputs) -> NDArray[np.float64]:
        return outputs[:, 0]

    def flips(self, outputs: Outputs) -> NDArray[np.bool_]:
        score = outputs[:, 0]
        return np.asarray((score >= self.low) & (score <= self.high))


@dataclass(frozen=True)
class IntervalDecision(Decision):
    """A number that should lie in an interval.

    Attributes
    ----------
    quantity : str
        What the number is.
    quartiles : tuple of float
        First quartile, median and third quartile of the model's own outputs.
    low, high : float, optional
        The interval wanted; by default the quarter of the outputs beyond the case's
        own value, on the side with more room.
    """

    quantity: str
    quartiles: tuple[float, float, float]
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if any(bound is not None and math.isnan(bound) for bound in (self.low, self.high)):
            raise DecisionError("A bound of the interval is not a number; leave it out or type one.")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise DecisionError("The interval ends before it begins; exchange its bounds.")

    def side_names(self) -> tuple[str, ...]:
        return ("outside", "inside")

    def sides(self, outputs: Outputs) -> NDArray[np.intp]:
        low, high = self._bounds(self.quartiles[1])
        score = outputs[:, 0]
        return ((score >= low) & (score <= high)).astype(np.intp)

    def distances(self, outputs: Outputs) -> NDArray[np.float64]:
        """From the nearer bound."""
        score = outputs[:, 0]
        low, high = self._bounds(self.quartiles[1])
        return np.minimum(np.abs(score - low), np.abs(score - high))

    def target(self, outputs: Outputs) -> Target:
        value = float(outputs[0])
        low, high = self._bounds(value)
        return IntervalTarget(
            factual="outside",
            desired="inside",
            quantity=self.quantity,
            low=low,
            high=high,
            is_reached=low <= value <= high,
        )

    def _bounds(self, value: float) -> tuple[float, float]:
        if self.low is not None or self.high is not None:
            return (
                -math.inf if self.low is None else self.low,
                math.inf if self.high is None else self.high,
            )
        first, median, third = self.quartiles
        return (third, math.inf) if value < median else (-math.inf, first)
