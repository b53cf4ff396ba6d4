"""The score axis: its range, the sides' names above it, the threshold through it, few marks under it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from components.charts.canvas import Align, Canvas, Frame
from components.charts.text import AXIS, LABEL, bold, escape, width_of, wrap
from explainers import wording
from explainers.combinations import Combinations
from explainers.decision import Target
from explainers.results import Counterfactual, Importance

GUTTER = 200
FOOT = 30
WORD_LINE = 19
AWAY = 10
_OVERHANG = 8

Span = tuple[float, float]


def range_of(values: Sequence[float], importance: Importance) -> tuple[float, float]:
    """The range of scores that holds the values, and the bounds that are not far from them.

    Where a change pulls back there is room for the words behind it.
    """
    counterfactual = importance.counterfactual
    low, high = min(values), max(values)
    reach = (high - low) or abs(high) * 0.1 or 0.1
    near = [line for line in wording.lines(counterfactual.target) if low - reach <= line <= high + reach]
    start, end = min(low, *near, high), max(high, *near, low)
    room = (end - start) or reach
    sign = direction(counterfactual)
    pulls_back = bool((importance.values * sign < 0).any())
    before, after = (0.08, 0.25 if pulls_back else 0.10)[::sign]
    least, most = counterfactual.target.extent
    return max(start - before * room, min(start, least)), min(end + after * room, max(end, most))


def shared_score_range(coalitions: Combinations, importance: Importance) -> tuple[float, float]:
    """One range for Greedy and Constellation, so that every score stands on one line through both."""
    values = [float(coalitions.scores.min()), float(coalitions.scores.max()), *map(float, importance.path)]
    return range_of(values, importance)


def direction(counterfactual: Counterfactual) -> int:
    """1 where the desired side lies at higher scores than the case's, else -1."""
    return counterfactual.target.direction(counterfactual.factual_score)


def score_frame(counterfactual: Counterfactual, scores: tuple[float, float], width: int) -> Frame:
    """The plot beside a gutter and the two columns; the same for every chart of a counterfactual."""
    ends = (counterfactual.factual_score, counterfactual.score)
    score_texts = wording.scores(ends, counterfactual.target)
    step_texts = wording.signed_column([ends[1] - ends[0]], counterfactual.target)
    reserve = width_of("00", 14, bold=True)
    room = sum(max(width_of(text, 14, bold=True) for text in texts) + reserve for texts in (score_texts, step_texts))
    gutter = max(GUTTER, min(250, round(0.32 * width)))
    return Frame(left=gutter, right=round(room + 26), width=width, start=scores[0], end=scores[1])


def drawn_bounds(frame: Frame, target: Target) -> tuple[float, ...]:
    """The bounds of the decision that lie in the plot."""
    low, high = sorted((frame.start, frame.end))
    return tuple(line for line in wording.lines(target) if low <= line <= high)


@dataclass(frozen=True)
class Word:
    """The name of a side: lines, the pixel it is aligned to, and where its last line ends."""

    lines: tuple[str, ...]
    x: float
    align: Align
    is_desired: bool

    @property
    def span(self) -> Span:
        width = max(width_of(line, LABEL, bold=True) for line in self.lines)
        left = self.x - {"left": 0.0, "center": 0.5, "right": 1.0}[self.align] * width
        return left, left + width


@dataclass(frozen=True)
class Header:
    """What stands above the plot, in pixels from the top.

    Attributes
    ----------
    words : tuple of Word
    raised : tuple of Word
        Those on a row of their own above the others.
    raised_bottom, words_bottom, notes_y, line_top, height : float
        Ends of the rows of words, middle of the row of notes, top of the threshold,
        and of the plot.
    """

    words: tuple[Word, ...]
    raised: tuple[Word, ...]
    raised_bottom: float
    words_bottom: float
    notes_y: float
    line_top: float
    height: float


def plan_header(frame: Frame, target: Target, notes: Sequence[Span] = ()) -> Header:
    """Place the sides' names; the notes' row goes under them where both would touch."""
    words = _words(frame, target)
    raised = tuple(word for word in words if word.align == "center" and _is_crowded(word, frame, target))
    others = tuple(word for word in words if word not in raised)
    raised_bottom = 2.0 + WORD_LINE * max((len(word.lines) for word in raised), default=0)
    words_bottom = raised_bottom + WORD_LINE * max((len(word.lines) for word in others), default=1)
    touches = any(a < word.span[1] + AWAY and word.span[0] - AWAY < b for word in others for a, b in notes)
    row_bottom = words_bottom + WORD_LINE if touches else words_bottom
    height = row_bottom + 12
    return Header(
        words=others,
        raised=raised,
        raised_bottom=raised_bottom,
        words_bottom=words_bottom,
        notes_y=row_bottom - WORD_LINE / 2,
        line_top=words_bottom + 2 if touches else height - _OVERHANG,
        height=height,
    )


