"""Results of NICE as its authors publish it (NICEx)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd


def from_nice(result: Any, columns: Sequence[str]) -> pd.DataFrame:
    """The counterfactual that ``NICE.explain`` gives.

        found = given(problem, case, from_nice(nice.explain(x), problem.schema.columns))

    Parameters
    ----------
    result : array of shape (1, n_columns) or (n_columns,)
    columns : sequence of str
        Names of the columns, in the order that NICE was given.

    Raises
    ------
    ValueError
        If there is another number of values than there are columns.
    """
    rows = np.atleast_2d(np.asarray(result, dtype=object))
    if rows.shape[1] != len(columns):
        raise ValueError(f"The result has {rows.shape[1]} values, and {len(columns)} columns are named.")
    return pd.DataFrame(rows, columns=list(columns)).infer_objects()
