"""Which simple rule holds around this case? Bars from the base value to the explained one."""

from __future__ import annotations

import math
from dataclasses import dataclass

import plotly.graph_objects as go

from components.charts.canvas import Bar, Canvas, Column, Dot, Frame
from components.charts.text import AXIS, BODY, LINE, bold, escape, tinted, width_of, wrap
from components.palette import Palette
from explainers import sentences_equation, wording
from explainers.schema import Schema
from explainers.surrogates.equation import Equation, LocalEquations, Term

MOST_UPRIGHT = 8
PLOT, TOP, PITCH = 250, 24, 46
BASE = "base value"
_BAR = 0.6
_DIAMOND = 15
_APART = 38
_NOTHING = 1e-12


@dataclass(frozen=True)
class _Step:
    """One bar: from where the last ended, by its contribution."""

    term: Term
    start: float
    text: str

    @property
    def end(self) -> float:
        return self.start + self.term.contribution


@dataclass(frozen=True)
class _Plan:
    """The bars in their order, and what doesn't count here."""

    equation: Equation
    found: LocalEquations
    schema: Schema
    steps: tuple[_Step, ...]
    without_effect: tuple[Term, ...]
    end_name: str

    @property
    def range(self) -> tuple[float, float]:
        """Values from the lowest to the highest, with some room."""
        values = [self.equation.intercept, self.found.label, *(step.end for step in self.steps)]
        low, high = min(values), max(values)
        room = (high - low) or abs(high) * 0.1 or 1.0
        return low - 0.14 * room, high + 0.14 * room

    def names(self, step: _Step, room: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Name and value of a term, wrapped."""
        term = step.term
        own = wording.value(self.schema[term.feature], term.raw)
        details = [own, sentences_equation.side_of_mean(term)]
        lines = [line for text in details if text for line in wrap(text, room, AXIS)]
        return wrap(term.title, room, BODY, bold=True), tuple(lines)

    def hover(self, step: _Step) -> str:
        lines = sentences_equation.hover(step.term, self.found, self.schema)
        title = bold(escape(sentences_equation.term_title(step.term)))
        return "<br>".join([title, *map(escape, lines)])

    def is_towards(self, step: _Step) -> bool:
        return sentences_equation.is_towards(step.term.contribution, self.found.target)


def bella_chart(
    found: LocalEquations, place: int, schema: Schema, palette: Palette, *, end_name: str, width: int = 620
) -> go.Figure:
    """Draw the equation of one neighbourhood: rising contributions first, then falling ones.

    Upright up to eight terms whose names fit under their bars, else lying down, a row each.

    Parameters
    ----------
    found : LocalEquations
    place : int
        Of the neighbourhood.
    schema : Schema
    palette : Palette
    end_name : str
        Whose value the explained one is beside.
    width : int
        The narrowest width at which nothing is cut.
    """
    plan = _plan(found, place, schema, end_name)
    canvas = Canvas(palette)
    right = round(max(width_of(text, AXIS) for text in (end_name, "explained value")) + 62)
    frame = Frame(left=64, right=right, width=width, start=-0.5, end=len(plan.steps) + 1.2)
    is_upright = len(plan.steps) <= MOST_UPRIGHT and _fits(plan, frame)
    return _upright(canvas, plan, frame) if is_upright else _lying(canvas, plan, width)


def _plan(found: LocalEquations, place: int, schema: Schema, end_name: str) -> _Plan:
    equation = found.equation(place)
    counting = [term for term in equation.terms if abs(term.contribution) > _NOTHING]
    ordered = sorted(counting, key=lambda term: (term.contribution < 0, -abs(term.contribution)))
    texts = wording.signed_column([term.contribution for term in ordered], found.target)
    steps: list[_Step] = []
    at = equation.intercept
    for term, text in zip(ordered, texts, strict=True):
        steps.append(_Step(term, at, text))
        at = steps[-1].end
    silent = tuple(term for term in equation.terms if term not in counting)
    return _Plan(equation, found, schema, tuple(steps), silent, end_name)


def _fits(plan: _Plan, frame: Frame) -> bool:
    """Whether no word of a label is wider than its bar's place."""
    words = [word for step in plan.steps for word in step.term.title.split()]
    values = [wording.value(plan.schema[step.term.feature], step.term.raw) for step in plan.steps]
    widths = [width_of(word, BODY, bold=True) for word in [*words, "base"]]
    widths += [width_of(word, AXIS) for text in values for word in text.split(" ")]
    return max(widths) <= frame.scale - 8


def _upright(canvas: Canvas, plan: _Plan, frame: Frame) -> go.Figure:
    low, high = plan.range
    bottom = TOP + PLOT

    def y(value: float) -> float:
        return TOP + PLOT * (high - value) / (high - low)

    palette = canvas.palette
    for value, text in _ticks(plan, low, high):
        canvas.line((frame.start, y(value)), (frame.end, y(value)), palette.grid)
        canvas.note(-10, y(value), text, at="left", align="right", size=AXIS, color=palette.ink_secondary)
    canvas.line((frame.start, bottom), (frame.end, bottom), palette.rule)
    half = _BAR / 2
    base = plan.equation.intercept
    (base_text,) = wording.scores([base], plan.found.target)
    canvas.line((-half, y(base)), (half, y(base)), palette.ink, width=5, is_above=True)
    canvas.note(0, y(base) - 15, bold(base_text), align="center")
    for at, step in enumerate(plan.steps, 1):
        canvas.line((at - 1 + half, y(step.start)), (at - half, y(step.start)), palette.mute, width=1.5, dash="dot")
        is_desired = plan.is_towards(step)
        top, foot = sorted((y(step.start), y(step.end)))
        column = Column(at - half, at + half, foot, max(foot - top, 1.0), step.term.feature, plan.hover(step))
        canvas.columns([column], palette.side(is_desired), 1.0, is_hatched=not is_desired)
        beside = top - 12 if step.term.contribution > 0 else foot + 13
        canvas.note(at, beside, bold(step.text), align="center", color=palette.side(is_desired))
    end = len(plan.steps) + 0.6
    explained = plan.equation.explained
    canvas.line((len(plan.steps) + half, y(explained)), (end - 0.12, y(explained)), palette.mute, width=1.5, dash="dot")
    canvas.line((end - 0.12, y(explained)), (end + 0.12, y(explained)), palette.ink, width=5, is_above=True)
    _draw_ends(canvas, plan, frame, end, y(explained), y(plan.found.label))
    deepest = _draw_names(canvas, plan, frame, bottom + 10)
    return canvas.figure(frame, _draw_silent(canvas, plan, frame, deepest) + 4)


def _draw_ends(canvas: Canvas, plan: _Plan, frame: Frame, end: float, explained_y: float, label_y: float) -> None:
    """The explained value and the model's, their labels pushed apart and tied to their marks."""
    palette = canvas.palette
    texts = wording.scores([plan.equation.explained, plan.found.label], plan.found.target)
    diamond = Dot(end + 0.3, label_y, "", f"{escape(plan.end_name)}<br>{texts[1]}", palette.ink, is_hollow=True)
    canvas.dots([diamond], _DIAMOND, symbol="diamond")
    middle = (explained_y + label_y) / 2
    apart = max(_APART, abs(label_y - explained_y))
    sign = 1 if label_y >= explained_y else -1
    places = (middle - sign * apart / 2, middle + sign * apart / 2)
    for text, name, mark, place in zip(
        texts, ("explained value", plan.end_name), (explained_y, label_y), places, strict=True
    ):
        start = end + (0.12 if mark == explained_y and name == "explained value" else 0.2)
        canvas.line((start, mark), (frame.end, place), palette.mute)
        markup = f"{bold(text)}<br>{tinted(escape(name), palette.ink_secondary, AXIS)}"
        canvas.note(6, place, markup, at="right")


def _draw_names(canvas: Canvas, plan: _Plan, frame: Frame, y: float) -> float:
    palette, room = canvas.palette, frame.scale - 8
    labels = [(wrap(BASE, room, BODY, bold=True), wrap("all at their mean", room, AXIS))]
    labels += [plan.names(step, room) for step in plan.steps]
    for at, (name, detail) in enumerate(labels):
        lines = [bold(escape(line)) for line in name]
        lines += [tinted(escape(line), palette.ink_secondary, AXIS) for line in detail]
        canvas.note(at, y, "<br>".join(lines), align="center", hangs=True)
    return y + LINE * max(len(name) + len(detail) for name, detail in labels) + 8


def _lying(canvas: Canvas, plan: _Plan, width: int) -> go.Figure:
    """The same in rows, which long names and many terms fit."""
    palette = canvas.palette
    low, high = plan.range
    gutter = 190
    frame = Frame(left=gutter, right=84, width=width, start=low, end=high)
    top = 8.0
    rows: list[tuple[float, str, str]] = []
    base, explained, label = wording.scores(
        [plan.equation.intercept, plan.equation.explained, plan.found.label], plan.found.target
    )
    y = top + PITCH / 2
    canvas.note(-gutter, y, f"{bold(BASE)}<br>{tinted('all at their mean', palette.ink_secondary, AXIS)}", at="left")
    canvas.line((plan.equation.intercept, y - 13), (plan.equation.intercept, y + 13), palette.ink, width=4)
    rows.append((y, base, palette.ink))
    at = top + PITCH
    for step in plan.steps:
        name, detail = plan.names(step, gutter - 14)
        height = max(PITCH, LINE * (len(name) + len(detail)) + 12)
        middle = at + height / 2
        canvas.hairline(at, frame, palette.grid)
        canvas.line((step.start, y), (step.start, middle), palette.mute, width=1.5, dash="dot")
        is_desired = plan.is_towards(step)
        color = palette.side(is_desired)
        bar = Bar(step.start, step.term.contribution, middle, step.term.feature, plan.hover(step))
        outline = (palette.background, 0.0) if is_desired else (color, 1.5)
        canvas.bars([bar], 24, color, outline=outline, opacity=1.0, is_hatched=not is_desired)
        lines = [bold(escape(line)) for line in name]
        lines += [tinted(escape(line), palette.ink_secondary, AXIS) for line in detail]
        canvas.note(-gutter, middle, "<br>".join(lines), at="left")
        rows.append((middle, step.text, color))
        y, at = middle, at + height
    canvas.hairline(at, frame, palette.grid)
    middle = at + PITCH / 2
    value = plan.equation.explained
    canvas.line((value, y), (value, middle + 13), palette.mute, width=1.5, dash="dot")
    canvas.line((value, middle - 13), (value, middle + 13), palette.ink, width=4)
    canvas.note(-gutter, middle, bold("explained value"), at="left")
    rows.append((middle, explained, palette.ink))
    at += PITCH
    canvas.hairline(at, frame, palette.grid)
    dot = Dot(plan.found.label, at + PITCH / 2, "", f"{escape(plan.end_name)}<br>{label}", palette.ink, is_hollow=True)
    canvas.dots([dot], _DIAMOND, symbol="diamond")
    canvas.note(-gutter, at + PITCH / 2, bold(escape(plan.end_name)), at="left")
    rows.append((at + PITCH / 2, label, palette.ink))
    for row, text, color in rows:
        canvas.note(frame.right, row, bold(text), at="right", align="right", color=color)
    return canvas.figure(frame, _draw_silent(canvas, plan, frame, at + PITCH) + 4)


def _draw_silent(canvas: Canvas, plan: _Plan, frame: Frame, y: float) -> float:
    """Terms that count nothing here have no bar; they are named under the others."""
    if not plan.without_effect:
        return y
    names = sentences_equation.titles(plan.without_effect)
    lines = wrap(f"In the rule, but without effect here: {names}", frame.width - 8, AXIS)
    text = "<br>".join(map(escape, lines))
    canvas.note(-frame.left, y + 4, text, at="left", size=AXIS, color=canvas.palette.ink_secondary, hangs=True)
    return y + 8 + LINE * len(lines)


def _ticks(plan: _Plan, low: float, high: float) -> list[tuple[float, str]]:
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    values = [i * step for i in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return list(zip(values, wording.ticks(values, step, plan.found.target), strict=True))