def _words(frame: Frame, target: Target) -> tuple[Word, ...]:
    bounds = drawn_bounds(frame, target)
    if not bounds:
        return ()
    if len(bounds) == 2:
        middle = (frame.px(bounds[0]) + frame.px(bounds[1])) / 2
        room = 2 * min(middle + frame.left, frame.plot_width + frame.right - middle)
        inner = Word(wrap(target.desired, room, LABEL, bold=True), middle, "center", True)
        return _left(frame, bounds[0], target.factual, False), inner, _right(frame, bounds[1], target.factual, False)
    is_low = bounds[0] == target.low
    sides = (target.factual, target.desired) if is_low else (target.desired, target.factual)
    return _left(frame, bounds[0], sides[0], not is_low), _right(frame, bounds[0], sides[1], is_low)


def _left(frame: Frame, bound: float, name: str, is_desired: bool) -> Word:
    x = frame.px(bound) - AWAY
    return Word(wrap(name, x + frame.left, LABEL, bold=True), x, "right", is_desired)


def _right(frame: Frame, bound: float, name: str, is_desired: bool) -> Word:
    x = frame.px(bound) + AWAY
    return Word(wrap(name, frame.plot_width + frame.right - x, LABEL, bold=True), x, "left", is_desired)


def _is_crowded(word: Word, frame: Frame, target: Target) -> bool:
    low, high = drawn_bounds(frame, target)
    return word.span[1] - word.span[0] > frame.px(high) - frame.px(low) - 2 * AWAY


def beside_bounds(frame: Frame, target: Target, score: float, width: float) -> tuple[float, Align, Span]:
    """Shift, alignment and span of a note over a score, moved off the bounds' lines."""
    x = frame.px(score)
    for bound in drawn_bounds(frame, target):
        line = frame.px(bound)
        if abs(x - line) < width / 2 + 6:
            if x < line:
                return line - 6 - x, "right", (line - 6 - width, line - 6)
            return line + 6 - x, "left", (line + 6, line + 6 + width)
    return 0.0, "center", (x - width / 2, x + width / 2)


def draw_axis(canvas: Canvas, frame: Frame, header: Header, target: Target, bottom: float) -> None:
    """Sides' names, threshold, axis line and marks of a plot that ends at `bottom`."""
    palette = canvas.palette
    canvas.line((frame.start, bottom), (frame.end, bottom), palette.rule)
    for words, words_bottom in ((header.raised, header.raised_bottom), (header.words, header.words_bottom)):
        for word in words:
            markup = "<br>".join(bold(escape(line)) for line in word.lines)
            middle = words_bottom - WORD_LINE * len(word.lines) / 2
            color = palette.side(word.is_desired)
            score = frame.start + word.x / frame.scale
            anchored = min(drawn_bounds(frame, target), key=lambda bound: abs(frame.px(bound) - word.x))
            if word.align == "center":
                canvas.note(score, middle, markup, size=LABEL, color=color, align="center")
            else:
                dx = word.x - frame.px(anchored)
                canvas.note(anchored, middle, markup, size=LABEL, color=color, align=word.align, dx=dx)
    spans = _draw_bounds(canvas, frame, header, target, bottom)
    _draw_ticks(canvas, frame, header, target, bottom, spans)


def _draw_bounds(canvas: Canvas, frame: Frame, header: Header, target: Target, bottom: float) -> list[Span]:
    """The thresholds' lines and numbers; returns the room that the numbers take."""
    ink = canvas.palette.ink
    bounds = drawn_bounds(frame, target)
    texts = [wording.threshold(bound, target) for bound in bounds]
    widths = [width_of(text, AXIS, bold=True) for text in texts]
    is_tight = len(bounds) == 2 and frame.px(bounds[1]) - frame.px(bounds[0]) < sum(widths) / 2 + 8
    aligns: tuple[Align, ...] = ("right", "left") if is_tight else ("center", "center")
    spans: list[Span] = []
    for bound, text, width, align in zip(bounds, texts, widths, aligns, strict=False):
        canvas.line((bound, header.line_top), (bound, bottom + 5), ink, width=1.5)
        canvas.note(bound, bottom + 16, bold(text), size=AXIS, align=align)
        left = frame.px(bound) - {"left": 0.0, "center": 0.5, "right": 1.0}[align] * width
        spans.append((left, left + width))
    return spans


def _draw_ticks(
    canvas: Canvas, frame: Frame, header: Header, target: Target, bottom: float, taken: Sequence[Span]
) -> None:
    step = _step(frame, target)
    first = math.ceil(frame.start / step - 1e-9)
    values = [i * step for i in range(first, math.floor(frame.end / step + 1e-9) + 1)]
    for value, text in zip(values, wording.ticks(values, step, target), strict=True):
        x = frame.px(value)
        half = width_of(text, AXIS) / 2
        if any(a - half - 8 < x < b + half + 8 for a, b in taken):
            continue
        canvas.line((value, header.height), (value, bottom), canvas.palette.grid)
        canvas.note(value, bottom + 16, text, size=AXIS, color=canvas.palette.ink_secondary, align="center")


def _step(frame: Frame, target: Target) -> float:
    """The smallest of 1, 2, 5 times a power of ten whose marks do not touch."""
    rough = (frame.end - frame.start) / 8
    power = 10.0 ** math.floor(math.log10(rough))
    steps = [factor * power * 10**more for more in (0, 1, 2) for factor in (1, 2, 5)]
    for step in steps:
        texts = wording.ticks([frame.start, frame.end], step, target)
        if step >= rough and step * frame.scale >= max(width_of(text, AXIS) for text in texts) + 20:
            return step
    return steps[-1]
