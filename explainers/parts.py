"""Which changes are shown each by itself and which go together, and what share of the move each has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explainers.results import Importance
from explainers.wording import share, shares

MOST_FORWARD = 8
MOST_BACKWARD = 4
COUNTS_AS_NOTHING = 1e-10


@dataclass(frozen=True)
class Parts:
    """Changes by their places in the counterfactual, largest first; the smallest of many are one part.

    Attributes
    ----------
    forward, backward : tuple of tuple of int
        Towards the decision, and back.
    unmoved : tuple of int
        Those that count nothing.
    values : tuple of float
        Of each part, forward then backward.
    shares : tuple of str
        Of each part; see `wording.shares`.
    """

    forward: tuple[tuple[int, ...], ...]
    backward: tuple[tuple[int, ...], ...]
    unmoved: tuple[int, ...]
    values: tuple[float, ...]
    shares: tuple[str, ...]

    @classmethod
    def of(cls, importance: Importance) -> Parts:
        """Of the values of an importance."""
        counterfactual = importance.counterfactual
        gains = importance.values * counterfactual.target.direction(counterfactual.factual_score)
        order = sorted(range(len(gains)), key=lambda i: (-round(abs(float(gains[i])), 12), i))
        forward = _gathered([i for i in order if gains[i] >= COUNTS_AS_NOTHING], MOST_FORWARD)
        backward = _gathered([i for i in order if gains[i] <= -COUNTS_AS_NOTHING], MOST_BACKWARD)
        unmoved = tuple(sorted(i for i in order if abs(gains[i]) < COUNTS_AS_NOTHING))
        values = tuple(float(importance.values[list(part)].sum()) for part in (*forward, *backward))
        return cls(forward, backward, unmoved, values, shares(values, counterfactual.target))


def change_shares(importance: Importance) -> tuple[str, ...]:
    """The share of each change: that of its part, where it is one by itself."""
    parts = Parts.of(importance)
    target, total = importance.counterfactual.target, float(np.sum(parts.values))
    told = [share(float(value), total, target) for value in importance.values]
    for part, text in zip((*parts.forward, *parts.backward), parts.shares, strict=True):
        if len(part) == 1:
            told[part[0]] = text
    return tuple(told)


def _gathered(places: list[int], most: int) -> tuple[tuple[int, ...], ...]:
    if len(places) <= most:
        return tuple((i,) for i in places)
    return (*((i,) for i in places[: most - 1]), tuple(places[most - 1 :]))
