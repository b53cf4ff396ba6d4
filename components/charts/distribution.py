"""How usual are the new values? Each changed feature's old and new value on the distribution of the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from components.charts.canvas import DIM, Bar, Canvas, Column, Dot, Frame
from components.charts.segments import Segment, segments
from components.charts.text import (
    AXIS,
    BODY,
    LABEL,
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
from explainers.sentences_beside import usual
from explainers.usualness import Place, Usualness

GUTTER, WORDS, AWAY = 150, 178, 16
PITCH = 78
HEAD, HEAD_ROOM, RAISED = 12, 24, 13
THICK, THIN = 30, 26
GAP = 2.0
MISSING_FROM = 0.88
"""Where the column of missing values begins, as a share of the plot."""


@dataclass(frozen=True)
class _Row:
    """One feature: its texts, its top and its middle, and how it stands to the selection."""

    one: Usualness
    name: tuple[str, ...]
    old_words: tuple[str, ...]
    new_words: tuple[str, ...]
    top: float
    height: float
    standing: Standing

    @property
    def key(self) -> str:
        return self.one.feature.name

    @property
    def opacity(self) -> float:
        return DIM if self.standing is Standing.DIMMED else 1.0

    @property
    def base(self) -> float:
        """Where the bars stand."""
        return self.top + (self.height - PITCH) / 2 + HEAD_ROOM + THICK


def distribution_chart(
    found: Sequence[Usualness], palette: Palette, *, selected: frozenset[str] = frozenset(), width: int = 620
) -> go.Figure:
    """Draw one row a changed feature.

    Parameters
    ----------
    found : sequence of Usualness
        At least one.
    palette : Palette
    selected : frozenset of str
        Features whose changes are marked.
    width : int
        The narrowest width at which nothing is cut.
    """
    frame = Frame(left=GUTTER + AWAY, right=WORDS + AWAY, width=width, start=0.0, end=1.0)
    canvas = Canvas(palette)
    rows = _rows(found, selected)
    for row in rows:
        if row.top:
            canvas.hairline(row.top, frame, palette.grid)
        _draw_texts(canvas, frame, row)
        old, new = (_draw_number if row.one.feature.is_number else _draw_category)(canvas, frame, row)
        _draw_heads(canvas, frame, row, old, new)
    return canvas.figure(frame, rows[-1].top + rows[-1].height)


def _rows(found: Sequence[Usualness], selected: frozenset[str]) -> list[_Row]:
    rows: list[_Row] = []
    top = 0.0
    indent = width_of(SELECTED_MARK, LABEL, bold=True)
    for one in found:
        name = wrap(one.feature.title, GUTTER, LABEL, bold=True, indent=indent)
        old, new = (wrap(usual(one.feature, place), WORDS, BODY, bold=True) for place in (one.old, one.new))
        height = max(PITCH, LINE * max(len(name), len(old) + len(new)) + 16)
        rows.append(_Row(one, name, old, new, top, height, standing([one.feature.name], selected)))
        top += height
    return rows


def _draw_texts(canvas: Canvas, frame: Frame, row: _Row) -> None:
    palette, middle = canvas.palette, row.base - THICK / 2
    canvas.note(-frame.left, middle, named(row.name, palette, row.standing), at="left", size=LABEL)
    is_dimmed = row.standing is Standing.DIMMED
    words = [
        tinted(text if is_dimmed else bold(text), color)
        for lines, color in ((row.old_words, palette.factual), (row.new_words, palette.desired))
        for text in map(escape, lines)
    ]
    canvas.note(AWAY, middle, "<br>".join(words), at="right")


def _draw_heads(canvas: Canvas, frame: Frame, row: _Row, old: float, new: float) -> None:
    """Hollow the old value, filled the new one, an arrow between; the new one is higher where they would touch."""
    palette, one = canvas.palette, row.one
    y = row.base - THICK - HEAD_ROOM / 2
    is_close = abs(frame.px(new) - frame.px(old)) < HEAD + 3
    ends = ((old, y, palette.factual, one.old, True), (new, y - RAISED * is_close, palette.desired, one.new, False))
    for x, top, color, _, _ in ends:
        canvas.line((x, top + HEAD / 2), (x, row.base - 4), color, width=2, opacity=row.opacity, is_above=True)
    dots = [Dot(x, top, row.key, _hover(one, place), color, hollow) for x, top, color, place, hollow in ends]
    if row.standing is Standing.SELECTED:
        canvas.rings(dots, [HEAD + 10] * 2, 3, palette.ink)
    canvas.dots(dots, HEAD, row.opacity)
    if not is_close:
        canvas.arrow(old, new, y, palette.ink_secondary, standoff=HEAD / 2 + 2)


def _hover(one: Usualness, place: Place) -> str:
    which = "before" if place is one.old else "after"
    return f"{bold(escape(one.feature.title))} {which}<br>{escape(usual(one.feature, place))}"


def _draw_number(canvas: Canvas, frame: Frame, row: _Row) -> tuple[float, float]:
    """A histogram, with a column of its own for missing values where there are any; gives where the heads stand."""
    one, palette = row.one, canvas.palette
    places = (one.old.value, one.new.value)
    with_missing = bool(one.n_missing) or any(map(math.isnan, places))
    known = [value for value in (*one.edges[:1].tolist(), *one.edges[-1:].tolist(), *places) if math.isfinite(value)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    end = MISSING_FROM - 0.04 if with_missing else 1.0

    def across(value: float) -> float:
        if math.isnan(value):
            return (MISSING_FROM + 1.0) / 2
        return end * min(max((value - low) / ((high - low) or 1.0), 0.0), 1.0)

    width = across(float(one.edges[1])) - across(float(one.edges[0])) if len(one.edges) else 0.0
    hair = min(0.5 / frame.scale, width / 4)
    most = max([*one.counts.tolist(), one.n_missing, 1])
    columns = [
        _column(row, across(start) + hair, across(stop) - hair, count, most, _bin_text(one, start, stop))
        for start, stop, count in zip(one.edges[:-1].tolist(), one.edges[1:].tolist(), one.counts.tolist(), strict=True)
        if count
    ]
    if one.n_missing:
        columns.append(_column(row, MISSING_FROM, 1.0, one.n_missing, most, wording.MISSING))
    canvas.columns(columns, palette.mute, row.opacity)
    canvas.line((0.0, row.base), (end, row.base), palette.rule)
    if with_missing:
        canvas.line((MISSING_FROM, row.base), (1.0, row.base), palette.rule)
        _tick(canvas, (MISSING_FROM + 1.0) / 2, row.base, wording.MISSING, "center")
    if len(one.edges):
        _draw_ends(canvas, frame, row, across(float(one.edges[0])), across(float(one.edges[-1])))
    return across(places[0]), across(places[1])


def _column(row: _Row, start: float, end: float, count: int, most: int, text: str) -> Column:
    title = bold(escape(row.one.feature.title))
    hover = f"{title}<br>{escape(text)}: {wording.count(count, 'row')}"
    return Column(start, end, row.base, max(1.5, THICK * count / most), row.key, hover)


def _bin_text(one: Usualness, start: float, stop: float) -> str:
    is_one_value = math.isclose(stop - start, 10.0**-one.feature.decimals, rel_tol=1e-6)
    text = wording.value(one.feature, (start + stop) / 2)
    return text if is_one_value else f"about {text}"


def _draw_ends(canvas: Canvas, frame: Frame, row: _Row, start: float, end: float) -> None:
    """The smallest and the largest number under their bins; as one text where they would touch."""
    one = row.one
    low, high = wording.value(one.feature, one.low), wording.value(one.feature, one.high, unit=False)
    room = frame.px(end) - frame.px(start)
    if one.low == one.high:
        _tick(canvas, (start + end) / 2, row.base, low, "center")
    elif width_of(low, AXIS) + width_of(high, AXIS) + 10 <= room:
        _tick(canvas, start, row.base, low, "left")
        _tick(canvas, end, row.base, high, "right")
    else:
        both = f"{wording.value(one.feature, one.low, unit=False)} to {wording.value(one.feature, one.high)}"
        half = width_of(both, AXIS) / 2 / frame.scale
        _tick(canvas, min(max((start + end) / 2, half), 1.0 - half), row.base, both, "center")


def _draw_category(canvas: Canvas, frame: Frame, row: _Row) -> tuple[float, float]:
    """One bar cut by share, in the schema's order; gives where the heads stand."""
    palette, base = canvas.palette, row.base - 4
    cut = segments(row.one, frame)
    looks = {
        "old": (palette.factual_tint, palette.factual),
        "new": (palette.desired_tint, palette.desired),
        "": (palette.background, palette.mute),
    }
    for role, (fill, outline) in looks.items():
        bars = [_segment_bar(row, segment, base, frame) for segment in cut if segment.role == role]
        canvas.bars(bars, THIN, fill, outline=(outline, 1.2), opacity=row.opacity, is_hatched=False)
    for segment in cut:
        if width_of(segment.label, AXIS) + 8 <= frame.scale * segment.length:
            color = looks[segment.role][1] if segment.role else palette.ink_secondary
            canvas.note(segment.middle, base + 13, escape(segment.label), size=AXIS, align="center", color=color)
    middle = {segment.role: segment.middle for segment in cut}
    return middle["old"], middle["new"]


def _segment_bar(row: _Row, segment: Segment, base: float, frame: Frame) -> Bar:
    gap = min(GAP / frame.scale, segment.length / 4)
    hover = f"{bold(escape(segment.label))}<br>{wording.count(segment.n_rows, 'row')}"
    return Bar(segment.start + gap, segment.length - 2 * gap, base - THIN / 2, row.key, hover)


def _tick(canvas: Canvas, x: float, base: float, text: str, align: str) -> None:
    canvas.note(x, base + 12, escape(text), size=AXIS, align=align, color=canvas.palette.ink_secondary)
