"""How far does the rule reach, and how near does it come? The bound by size, and values against the equation's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from components.charts.canvas import Canvas, Dot, Frame
from components.charts.text import AXIS, bold, escape
from components.palette import Palette
from explainers import wording
from explainers.decision import Target
from explainers.surrogates.equation import LocalEquations

MOST_DOTS = 1_000
"""Of more sizes or neighbours evenly chosen ones are drawn; the table has all."""
_HEIGHT, _TOP, _FOOT = 190, 22, 44
_UNDER_NAME = 36
"""Where a plot begins under the name of what its heights are."""


def bound_chart(found: LocalEquations, place: int, palette: Palette, *, width: int = 620) -> go.Figure:
    """Draw the lower bound of R against the size; the best is filled, the one looked at has a ring.

    Parameters
    ----------
    found : LocalEquations
    place : int
        Of the neighbourhood that is looked at.
    palette : Palette
    width : int
        The narrowest width at which nothing is cut.
    """
    canvas = Canvas(palette)
    low, high = float(found.sizes[0]), float(found.sizes[-1])
    room = (high - low) * 0.03 or 1.0
    frame = Frame(left=52, right=24, width=width, start=low - room, end=high + room)

    def y(bound: float) -> float:
        return _TOP + _HEIGHT * (1.0 - bound)

    _grid(canvas, frame, [(y(tick / 4), f"{tick / 4:.2f}") for tick in range(5)])
    shown = _some(len(found.sizes), {place, found.chosen})
    points = [(float(found.sizes[i]), y(float(found.bounds[i]))) for i in shown]
    for one, other in pairwise(points):
        canvas.line(one, other, palette.mute, width=1.5)
    dots = [_size_dot(found, i, x, at, palette) for i, (x, at) in zip(shown, points, strict=True)]
    canvas.rings([dots[shown.index(place)]], [22], 2, palette.ink)
    small = 10 if len(dots) <= 40 else 5
    canvas.dots([dot for i, dot in zip(shown, dots, strict=True) if i != found.chosen], small)
    canvas.dots([dots[shown.index(found.chosen)]], 13)
    bottom = _TOP + _HEIGHT
    for size in _round_numbers(low, high):
        canvas.note(size, bottom + 14, wording.number(size, 0), size=AXIS, align="center", color=palette.ink_secondary)
    words = "rows in the neighbourhood"
    canvas.note((low + high) / 2, bottom + 33, words, size=AXIS, align="center", color=palette.ink_secondary)
    return canvas.figure(frame, bottom + _FOOT)


def _size_dot(found: LocalEquations, place: int, x: float, y: float, palette: Palette) -> Dot:
    size = int(found.sizes[place])
    terms = int((found.coefficients[place] != 0).sum())
    hover = f"{bold(wording.count(size, 'row'))}<br>bound {found.bounds[place]:.3f}, {wording.count(terms, 'term')}"
    return Dot(x, y, size, hover, palette.ink, is_hollow=place != found.chosen)


def agreement_chart(
    values: NDArray[np.float64],
    labels: NDArray[np.float64],
    ids: Sequence[str],
    own: tuple[float, float],
    target: Target,
    palette: Palette,
    *,
    width: int = 620,
) -> go.Figure:
    """Draw the number of each neighbour against what the equation says of it.

    Parameters
    ----------
    values, labels : array of shape (n_neighbours,)
        What the equation says, and the numbers.
    ids : sequence of str
    own : (float, float)
        The same of the case itself.
    target : Target
    palette : Palette
    width : int
        The narrowest width at which nothing is cut.
    """
    canvas = Canvas(palette)
    everything = np.concatenate([values, labels, own])
    low, high = float(everything.min()), float(everything.max())
    room = (high - low) * 0.05 or 1.0
    low, high = low - room, high + room
    frame = Frame(left=70, right=24, width=width, start=low, end=high)
    height = 260

    def y(value: float) -> float:
        return _UNDER_NAME + height * (high - value) / (high - low)

    step = _step(low, high)
    ticks = [i * step for i in range(math.ceil(low / step), math.floor(high / step) + 1)]
    texts = wording.ticks(ticks, step, target)
    _grid(canvas, frame, [(y(tick), text) for tick, text in zip(ticks, texts, strict=True)])
    canvas.line((low, y(low)), (high, y(high)), palette.mute, width=1.5, dash="dot")
    printed, said = wording.scores(labels, target), wording.scores(values, target)
    dots = [
        Dot(
            float(values[i]), y(float(labels[i])), ids[i],
            f"{bold(escape(f'Case {ids[i]}'))}<br>{printed[i]}, the equation says {said[i]}", palette.ink_secondary,
        )
        for i in _some(len(values), set())
    ]  # fmt: skip
    canvas.dots(dots, 7, 0.8)
    mine = wording.scores(own, target)
    hover = f"{bold('This case')}<br>{mine[1]}, the equation says {mine[0]}"
    canvas.dots([Dot(own[0], y(own[1]), "", hover, palette.ink, is_hollow=True)], 15, symbol="diamond")
    bottom = _UNDER_NAME + height
    for tick, text in zip(ticks, texts, strict=True):
        canvas.note(tick, bottom + 14, text, size=AXIS, align="center", color=palette.ink_secondary)
    words = "what the equation says; dots on the line are exact"
    canvas.note((low + high) / 2, bottom + 33, words, size=AXIS, align="center", color=palette.ink_secondary)
    canvas.note(-frame.left, 8, escape(target.quantity), at="left", size=AXIS, color=palette.ink_secondary)
    return canvas.figure(frame, bottom + _FOOT)


def _grid(canvas: Canvas, frame: Frame, ticks: Sequence[tuple[float, str]]) -> None:
    palette = canvas.palette
    for y, text in ticks:
        canvas.line((frame.start, y), (frame.end, y), palette.grid)
        canvas.note(-10, y, text, at="left", align="right", size=AXIS, color=palette.ink_secondary)


def _some(amount: int, always: set[int]) -> list[int]:
    """All places or, of too many, evenly chosen ones."""
    if amount <= MOST_DOTS:
        return list(range(amount))
    return sorted({*np.linspace(0, amount - 1, MOST_DOTS).astype(int).tolist(), *always})


def _step(low: float, high: float) -> float:
    rough = (high - low) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)


def _round_numbers(low: float, high: float) -> list[float]:
    step = max(1.0, _step(low, high)) if high > low else 1.0
    return [i * step for i in range(math.ceil(low / step), math.floor(high / step) + 1)] or [low]
