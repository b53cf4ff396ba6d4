"""Which combinations a Constellation draws, and at what heights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from components.charts.axis import direction
from components.charts.canvas import Frame
from components.charts.swarm import Placed, band, dodge
from explainers import wording
from explainers.combinations import Combinations, SomeCoalitions
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


def full(coalitions: Combinations) -> int:
    """The combination of all changes."""
    return len(coalitions.scores) - 1


def drawn(coalitions: Combinations) -> tuple[int, ...]:
    """The combinations that have a dot: all up to 12 changes, beyond that those that matter.

    These are the single changes, the best of each size, all changes together, and the
    combinations of which no part is enough, of these at most the first 4 000. Where only
    some are scored, these are they.
    """
    n_changes = len(coalitions.counterfactual)
    if n_changes <= MOST_COMPLETE or isinstance(coalitions, SomeCoalitions):
        return tuple(range(1, len(coalitions.scores)))
    masks = np.arange(len(coalitions.scores))
    counts = np.bitwise_count(masks)
    gains = coalitions.scores * direction(coalitions.counterfactual)
    best = [int(masks[counts == size][_best(gains[counts == size])]) for size in range(1, n_changes + 1)]
    singles = [1 << i for i in range(n_changes)]
    return tuple(sorted({*singles, *best, *ringed(coalitions)}))


def _best(gains: NDArray[np.float64]) -> int:
    return int(gains.argmax())


def left_out(coalitions: Combinations) -> int:
    """How many of the combinations scored have no dot; the case as it is has a line instead."""
    return len(coalitions.scores) - 1 - len(drawn(coalitions))


def ringed(coalitions: Combinations) -> frozenset[int]:
    """The combinations that flip while no part of them does, as far as they are drawn."""
    is_complete = len(coalitions.counterfactual) <= MOST_COMPLETE
    return frozenset(coalitions.minimal if is_complete else coalitions.minimal[:MOST_RINGED]) - {0}


@dataclass(frozen=True)
class Group:
    """Combinations that share a band.

    Attributes
    ----------
    name : (str, str)
        What stands out of it, and the rest.
    ids : tuple of int
        Those that are drawn.
    flipping, among : int
        How many combinations of this kind flip, of how many.
    """

    name: tuple[str, str]
    ids: tuple[int, ...]
    flipping: int
    among: int


def groups(coalitions: Combinations, ids: Sequence[int]) -> tuple[Group, ...]:
    """The bands from the lowest on: by number of changes or, where only some are scored, by why they were."""
    if isinstance(coalitions, SomeCoalitions):
        return _kinds(coalitions)
    n_changes = len(coalitions.counterfactual)
    counts = np.bitwise_count(np.arange(len(coalitions.scores)))
    flipping = np.bincount(counts[coalitions.flips], minlength=n_changes + 1).tolist()
    names = [wording.count(size, "change").split(wording.SPACE) for size in range(1, n_changes + 1)]
    return tuple(
        Group(
            name=(name[0], name[1]),
            ids=tuple(id_ for id_ in ids if coalitions.size(id_) == size),
            flipping=flipping[size],
            among=math.comb(n_changes, size),
        )
        for size, name in enumerate(names, 1)
    )


def _kinds(some: SomeCoalitions) -> tuple[Group, ...]:
    last = full(some)
    sizes = {id_: some.size(id_) for id_ in range(1, last)}
    n_changes = len(some.counterfactual)
    number = wording.number(n_changes, 0)
    kinds: tuple[tuple[tuple[str, str], list[int]], ...] = (
        (("1", "change alone"), [id_ for id_, size in sizes.items() if size == 1]),
        (("Greedy's", "first 2, 3, …"), [id_ for id_, size in sizes.items() if 1 < size < n_changes - 1]),
        (("all but 1", ""), [id_ for id_, size in sizes.items() if size == n_changes - 1]),
        ((f"all {number}", ""), [last]),
    )
    return tuple(Group(name, tuple(ids), int(some.flips[ids].sum()), len(ids)) for name, ids in kinds if ids)


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
    """Bands from the lowest on, each as high as its dots need.

    Attributes
    ----------
    offsets : tuple of dict
        Heights of each band's combinations about its middle, by id.
    pitches : tuple of float
    """

    offsets: tuple[dict[int, float], ...]
    pitches: tuple[float, ...]


def bands(coalitions: Combinations, gathered: Sequence[Group], rings: frozenset[int], frame: Frame) -> Bands:
    """Give each group a band; ringed dots take their places first."""
    marks = sizes(len(coalitions.counterfactual))
    half = HIGHEST_BAND / 2 - 3
    offsets: list[dict[int, float]] = []
    pitches = []
    for group in gathered:
        x = {id_: frame.px(float(coalitions.scores[id_])) for id_ in group.ids}
        first = [id_ for id_ in group.ids if id_ in rings]
        then = [id_ for id_ in group.ids if id_ not in rings]
        ring_places = band([x[i] for i in first], marks.ring + 1, half - marks.ring / 2)
        apart = (marks.ring + marks.combination) / 2 + 1
        fixed: list[Placed] = [(x[i], y, apart) for i, y in zip(first, ring_places, strict=True)]
        places = band([x[i] for i in then], marks.combination + 1, half - marks.combination / 2, fixed)
        offsets.append(dict(zip((*first, *then), (*ring_places, *places), strict=True)))
        furthest = max([abs(y) + marks.ring / 2 for y in ring_places] + [abs(y) + marks.full / 2 for y in places])
        pitches.append(max(LOWEST_BAND, 2 * furthest + 6))
    return Bands(tuple(offsets), tuple(pitches))
