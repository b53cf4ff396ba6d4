"""Any fitted model behind one `score`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from explainers.run import Run
from explainers.schema import Rows, Schema

SECONDS_PER_CALL = 0.1
FIRST_BATCH = 1024
SMALLEST_BATCH = 64
LARGEST_BATCH = 65_536
ODD = np.uint64(0x9E3779B97F4A7C15)


class ModelError(ValueError):
    """A model can't be used as it is; the message says why and what to do."""


@dataclass
class Pace:
    """How many rows a call takes, learnt from the calls so far."""

    rows: int


@dataclass(frozen=True, eq=False)
class Model:
    """A model that scores encoded rows.

    Attributes
    ----------
    predict : callable
        From a table with `columns`, in that order, to one row of outputs a row: the
        classes' probabilities, or a single number.
    schema : Schema
    columns : tuple of str
        The columns that the model wants, in the order it wants them.
    classes : tuple of str
        Names of the classes, in the order of the outputs; empty for a number.
    name : str
        What a person calls the model.
    fingerprint : str
        Equal for equal models only.
    estimator : object, optional
        The fitted scikit-learn estimator that `predict` asks, for what looks inside;
        absent where there is none, or values are rewritten for it.
    pace : Pace
        Changes only how rows are shared out among calls.
    """

    predict: Callable[[pd.DataFrame], ArrayLike]
    schema: Schema
    columns: tuple[str, ...]
    classes: tuple[str, ...]
    name: str
    fingerprint: str
    estimator: Any = field(default=None, repr=False)
    pace: Pace = field(default_factory=lambda: Pace(FIRST_BATCH), init=False, repr=False)

    @classmethod
    def of(
        cls, estimator: Any, schema: Schema, *, classes: tuple[str, ...] = (), name: str = "", fingerprint: str = ""
    ) -> Model:
        """Wrap a fitted scikit-learn estimator or pipeline.

        Parameters
        ----------
        estimator : object
            With ``predict_proba`` for classes, else with ``predict``.
        schema : Schema
            Of the columns that the estimator was fitted on.
        classes : tuple of str, optional
            How a person calls ``estimator.classes_``, in that order.
        name, fingerprint : str, optional
            Default: the estimator's class, and a hash of its parameters and fitted state.

        Raises
        ------
        ModelError
            If the estimator gives classes without probabilities, or wants columns
            that the schema lacks.
        """
        own = tuple(map(str, getattr(estimator, "feature_names_in_", ())))
        absent = [column for column in own if column not in schema.columns]
        if absent:
            raise ModelError(f"The model wants a column {absent[0]!r} that the table lacks; add it under this name.")
        known = getattr(estimator, "classes_", None)
        if known is not None and not hasattr(estimator, "predict_proba"):
            raise ModelError("The model gives classes but no probabilities; fit one that has predict_proba.")
        call = estimator.predict if known is None else estimator.predict_proba
        return cls(
            predict=call if own else _without_names(call),
            schema=schema,
            columns=own or schema.columns,
            classes=classes or (() if known is None else tuple(str(label) for label in known)),
            name=name or type(estimator).__name__,
            fingerprint=fingerprint or _fingerprint(estimator),
            estimator=estimator,
        )

    def score(self, rows: Rows, run: Run | None = None) -> NDArray[np.float64]:
        """Outputs of encoded rows, asked in batches of about a tenth of a second.

        Equal rows are asked once. The run is checked before every call of the model.

        Parameters
        ----------
        rows : array of shape (n_rows, n_features)
        run : Run, optional

        Returns
        -------
        array of shape (n_rows, n_outputs)

        Raises
        ------
        Stopped
            If the run was cancelled or is out of time.
        ModelError
            If the model fails or answers something else than one finite row a row.
        """
        run = run or Run()
        if not len(rows):
            return np.empty((0, max(1, len(self.classes))))
        unique, back = _without_repeats(rows)
        parts: list[NDArray[np.float64]] = []
        start = 0
        while start < len(unique):
            run.check()
            size, began = self.pace.rows, time.perf_counter()
            part = self._ask(unique[start : start + size])
            parts.append(part)
            run.asked(len(part))
            start += len(part)
            self.pace.rows = _next_size(size, len(part), time.perf_counter() - began)
        return np.concatenate(parts)[back]

    def _ask(self, rows: Rows) -> NDArray[np.float64]:
        table = self.schema.decode(rows)
        if self.schema.columns != self.columns:
            table = table[list(self.columns)]
        try:
            outputs = np.asarray(self.predict(table), dtype=np.float64)
        except Exception as error:
            raise ModelError(f"{self.name} fails on a row that the table's schema allows: {error}") from error
        outputs = outputs[:, None] if outputs.ndim == 1 else outputs
        if outputs.shape != (len(rows), max(1, len(self.classes))):
            raise ModelError(
                f"{self.name} gives an array of shape {outputs.shape} for {len(rows)} rows"
                f" and {len(self.classes) or 'no'} classes."
            )
        if not np.isfinite(outputs).all():
            raise ModelError(f"{self.name} gives a score that is not a number.")
        return outputs


def _next_size(size: int, asked: int, seconds: float) -> int:
    if seconds > 2 * SECONDS_PER_CALL:
        return max(SMALLEST_BATCH, min(size, asked) // 2)
    if asked == size and seconds < SECONDS_PER_CALL / 2:
        return min(LARGEST_BATCH, size * 2)
    return size


def _without_repeats(rows: Rows) -> tuple[Rows, NDArray[np.intp]]:
    """Distinct rows in order of appearance, and where each row is among them."""
    hashes = np.zeros(len(rows), dtype=np.uint64)
    for column in np.ascontiguousarray(rows).view(np.uint64).T:
        # Small whole numbers differ in their highest bits only: each product's are brought down again.
        hashes ^= column
        hashes *= ODD
        hashes ^= hashes >> np.uint64(32)
    back, distinct = pd.factorize(hashes)
    if len(distinct) == len(rows):
        return rows, back
    first = np.full(len(distinct), len(rows), dtype=np.intp)
    np.minimum.at(first, back, np.arange(len(rows)))
    unique = rows[first]
    if np.array_equal(unique[back], rows, equal_nan=True):
        return unique, back
    return rows, np.arange(len(rows))


def _without_names(call: Callable[[Any], ArrayLike]) -> Callable[[pd.DataFrame], ArrayLike]:
    return lambda table: call(table.to_numpy(dtype=np.float64, na_value=np.nan))


def _fingerprint(estimator: Any) -> str:
    import joblib

    return str(joblib.hash(estimator))
