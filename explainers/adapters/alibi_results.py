"""Results of alibi's counterfactual explainers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd


def from_alibi(
    explanation: Any,
    columns: Sequence[str],
    case: int = 0,
    *,
    every: bool = False,
    back: Callable[[Any], Any] | None = None,
) -> pd.DataFrame:
    """The counterfactuals of ``Counterfactual``, ``CounterfactualProto``, ``CEM`` or ``CounterfactualRL``.

        found = given(problem, case, from_alibi(explainer.explain(x), problem.schema.columns))

    Parameters
    ----------
    explanation : alibi.api.interfaces.Explanation
        Or its ``data``.
    columns : sequence of str
        Names of the columns, in the order that the explainer was given.
    case : int
        Which of the cases, where ``CounterfactualRL`` was asked about several.
    every : bool
        Also those found on the way, not only the best.
    back : callable, optional
        From the explainer's own encoding to the table's, such as from codes to categories.

    Returns
    -------
    DataFrame
        One row a counterfactual; none where alibi found none.

    Raises
    ------
    ValueError
        If a row has another number of values than there are columns, or there is no such case.
    """
    data = explanation if isinstance(explanation, Mapping) else explanation.data
    rows = [row for found in _found(data, case, every) for row in np.atleast_2d(np.asarray(found))]
    if not rows:
        return pd.DataFrame(columns=list(columns))
    values = np.stack([row.reshape(-1) for row in rows])
    values = np.asarray(values if back is None else back(values))
    if values.shape[1] != len(columns):
        raise ValueError(f"Each row has {values.shape[1]} values, and {len(columns)} columns are named.")
    return pd.DataFrame(values, columns=list(columns)).infer_objects().drop_duplicates(ignore_index=True)


def _found(data: Mapping[str, Any], case: int, every: bool) -> Iterator[Any]:
    """What is called so by the explainers: the best of a case, then those of each iteration."""
    n_cases = len(data["orig"]["X"]) if "orig" in data else 1
    if not -n_cases <= case < n_cases:
        raise ValueError(f"There are results for {n_cases} cases, so there is no case {case}.")
    best = data.get("cf", data.get("PN"))
    if best is not None:
        rows = best["X"] if isinstance(best, Mapping) else best
        # Of one case there may be several, and of several one each.
        yield rows if n_cases == 1 else rows[case]
    if every:
        of_iterations = data.get("all") or {}
        for those in of_iterations.values() if isinstance(of_iterations, Mapping) else of_iterations:
            yield from (one["X"] if isinstance(one, Mapping) else one for one in those)
