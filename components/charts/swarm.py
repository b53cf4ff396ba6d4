"""Dots that would touch move up or down, never across: where they stand is their score."""

from __future__ import annotations

from collections.abc import Sequence

Placed = tuple[float, float, float]


def dodge(dots: Sequence[tuple[float, float]], gap: float, fixed: Sequence[Placed] = ()) -> list[float]:
    """Heights at which dots do not touch, in the order given.

    Parameters
    ----------
    dots : sequence of (x, y)
        Where they would like to be, in pixels.
    gap : float
        Least distance of two dots.
    fixed : sequence of (x, y, gap)
        Marks that stay, each with the least distance from it.
    """
    placed: list[Placed] = list(fixed)
    heights = []
    for x, y in dots:
        near = [(b - y, apart**2 - (x - a) ** 2) for a, b, apart in placed if abs(x - a) < apart]
        shift = next((s for s in _shifts(gap / 2, 80) if all((s - dy) ** 2 >= left for dy, left in near)), 0.0)
        placed.append((x, y + shift, gap))
        heights.append(y + shift)
    return heights


def _shifts(unit: float, count: int) -> list[float]:
    """0, then one unit down, one up, two down, and so on."""
    return [(k + 1) // 2 * unit * (1 if k % 2 else -1) for k in range(count)]


def band(xs: Sequence[float], gap: float, half: float, fixed: Sequence[Placed] = ()) -> list[float]:
    """Heights about the middle of a band, no further from it than `half`.

    Dots take the nearest free one of a few lanes; where none is free, the one whose
    last dot is furthest away.

    Parameters
    ----------
    xs : sequence of float
        In pixels.
    gap : float
        Least distance of two dots.
    half : float
    fixed : sequence of (x, y, gap)
        Marks that stay, their heights about the middle of the band.
    """
    lanes = [shift for shift in _shifts(gap, 200) if abs(shift) <= half] or [0.0]
    last = [-float("inf")] * len(lanes)
    heights = [0.0] * len(xs)
    for position in sorted(range(len(xs)), key=lambda i: xs[i]):
        x = xs[position]
        near = [(y, apart**2 - (x - a) ** 2) for a, y, apart in fixed if abs(x - a) < apart]
        open_lanes = [i for i, y in enumerate(lanes) if all((y - b) ** 2 >= left for b, left in near)]
        free = (i for i in open_lanes if x - last[i] >= gap)
        lane = next(free, None)
        if lane is None:
            lane = min(open_lanes or range(len(lanes)), key=lambda i: last[i])
        last[lane] = x
        heights[position] = lanes[lane]
    return heights
