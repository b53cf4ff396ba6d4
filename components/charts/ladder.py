"""The ladder: labels of segments too narrow for them, each on a row of its own with an elbow to its segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ELBOW = 10
LEAST_ROOM = 150
_MARGIN = 20


@dataclass(frozen=True)
class Rung:
    """Where a label goes.

    Attributes
    ----------
    position : int
        Of the label among those given.
    runs_left : bool
        Whether the text stands left of its elbow.
    room : float
        Width that the text may take.
    """

    position: int
    runs_left: bool
    room: float


def ladder(middles: Sequence[float], widths: Sequence[float], start: float, end: float) -> tuple[Rung, ...]:
    """Rungs from the highest to the lowest, such that no leader runs through a text.

    Texts run left, first segment highest. Those without room run right, on rows above
    the others, last segment highest: the fewest that make all fit.

    Parameters
    ----------
    middles : sequence of float
        Middles of the segments in pixels, rising.
    widths : sequence of float
        Widths of the labels on one line.
    start, end : float
        Pixels between which texts may stand.
    """
    choices = [_rungs(middles, start, end, n_right) for n_right in range(len(middles) + 1)]

    def shortage(rungs: tuple[Rung, ...]) -> float:
        return max((min(widths[rung.position], LEAST_ROOM) - rung.room for rung in rungs), default=0.0)

    for rungs in choices:
        one_line = all(rung.room >= widths[rung.position] for rung in rungs if rung.runs_left)
        if one_line and shortage(rungs) <= 0:
            return rungs
    return min(choices, key=shortage)


def _rungs(middles: Sequence[float], start: float, end: float, n_right: int) -> tuple[Rung, ...]:
    """The first `n_right` labels run right, up to the first leader of the others."""
    wall = middles[n_right] if n_right < len(middles) else end + ELBOW
    right = [Rung(i, False, wall - middles[i] - _MARGIN - ELBOW) for i in reversed(range(n_right))]
    left = [Rung(i, True, middles[i] - start - _MARGIN) for i in range(n_right, len(middles))]
    return (*right, *left)
