"""What is being explained: a model, a table, what its columns mean, and what is desired."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explainers.decision import Decision, Target
from explainers.model import Model
from explainers.run import Run
from explainers.schema import Rows, Schema


class UnknownCase(LookupError):
    """No row of the table is called so."""


@dataclass(frozen=True, eq=False)
class Case:
    """One row to explain.

    Attributes
    ----------
    id : str
    row : array of shape (n_features,)
        Encoded by the problem's schema; read-only.
    """

    id: str
    row: Rows

    def __post_init__(self) -> None:
        self.row.setflags(write=False)


@dataclass(frozen=True, eq=False)
class Problem:
    """A model and the rows it is explained on.

    Attributes
    ----------
    model : Model
    rows : array of shape (n_rows, n_features)
        All rows of the table, encoded; read-only.
    ids : tuple of str
        What each row is called; unique.
    training : array of bool of shape (n_rows,)
        Which rows the model was fitted on: the rows that methods may learn from.
    decision : Decision
    observed : array of shape (n_rows,), optional
        What each row turned out to be: for classes a position in ``model.classes``, -1
        where it isn't known; for a number the number itself, NaN where it isn't known.
    knows_training : bool
        Whether it is known which rows the model was fitted on. If not, any row may have
        been among them, and methods learn from all.
    """

    model: Model
    rows: Rows
    ids: tuple[str, ...]
    training: NDArray[np.bool_]
    decision: Decision
    observed: NDArray[Any] | None = None
    knows_training: bool = True

    def __post_init__(self) -> None:
        if not len(set(self.ids)) == len(self.ids) == len(self.rows):
            raise ValueError("Every row needs an id of its own.")
        for array in (self.rows, self.training, self.observed):
            if array is not None:
                array.setflags(write=False)

    @property
    def schema(self) -> Schema:
        return self.model.schema

    @cached_property
    def content_key(self) -> str:
        """Hash of the model, the schema and the rows, whatever the decision."""
        digest = hashlib.sha256()
        for part in (self.model.fingerprint, repr((self.schema.features, self.schema.picture)), repr(self.ids)):
            digest.update(part.encode())
        for array in (self.rows, self.training, self.observed):
            digest.update(b"-" if array is None else np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    @cached_property
    def key(self) -> str:
        """Equal for equal problems only."""
        return hashlib.sha256(f"{self.content_key} {self.decision!r}".encode()).hexdigest()

    @property
    def outputs(self) -> NDArray[np.float64]:
        """The model's outputs for all rows, asked once, shape (n_rows, n_outputs)."""
        return self.scored()

    def scored(self, run: Run | None = None) -> NDArray[np.float64]:
        """`outputs`, asked under a run that may end first.

        Raises
        ------
        Stopped
            If the run ended before all rows were scored.
        """
        outputs: NDArray[np.float64] | None = self.__dict__.get("_outputs")
        if outputs is None:
            outputs = self.model.score(self.rows, run)
            outputs.setflags(write=False)
            self.__dict__["_outputs"] = outputs
        return outputs

    @cached_property
    def has_missing(self) -> NDArray[np.bool_]:
        """Which features are missing in some row, shape (n_features,)."""
        return np.asarray(np.isnan(self.rows).any(axis=0))

    @cached_property
    def observed_sides(self) -> NDArray[np.intp] | None:
        """The side of the decision that each row turned out to be on, -1 where that isn't known."""
        return None if self.observed is None else self.decision.observed_sides(self.observed)

    def wrong(self) -> NDArray[np.bool_]:
        """Which rows are known to have turned out otherwise than they are decided, shape (n_rows,)."""
        observed = self.observed_sides
        if observed is None:
            return np.zeros(len(self.rows), dtype=bool)
        return np.asarray((observed >= 0) & (observed != self.decision.sides(self.outputs)))

    def may_have_been(self, target: Target) -> NDArray[np.bool_]:
        """Which rows turned out as desired, or it isn't known how, shape (n_rows,)."""
        observed = self.observed_sides
        if observed is None:
            return np.ones(len(self.rows), dtype=bool)
        return np.asarray(target.is_desired(self.decision.side_names())[observed] | (observed < 0))

    @cached_property
    def _position(self) -> dict[str, int]:
        return {id_: position for position, id_ in enumerate(self.ids)}

    def with_decision(self, decision: Decision) -> Problem:
        """The same model and rows under another decision; what was computed is kept."""
        other = replace(self, decision=decision)
        for name in ("content_key", "_outputs", "_position"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    def side_of(self, id_: str) -> str:
        """The side of the decision that the row called `id_` is on."""
        place = self.position(id_)
        return self.decision.side_names()[int(self.decision.sides(self.outputs[place : place + 1])[0])]

    @cached_property
    def unseen(self) -> NDArray[np.bool_]:
        """Which rows the model may not have been fitted on: all of them where nobody knows, shape (n_rows,)."""
        return np.asarray(~self.training) if self.knows_training else np.ones(len(self.rows), dtype=bool)

    def with_outputs(self, outputs: NDArray[np.float64]) -> Problem:
        """The same problem whose rows were scored before."""
        other = replace(self)
        outputs.setflags(write=False)
        other.__dict__["_outputs"] = outputs
        return other

    def with_words(self, schema: Schema, classes: tuple[str, ...]) -> Problem:
        """The same rows and outputs under other titles, units, labels, locks and names of classes.

        The decision is left as it is, so it has to be replaced where classes are renamed.
        """
        for own, other in zip(self.schema.features, schema.features, strict=True):
            if (own.columns, own.dtypes, own.categories) != (other.columns, other.dtypes, other.categories):
                raise ValueError(f"{own.name} is encoded in another way, so its rows have to be scored again.")
        model = replace(self.model, schema=schema, classes=classes)
        return replace(self, model=model).with_outputs(self.outputs)

    def position(self, id_: str) -> int:
        """Where the row called `id_` stands.

        Raises
        ------
        UnknownCase
            If there is none.
        """
        try:
            return self._position[id_]
        except KeyError:
            raise UnknownCase(f"There is no case {id_} in this table.") from None

    def case(self, id_: str | int) -> Case:
        """The row called `id_`, to be explained."""
        return Case(str(id_), self.rows[self.position(str(id_))].copy())

    def target(self, case: Case, run: Run | None = None) -> Target:
        """The decision as seen from a case."""
        return self.decision.target(self.case_outputs(case, run))

    def case_outputs(self, case: Case, run: Run | None = None) -> NDArray[np.float64]:
        """The model's outputs for a case, shape (n_outputs,)."""
        position = self._position.get(case.id)
        if position is not None and np.array_equal(self.rows[position], case.row, equal_nan=True):
            return np.asarray(self.scored(run)[position])
        return np.asarray(self.model.score(case.row[None], run)[0])
