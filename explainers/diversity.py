"""A few counterfactuals that differ from each other and stay near the case, from the pool of all generators."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explainers.distances import heom
from explainers.results import Counterfactual
from explainers.schema import Rows, Schema


def most_diverse(
    schema: Schema, ranges: Rows, pool: Sequence[Counterfactual], how_many: int
) -> tuple[Counterfactual, ...]:
    """Counterfactuals of one case by a greedy determinant, nearest first.

    The nearest to the case comes first. Each next one is that with the largest product of
    what it adds to the determinant of the kernel 1/(1 + distance) (DiCE, Equation 3) and of
    its kernel with the case; the earlier of the pool in a tie. Equal rows count once.

    Parameters
    ----------
    schema : Schema
    ranges : array of shape (n_features,)
        The scale of HEOM.
    pool : sequence of Counterfactual
        Of one case.
    how_many : int
        At most so many are chosen.
    """
    distinct = list({counterfactual.row.tobytes(): counterfactual for counterfactual in reversed(pool)}.values())[::-1]
    if not distinct:
        return ()
    rows = np.stack([counterfactual.row for counterfactual in distinct])
    kernel = np.array([_alike(heom(schema, ranges, row, rows)) for row in rows])
    near = _alike(heom(schema, ranges, distinct[0].factual, rows))
    chosen = [int(near.argmax())]
    # What is left of each row's own kernel once the chosen ones are taken out (Cholesky, a column at a time).
    left, factors = np.diag(kernel).copy(), np.empty((len(rows), 0))
    while len(chosen) < min(how_many, len(rows)):
        last = chosen[-1]
        column = (kernel[:, last] - factors @ factors[last]) / np.sqrt(left[last])
        factors = np.column_stack([factors, column])
        left = left - column**2
        worth = np.where(np.isin(np.arange(len(rows)), chosen), -np.inf, left * near)
        best = int(worth.argmax())
        if left[best] <= 1e-12:
            break
        chosen.append(best)
    return tuple(distinct[at] for at in chosen)


def _alike(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1.0 / (1.0 + distances))
