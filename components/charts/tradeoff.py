"""Fewer changes or a shorter way? Every candidate by how many features change and how far."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from components.charts.canvas import DIM, Canvas, Dot, Frame
from components.charts.swarm import band
from components.charts.text import AXIS, bold, escape, tinted, width_of
from components.palette import Palette
from explainers import sentences_candidates, wording
from explainers.counterfactuals.candidates import Candidates
from explainers.decision import Target
from explainers.sentences_candidates import cost_of

MOST_MARKS = 5000
NOT_IN_THE_TABLE = -1
_TOP, _HEIGHT, _FOOT = 44, 270, 58
_RIGHT = 16
_BLOCK = 26
_ROOM_ABOVE = 1.06
_FRONT, _RING = 14, 24


def drawn(candidates: Candidates) -> int:
    """How many candidates are drawn: the cheapest."""
    return min(len(candidates), MOST_MARKS)


def tradeoff_chart(
    candidates: Candidates, target: Target, palette: Palette, *, shown: int = 0, width: int = 620
) -> go.Figure:
    """Draw the candidates in bands by their number of changes, upwards by distance.

    Parameters
    ----------
    candidates : Candidates
        At least one.
    target : Target
    palette : Palette
    shown : int
        Which of those in the table is shown.
    width : int
        The narrowest width at which nothing is cut.
    """
    count = drawn(candidates)
    changes, distances = candidates.n_changes[:count], candidates.distances[:count]
    steps = _ticks(float(distances.max()) * _ROOM_ABOVE)
    texts = wording.ticks(steps, steps[1] - steps[0])
    left = round(max(width_of(text, AXIS) for text in texts) + 16)
    frame = Frame(left, _RIGHT, width, float(changes.min()) - 0.6, float(changes.max()) + 0.6)
    highest = max(float(distances.max()) * _ROOM_ABOVE, steps[1])
    heights = _TOP + _HEIGHT * (1.0 - distances / highest)
    canvas = Canvas(palette)
    _draw_axes(canvas, frame, steps, texts, highest)
    _draw_front(canvas, frame, changes, heights, candidates.front[:count])
    _draw_key(canvas, candidates, target)
    _draw_dots(canvas, frame, candidates, target, heights, shown)
    words = sentences_candidates.shown(candidates, shown, target) if shown < len(candidates.chosen) else ""
    if words:
        text = f"{bold('shown')} {tinted(escape(words), palette.ink_secondary)}"
        canvas.note(0, _TOP + _HEIGHT + 42, text, at="right", align="right", size=AXIS)
    return canvas.figure(frame, _TOP + _HEIGHT + _FOOT)


def _ticks(end: float) -> list[float]:
    """From 0 in about five steps of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(max(end, 1e-9) / 5))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= end / 5)
    return [place * step for place in range(max(2, math.floor(end / step + 1e-9) + 1))]


def _draw_axes(canvas: Canvas, frame: Frame, steps: list[float], texts: tuple[str, ...], highest: float) -> None:
    quiet, bottom = canvas.palette.ink_secondary, _TOP + _HEIGHT
    for step, text in zip(steps, texts, strict=True):
        y = bottom - _HEIGHT * step / highest
        if y < _TOP - 1:
            continue
        canvas.line((frame.start, y), (frame.end, y), canvas.palette.rule if step == 0 else canvas.palette.grid)
        canvas.note(-10, y, text, at="left", align="right", size=AXIS, color=quiet)
    first, last = math.ceil(frame.start), math.floor(frame.end)
    every = next(n for n in (1, 2, 5, 10, 50, 100) if n * frame.scale >= width_of(str(last), AXIS) + 12)
    for amount in range(first, last + 1, every):
        canvas.note(amount, bottom + 16, wording.number(amount, 0), align="center", size=AXIS, color=quiet)
    canvas.note(-frame.left, 14, "distance (L1, summed) ↑ further", at="left", size=AXIS, color=quiet)
    canvas.note(-frame.left, bottom + 42, "changes (L0) → more", at="left", size=AXIS, color=quiet)


