"""Decisions between classes: by a threshold, or by the most probable one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from explainers.decision.base import Decision, DecisionError, Outputs, Target, refuse_bounds


@dataclass(frozen=True)
class BinaryTarget(Target):
    """A class or not: it is if and only if its probability reaches the threshold.

    Attributes
    ----------
    wants_one : bool
        Whether the class is wanted, or its absence.
    threshold : float
    column : int
        Where the class's probability stands in the outputs.
    """

    wants_one: bool
    threshold: float
    column: int = 1

    def drawn(self, outputs: Outputs) -> NDArray[np.float64]:
        one = outputs[:, self.column]
        return one if self.wants_one else 1.0 - one

    def flips(self, outputs: Outputs) -> NDArray[np.bool_]:
        has_one = outputs[:, self.column] >= self.threshold
        return np.asarray(has_one if self.wants_one else ~has_one)

    def has_reached(self, drawn: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which drawn scores are on the desired side; exactly at the line it is the class."""
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
        _check_threshold(self.threshold)

    def side_names(self) -> tuple[str, ...]:
        return self.classes

    def sides(self, outputs: Outputs) -> NDArray[np.intp]:
        return (outputs[:, 1] >= self.threshold).astype(np.intp)

    def observed_sides(self, observed: NDArray[Any]) -> NDArray[np.intp]:
        return observed.astype(np.intp)

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

    def adjusted(
        self,
        wanted: str | None = None,
        threshold: float | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> Decision:
        refuse_bounds(low, high)
        return replace(
            self,
            wanted=self.wanted if wanted is None else wanted,
            threshold=self.threshold if threshold is None else threshold,
        )


@dataclass(frozen=True)
class ClassTarget(Target):
    """One of many classes: the most probable one; ties go to the earlier class.

    Attributes
    ----------
    wanted : int
        Position of the class wanted.
    classes : tuple of str
    """

    extent: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    wanted: int
    classes: tuple[str, ...]

    def drawn(self, outputs: Outputs) -> NDArray[np.float64]:
        return _lead(outputs, self.wanted)

    def flips(self, outputs: Outputs) -> NDArray[np.bool_]:
        return np.asarray(outputs.argmax(axis=1) == self.wanted)

    def rival(self, outputs: Outputs) -> int:
        """Position of the best other class of one row; the earlier in a tie."""
        others = outputs.copy()
        others[self.wanted] = -math.inf
        return int(others.argmax())


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
        if self.wanted is not None:
            _check_class(self.classes, self.wanted)

    def side_names(self) -> tuple[str, ...]:
        return self.classes

    def sides(self, outputs: Outputs) -> NDArray[np.intp]:
        return np.asarray(outputs.argmax(axis=1), dtype=np.intp)

    def observed_sides(self, observed: NDArray[Any]) -> NDArray[np.intp]:
        return observed.astype(np.intp)

    def distances(self, outputs: Outputs) -> NDArray[np.float64]:
        """Between the class wanted and the best other one; by default between the two most probable."""
        if self.wanted is not None:
            return np.abs(_lead(outputs, self.classes.index(self.wanted)))
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
            classes=self.classes,
        )

    def adjusted(
        self,
        wanted: str | None = None,
        threshold: float | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> Decision:
        """A threshold is one on the class wanted, which is then set against all others."""
        refuse_bounds(low, high)
        wanted = self.wanted if wanted is None else wanted
        if threshold is None:
            return replace(self, wanted=wanted)
        if wanted is None:
            raise DecisionError("A threshold is for one of several classes; say which class is wanted.")
        return OneVsRestDecision(self.classes, wanted, threshold)


@dataclass(frozen=True)
class OneVsRestDecision(Decision):
    """One of several classes against all others, by a threshold on its probability.

    Attributes
    ----------
    classes : tuple of str
    wanted : str
        The class, which is always wanted.
    threshold : float
        It is this class if and only if its probability is at least this.
    """

    classes: tuple[str, ...]
    wanted: str
    threshold: float

    def __post_init__(self) -> None:
        _check_class(self.classes, self.wanted)
        _check_threshold(self.threshold)

    @property
    def column(self) -> int:
        """Where the class's probability stands in the outputs."""
        return self.classes.index(self.wanted)

    def side_names(self) -> tuple[str, ...]:
        return (f"not {self.wanted}", self.wanted)

    def sides(self, outputs: Outputs) -> NDArray[np.intp]:
        return (outputs[:, self.column] >= self.threshold).astype(np.intp)

    def observed_sides(self, observed: NDArray[Any]) -> NDArray[np.intp]:
        return np.where(observed < 0, -1, observed == self.column).astype(np.intp)

    def distances(self, outputs: Outputs) -> NDArray[np.float64]:
        """From the threshold."""
        return np.abs(outputs[:, self.column] - self.threshold)

    def target(self, outputs: Outputs) -> Target:
        return BinaryTarget(
            factual=self.side_names()[0],
            desired=self.wanted,
            quantity=f"probability of {self.wanted}",
            low=self.threshold,
            high=math.inf,
            is_reached=bool(outputs[self.column] >= self.threshold),
            wants_one=True,
            threshold=self.threshold,
            column=self.column,
        )

    def adjusted(
        self,
        wanted: str | None = None,
        threshold: float | None = None,
        low: float | None = None,
        high: float | None = None,
    ) -> Decision:
        refuse_bounds(low, high)
        return replace(
            self,
            wanted=self.wanted if wanted is None else wanted,
            threshold=self.threshold if threshold is None else threshold,
        )


def _lead(outputs: Outputs, wanted: int) -> NDArray[np.float64]:
    """Probability of a class minus that of the best other one."""
    others = np.delete(outputs, wanted, axis=1)
    return np.asarray(outputs[:, wanted] - others.max(axis=1))


def _check_class(classes: tuple[str, ...], name: str) -> None:
    if name not in classes:
        raise DecisionError(f"There is no class {name!r}; choose one of {', '.join(classes)}.")


def _check_threshold(threshold: float) -> None:
    if not 0.0 < threshold < 1.0:
        raise DecisionError(f"The threshold must lie between 0 and 1, and {threshold:g} does not.")
