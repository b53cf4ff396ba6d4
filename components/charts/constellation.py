"""Which combinations are enough? Every combination of changes as a dot at its score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from components.charts.axis import (
    FOOT,
    beside_bounds,
    draw_axis,
    drawn_bounds,
    plan_header,
    score_frame,
    shared_score_range,
)
from components.charts.canvas import DIM, Align, Canvas, Dot, Frame
from components.charts.combinations import (
    Arrangement,
    Group,
    Sizes,
    bands,
    default_arrangement,
    drawn,
    full,
    groups,
    heights_by_rows,
    left_out,
    ringed,
    sizes,
)
from components.charts.text import (
    AXIS,
    BODY,
    Label,
    Standing,
    bold,
    change_text,
    escape,
    label,
    standing,
    tinted,
    width_of,
    wrap,
)
from components.palette import Palette
from explainers import sentences, wording
from explainers.combinations import Combinations
from explainers.results import CoalitionScores, Importance

__all__ = ["Arrangement", "constellation_chart", "left_out", "shared_score_range"]

AS_IT_IS = "as it is"
Side = Literal["right", "left", "above", "below"]
_PITCH = {"few": 50, "many": 44}
_HOVER_ROOM = 380
_MOST_IN_HOVER = 4
"""Changes that are told with their values over a dot; of more the names only."""


@dataclass(frozen=True)
class Box:
    """A place in pixels, across from the plot's left edge."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class _Sky:
    """What is drawn and where.

    Attributes
    ----------
    chosen : int
        The selected combination; 0 if none is.
    heights : dict
        Of the combinations drawn, by mask.
    texts : (str, str, str)
        Scores of the case, of all changes and of the selected combination.
    """

    coalitions: Combinations
    frame: Frame
    sizes: Sizes
    arrangement: Arrangement
    chosen: int
    heights: dict[int, float]
    rings: frozenset[int]
    top: float
    texts: tuple[str, str, str]

    def score(self, mask: int) -> float:
        return float(self.coalitions.scores[mask])

    def is_single(self, mask: int) -> bool:
        """Whether the dot is one of the large ones in the rows."""
        return self.arrangement == "height" and self.coalitions.size(mask) == 1

    def size(self, mask: int) -> float:
        if mask == full(self.coalitions):
            return self.sizes.full
        if self.is_single(mask):
            return self.sizes.single
        return self.sizes.ringed if mask in self.rings else self.sizes.combination


def constellation_chart(
    coalitions: Combinations,
    importance: Importance,
    palette: Palette,
    *,
    selected: frozenset[str] = frozenset(),
    arrangement: Arrangement | None = None,
    score_range: tuple[float, float] | None = None,
    width: int = 620,
) -> go.Figure:
    """Draw the combinations of at least two changes.

    Parameters
    ----------
    coalitions : Combinations
    importance : Importance
        Its order, that of CounterShapley if it is known, is that of the rows.
    palette : Palette
    selected : frozenset of str
        Features of the combination that is marked.
    arrangement : {"height", "size"}, optional
        Dots at the mean height of their members' rows, or in one band a number of
        changes; by default heights up to 6 changes. Where only some combinations are
        scored, in one band a reason to score them.
    score_range : (float, float), optional
        Scores at the plot's edges, where another chart shares them.
    width : int
        The narrowest width at which nothing is cut.
    """
    counterfactual = coalitions.counterfactual
    target, n_changes = counterfactual.target, len(counterfactual)
    arrangement = arrangement or default_arrangement(n_changes)
    if not isinstance(coalitions, CoalitionScores):
        arrangement = "size"
    frame = score_frame(counterfactual, score_range or shared_score_range(coalitions, importance), width)
    chosen = coalitions.find(tuple(selected)) or 0
    texts = _texts(coalitions, chosen)
    shift, align, span = beside_bounds(frame, target, counterfactual.factual_score, _as_is_width(texts[0]))
    header = plan_header(frame, target, [span])
    canvas = Canvas(palette)
    members = coalitions.names(chosen)
    masks = tuple(sorted({*drawn(coalitions), *([chosen] if chosen else [])}))
    rings = ringed(coalitions)
    if isinstance(coalitions, CoalitionScores) and arrangement == "height":
        rows, bottom = _draw_rows(canvas, coalitions, importance, frame, frozenset(members), header.height)
        heights = heights_by_rows(coalitions, masks, rings, rows, frame)
    else:
        gathered = groups(coalitions, masks)
        places = bands(coalitions, gathered, rings, frame)
        middles, bottom = _draw_bands(canvas, gathered, places.pitches, frame, header.height)
        heights = {
            id_: middle + y
            for middle, offsets in zip(middles, places.offsets, strict=True)
            for id_, y in offsets.items()
        }
    sky = _Sky(coalitions, frame, sizes(n_changes), arrangement, chosen, heights, rings, header.height, texts)
    draw_axis(canvas, frame, header, target, bottom)
    _draw_as_is(canvas, sky, header.notes_y, bottom, shift, align)
    _draw_links(canvas, sky)
    _draw_dots(canvas, sky)
    _draw_scores(canvas, sky)
    return canvas.figure(frame, bottom + FOOT)


