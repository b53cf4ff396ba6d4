"""Which change comes first, and where does it flip? A walk from the case up to its counterfactual."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from components.charts.axis import (
    FOOT,
    Header,
    Span,
    direction,
    draw_axis,
    drawn_bounds,
    plan_header,
    range_of,
    score_frame,
)
from components.charts.canvas import DIM, Align, Canvas, Dot, Frame
from components.charts.text import AXIS, BODY, LABEL, Label, Standing, bold, escape, label, standing, width_of, wrap
from components.palette import Palette
from explainers import wording
from explainers.results import FeatureChange, Importance

AS_IT_IS = "As it is"
PULLS_BACK = "pulls back"
GOES_PAST = "goes past"
MOST_STEPS = 25
"""So many rows at most; of more steps some go together, and the table has all."""
_PITCH = 46
_NUMBER_ROOM = 22
_DOT = 14


@dataclass(frozen=True)
class _Step:
    """A row: one change of the walk, or some that go together, from one score to the next, at a height."""

    first: int
    changes: tuple[FeatureChange, ...]
    label: Label
    y: float
    bottom: float
    start: float
    end: float
    flips_before: bool
    flips: bool
    standing: Standing
    size_text: str
    score_text: str
    is_backward: bool

    @property
    def number(self) -> str:
        """Which step it is; nothing where several go together."""
        return wording.number(self.first + 1, 0) if len(self.changes) == 1 else ""

    @property
    def key(self) -> str:
        return self.changes[0].feature if len(self.changes) == 1 else ""

    @property
    def opacity(self) -> float:
        return DIM if self.standing is Standing.DIMMED else 1.0


def greedy_chart(
    importance: Importance,
    palette: Palette,
    *,
    selected: frozenset[str] = frozenset(),
    score_range: tuple[float, float] | None = None,
    width: int = 620,
) -> go.Figure:
    """Draw the walk of Greedy, its first step lowest.

    Parameters
    ----------
    importance : Importance
        Of Greedy: `order` is the walk, `path` its scores.
    palette : Palette
    selected : frozenset of str
        Features whose changes are marked.
    score_range : (float, float), optional
        Scores at the plot's edges, where another chart shares them.
    width : int
        The narrowest width at which nothing is cut.
    """
    target = importance.counterfactual.target
    frame = score_frame(importance.counterfactual, score_range or _own_range(importance), width)
    runs = _runs(importance)
    path = [float(importance.path[k]) for k in (0, *(run.stop for run in runs))]
    scores = wording.scores(path, target)
    sizes = wording.signed_column(np.diff(path), target)
    columns = _Columns.of(frame, sizes, scores)
    header = plan_header(frame, target, columns.head_spans(frame))
    steps, lowest, bottom = _rows(importance, runs, frame, header, selected, sizes, scores)
    canvas = Canvas(palette)
    draw_axis(canvas, frame, header, target, bottom)
    columns.draw_heads(canvas, header.notes_y)
    _draw_ends(canvas, importance, frame, lowest, steps[-1].y if steps else lowest, bottom, scores[0])
    below = lowest
    for step in steps:
        _draw_row(canvas, frame, columns, step)
        _draw_run(
            canvas, frame, columns, drawn_bounds(frame, target), step, below, direction(importance.counterfactual)
        )
        below = step.y
    _draw_dots(canvas, importance, steps, lowest, scores[0])
    return canvas.figure(frame, bottom + FOOT)


def _own_range(importance: Importance) -> tuple[float, float]:
    return range_of([float(score) for score in importance.path], importance)


def _runs(importance: Importance) -> list[range]:
    """The steps of each row, from 0: beyond `MOST_STEPS` the first ones and that which flips have their own."""
    n = len(importance.order)
    if n <= MOST_STEPS:
        return [range(k, k + 1) for k in range(n)]
    flips = next((k for k in range(n) if importance.path_flips[k + 1]), n - 1)
    alone = MOST_STEPS - 1 if flips < MOST_STEPS - 1 else MOST_STEPS - 3
    runs = [range(k, k + 1) for k in range(alone)]
    if flips < alone:
        return [*runs, range(alone, n)]
    rest = (range(alone, flips), range(flips, flips + 1), range(flips + 1, n))
    return [*runs, *(run for run in rest if run)]


@dataclass(frozen=True)
class _Columns:
    """Steps and scores at the right; one under the other where the room is too small for two columns."""

    step_end: float
    score_end: float
    step_dy: float
    score_dy: float
    width: float

    @classmethod
    def of(cls, frame: Frame, sizes: tuple[str, ...], scores: tuple[str, ...]) -> _Columns:
        score_width = max(width_of(text, BODY, bold=True) for text in (*scores, "score"))
        step_width = max(width_of(text, BODY) for text in (*sizes, "step"))
        both = score_width + 14 + step_width
        if both + 8 <= frame.right:
            return cls(frame.right - score_width - 14, frame.right, 0, 0, both)
        return cls(frame.right, frame.right, 9, -9, max(score_width, step_width))

    def head_spans(self, frame: Frame) -> list[Span]:
        end = frame.plot_width + frame.right
        return [(end - self.width, end)]

    def draw_heads(self, canvas: Canvas, y: float) -> None:
        quiet = canvas.palette.ink_secondary
        if self.step_dy:
            canvas.note(self.score_end, y, "score, step", at="right", align="right", size=AXIS, color=quiet)
            return
        canvas.note(self.step_end, y, "step", at="right", align="right", size=AXIS, color=quiet)
        canvas.note(self.score_end, y, "score", at="right", align="right", size=AXIS, color=quiet)


def _rows(
    importance: Importance,
    runs: list[range],
    frame: Frame,
    header: Header,
    selected: frozenset[str],
    sizes: tuple[str, ...],
    scores: tuple[str, ...],
) -> tuple[list[_Step], float, float]:
    """The steps from the first on, the height of the case's own row, and where the plot ends."""
    counterfactual = importance.counterfactual
    nearness = counterfactual.target.nearness(importance.path)
    made = [counterfactual.changes[i] for i in importance.order]
    changes = [tuple(made[k] for k in run) for run in runs]
    labels = [_label(run, some, frame.left - _NUMBER_ROOM - 14) for run, some in zip(runs, changes, strict=True)]
    heights = [max(_PITCH, one.height + 12) for one in labels]
    steps = []
    for k, (some, run) in enumerate(zip(changes, runs, strict=True)):
        start, end = float(importance.path[run.start]), float(importance.path[run.stop])
        top = header.height + sum(heights[k + 1 :])
        steps.append(
            _Step(
                first=run.start,
                changes=some,
                label=labels[k],
                y=top + heights[k] / 2,
                bottom=top + heights[k],
                start=start,
                end=end,
                flips_before=bool(importance.path_flips[run.start]),
                flips=bool(importance.path_flips[run.stop]),
                standing=standing([change.feature for change in some], selected),
                size_text=sizes[k],
                score_text=scores[k + 1],
                is_backward=bool(nearness[run.stop] < nearness[run.start]),
            )
        )
    lowest = header.height + sum(heights)
    return steps, lowest + _PITCH / 2, lowest + _PITCH


