"""Rows and a number of each: what a surrogate explains, whether a model says the number or it was observed."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.decision import IntervalDecision, IntervalTarget, Target
from explainers.problem import Case, Problem, UnknownCase
from explainers.run import Run
from explainers.schema import Rows, Schema

Ask = Callable[[Rows, Run | None], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class LabelledTable:
    """A table each of whose rows has a number, its label.

    Attributes
    ----------
    schema : Schema
    rows : array of shape (n_rows, n_features)
        Encoded; read-only.
    ids : tuple of str
    training : array of bool of shape (n_rows,)
        The rows that may be learnt from.
    labels : array of shape (n_rows,)
        NaN where the number isn't known; read-only.
    target : Target
        What the number is, and which way is wanted; upwards where nothing is.
    ask : callable, optional
        The number of any other rows; absent where it was observed, for then nobody knows.
    key : str
        Equal for equal tables only.
    """

    schema: Schema
    rows: Rows
    ids: tuple[str, ...]
    training: NDArray[np.bool_]
    labels: NDArray[np.float64]
    target: Target
    ask: Ask | None
    key: str

    def __post_init__(self) -> None:
        self.labels.setflags(write=False)

    @classmethod
    def of_model(cls, problem: Problem, target: Target, run: Run | None = None) -> LabelledTable:
        """What the model says, as it is drawn for a case with this target: a number, or a class's score.

        Raises
        ------
        Stopped
            If the run ended before all rows were scored.
        """

        def ask(rows: Rows, run: Run | None = None) -> NDArray[np.float64]:
            return np.asarray(target.drawn(problem.model.score(rows, run)))

        labels = np.array(target.drawn(problem.scored(run)), dtype=np.float64)
        key = _key(problem.content_key, "model", target.quantity)
        return cls(problem.schema, problem.rows, problem.ids, problem.training, labels, target, ask, key)

    @classmethod
    def of_observed(cls, problem: Problem) -> LabelledTable:
        """The numbers as they were observed; every row with one may be learnt from.

        Raises
        ------
        ValueError
            If the problem isn't about a number, or none was observed.
        """
        if problem.observed is None or problem.model.classes:
            raise ValueError("No numbers were observed in this table; explain what the model says instead.")
        column = np.asarray(problem.observed, dtype=np.float64)
        model_target = problem.decision.target(problem.outputs[0])
        target = observed_target(model_target.quantity, column, model_target.unit)
        return cls.of_column(problem.schema, problem.rows, problem.ids, column, target, problem.content_key)

    @classmethod
    def of_column(
        cls,
        schema: Schema,
        rows: Rows,
        ids: tuple[str, ...],
        column: NDArray[np.float64],
        target: Target,
        key: str = "",
    ) -> LabelledTable:
        """An observed column of a table, without any model; without a key, that of the content is made."""
        labels = np.array(column, dtype=np.float64)
        key = key or _key(
            repr(schema.features), *ids, *(hashlib.sha256(a.tobytes()).hexdigest() for a in (rows, labels))
        )
        return cls(schema, rows, ids, np.isfinite(labels), labels, target, None, _key(key, "observed", target.quantity))

    @property
    def range(self) -> float:
        """Largest minus smallest known label; 0 where there is none."""
        known = self.labels[np.isfinite(self.labels)]
        return float(known.max() - known.min()) if known.size else 0.0

    def position(self, case: Case) -> int | None:
        """Where a case stands in the table, if it is a row of it."""
        try:
            position = self.ids.index(case.id)
        except ValueError:
            return None
        return position if np.array_equal(self.rows[position], case.row, equal_nan=True) else None

    def label(self, case: Case, run: Run | None = None) -> float:
        """The number of a case.

        Raises
        ------
        ValueError
            If nobody knows it.
        Stopped
            If the run had ended before the model was asked.
        """
        position = self.position(case)
        if position is not None:
            label = float(self.labels[position])
        else:
            label = math.nan if self.ask is None else float(self.ask(case.row[None], run)[0])
        if not math.isfinite(label):
            raise ValueError(f"It isn't known of case {case.id} what its {self.target.quantity} is; choose another.")
        return label

    def case(self, id_: str) -> Case:
        """The row called `id_`, to be explained.

        Raises
        ------
        UnknownCase
            If there is none.
        """
        try:
            return Case(id_, self.rows[self.ids.index(id_)].copy())
        except ValueError:
            raise UnknownCase(f"There is no case {id_} in this table.") from None


def observed_target(quantity: str, column: NDArray[np.float64], unit: str = "") -> IntervalTarget:
    """What an observed number is: nothing is asked of it, and more counts as upwards."""
    known = column[np.isfinite(column)]
    first, median, third = np.quantile(known, [0.25, 0.5, 0.75]).tolist() if known.size else (0.0, 0.0, 0.0)
    return IntervalTarget(
        factual="",
        desired="",
        quantity=quantity,
        low=-math.inf,
        high=math.inf,
        is_reached=False,
        decimals=IntervalDecision(quantity, (first, median, third)).decimals,
        unit=unit,
    )


def _key(*parts: str) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
