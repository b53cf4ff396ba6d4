"""CounterShapley, SHAP and LIME side by side: one row a feature, one lane a view, one scale for all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from components.charts.canvas import DIM, Bar, Canvas, Frame
from components.charts.text import (
    AXIS,
    BODY,
    LINE,
    SELECTED_MARK,
    Standing,
    bold,
    escape,
    named,
    standing,
    tinted,
    width_of,
    wrap,
)
from components.palette import Palette
from explainers import wording
from explainers.attributions.comparison import Compared, Comparison

MOST_ROWS, MOST_CHANGES = 12, 25
GUTTER, AWAY = 190, 12
HEAD = 28
ROW_SPACE = 14
THICK = 14
LANE_GAP = 18
STAYS = "stays"


@dataclass(frozen=True)
class _Lane:
    """Where the bars of a view stand: their zero, their pixels a unit of score, where their numbers end."""

    zero: float
    scale: float
    end: float

    def at(self, value: float) -> float:
        return self.zero + self.scale * value


@dataclass(frozen=True)
class _Row:
    """One feature: its texts in lines, what every view says of it, and where it stands."""

    key: str
    name: tuple[str, ...]
    detail: tuple[str, ...]
    values: tuple[float | None, ...]
    texts: tuple[str, ...]
    top: float
    height: float
    standing: Standing

    @property
    def middle(self) -> float:
        return self.top + self.height / 2


def shown_rows(comparison: Comparison) -> tuple[Compared, ...]:
    """The changes, as far as a person can take them in, and as many of the other features as fit."""
    n_changes = sum(row.change is not None for row in comparison.rows)
    if len(comparison.rows) <= MOST_ROWS:
        return comparison.rows
    return comparison.rows[: min(max(n_changes, MOST_ROWS - 1), MOST_CHANGES)]


def attribution_chart(
    comparison: Comparison, palette: Palette, *, selected: frozenset[str] = frozenset(), width: int = 620
) -> go.Figure:
    """Draw the values of every view; the last row adds up the features that have no row of their own.

    Parameters
    ----------
    comparison : Comparison
    palette : Palette
    selected : frozenset of str
        Features whose changes are marked.
    width : int
        The narrowest width at which nothing is cut.
    """
    frame = Frame(left=GUTTER + AWAY, right=AWAY, width=width, start=0.0, end=float(width - GUTTER - 2 * AWAY))
    rows = _rows(comparison, selected)
    lanes = _lanes(comparison, rows, frame)
    canvas = Canvas(palette)
    for lane, view in zip(lanes, comparison.views, strict=True):
        canvas.note(lane.end, HEAD / 2, bold(escape(view)), align="right", size=BODY)
        canvas.line((lane.zero, HEAD), (lane.zero, rows[-1].top + rows[-1].height), palette.rule)
    for row in rows:
        canvas.hairline(row.top, frame, palette.grid)
        canvas.note(-frame.left, row.middle, _label(row, palette), at="left")
        for lane, value, text in zip(lanes, row.values, row.texts, strict=True):
            _draw_number(canvas, comparison, row, lane, value, text)
    _draw_bars(canvas, comparison, rows, lanes)
    return canvas.figure(frame, rows[-1].top + rows[-1].height)


def _rows(comparison: Comparison, selected: frozenset[str]) -> list[_Row]:
    compared = list(shown_rows(comparison))
    rest = comparison.rows[len(compared) :]
    told = [(row.feature.title, row.text, row.feature.name if row.change else "", row.values) for row in compared]
    if rest:
        told.append((f"{wording.count(len(rest), 'other')}, added up", "", "", _sums(rest)))
    printed = _texts(comparison, [values for *_, values in told])
    rows: list[_Row] = []
    top = float(HEAD)
    for (title, text, key, values), texts in zip(told, printed, strict=True):
        name = wrap(title, GUTTER, BODY, bold=True, indent=width_of(SELECTED_MARK, BODY, bold=True))
        detail = wrap(text, GUTTER, BODY) if text else ()
        height = LINE * (len(name) + len(detail)) + ROW_SPACE
        stands = standing([key] if key else [], selected)
        rows.append(_Row(key, name, detail, values, texts, top, height, stands))
        top += height
    return rows


def _sums(rest: Sequence[Compared]) -> tuple[float | None, ...]:
    columns = zip(*(row.values for row in rest), strict=True)
    return tuple(None if column[0] is None else math.fsum(v for v in column if v is not None) for column in columns)


def _texts(comparison: Comparison, rows: Sequence[tuple[float | None, ...]]) -> list[tuple[str, ...]]:
    """All values in one precision; a word where a view says nothing as the feature stays as it is."""
    known = iter(wording.signed_column([v for row in rows for v in row if v is not None], comparison.target))
    return [tuple(STAYS if value is None else next(known) for value in row) for row in rows]


def _lanes(comparison: Comparison, rows: Sequence[_Row], frame: Frame) -> list[_Lane]:
    """As wide as each other, with one scale, and a zero where the values of all views need it."""
    values = [value for row in rows for value in row.values if value is not None]
    low, high = min([0.0, *values]), max([0.0, *values])
    room = frame.end / len(comparison.views)
    texts = [text for row in rows for text in (*row.texts, STAYS)]
    numbers = max(width_of(text, BODY, bold=True) for text in texts) + 8
    bars = room - LANE_GAP - numbers
    scale = bars / ((high - low) or 1.0)
    return [
        _Lane(zero=place * room + LANE_GAP - low * scale, scale=scale, end=(place + 1) * room)
        for place in range(len(comparison.views))
    ]


def _label(row: _Row, palette: Palette) -> str:
    detail = [tinted(escape(line), palette.ink_secondary) for line in row.detail]
    return "<br>".join([named(row.name, palette, row.standing), *detail])


def _draw_number(
    canvas: Canvas, comparison: Comparison, row: _Row, lane: _Lane, value: float | None, text: str
) -> None:
    palette = canvas.palette
    if value is None or not value or row.standing is Standing.DIMMED:
        canvas.note(lane.end, row.middle, text, align="right", size=AXIS if value is None else BODY,
                    color=palette.ink_secondary)  # fmt: skip
        return
    color = palette.side(comparison.is_for(value))
    canvas.note(lane.end, row.middle, bold(text), align="right", color=color)


def _draw_bars(canvas: Canvas, comparison: Comparison, rows: Sequence[_Row], lanes: Sequence[_Lane]) -> None:
    """Bars from zero, the selected ones outlined; what stays as it is picks nothing."""
    palette = canvas.palette
    for stands in (Standing.DIMMED, Standing.NEUTRAL, Standing.SELECTED):
        for is_for in (False, True):
            bars = [
                Bar(lane.zero, lane.scale * value, row.middle, row.key, _hover(row, view, text))
                for row in rows
                if row.standing is stands
                for lane, view, value, text in zip(lanes, comparison.views, row.values, row.texts, strict=True)
                if value and comparison.is_for(value) is is_for
            ]
            outline = (palette.ink, 3.0) if stands is Standing.SELECTED else (palette.background, 0.0)
            canvas.bars(
                bars, THICK, palette.side(is_for), outline=outline, opacity=DIM if stands is Standing.DIMMED else 1.0,
                is_hatched=False,
            )  # fmt: skip


def _hover(row: _Row, view: str, text: str) -> str:
    return f"{bold(escape(' '.join(row.name)))}<br>{escape(view)}: {text}"
