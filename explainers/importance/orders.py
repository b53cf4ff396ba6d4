"""Making one change after another, in random orders and their reverses: what sampling is made of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from explainers.schema import Rows

Worth = Callable[[Rows], NDArray[np.float64]]
"""The scores of many rows, in one call."""


def antithetic_effects(
    worth: Worth,
    row: Rows,
    rows: Rows,
    varying: NDArray[np.intp],
    orders: NDArray[np.int64],
    ends: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Mean effect of each feature in an order and its reverse, as one row after another turns into another one.

    Parameters
    ----------
    worth : callable
    row : array of shape (n_features,)
        What every one of the rows turns into.
    rows : array of shape (n_orders, n_features)
        Where each order starts.
    varying : array of int of shape (n_varying,)
        The features that may differ; an order is of them.
    orders : array of int of shape (n_orders, n_varying)
    ends : array of shape (n_orders, 2)
        The scores before and after all, which are known.

    Returns
    -------
    array of shape (n_orders, n_varying)
    """
    n_orders, n_varying = orders.shape
    places = np.argsort(np.concatenate([orders, orders[:, ::-1]]), axis=1)
    made = places[:, None, :] < np.arange(1, n_varying)[None, :, None]
    asked = np.repeat(np.tile(rows, (2, 1)), n_varying - 1, axis=0)
    asked[:, varying] = np.where(made.reshape(-1, n_varying), row[varying], asked[:, varying])
    path = np.empty((2 * n_orders, n_varying + 1))
    path[:, [0, -1]] = np.tile(ends, (2, 1))
    path[:, 1:-1] = worth(asked).reshape(2 * n_orders, n_varying - 1)
    steps = np.take_along_axis(np.diff(path, axis=1), places, axis=1)
    mean: NDArray[np.float64] = steps.reshape(2, n_orders, n_varying).mean(axis=0)
    return mean
