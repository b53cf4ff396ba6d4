"""What SHAP and LIME say of a case: how much each of its own values counts for its score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.decision import Target
from explainers.results import Origin


@dataclass(frozen=True, eq=False)
class Attribution:
    """How much each value of a case counts for its score, whatever would change it.

    Attributes
    ----------
    case : str
    features : tuple of str
        All of the schema, in its order.
    values : array of shape (n_features,)
        In drawn-score units, signed.
    base : float
        The drawn score that the values are added to: the mean over the background, or
        where the fitted line begins.
    score : float
        Drawn score of the case.
    target : Target
    explainer : str
        By which way the values were found, as its authors call it, and whose code does it.
    n_reference : int
        Rows that the case was set against.
    origin : Origin
    standard_errors : array of shape (n_features,), optional
        Of `values`, for these very background rows; absent where the values are exact, or
        no sampling error is known.
    evaluations : int
        Rows that the model scored for it; 0 where nobody counted.
    fit : float, optional
        Share of the scores' variance around the case that the values explain (weighted R²);
        absent where they explain the score itself.
    is_complete : bool
        Whether the run ended by itself.
    """

    case: str
    features: tuple[str, ...]
    values: NDArray[np.float64]
    base: float
    score: float
    target: Target
    explainer: str
    n_reference: int
    origin: Origin
    standard_errors: NDArray[np.float64] | None = None
    evaluations: int = 0
    fit: float | None = None
    is_complete: bool = True

    def __post_init__(self) -> None:
        for array in (self.values, self.standard_errors):
            if array is not None:
                array.setflags(write=False)

    def of(self, feature: str) -> float:
        """The value of one feature."""
        return float(self.values[self.features.index(feature)])

    def to_frame(self) -> pd.DataFrame:
        """One row a feature in the schema's order: its name, its value and, if known, the standard error."""
        columns = {"feature": list(self.features), "value": self.values}
        if self.standard_errors is not None:
            columns["standard error"] = self.standard_errors
        return pd.DataFrame(columns)