def _texts(coalitions: Combinations, chosen: int) -> tuple[str, str, str]:
    target = coalitions.counterfactual.target
    as_is, everything = wording.scores(coalitions.scores[[0, full(coalitions)]], target)
    return as_is, everything, wording.score(float(coalitions.scores[chosen]), target)


def _as_is_width(text: str) -> float:
    return width_of(text, AXIS, bold=True) + width_of(f" {AS_IT_IS}", AXIS)


def _draw_rows(
    canvas: Canvas,
    coalitions: CoalitionScores,
    importance: Importance,
    frame: Frame,
    members: frozenset[str],
    top: float,
) -> tuple[np.ndarray, float]:
    """One row a change, largest value on top; returns their heights by change, and where they end."""
    changes = coalitions.counterfactual.changes
    is_few = default_arrangement(len(changes)) == "height"
    rows = np.zeros(len(changes))
    for i in importance.order:
        text = label(changes[i], frame.left - 14)
        text = text if is_few else Label(text.name, ())
        pitch = max(_PITCH["few"] if is_few else _PITCH["many"], text.height + 12)
        rows[i] = top + pitch / 2
        top += pitch
        stands = standing([changes[i].feature], members)
        if stands is Standing.SELECTED or (not is_few and not members):
            stands = Standing.NEUTRAL
        canvas.note(-frame.left, rows[i], text.markup(canvas.palette, stands), at="left")
        canvas.line((frame.start, rows[i]), (float(coalitions.scores[1 << i]), rows[i]), canvas.palette.grid)
    return rows, top


def _draw_bands(
    canvas: Canvas, gathered: Sequence[Group], pitches: tuple[float, ...], frame: Frame, top: float
) -> tuple[list[float], float]:
    """One band a group, the last on top; returns their middles from the first on, and where they end."""
    names = [" ".join(filter(None, group.name)) for group in gathered]
    tallies = [_tally(group.flipping, group.among) for group in gathered]
    in_columns = max(width_of(n, BODY, True) for n in names) + max(width_of(t, AXIS, True) for t in tallies)
    is_wide = in_columns + 14 + 8 <= frame.left
    middles = [top + sum(pitches[place + 1 :]) + pitches[place] / 2 for place in range(len(gathered))]
    for y, pitch, group, tally in zip(middles, pitches, gathered, tallies, strict=True):
        color = canvas.palette.desired if group.flipping else canvas.palette.ink_secondary
        head, _, rest = tally.partition(" of ")
        counted = f"{bold(head) if group.flipping else head} of {rest}"
        canvas.hairline(y + pitch / 2, frame, canvas.palette.grid)
        name = f"{bold(escape(group.name[0]))} {escape(group.name[1])}"
        canvas.note(-frame.left, y - (0 if is_wide else 9), name, at="left")
        x, drop = (-14.0, 0) if is_wide else (-float(frame.left), 9)
        canvas.note(x, y + drop, counted, at="left", align="right" if is_wide else "left", size=AXIS, color=color)
    return middles, top + sum(pitches)


def _tally(flipping: int, among: int) -> str:
    text = f"{wording.number(flipping, 0)} of {wording.number(among, 0)}"
    return f"{text} flip" if flipping else text


def _draw_as_is(canvas: Canvas, sky: _Sky, y: float, bottom: float, shift: float, align: Align) -> None:
    palette = canvas.palette
    color = palette.side(bool(sky.coalitions.flips[0]))
    score = sky.score(0)
    canvas.line((score, sky.top), (score, bottom), color, width=1.5, dash="4px,4px")
    text = f"{bold(sky.texts[0])} {tinted(AS_IT_IS, palette.ink_secondary)}"
    canvas.note(score, y, text, size=AXIS, color=color, align=align, dx=shift)


def _draw_links(canvas: Canvas, sky: _Sky) -> None:
    """Lines from the selected combination to its members."""
    if sky.arrangement != "height" or sky.coalitions.size(sky.chosen) < 2:
        return
    here = sky.score(sky.chosen), sky.heights[sky.chosen]
    for i in sky.coalitions.members(sky.chosen):
        there = sky.score(1 << i), sky.heights[1 << i]
        canvas.line(here, there, canvas.palette.ink, width=1.5)