def _label(run: range, changes: tuple[FeatureChange, ...], room: float) -> Label:
    """The label of a change or, where several go together, how many they are and which steps."""
    if len(changes) == 1:
        return label(changes[0], room)
    steps = f"steps {wording.number(run.start + 1, 0)} to {wording.number(run.stop, 0)}, each in the table"
    return Label(wrap(f"and {wording.number(len(run), 0)} more", room, BODY, bold=True), wrap(steps, room, BODY))


def _draw_ends(
    canvas: Canvas, importance: Importance, frame: Frame, lowest: float, highest: float, bottom: float, score_text: str
) -> None:
    """The case's own row, and dashed verticals down to the axis from both ends of the walk."""
    palette = canvas.palette
    color = palette.side(bool(importance.path_flips[0]))
    canvas.note(-frame.left, lowest, bold(AS_IT_IS), at="left")
    canvas.note(frame.right, lowest, bold(score_text), at="right", align="right", color=color)
    for score, y, flips in (
        (importance.path[0], lowest, importance.path_flips[0]),
        (importance.path[-1], highest, importance.path_flips[-1]),
    ):
        canvas.line((float(score), y), (float(score), bottom), palette.side(bool(flips)), dash="2px,3px")


def _draw_row(canvas: Canvas, frame: Frame, columns: _Columns, step: _Step) -> None:
    palette = canvas.palette
    canvas.hairline(step.bottom, frame, palette.grid)
    canvas.note(-frame.left, step.y, step.number, at="left", size=LABEL, color=palette.ink_secondary)
    canvas.note(_NUMBER_ROOM - frame.left, step.y, step.label.markup(palette, step.standing), at="left")
    is_dimmed = step.standing is Standing.DIMMED
    score_text = step.score_text if is_dimmed else bold(step.score_text)
    canvas.note(
        columns.score_end,
        step.y + columns.score_dy,
        score_text,
        at="right",
        align="right",
        color=palette.side(step.flips),
    )
    size_color = palette.factual if step.is_backward else palette.ink_secondary
    canvas.note(columns.step_end, step.y + columns.step_dy, step.size_text, at="right", align="right", color=size_color)


