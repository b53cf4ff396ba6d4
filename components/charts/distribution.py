"""How usual are the new values? Each changed feature's old and new value on the distribution of the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from components.charts.canvas import DIM, Bar, Canvas, Column, Dot, Frame
from components.charts.ladder import ELBOW, Rung, ladder
from components.charts.segments import SLIM, Segment, segments
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
RUNG, MOST_RUNGS = 18, 8
GAP = 2.0
MISSING_FROM = 0.88
"""Where the column of missing values begins, as a share of the plot."""


@dataclass(frozen=True)
class _NumberLine:
    """Where numbers stand across, those missing in a column of their own."""

    low: float
    high: float
    end: float

    @classmethod
    def of(cls, one: Usualness) -> _NumberLine:
        places = (one.old.value, one.new.value)
        with_missing = bool(one.n_missing) or any(map(math.isnan, places))
        known = [
            value for value in (*one.edges[:1].tolist(), *one.edges[-1:].tolist(), *places) if math.isfinite(value)
        ]
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        return cls(low, high, MISSING_FROM - 0.04 if with_missing else 1.0)

    @property
    def with_missing(self) -> bool:
        return self.end < 1.0

    def across(self, value: float) -> float:
        if math.isnan(value):
            return (MISSING_FROM + 1.0) / 2
        return self.end * min(max((value - self.low) / ((self.high - self.low) or 1.0), 0.0), 1.0)


@dataclass(frozen=True)
class _Pieces:
    """A bar cut by category; what is too slim to stand over its label has it on a ladder below."""

    cut: tuple[Segment, ...]
    direct: tuple[Segment, ...]
    laddered: tuple[Segment, ...]
    rungs: tuple[Rung, ...]

    @classmethod
    def of(cls, one: Usualness, frame: Frame, n_names: int, n_words: int) -> _Pieces:
        """The pieces and their labels, which may stand under the name and the words if these are so few lines."""

        def fits(piece: Segment) -> bool:
            return width_of(piece.label, AXIS) + 8 <= frame.scale * piece.length

        for slim in SLIM:
            cut = segments(one, frame, slim)
            laddered = tuple(piece for piece in cut if not fits(piece))
            if len(laddered) <= MOST_RUNGS:
                break
        direct = tuple(filter(fits, cut))
        middles = [frame.px(piece.middle) for piece in laddered]
        widths = [width_of(piece.label, AXIS) for piece in laddered]
        most = (THICK / 2 + RUNG * bool(direct)) / (LINE / 2)
        left = AWAY / 2 + GUTTER * (n_names <= most)
        right = AWAY / 2 + WORDS * (n_words <= most)
        return cls(tuple(cut), direct, laddered, ladder(middles, widths, -left, frame.plot_width + right))

    def lines(self, rung: Rung) -> tuple[str, ...]:
        """The label on a rung, in lines that fit."""
        return wrap(self.laddered[rung.position].label, max(rung.room, 1.0), AXIS)

    @property
    def height(self) -> float:
        """What the ladder takes under the labels that stand under their pieces."""
        taken = RUNG * sum(len(self.lines(rung)) for rung in self.rungs)
        return taken if self.direct else max(0.0, taken - RUNG)


@dataclass(frozen=True)
class _Row:
    """One feature: its texts, its top, where its bars stand, and how it stands to the selection.

    `old` and `new` are where the heads stand across; `is_close` says that they would touch.
    """

    one: Usualness
    name: tuple[str, ...]
    old_words: tuple[str, ...]
    new_words: tuple[str, ...]
    scale: _NumberLine | _Pieces
    old: float
    new: float
    is_close: bool
    top: float
    base: float
    height: float
    standing: Standing

    @property
    def key(self) -> str:
        return self.one.feature.name

    @property
    def opacity(self) -> float:
        return DIM if self.standing is Standing.DIMMED else 1.0


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
    rows = _rows(found, frame, selected)
    for row in rows:
        if row.top:
            canvas.hairline(row.top, frame, palette.grid)
        _draw_texts(canvas, frame, row)
        if isinstance(row.scale, _NumberLine):
            _draw_number(canvas, frame, row, row.scale)
        else:
            _draw_category(canvas, frame, row, row.scale)
        _draw_heads(canvas, row)
    return canvas.figure(frame, rows[-1].top + rows[-1].height)


def _rows(found: Sequence[Usualness], frame: Frame, selected: frozenset[str]) -> list[_Row]:
    rows: list[_Row] = []
    top = 0.0
    indent = width_of(SELECTED_MARK, LABEL, bold=True)
    for one in found:
        name = wrap(one.feature.title, GUTTER, LABEL, bold=True, indent=indent)
        words = [wrap(usual(one.feature, place), WORDS, BODY, bold=True) for place in (one.old, one.new)]
        spare = max(0.0, LINE * max(len(name), sum(map(len, words))) + 16 - PITCH)
        scale: _NumberLine | _Pieces
        if one.feature.is_number:
            scale, below = _NumberLine.of(one), 0.0
            old, new = scale.across(one.old.value), scale.across(one.new.value)
        else:
            scale = _Pieces.of(one, frame, len(name), sum(map(len, words)))
            middle = {piece.role: piece.middle for piece in scale.cut}
            old, new, below = middle["old"], middle["new"], scale.height
        is_close = abs(frame.px(new) - frame.px(old)) < HEAD + 3
        base = top + RAISED * is_close + spare / 2 + HEAD_ROOM + THICK
        height = PITCH + RAISED * is_close + spare + max(0.0, below - spare / 2)
        which = standing([one.feature.name], selected)
        rows.append(_Row(one, name, *words, scale, old, new, is_close, top, base, height, which))
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


def _draw_heads(canvas: Canvas, row: _Row) -> None:
    """Hollow the old value, filled the new one, an arrow between; the new one is higher where they would touch."""
    palette, one = canvas.palette, row.one
    y = row.base - THICK - HEAD_ROOM / 2
    ends = (
        (row.old, y, palette.factual, one.old, True),
        (row.new, y - RAISED * row.is_close, palette.desired, one.new, False),
    )
    for x, top, color, _, _ in ends:
        canvas.line((x, top + HEAD / 2), (x, row.base - 4), color, width=2, opacity=row.opacity, is_above=True)
    dots = [Dot(x, top, row.key, _hover(one, place), color, hollow) for x, top, color, place, hollow in ends]
    if row.standing is Standing.SELECTED:
        canvas.rings(dots, [HEAD + 10] * 2, 3, palette.ink)
    canvas.dots(dots, HEAD, row.opacity)
    if not row.is_close:
        canvas.arrow(row.old, row.new, y, palette.ink_secondary, standoff=HEAD / 2 + 2)


def _hover(one: Usualness, place: Place) -> str:
    which = "before" if place is one.old else "after"
    return f"{bold(escape(one.feature.title))} {which}<br>{escape(usual(one.feature, place))}"


def _draw_number(canvas: Canvas, frame: Frame, row: _Row, line: _NumberLine) -> None:
    """A histogram, with a column of its own for missing values where there are any."""
    one, palette, across = row.one, canvas.palette, line.across
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
    canvas.line((0.0, row.base), (line.end, row.base), palette.rule)
    if line.with_missing:
        canvas.line((MISSING_FROM, row.base), (1.0, row.base), palette.rule)
        _tick(canvas, (MISSING_FROM + 1.0) / 2, row.base, wording.MISSING, "center")
    if len(one.edges):
        _draw_ends(canvas, frame, row, across(float(one.edges[0])), across(float(one.edges[-1])))


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


def _draw_category(canvas: Canvas, frame: Frame, row: _Row, pieces: _Pieces) -> None:
    """One bar cut by share, in the schema's order, and what each piece is called."""
    palette, base = canvas.palette, row.base - 4
    looks = {
        "old": (palette.factual_tint, palette.factual),
        "new": (palette.desired_tint, palette.desired),
        "": (palette.background, palette.mute),
    }
    for role, (fill, outline) in looks.items():
        bars = [_segment_bar(row, segment, base, frame) for segment in pieces.cut if segment.role == role]
        canvas.bars(bars, THIN, fill, outline=(outline, 1.2), opacity=row.opacity, is_hatched=False)

    def color(segment: Segment) -> str:
        return looks[segment.role][1] if segment.role else palette.ink_secondary

    for segment in pieces.direct:
        canvas.note(segment.middle, base + 13, escape(segment.label), size=AXIS, align="center", color=color(segment))
    y = base + 13 + (RUNG if pieces.direct else 0)
    for rung in pieces.rungs:
        segment, lines = pieces.laddered[rung.position], pieces.lines(rung)
        toward, align = (-1, "right") if rung.runs_left else (1, "left")
        canvas.line((segment.middle, base + 2), (segment.middle, y), palette.mute)
        canvas.stub(segment.middle, y, 0, toward * ELBOW, palette.mute)
        text = "<br>".join(map(escape, lines))
        dx = toward * (ELBOW + 4)
        canvas.note(segment.middle, y - 9, text, size=AXIS, align=align, dx=dx, color=color(segment), hangs=True)
        y += RUNG * len(lines)


def _segment_bar(row: _Row, segment: Segment, base: float, frame: Frame) -> Bar:
    gap = min(GAP / frame.scale, segment.length / 4)
    hover = f"{bold(escape(segment.label))}<br>{wording.count(segment.n_rows, 'row')}"
    return Bar(segment.start + gap, segment.length - 2 * gap, base - THIN / 2, row.key, hover)


def _tick(canvas: Canvas, x: float, base: float, text: str, align: str) -> None:
    canvas.note(x, base + 12, escape(text), size=AXIS, align=align, color=canvas.palette.ink_secondary)