def _draw_dots(canvas: Canvas, sky: _Sky) -> None:
    """Plain dots, single changes, rings and what they hold, all changes, and the selected one on top."""
    palette, rings, everything = canvas.palette, sky.rings, full(sky.coalitions)
    changes = [
        wrap(f"{change.title}: {change_text(change)}", _HOVER_ROOM, BODY)
        for change in sky.coalitions.counterfactual.changes
    ]
    dots = {mask: _dot(sky, palette, changes, mask) for mask in sky.heights}
    special = {*rings, everything, sky.chosen}
    plain = [mask for mask in dots if mask not in special and not sky.is_single(mask)]
    for flips in (False, True):
        of_side = [dots[mask] for mask in plain if bool(sky.coalitions.flips[mask]) == flips]
        canvas.dots(of_side, sky.sizes.combination, DIM if sky.chosen else 0.8)
    singles = [mask for mask in dots if sky.is_single(mask) and mask not in special]
    lit = [mask for mask in singles if not sky.chosen or mask & sky.chosen]
    canvas.dots([dots[mask] for mask in singles if mask not in lit], sky.sizes.single, DIM)
    canvas.dots([dots[mask] for mask in lit], sky.sizes.single)
    held = sorted(rings - {sky.chosen})
    around = [sky.sizes.ring_around(sky.size(mask)) for mask in held]
    canvas.rings([dots[mask] for mask in held], around, sky.sizes.ring_line, palette.desired)
    for size in sorted({sky.size(mask) for mask in held}):
        canvas.dots([dots[mask] for mask in held if sky.size(mask) == size], size)
    if everything not in rings and everything != sky.chosen:
        canvas.dots([dots[everything]], sky.sizes.full)
    if sky.chosen:
        size = sky.size(sky.chosen)
        canvas.rings([dots[sky.chosen]], [size + 10], 3, palette.ink)
        canvas.dots([dots[sky.chosen]], size)


def _dot(sky: _Sky, palette: Palette, changes: Sequence[Sequence[str]], mask: int) -> Dot:
    """The dot of a combination; `changes` are the lines in which each change is told over it."""
    coalitions = sky.coalitions
    flips = bool(coalitions.flips[mask])
    members = coalitions.members(mask)
    if len(members) > _MOST_IN_HOVER:
        lines = wrap(sentences.combination(coalitions, mask), _HOVER_ROOM, BODY)
    else:
        lines = [line for i in members for line in changes[i]]
    text = wording.score(sky.score(mask), coalitions.counterfactual.target)
    return Dot(
        x=sky.score(mask),
        y=sky.heights[mask],
        key=mask,
        hover=f"{bold(text)} {wording.verdict(flips)}<br>{'<br>'.join(map(escape, lines))}",
        color=palette.side(flips),
    )


def _draw_scores(canvas: Canvas, sky: _Sky) -> None:
    """Scores beside all changes and over the selected combination."""
    everything = full(sky.coalitions)
    words = f" all {wording.number(len(sky.coalitions.counterfactual), 0)}"
    _draw_score(canvas, sky, everything, sky.texts[1], words, AXIS, ("right", "left", "above", "below"))
    if sky.chosen and sky.chosen != everything:
        _draw_score(canvas, sky, sky.chosen, sky.texts[2], "", BODY, ("above", "below", "right", "left"))


def _draw_score(
    canvas: Canvas, sky: _Sky, mask: int, text: str, words: str, size: int, sides: tuple[Side, ...]
) -> None:
    """A score on the first of the sides of its dot on which it covers least."""
    width = width_of(text, size, bold=True) + width_of(words, size) + 4
    x, y = sky.frame.px(sky.score(mask)), sky.heights[mask]
    away = sky.size(mask) / 2 + (9 if mask == sky.chosen or mask in sky.rings else 6)
    places = {
        "right": Box(x + away, y - 9, x + away + width, y + 9),
        "left": Box(x - away - width, y - 9, x - away, y + 9),
        "above": Box(x - width / 2, y - away - 20, x + width / 2, y - away - 2),
        "below": Box(x - width / 2, y + away + 2, x + width / 2, y + away + 20),
    }
    side = min(sides, key=lambda one: _covered(sky, places[one], mask))
    align: Align = "left" if side == "right" else "right" if side == "left" else "center"
    dx = away if side == "right" else -away if side == "left" else 0.0
    box = places[side]
    color = canvas.palette.side(bool(sky.coalitions.flips[mask]))
    markup = bold(text) + (tinted(words, canvas.palette.ink_secondary) if words else "")
    canvas.note(
        sky.score(mask), (box.top + box.bottom) / 2, markup, size=size, color=color, align=align, dx=dx, is_backed=True
    )


def _covered(sky: _Sky, box: Box, own: int) -> float:
    """How much a text in this place would cover: lines and special dots count more than plain ones."""
    frame = sky.frame
    if box.left < -4 or box.right > frame.plot_width + frame.right or box.top < sky.top:
        return math.inf
    bounds = drawn_bounds(frame, sky.coalitions.counterfactual.target)
    covered = 5.0 * sum(box.left < frame.px(bound) < box.right for bound in bounds)
    for mask, y in sky.heights.items():
        reach = (sky.sizes.ring_around(sky.size(mask)) if mask in sky.rings else sky.size(mask)) / 2
        x = frame.px(sky.score(mask))
        if mask != own and box.left - reach < x < box.right + reach and box.top - reach < y < box.bottom + reach:
            covered += 9.0 if sky.is_single(mask) or mask in sky.rings else 1.0
    return covered
