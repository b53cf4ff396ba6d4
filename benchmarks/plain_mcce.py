"""Algorithm 1 of the MCCE paper read row by row, with the trees that are measured against."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explainers.counterfactuals.autoregressive import AutoregressiveModel

Array = NDArray[np.float64]


def plain_sample(model: AutoregressiveModel, case: Array, draws: Array) -> Array:
    """The rows sampled for a case, one row, one tree and one node after the other.

    Parameters
    ----------
    model : AutoregressiveModel
    case : array of shape (n_features,)
    draws : array of shape (n_conditionals, n_samples)

    Returns
    -------
    array of shape (n_samples, n_features)
    """
    rows = []
    for sample in range(draws.shape[1]):
        row = list(case)
        seen = [_level(model.values[i], case[i]) for i in model.locked] + [1.0]
        for place, conditional in enumerate(model.conditionals):
            leaf = _leaf(conditional.tree, seen)
            amount = int(conditional.counts[leaf])
            level = conditional.levels[conditional.starts[leaf] + int(draws[place, sample] * amount)]
            seen.append(float(level))
            row[conditional.feature] = model.values[conditional.feature][int(level)]
        rows.append(row)
    return np.array(rows)


def _leaf(tree: Any, row: list[float]) -> int:
    node = 0
    while tree.children_left[node] >= 0:
        goes_left = np.float32(row[tree.feature[node]]) <= tree.threshold[node]
        node = int(tree.children_left[node] if goes_left else tree.children_right[node])
    return node


def _level(values: Array, own: float) -> float:
    """The place of a value among those of the training; between two for others, after all for missing."""
    known = [value for value in values if not math.isnan(value)]
    if math.isnan(own):
        return float(len(known))
    below = sum(value < own for value in known)
    return float(below) if own in known else below - 0.5
