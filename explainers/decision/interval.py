"""A decision about a number: it should lie in an interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from explainers.decision.base import Decision, DecisionError, Outputs, Target

QUARTERS = ("lowest quarter", "middle half", "highest quarter")
RANGE = ("outside the range", "in the range")
DIGITS = 3
MOST_DECIMALS = 15


@dataclass(frozen=True)
class IntervalTarget(Target):
    """A number inside an interval, both ends included.

    Attributes
    ----------
    decimals : int
    unit : str
    """

    extent: ClassVar[tuple[float, float]] = (-math.inf, math.inf)

    decimals: int = 2
    unit: str = ""

    def drawn(self, outputs: Outputs) -> NDArray[np.float64]:
        return outputs[:, 0]

    def flips(self, outputs: Outputs) -> NDArray[np.bool_]:
        return self.has_reached(outputs[:, 0])


@dataclass(frozen=True)
class IntervalDecision(Decision):
    """A number that should lie in an interval.

    Without an interval of its own each case is to go to another quarter: that of the
    outputs beyond the median, seen from the case, where there is more room.

    Attributes
    ----------
    quantity : str
        What the number is.
    quartiles : tuple of float
        First quartile, median and third quartile of the model's own outputs.
    low, high : float, optional
        The interval wanted; one of them absent, there is no bound at that end.
    unit : str
        What the number is measured in; empty for none.
    """

    quantity: str
    quartiles: tuple[float, float, float]
    low: float | None = None
    high: float | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        if any(bound is not None and math.isnan(bound) for bound in (self.low, self.high)):
            raise DecisionError("A bound of the interval is not a number; leave it out or type one.")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise DecisionError("The interval ends before it begins; exchange its bounds.")

    @property
    def has_range(self) -> bool:
        """Whether the same interval is wanted for every case."""
        return self.low is not None or self.high is not None

    @property
    def decimals(self) -> int:
        """So many that the way between the outer quartiles has three significant digits."""
        spread = self.quartiles[2] - self.quartiles[0] or abs(self.quartiles[1])
        if not (spread > 0 and math.isfinite(spread)):
            return 2
        return min(max(0, DIGITS - 1 - math.floor(math.log10(spread))), MOST_DECIMALS)

    def side_names(self) -> tuple[str, ...]:
        """Outside and in the range wanted or, where none is set, the quarters by the quartiles."""
        return RANGE if self.has_range else QUARTERS

    def sides(self, outputs: Outputs) -> NDArray[np.intp]:
        value = outputs[:, 0]
        if self.has_range:
            low, high = self._range()
            return ((value >= low) & (value <= high)).astype(np.intp)
        first, _, third = self.quartiles
        return np.where(value <= first, 0, np.where(value >= third, 2, 1)).astype(np.intp)

    def observed_sides(self, observed: NDArray[Any]) -> NDArray[np.intp]:
        numbers = observed.astype(np.float64)
        return np.where(np.isfinite(numbers), self.sides(numbers[:, None]), -1).astype(np.intp)

    def distances(self, outputs: Outputs) -> NDArray[np.float64]:
        """From the range's nearer bound or, where none is set, from the quarter that the row is to go to."""
        value = outputs[:, 0]
        if self.has_range:
            low, high = self._range()
            return np.minimum(np.abs(value - low), np.abs(value - high))
        first, _, third = self.quartiles
        return np.abs(value - np.where(self._rises(value), third, first))

    def target(self, outputs: Outputs) -> Target:
        value = outputs[:1]
        if self.has_range:
            low, high = self._range()
            factual, desired = RANGE
        else:
            rises = bool(self._rises(value)[0])
            first, _, third = self.quartiles
            low, high = (third, math.inf) if rises else (-math.inf, first)
            factual, desired = QUARTERS[int(self.sides(value[None])[0])], QUARTERS[2 if rises else 0]
        return IntervalTarget(
            factual=factual,
            desired=desired,
            quantity=self.quantity,
            low=low,
            high=high,
            is_reached=bool(low <= value[0] <= high),
            decimals=self.decimals,
            unit=self.unit,
        )

    def adjusted(
        self,
        wanted: str | None = None,
        threshold: float | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> Decision:
        if wanted is not None or threshold is not None:
            raise DecisionError(
                "The model gives a number, and a class or a threshold is for classes; say from which number (low)"
                " and up to which (high) it is wanted."
            )
        return replace(self, low=self.low if low is None else low, high=self.high if high is None else high)

    def _range(self) -> tuple[float, float]:
        return -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high

    def _rises(self, value: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which numbers are to go to the highest quarter; a median in the lowest one leaves it upwards."""
        first, median, _ = self.quartiles
        return np.asarray((value < median) | (value <= first))
