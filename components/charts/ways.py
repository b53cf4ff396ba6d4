"""What would each of them change? One column a way, one row a feature, the case's own value as base line."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from components.charts.canvas import Canvas, Dot, Frame
from components.charts.text import AXIS, BODY, LINE, bold, escape, tinted, wrap
from components.palette import Palette
from explainers.ways import ChangedFeature, Step, Ways

MOST_FEATURES = 30
"""Of more, those that most ways change are drawn; the table has all."""
GUTTER, RIGHT = 150, 8
LEAST_COLUMN, TEXT_GAP, TRACK_GAP = 74, 8, 10
TRACK, PAD, GAP = 24, 8, 28
DOT, BASE, RUN = 12, 16, 3
SMALL = 12
SMALL_LINE = 17


@dataclass(frozen=True)
class _Grid:
    """So many columns abreast, in as many bands as it takes; across, a column is 1 wide."""

    columns: tuple[tuple[int, ...], ...]
    frame: Frame

    @classmethod
    def of(cls, n_ways: int, width: int) -> _Grid:
        fit = max(1, (width - GUTTER - RIGHT) // LEAST_COLUMN)
        n_bands = -(-n_ways // fit)
        abreast = -(-n_ways // n_bands)
        bands = tuple(tuple(range(start, min(start + abreast, n_ways))) for start in range(0, n_ways, abreast))
        return cls(bands, Frame(GUTTER, RIGHT, width, 0.0, float(abreast)))

    @property
    def room(self) -> float:
        """For a text in a column, in pixels."""
        return self.frame.scale - TEXT_GAP

    @property
    def reach(self) -> float:
        """How far from its base line a dot may stand, in columns."""
        return 0.5 - TRACK_GAP / self.frame.scale


def drawn(ways: Ways) -> tuple[ChangedFeature, ...]:
    """The features that are drawn: all, or those that most ways change, in the order of the schema."""
    if len(ways.features) <= MOST_FEATURES:
        return ways.features
    first = sorted(range(len(ways.features)), key=lambda at: (-ways.features[at].n_ways, at))[:MOST_FEATURES]
    return tuple(ways.features[at] for at in sorted(first))


def ways_chart(ways: Ways, keys: tuple[str, ...], palette: Palette, *, width: int = 900) -> go.Figure:
    """Draw the ways beside each other.

    Parameters
    ----------
    ways : Ways
    keys : tuple of str
        What each way's marks stand for when one is picked.
    palette : Palette
    width : int
        The narrowest width at which nothing is cut.
    """
    canvas, grid, features = Canvas(palette), _Grid.of(len(ways.titles), width), drawn(ways)
    y = 0.0
    for band in grid.columns:
        y = _draw_heads(canvas, grid, [ways.titles[at] for at in band], y)
        for row in features:
            y = _draw_feature(canvas, grid, row, band, ways.titles, keys, y)
        y = _draw_scores(canvas, grid, ways.scores, band, y) + GAP
    return canvas.figure(grid.frame, y - GAP)


def _draw_heads(canvas: Canvas, grid: _Grid, titles: list[str], top: float) -> float:
    heads = [wrap(title, grid.room, AXIS, bold=True) for title in titles]
    bottom = top + SMALL_LINE * max(map(len, heads)) + PAD
    for column, lines in enumerate(heads):
        text = bold("<br>".join(map(escape, lines)))
        canvas.note(column + 0.5, bottom - PAD - SMALL_LINE * len(lines) / 2, text, align="center", size=AXIS)
    return bottom


def _draw_feature(
    canvas: Canvas,
    grid: _Grid,
    row: ChangedFeature,
    band: tuple[int, ...],
    titles: tuple[str, ...],
    keys: tuple[str, ...],
    top: float,
) -> float:
    palette, steps = canvas.palette, [row.steps[at] for at in band]
    name = wrap(row.feature.title, GUTTER - 12, BODY, bold=True)
    own = wrap(row.own, GUTTER - 12, AXIS)
    texts = [wrap(step.change.new_text, grid.room, SMALL) if step else () for step in steps]
    high = max(LINE * (len(name) + len(own)), TRACK + SMALL_LINE * max(map(len, texts))) + 2 * PAD
    canvas.hairline(top, grid.frame, palette.grid)
    label = [bold(escape(line)) for line in name] + [tinted(escape(line), palette.factual, AXIS) for line in own]
    canvas.note(-GUTTER, top + PAD, "<br>".join(label), at="left", hangs=True)
    track = top + PAD + TRACK / 2
    dots: dict[str, list[Dot]] = {"circle": [], "diamond": []}
    for column, (at, step, lines) in enumerate(zip(band, steps, texts, strict=True)):
        base = column + 0.5
        canvas.line((base, track - BASE / 2), (base, track + BASE / 2), palette.factual, width=1.5)
        if step is None:
            continue
        x = base + grid.reach * (step.share or 0.0) / (row.furthest or 1.0)
        canvas.line((base, track), (x, track), palette.desired, width=RUN)
        dot = Dot(x, track, keys[at], _hover(titles[at], step), palette.desired)
        dots["diamond" if step.share is None else "circle"].append(dot)
        text = "<br>".join(map(escape, lines))
        canvas.note(base, top + PAD + TRACK, text, align="center", size=SMALL, hangs=True)
    for symbol, some in dots.items():
        canvas.dots(some, DOT, symbol=symbol)
    return top + high


def _draw_scores(canvas: Canvas, grid: _Grid, scores: tuple[str, ...], band: tuple[int, ...], top: float) -> float:
    palette = canvas.palette
    canvas.hairline(top, grid.frame, palette.rule)
    middle = top + PAD + LINE / 2
    canvas.note(-GUTTER, middle, f"{bold('score')} {tinted(escape(scores[0]), palette.factual)}", at="left")
    for column, at in enumerate(band):
        text = bold(escape(scores[at + 1]))
        canvas.note(column + 0.5, middle, text, align="center", size=AXIS, color=palette.desired)
    return top + LINE + 2 * PAD


def _hover(title: str, step: Step) -> str:
    change = step.change
    values = f"{escape(change.old_text)} → {escape(change.new_text)}"
    return f"{bold(escape(title))}<br>{escape(change.title)}: {values}"
