"""Decisions between classes: by a threshold, or by the most probable one."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from explainers.decision.base import Decision, DecisionError, Outputs, Target, refuse_bounds

ANY_OTHER = "any other class"


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
class LeadTarget(Target):
    """One of several classes against others: the most probable one; ties go to the earlier class.

    Attributes
    ----------
    classes : tuple of str
    """

    extent: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    classes: tuple[str, ...]

    @abstractmethod
    def changing(self, outputs: Outputs) -> int:
        """Position of the contender in whose place, for other outputs than those of this row, another may come."""

    @abstractmethod
    def contenders(self, outputs: Outputs) -> tuple[int, int]:
        """Positions of the classes for and against whose difference is drawn, for one row."""


@dataclass(frozen=True)
class ClassTarget(LeadTarget):
    """One of several classes.

    Attributes
    ----------
    wanted : int
        Position of the class wanted.
    """

    wanted: int

    def drawn(self, outputs: Outputs) -> NDArray[np.float64]:
        return _lead(outputs, self.wanted)

    def flips(self, outputs: Outputs) -> NDArray[np.bool_]:
        return np.asarray(outputs.argmax(axis=1) == self.wanted)

    def changing(self, outputs: Outputs) -> int:
        return _best_but(outputs, self.wanted)

    def contenders(self, outputs: Outputs) -> tuple[int, int]:
        return self.wanted, _best_but(outputs, self.wanted)


@dataclass(frozen=True)
class OtherClassTarget(LeadTarget):
    """Any class but that of the case.

    Attributes
    ----------
    own : int
        Position of the case's class.
    """

    own: int

    def drawn(self, outputs: Outputs) -> NDArray[np.float64]:
        return -_lead(outputs, self.own)

    def flips(self, outputs: Outputs) -> NDArray[np.bool_]:
        return np.asarray(outputs.argmax(axis=1) != self.own)

    def is_desired(self, names: Sequence[str]) -> NDArray[np.bool_]:
        return np.array([name != self.factual for name in names])

    def parts(self) -> tuple[Target, ...]:
        """Each of the other classes, in their order."""
        return tuple(_class_target(self.classes, self.own, at) for at in range(len(self.classes)) if at != self.own)

    def changing(self, outputs: Outputs) -> int:
        return _best_but(outputs, self.own)

    def contenders(self, outputs: Outputs) -> tuple[int, int]:
        return _best_but(outputs, self.own), self.own


@dataclass(frozen=True)
class ClassDecision(Decision):
    """The most probable of several classes.

    Attributes
    ----------
    classes : tuple of str
    wanted : str, optional
        A class that is always wanted, or `ANY_OTHER` (unless a class is called so) for any
        but the case's own; by default the runner-up of each case.
    """

    classes: tuple[str, ...]
    wanted: str | None = None

    def __post_init__(self) -> None:
        if self.wanted is not None and not self.wants_any_other:
            _check_class(self.classes, self.wanted)

    @property
    def wants_any_other(self) -> bool:
        """Whether any class will do but the case's own."""
        return self.wanted == ANY_OTHER and ANY_OTHER not in self.classes

    @property
    def fixed(self) -> str | None:
        """The class that is always wanted, if there is one."""
        return None if self.wants_any_other else self.wanted

    def side_names(self) -> tuple[str, ...]:
        return self.classes

    def sides(self, outputs: Outputs) -> NDArray[np.intp]:
        return np.asarray(outputs.argmax(axis=1), dtype=np.intp)

    def observed_sides(self, observed: NDArray[Any]) -> NDArray[np.intp]:
        return observed.astype(np.intp)

    def distances(self, outputs: Outputs) -> NDArray[np.float64]:
        """Between the class wanted and the best other one; by default between the two most probable."""
        if self.fixed is not None:
            return np.abs(_lead(outputs, self.classes.index(self.fixed)))
        best = np.sort(outputs, axis=1)
        return np.asarray(best[:, -1] - best[:, -2])

    def target(self, outputs: Outputs) -> Target:
        own = int(outputs.argmax())
        if not self.wants_any_other:
            wanted = _best_but(outputs, own) if self.wanted is None else self.classes.index(self.wanted)
            return _class_target(self.classes, own, wanted)
        return OtherClassTarget(
            factual=self.classes[own],
            desired="another class",
            quantity=f"lead of the best other class over {self.classes[own]}",
            low=0.0,
            high=math.inf,
            is_reached=False,
            own=own,
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
        other = self if wanted is None else replace(self, wanted=wanted)
        if threshold is None:
            return other
        if other.fixed is None:
            raise DecisionError("A threshold is for one of several classes; say which class is wanted.")
        return OneVsRestDecision(self.classes, other.fixed, threshold)


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


def _best_but(outputs: Outputs, place: int) -> int:
    """Position of the most probable class of one row but for one; the earlier in a tie."""
    others = outputs.copy()
    others[place] = -math.inf
    return int(others.argmax())


def _class_target(classes: tuple[str, ...], own: int, wanted: int) -> ClassTarget:
    return ClassTarget(
        factual=classes[own],
        desired=classes[wanted],
        quantity=f"lead of {classes[wanted]} over the best other class",
        low=0.0,
        high=math.inf,
        is_reached=own == wanted,
        wanted=wanted,
        classes=classes,
    )


def _check_class(classes: tuple[str, ...], name: str) -> None:
    if name not in classes:
        raise DecisionError(f"There is no class {name!r}; choose one of {', '.join(classes)}.")


def _check_threshold(threshold: float) -> None:
    if not 0.0 < threshold < 1.0:
        raise DecisionError(f"The threshold must lie between 0 and 1, and {threshold:g} does not.")
