"""Which combinations a Constellation draws, and at what heights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from components.charts.axis import direction
from components.charts.canvas import Frame
from components.charts.swarm import Placed, band, dodge
from explainers.results import CoalitionScores

Arrangement = Literal["height", "size"]

MOST_COMPLETE = 12
MOST_RINGED = 4000
LOWEST_BAND = 44.0
HIGHEST_BAND = 76.0
_FEW = 6


@dataclass(frozen=True)
class Sizes:
    """Diameters of marks in pixels, and the width of a ring's line."""

    single: float
    combination: float
    ringed: float
    full: float
    ring: float
    ring_line: float

    def ring_around(self, dot: float) -> float:
        """Diameter of the ring around a dot."""
        return dot + self.ring - self.ringed


FEW = Sizes(single=15, combination=9, ringed=9, full=16, ring=18, ring_line=2)
MANY = Sizes(single=11, combination=4.6, ringed=5, full=12, ring=11, ring_line=1.6)


def sizes(n_changes: int) -> Sizes:
    """Sizes of marks for so many changes."""
    return FEW if n_changes <= _FEW else MANY


def default_arrangement(n_changes: int) -> Arrangement:
    """By the height of the members' rows while the dots can be told apart, else by number of changes."""
    return "height" if n_changes <= _FEW else "size"


def full(coalitions: CoalitionScores) -> int:
    """The combination of all changes."""
    return len(coalitions.scores) - 1


def drawn(coalitions: CoalitionScores) -> tuple[int, ...]:
    """The combinations that have a dot: all up to 12 changes, beyond that those that matter.

    These are the single changes, the best of each size, all changes together, and the
    combinations of which no part is enough, of these at most the first 4 000.
    """
    n_changes = len(coalitions.counterfactual)
    if n_changes <= MOST_COMPLETE:
        return tuple(range(1, len(coalitions.scores)))
    masks = np.arange(len(coalitions.scores))
    counts = np.bitwise_count(masks)
    gains = coalitions.scores * direction(coalitions.counterfactual)
    best = [int(masks[counts == size][_best(gains[counts == size])]) for size in range(1, n_changes + 1)]
    singles = [1 << i for i in range(n_changes)]
    return tuple(sorted({*singles, *best, *ringed(coalitions)}))


def _best(gains: NDArray[np.float64]) -> int:
    return int(gains.argmax())


def left_out(coalitions: CoalitionScores) -> int:
    """How many combinations have no dot; the case as it is has a line instead."""
    return len(coalitions.scores) - 1 - len(drawn(coalitions))


def ringed(coalitions: CoalitionScores) -> frozenset[int]:
    """The combinations that flip while no part of them does, as far as they are drawn."""
    is_complete = len(coalitions.counterfactual) <= MOST_COMPLETE
    return frozenset(coalitions.minimal if is_complete else coalitions.minimal[:MOST_RINGED]) - {0}


def row_means(masks: Sequence[int], rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean height of each combination's members."""
    bits = (np.asarray(masks)[:, None] >> np.arange(len(rows))) & 1
    means: NDArray[np.float64] = bits @ rows / bits.sum(axis=1)
    return means


def heights_by_rows(
    coalitions: CoalitionScores,
    masks: Sequence[int],
    rings: frozenset[int],
    rows: NDArray[np.float64],
    frame: Frame,
) -> dict[int, float]:
    """Heights at the mean of the members' rows; with few changes, dots that touch make room."""
    means = dict(zip(masks, map(float, row_means(masks, rows)), strict=True))
    if len(rows) > _FEW:
        return means
    few = sizes(len(rows))
    stay = [mask for mask in masks if mask.bit_count() == 1 or mask == full(coalitions)]
    moving = sorted((m for m in masks if m not in stay), key=lambda m: (m not in rings, m.bit_count(), m))
    x = {mask: frame.px(float(coalitions.scores[mask])) for mask in masks}
    fixed = [(x[mask], means[mask], (few.single + few.combination) / 2 + 2) for mask in stay]
    places = dodge([(x[mask], means[mask]) for mask in moving], few.combination + 2.5, fixed)
    return means | dict(zip(moving, places, strict=True))


@dataclass(frozen=True)
class Bands:
    """Bands from one change on, each as high as its dots need.

    Attributes
    ----------
    offsets : dict
        Heights of the combinations about the middles of their bands, by mask.
    pitches : tuple of float
    """

    offsets: dict[int, float]
    pitches: tuple[float, ...]


def bands(coalitions: CoalitionScores, masks: Sequence[int], rings: frozenset[int], frame: Frame) -> Bands:
    """Gather combinations of one size in a band; ringed dots take their places first."""
    n_changes = len(coalitions.counterfactual)
    marks = sizes(n_changes)
    half = HIGHEST_BAND / 2 - 3
    offsets: dict[int, float] = {}
    pitches = []
    for size in range(1, n_changes + 1):
        here = [mask for mask in masks if mask.bit_count() == size]
        x = {mask: frame.px(float(coalitions.scores[mask])) for mask in here}
        first = [mask for mask in here if mask in rings]
        then = [mask for mask in here if mask not in rings]
        ring_places = band([x[m] for m in first], marks.ring + 1, half - marks.ring / 2)
        apart = (marks.ring + marks.combination) / 2 + 1
        fixed: list[Placed] = [(x[m], y, apart) for m, y in zip(first, ring_places, strict=True)]
        places = band([x[m] for m in then], marks.combination + 1, half - marks.combination / 2, fixed)
        offsets |= dict(zip((*first, *then), (*ring_places, *places), strict=True))
        furthest = max([abs(y) + marks.ring / 2 for y in ring_places] + [abs(y) + marks.full / 2 for y in places])
        pitches.append(max(LOWEST_BAND, 2 * furthest + 6))
    return Bands(offsets, tuple(pitches))
