"""What every decision answers, and the target that it is for one case.

A `Decision` is set once for a problem. Asked about a case it gives a `Target`: the
side the case is on, the side wanted, and how outputs are drawn: always as the score
of the desired side, so that more is nearer; only of a number that should fall less is.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

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
    extent : (float, float)
        Between which numbers drawn scores can lie.
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

    extent: ClassVar[tuple[float, float]] = (0.0, 1.0)

    factual: str
    desired: str
    quantity: str
    low: float
    high: float
    is_reached: bool

    def is_desired(self, names: Sequence[str]) -> NDArray[np.bool_]:
        """Which sides of a decision, by their names, are wanted, shape (n_sides,)."""
        return np.array([name == self.desired for name in names])

    def parts(self) -> tuple[Target, ...]:
        """The sides between which it leaves the choice, as targets of their own; itself where there is one."""
        return (self,)

    @property
    def decimals(self) -> int:
        """With how many decimals drawn scores are printed at least."""
        return 2

    @property
    def unit(self) -> str:
        """What drawn scores are measured in; empty for none."""
        return ""

    @abstractmethod
    def drawn(self, outputs: Outputs) -> NDArray[np.float64]:
        """The score that is drawn, shape (n_rows,)."""

    @abstractmethod
    def flips(self, outputs: Outputs) -> NDArray[np.bool_]:
        """Which rows have the desired decision, shape (n_rows,)."""

    def has_reached(self, drawn: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which drawn scores are on the desired side, shape (n_scores,); bounds are included."""
        return np.asarray((drawn >= self.low) & (drawn <= self.high))

    def direction(self, score: float) -> int:
        """Which way the desired decision lies from a drawn score: 1 upwards, -1 downwards."""
        if math.isinf(self.high):
            return 1
        return -1 if math.isinf(self.low) or score > self.high else 1

    def nearness(self, drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        """How near drawn scores are to the desired decision, the more the nearer, shape (n_scores,).

        The score itself, negated where it should fall; where both ends are bounded, minus
        the way that is left to the interval, so that all of the interval is alike.
        """
        if math.isinf(self.high):
            return drawn
        if math.isinf(self.low):
            return -drawn
        return -np.maximum(0.0, np.maximum(self.low - drawn, drawn - self.high))

    def margin(self, drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far inside the desired decision drawn scores are, negative outside, shape (n_scores,)."""
        return np.minimum(drawn - self.low, self.high - drawn)

    def closeness(self, outputs: Outputs) -> NDArray[np.float64]:
        """The `nearness` of rows to the desired decision, shape (n_rows,)."""
        return self.nearness(self.drawn(outputs))


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
    def observed_sides(self, observed: NDArray[Any]) -> NDArray[np.intp]:
        """On which side each row turned out to be, -1 where it isn't known, shape (n_rows,).

        Parameters
        ----------
        observed : array of shape (n_rows,)
            Positions of classes, -1 where not known; or numbers, NaN where not known.
        """

    @abstractmethod
    def distances(self, outputs: Outputs) -> NDArray[np.float64]:
        """How far each row is from another decision, in units of the score, shape (n_rows,)."""

    @abstractmethod
    def target(self, outputs: Outputs) -> Target:
        """The decision as seen from a case with these outputs, shape (n_outputs,)."""

    @abstractmethod
    def adjusted(
        self,
        wanted: str | None = None,
        threshold: float | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> Decision:
        """The decision with what a person sets in place of its own; ``None`` leaves it as it is.

        Parameters
        ----------
        wanted : str, optional
            A class.
        threshold : float, optional
            On the probability of a class.
        low, high : float, optional
            Bounds of a number.

        Raises
        ------
        DecisionError
            If it doesn't go with the kind of the outputs, or can't be.
        """


def refuse_bounds(low: float | None, high: float | None) -> None:
    """Say that classes have no bounds."""
    if low is not None or high is not None:
        raise DecisionError("The model gives classes, and a range is for numbers; leave low and high out.")
