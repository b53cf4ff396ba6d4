"""Equations together with what a person tries on them and has beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from explainers import wording
from explainers.intake.rows import row_of_values
from explainers.labelled import LabelledTable
from explainers.problem import Case
from explainers.run import Run
from explainers.schema import Rows, Schema, same
from explainers.surrogates.comparison import Comparison
from explainers.surrogates.equation import Equation, LocalEquations
from explainers.surrogates.reference_value import ReferenceValue


@dataclass(frozen=True, eq=False)
class Tried:
    """Other values of the case.

    Attributes
    ----------
    row : array of shape (n_features,)
        The case with them, encoded; read-only.
    value : float
        What the equation makes of it.
    asked : float, optional
        What the model says of it, if there is one.
    """

    row: Rows
    value: float
    asked: float | None

    def __post_init__(self) -> None:
        self.row.setflags(write=False)

    def edited(self, own: Rows, schema: Schema) -> tuple[str, ...]:
        """The features in which it differs from the case's own row."""
        return tuple(schema.names[place] for place in np.flatnonzero(~same(self.row, own)))

    def to_frame(self, own: Rows, schema: Schema) -> pd.DataFrame:
        """One row a feature that is tried: the case's own value, and the other."""
        features = [schema[name] for name in self.edited(own, schema)]
        places = [schema.index(feature.name) for feature in features]
        return pd.DataFrame(
            {
                "feature": [feature.title for feature in features],
                "own": [wording.value(f, float(own[at])) for f, at in zip(features, places, strict=True)],
                "tried": [wording.value(f, float(self.row[at])) for f, at in zip(features, places, strict=True)],
            }
        )


@dataclass(frozen=True, eq=False)
class ShownEquations:
    """All that is shown of a case's equations.

    Attributes
    ----------
    found : LocalEquations
    place : int
        Of the neighbourhood that is looked at.
    tried : Tried, optional
    reference : ReferenceValue, optional
    comparison : Comparison, optional
    """

    found: LocalEquations
    place: int
    tried: Tried | None = None
    reference: ReferenceValue | None = None
    comparison: Comparison | None = None


def with_values(schema: Schema, case: Case, edits: Mapping[str, str]) -> Rows:
    """The case with other values, as texts by feature; shape (n_features,)."""
    row = case.row.copy()
    for name, value in row_of_values(schema, dict(edits), "").values:
        row[schema.index(name)] = value
    return row


def try_values(
    labelled: LabelledTable, case: Case, equation: Equation, edits: Mapping[str, str], run: Run | None = None
) -> Tried:
    """What an equation and the model make of other values, as texts by feature.

    Raises
    ------
    Stopped
        If the run had ended before the model was asked.
    """
    row = with_values(labelled.schema, case, edits)
    asked = None if labelled.ask is None else float(labelled.ask(row[None], run)[0])
    return Tried(row, float(equation.values(row[None])[0]), asked)