def _draw_front(canvas: Canvas, frame: Frame, changes: np.ndarray, heights: np.ndarray, front: np.ndarray) -> None:
    """The staircase under which there is no candidate; it steps at the borders of bands."""
    places = np.flatnonzero(front)
    bottom = _TOP + _HEIGHT
    corners = [(frame.start, float(_TOP))]
    x, y = frame.start, float(_TOP)
    for place in places:
        x = max(frame.start, float(changes[place]) - 0.5)
        corners += [(x, y), (x, float(heights[place]))]
        y = float(heights[place])
    corners.append((frame.end, y))
    canvas.area([*corners, (frame.end, bottom), (frame.start, bottom)], canvas.palette.panel)
    for start, end in pairwise(corners[1:]):
        canvas.line(start, end, canvas.palette.mute, width=1.5)
    if bottom - y > 24:
        canvas.note(8, bottom - 12, "no candidate here", at="left", size=AXIS, color=canvas.palette.ink_secondary)


def _draw_key(canvas: Canvas, candidates: Candidates, target: Target) -> None:
    """Which shade is which score."""
    low, high = _score_ends(candidates)
    texts = wording.scores([low, high], target)
    quiet, palette = canvas.palette.ink_secondary, canvas.palette
    x = -width_of(texts[1], AXIS) - 2
    canvas.note(0, 14, texts[1], at="right", align="right", size=AXIS, color=quiet)
    if low == high:
        canvas.note(x - 6, 14, "score", at="right", align="right", size=AXIS, color=quiet)
        return
    for place, color in enumerate(palette.sequence):
        canvas.block(x - 6 - _BLOCK * (len(palette.sequence) - place), 7, _BLOCK, 14, color)
    x -= 6 + _BLOCK * len(palette.sequence) + 8
    canvas.note(x, 14, f"score {texts[0]}", at="right", align="right", size=AXIS, color=quiet)


def _score_ends(candidates: Candidates) -> tuple[float, float]:
    return float(candidates.scores.min()), float(candidates.scores.max())


def _draw_dots(
    canvas: Canvas, frame: Frame, candidates: Candidates, target: Target, heights: np.ndarray, shown: int
) -> None:
    """Those not in the table first, then those in it, the front, and the one shown on top."""
    count, palette = len(heights), canvas.palette
    size = 10 if count <= 150 else 7 if count <= 600 else 5
    low, high = _score_ends(candidates)
    shades = np.clip((candidates.scores - low) / ((high - low) or 1.0) * len(palette.sequence), 0, 4).astype(int)
    places = {int(at): place for place, at in enumerate(candidates.chosen)}
    texts = wording.scores(candidates.scores[:count], target)
    costs = [cost_of(int(n), float(d)) for n, d in zip(candidates.n_changes, candidates.distances, strict=True)]
    across = _across(frame, candidates, heights, size)
    dots = [
        Dot(
            x=float(across[at]),
            y=float(heights[at]),
            key=places.get(at, NOT_IN_THE_TABLE),
            hover=f"{bold(texts[at])} score<br>{costs[at]}",
            color=palette.sequence[shades[at]],
        )
        for at in range(count)
    ]
    front = [at for at in range(count) if candidates.front[at]]
    marked = int(candidates.chosen[shown]) if shown < len(candidates.chosen) else -1
    canvas.dots([dots[at] for at in range(count) if at not in places and at not in front], size, DIM)
    canvas.dots([dots[at] for at in places if at < count and at not in front], max(size, 8), 0.95)
    if 0 <= marked < count:
        canvas.rings([dots[marked]], [_RING], 2.5, palette.ink)
        if marked not in front:
            canvas.dots([dots[marked]], _FRONT)
    canvas.rings([dots[at] for at in front], [_FRONT + 3] * len(front), 1.5, palette.ink)
    canvas.dots([dots[at] for at in front], _FRONT)


def _across(frame: Frame, candidates: Candidates, heights: np.ndarray, size: float) -> np.ndarray:
    """Where dots stand across: in their band, beside each other where they would touch."""
    changes = candidates.n_changes[: len(heights)]
    across = changes.astype(float)
    for amount in np.unique(changes):
        members = np.flatnonzero(changes == amount)
        fixed = [(float(heights[at]), 0.0, _FRONT / 2 + size / 2) for at in members if candidates.front[at]]
        others = [at for at in members if not candidates.front[at]]
        shifts = band([float(heights[at]) for at in others], size + 1, 0.44 * frame.scale, fixed)
        across[others] += np.array(shifts) / frame.scale
    return across