def _draw_run(
    canvas: Canvas,
    frame: Frame,
    columns: _Columns,
    bounds: tuple[float, ...],
    step: _Step,
    below: float,
    sign: int,
) -> None:
    """A dotted lift, then a run whose length is the importance, in the colours of the sides it lies on."""
    palette = canvas.palette
    canvas.line((step.start, below - 9), (step.start, step.y), palette.mute, width=1.5, dash="dot")
    if step.is_backward:
        ends = (step.start, step.y), (step.end, step.y)
        canvas.line(*ends, palette.factual, width=4, dash="3px,3px", opacity=step.opacity)
        _draw_back(canvas, frame, columns, bounds, step, sign)
        return
    for start, end, is_desired in _pieces(step, bounds):
        canvas.line((start, step.y), (end, step.y), palette.side(is_desired), width=4, opacity=step.opacity)


def _pieces(step: _Step, bounds: tuple[float, ...]) -> list[tuple[float, float, bool]]:
    """A run cut at the bounds it crosses, each piece with its side."""
    low, high = sorted((step.start, step.end))
    cuts = sorted((bound for bound in bounds if low < bound < high), reverse=step.start > step.end)
    points = [step.start, *cuts, step.end]
    if len(points) == 2:
        starts_at_bound = any(abs(bound - step.start) < abs(bound - step.end) for bound in bounds)
        return [(step.start, step.end, step.flips if starts_at_bound else step.flips_before)]
    sides = [step.flips_before, *[True] * (len(points) - 3), step.flips]
    return list(zip(points[:-1], points[1:], sides, strict=True))


def _draw_back(
    canvas: Canvas, frame: Frame, columns: _Columns, bounds: tuple[float, ...], step: _Step, sign: int
) -> None:
    """Words behind the start of a backward step; only the arrow where they would cross a line."""
    behind = 1 if step.start > step.end else -1
    words = PULLS_BACK if behind == sign else GOES_PAST
    width = width_of(f"◄ {words}", AXIS) + 12
    start = frame.px(step.start)
    room = frame.plot_width + frame.right - columns.width - start if behind > 0 else start
    lines = [abs(frame.px(bound) - start) for bound in bounds if (bound - step.start) * behind > 0]
    words = words if min(room, *lines, room) >= width else ""
    text = f"◄ {words}" if behind > 0 else f"{words} ►"
    align: Align = "left" if behind > 0 else "right"
    canvas.note(step.start, step.y, text.strip(), size=AXIS, color=canvas.palette.factual, align=align, dx=8 * behind)


def _draw_dots(canvas: Canvas, importance: Importance, steps: list[_Step], lowest: float, score_text: str) -> None:
    palette = canvas.palette
    first = Dot(
        x=float(importance.path[0]),
        y=lowest,
        key="",
        hover=f"{bold(AS_IT_IS)}<br>{score_text}",
        color=palette.side(bool(importance.path_flips[0])),
        is_hollow=True,
    )
    dots = [_dot(step, palette) for step in steps]
    chosen = [dot for step, dot in zip(steps, dots, strict=True) if step.standing is Standing.SELECTED]
    dimmed = [dot for step, dot in zip(steps, dots, strict=True) if step.standing is Standing.DIMMED]
    canvas.rings(chosen, [_DOT + 10] * len(chosen), 3, palette.ink)
    canvas.dots(dimmed, _DOT, DIM)
    lit = [dot for step, dot in zip(steps, dots, strict=True) if step.standing is not Standing.DIMMED]
    canvas.dots([first, *lit], _DOT)


def _dot(step: _Step, palette: Palette) -> Dot:
    verdict = wording.verdict(step.flips)
    name = bold("<br>".join(escape(line) for line in step.label.name))
    changed = "".join(f"<br>{escape(line)}" for line in step.label.detail)
    return Dot(
        x=step.end,
        y=step.y,
        key=step.key,
        hover=f"{name}{changed}<br>{step.size_text} to {step.score_text}, {verdict}",
        color=palette.side(step.flips),
    )
