"""The smallest of a smooth loss plus a weighted sum of absolute moves, within a box.

Beck and Teboulle, "A fast iterative shrinkage-thresholding algorithm", 2009 (FISTA with
backtracking). A step shrinks by its size times the weight, as a proximal step does; in the
paper on prototypes (Section 3.6) it shrinks by the weight alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

SHORTER = 0.25
"""Each size of a step that is tried is so much of the one before."""
SIZES = 32
STILL = 1e-4
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Smooth:
    """A smooth loss.

    Attributes
    ----------
    values : callable
        From points of shape (n_points, n_dimensions) to one value each.
    value_and_slope : callable
        From one point to its value and gradient.
    curvature : float
        A bound on how fast the gradient changes, as far as it is known; the search for a
        step begins with its inverse.
    is_exact : bool
        Whether `curvature` bounds all of the loss, so that the first step is right.
    """

    values: Callable[[Points], NDArray[np.float64]]
    value_and_slope: Callable[[Points], tuple[float, Points]]
    curvature: float
    is_exact: bool


def proximal_step(begin: Points, point: Points, slope: Points, sizes: NDArray[np.float64], weight: float) -> Points:
    """Where steps of these sizes lead: down the slope, then back towards `begin` by size times weight.

    Returns
    -------
    array of shape (n_sizes, n_dimensions)
    """
    moves = point - sizes[:, None] * slope - begin
    return np.asarray(begin + np.sign(moves) * np.maximum(np.abs(moves) - sizes[:, None] * weight, 0.0))


def descend(
    smooth: Smooth,
    begin: Points,
    low: Points,
    high: Points,
    weight: float,
    most_steps: int,
    visit: Callable[[Points], None],
) -> int:
    """Go down from `begin`, showing each point reached to `visit`; how many steps it took.

    It ends early once a step moves no coordinate by more than `STILL`.

    Parameters
    ----------
    smooth : Smooth
    begin : array of shape (n_dimensions,)
    low, high : array of shape (n_dimensions,)
        The box; `begin` lies in it.
    weight : float
        Of the sum of absolute moves from `begin`.
    most_steps : int
    visit : callable
        Called with points of shape (n_points, n_dimensions).
    """
    point, before, momentum = begin, begin, 1.0
    for step in range(most_steps):
        reached = _step(smooth, begin, low, high, weight, point)
        visit(reached[None])
        if np.abs(reached - before).max(initial=0.0) <= STILL:
            return step + 1
        after = (1.0 + np.sqrt(1.0 + 4.0 * momentum**2)) / 2.0
        point = np.clip(reached + (momentum - 1.0) / after * (reached - before), low, high)
        before, momentum = reached, after
    return most_steps


def _step(smooth: Smooth, begin: Points, low: Points, high: Points, weight: float, point: Points) -> Points:
    """Where the largest step leads for which the loss stays below its quadratic bound, or else the smallest."""
    value, slope = smooth.value_and_slope(point)
    powers = np.arange(1 if smooth.is_exact else SIZES)
    sizes = np.asarray(SHORTER**powers / smooth.curvature, dtype=np.float64)
    ends = np.clip(proximal_step(begin, point, slope, sizes, weight), low, high)
    if smooth.is_exact:
        return np.asarray(ends[0])
    moves = ends - point
    bounds = value + moves @ slope + (moves**2).sum(axis=1) / (2 * sizes) + ROUNDING * (1.0 + abs(value))
    fits = smooth.values(ends) <= bounds
    return np.asarray(ends[fits.argmax() if fits.any() else -1])
