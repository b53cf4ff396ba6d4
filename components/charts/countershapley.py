"""How much does each change count? One strip from the case to its counterfactual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from components.charts.axis import direction
from components.charts.canvas import DIM, Align, Bar, Canvas, Frame
from components.charts.ladder import ELBOW, ladder
from components.charts.text import (
    AXIS,
    BODY,
    LABEL,
    LINE,
    SELECTED_MARK,
    Label,
    Standing,
    bold,
    change_text,
    escape,
    label,
    named,
    standing,
    tinted,
    width_of,
    wrap,
)
from components.palette import Palette
from explainers import wording
from explainers.results import FeatureChange, Importance

MOST_FORWARD = 8
MOST_BACKWARD = 4
AS_IT_IS = "as it is"
_END_SIZE = 18
_STRIP = 34
_LANE = 26
_TOP = 12
_NOTHING = 1e-10


@dataclass(frozen=True)
class _Part:
    """A segment of the strip or a lane above it: one change, or the smallest taken together."""

    changes: tuple[FeatureChange, ...]
    value: float
    start: float
    share: str
    standing: Standing

    @property
    def end(self) -> float:
        return self.start + self.value

    @property
    def key(self) -> str:
        return self.changes[0].feature if len(self.changes) == 1 else ""

    @property
    def title(self) -> str:
        return self.changes[0].title if len(self.changes) == 1 else f"{wording.number(len(self.changes), 0)} more"

    @property
    def detail(self) -> str:
        return change_text(self.changes[0]) if len(self.changes) == 1 else ""

    def label(self, room: float, indent: float = 0.0) -> Label:
        """Name and values in so much room; several changes have a name only."""
        if len(self.changes) == 1:
            return label(self.changes[0], room, indent)
        return Label(wrap(self.title, room, BODY, bold=True, indent=indent), ())

    @property
    def hover(self) -> str:
        names = "<br>".join(f"{bold(escape(c.title))}  {escape(change_text(c))}" for c in self.changes)
        suffix = " of the move" if self.share.endswith("%") else ""
        return f"{names}<br>{escape(self.share)}{suffix}"


@dataclass(frozen=True)
class _Strip:
    """The parts of the strip, where the whole of it lies, and how high its rows are."""

    importance: Importance
    frame: Frame
    forward: tuple[_Part, ...]
    backward: tuple[_Part, ...]
    lanes: tuple[Label, ...]
    unmoved: tuple[FeatureChange, ...]
    end_text: str
    all_text: str

    @property
    def end_y(self) -> float:
        """Height of the counterfactual's score over the lanes: under the word of a threshold that it would touch."""
        end = self.frame.px(self.importance.counterfactual.score)
        passes = any(self.frame.px(bound) > end - 4 for bound in self.bounds)
        return _TOP + 18 if self.backward and passes else _TOP

    @property
    def bounds(self) -> list[float]:
        low, high = sorted((self.frame.start, self.frame.end))
        return [line for line in wording.lines(self.importance.counterfactual.target) if low < line < high]

    @property
    def lane_heights(self) -> list[int]:
        return [max(_LANE + 14, lane.height + 8) for lane in self.lanes]

    @property
    def top(self) -> float:
        return self.end_y + 18 + sum(self.lane_heights)

    @property
    def bottom(self) -> float:
        return self.top + _STRIP


def countershapley_chart(
    importance: Importance,
    palette: Palette,
    *,
    selected: frozenset[str] = frozenset(),
    width: int = 620,
) -> go.Figure:
    """Draw the values of CounterShapley as one strip, largest first.

    Changes that pull back walk back on lanes of their own above the strip, so that it
    is seen that more goes in than comes out.

    Parameters
    ----------
    importance : Importance
    palette : Palette
    selected : frozenset of str
        Features whose changes are marked.
    width : int
        The narrowest width at which nothing is cut.
    """
    strip = _plan(importance, selected, width)
    canvas = Canvas(palette)
    _draw_bars(canvas, strip)
    _draw_shares(canvas, strip)
    _draw_lanes(canvas, strip)
    _draw_thresholds(canvas, strip)
    _draw_ends(canvas, strip)
    bottom = _draw_unmoved(canvas, strip, _draw_labels(canvas, strip))
    return canvas.figure(strip.frame, bottom + 4)


def _plan(importance: Importance, selected: frozenset[str], width: int) -> _Strip:
    counterfactual = importance.counterfactual
    sign = direction(counterfactual)
    forward, backward, unmoved = _groups(importance.values * sign)
    groups = [*forward, *backward]
    values = [float(importance.values[list(group)].sum()) for group in groups]
    shares = wording.shares(values)
    parts: list[_Part] = []
    at = counterfactual.factual_score
    for group, value, share in zip(groups, values, shares, strict=True):
        changes = tuple(counterfactual.changes[i] for i in group)
        stands = standing([change.feature for change in changes], selected)
        parts.append(_Part(changes, value, at, share, stands))
        at += value
    end_text = wording.scores(
        [counterfactual.factual_score, counterfactual.score], wording.lines(counterfactual.target)
    )
    n_changes = len(counterfactual)
    all_text = {1: "with the change", 2: "with both changes"}.get(
        n_changes, f"with all {wording.count(n_changes, 'change')}"
    )
    walked = tuple(parts[len(forward) :])
    frame = _frame(parts, bool(walked), counterfactual.factual_score, sign, end_text, all_text, width)
    return _Strip(
        importance=importance,
        frame=frame,
        forward=tuple(parts[: len(forward)]),
        backward=walked,
        lanes=tuple(part.label(frame.right - 24, width_of(_pull(part), BODY, bold=True)) for part in walked),
        unmoved=tuple(counterfactual.changes[i] for i in unmoved),
        end_text=end_text[1],
        all_text=all_text,
    )


def _groups(gains: np.ndarray) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]], list[int]]:
    """Changes forward, largest first; backward, largest first; and without effect. The smallest go together."""
    order = sorted(range(len(gains)), key=lambda i: (-abs(gains[i]), i))
    forward = [i for i in order if gains[i] >= _NOTHING]
    backward = [i for i in order if gains[i] <= -_NOTHING]
    unmoved = sorted(i for i in order if abs(gains[i]) < _NOTHING)
    return _gathered(forward, MOST_FORWARD), _gathered(backward, MOST_BACKWARD), unmoved


def _gathered(positions: list[int], most: int) -> list[tuple[int, ...]]:
    if len(positions) <= most:
        return [(i,) for i in positions]
    return [*((i,) for i in positions[: most - 1]), tuple(positions[most - 1 :])]


def _pull(part: _Part) -> str:
    return f"◄ {part.share}  "


def _frame(
    parts: Sequence[_Part],
    has_lanes: bool,
    origin: float,
    sign: int,
    end_texts: tuple[str, ...],
    all_text: str,
    width: int,
) -> Frame:
    """From the least to the furthest score reached, in the direction of the move."""
    left = max(72.0, *(width_of(text, _END_SIZE, bold=True) + 22 for text in end_texts), width_of(AS_IT_IS, AXIS) + 22)
    after = width_of(all_text, AXIS) + 24
    if has_lanes:
        after = max(200.0, after + width_of(end_texts[1], _END_SIZE, bold=True))
    reached = [0.0, *((part.end - origin) * sign for part in parts)]
    least, most = min(reached), max(reached)
    if most - least < _NOTHING:
        most = least + 1.0
    return Frame(round(left), round(max(120.0, after)), width, origin + sign * least, origin + sign * most)


def _draw_bars(canvas: Canvas, strip: _Strip) -> None:
    """Bars, the selected ones last so that their outline is whole."""
    palette = canvas.palette
    heights = _lane_middles(strip)
    for stands in (Standing.DIMMED, Standing.NEUTRAL, Standing.SELECTED):
        is_selected = stands is Standing.SELECTED
        opacity = DIM if stands is Standing.DIMMED else 1.0
        ahead = [_bar(part, strip.top + _STRIP / 2) for part in strip.forward if part.standing is stands]
        back = [_bar(part, y) for part, y in zip(strip.backward, heights, strict=True) if part.standing is stands]
        outline = (palette.ink, 3.0) if is_selected else (palette.background, 2.0)
        canvas.bars(ahead, _STRIP, palette.desired, outline=outline, opacity=opacity, is_hatched=False)
        outline = (palette.ink, 3.0) if is_selected else (palette.factual, 1.5)
        canvas.bars(back, _LANE, palette.factual, outline=outline, opacity=opacity, is_hatched=True)


def _bar(part: _Part, y: float) -> Bar:
    return Bar(start=part.start, length=part.value, y=y, key=part.key, hover=part.hover)


def _lane_middles(strip: _Strip) -> list[float]:
    """Middles of the lanes; the first one lies nearest to the strip."""
    at, middles = strip.top - 4, []
    for height in strip.lane_heights:
        middles.append(at - height / 2)
        at -= height
    return middles


def _share_middle(strip: _Strip, part: _Part) -> float | None:
    """Where the share stands in its segment, in pixels, off the threshold's line; None if it has no room."""
    start, end = strip.frame.px(part.start), strip.frame.px(part.end)
    need = width_of(part.share, LABEL, bold=True) + 10
    for line in map(strip.frame.px, strip.bounds):
        if abs((start + end) / 2 - line) < need / 2:
            start, end = (start, line) if line - start > end - line else (line, end)
    return (start + end) / 2 if end - start > need else None


def _draw_shares(canvas: Canvas, strip: _Strip) -> None:
    frame, palette = strip.frame, canvas.palette
    for part in strip.forward:
        middle = _share_middle(strip, part)
        if middle is None:
            continue
        color = palette.ink_secondary if part.standing is Standing.DIMMED else palette.on
        score = frame.start + middle / frame.scale
        y = strip.top + _STRIP / 2
        canvas.note(score, y, bold(escape(part.share)), size=LABEL, color=color, align="center")


def _draw_lanes(canvas: Canvas, strip: _Strip) -> None:
    """Labels beside the lanes, and dotted connectors between them."""
    palette = canvas.palette
    below, half = strip.top, 0.0
    for part, lane, y in zip(strip.backward, strip.lanes, _lane_middles(strip), strict=True):
        canvas.line((part.start, y + _LANE / 2), (part.start, below - half), palette.mute, width=1.5, dash="dot")
        pull = tinted(bold(escape(_pull(part))), palette.factual)
        canvas.note(part.start, y, pull + lane.markup(palette, part.standing), dx=9)
        below, half = y, _LANE / 2


def _draw_thresholds(canvas: Canvas, strip: _Strip) -> None:
    """The threshold through the strip, its word over it, out of the way of the counterfactual's score."""
    frame, palette = strip.frame, canvas.palette
    end = frame.px(strip.importance.counterfactual.score)
    bounds = sorted(strip.bounds, key=frame.px)
    for position, bound in enumerate(bounds):
        canvas.line((bound, _TOP + 9), (bound, strip.bottom), palette.background, width=5, is_above=True)
        canvas.line((bound, _TOP + 9), (bound, strip.bottom), palette.ink, width=1.5, is_above=True)
        text = f"{bold(wording.threshold(bound))} threshold"
        width = width_of(f"{wording.threshold(bound)} threshold", AXIS, bold=True)
        is_followed = position + 1 < len(bounds) and frame.px(bounds[position + 1]) - frame.px(bound) < width + 12
        is_near = bool(strip.backward) and 0 <= end - frame.px(bound) < max(150.0, width)
        if is_near or is_followed:
            canvas.note(bound, _TOP, text, size=AXIS, align="right", dx=4)
        elif position:
            canvas.note(bound, _TOP, text, size=AXIS, align="left", dx=-4)
        else:
            canvas.note(bound, _TOP, text, size=AXIS, align="center")


def _draw_ends(canvas: Canvas, strip: _Strip) -> None:
    """Where the case stands, and where its counterfactual does."""
    palette, frame = canvas.palette, strip.frame
    counterfactual = strip.importance.counterfactual
    ends = (counterfactual.factual_score, counterfactual.score)
    start_text = wording.scores(ends, wording.lines(counterfactual.target))[0]
    start_color = palette.side(bool(strip.importance.path_flips[0]))
    end_color = palette.side(bool(strip.importance.path_flips[-1]))
    upper, lower = strip.top + _STRIP / 2 - 9, strip.top + _STRIP / 2 + 10
    start = counterfactual.factual_score
    canvas.note(start, upper, bold(start_text), align="right", dx=-14, size=_END_SIZE, color=start_color)
    canvas.note(start, lower, AS_IT_IS, align="right", dx=-14, size=AXIS, color=palette.ink_secondary)
    canvas.line((start, strip.top - 5), (start, strip.bottom + 5), start_color, width=3, is_above=True)
    if strip.backward:
        last = strip.backward[-1].end
        canvas.line((last, strip.end_y + 12), (last, strip.top - 3), end_color, width=3, is_above=True)
        quiet = tinted(strip.all_text, palette.ink_secondary, AXIS)
        text = f"{bold(strip.end_text)}  {quiet}"
        canvas.note(last, strip.end_y - 1, text, size=_END_SIZE, color=end_color, dx=-2)
        return
    canvas.line((frame.end, strip.top - 5), (frame.end, strip.bottom + 5), end_color, width=3, is_above=True)
    canvas.note(14, upper, bold(strip.end_text), at="right", size=_END_SIZE, color=end_color)
    canvas.note(14, lower, strip.all_text, at="right", size=AXIS, color=palette.ink_secondary)


def _draw_labels(canvas: Canvas, strip: _Strip) -> float:
    """Labels under their segments where they fit, the others on the ladder; returns where they end."""
    direct = {part: fitting for part in strip.forward if (fitting := _fitting(strip, part))}
    palette = canvas.palette
    top = strip.bottom + 8
    height = max((fitting.height for fitting in direct.values()), default=0)
    for part, fitting in direct.items():
        canvas.line((part.start, strip.bottom + 4), (part.start, top + height + 4), palette.rule)
        canvas.note(part.start, top, fitting.markup(palette, part.standing), dx=8, hangs=True)
    laddered = [part for part in strip.forward if part not in direct]
    bottom = top + height + (6 if direct else 0)
    return _draw_ladder(canvas, strip, laddered, bottom + 14) if laddered else bottom


def _fitting(strip: _Strip, part: _Part) -> Label | None:
    """The label if it fits under its segment in 2 lines of name and 2, if wide 4, of values."""
    room = abs(part.value * strip.frame.scale)
    if _share_middle(strip, part) is None:
        return None
    fitting = part.label(room - 16)
    words = [*part.title.split(" "), *part.detail.split(" ")]
    is_broken = any(width_of(word, BODY, bold=True) > room - 16 for word in words)
    most = 4 if room >= 170 else 2
    return fitting if not is_broken and len(fitting.name) <= 2 and len(fitting.detail) <= most else None


def _draw_ladder(canvas: Canvas, strip: _Strip, parts: Sequence[_Part], y: float) -> float:
    frame, palette = strip.frame, canvas.palette
    tails = [f"  {part.share}" if _share_middle(strip, part) is None else "" for part in parts]
    widths = [
        width_of(f"{SELECTED_MARK}{part.title}{tail}", BODY, bold=True) + width_of(f"  {part.detail}", BODY) + 8
        for part, tail in zip(parts, tails, strict=True)
    ]
    middles = [frame.px(part.start + part.value / 2) for part in parts]
    for rung in ladder(middles, widths, -frame.left, frame.plot_width + frame.right):
        part, tail = parts[rung.position], tails[rung.position]
        toward = -1 if rung.runs_left else 1
        middle = part.start + part.value / 2
        canvas.line((middle, strip.bottom + 4), (middle, y), palette.mute)
        canvas.stub(middle, y, 0, toward * ELBOW, palette.mute)
        share = bold(escape(tail))
        align: Align = "right" if rung.runs_left else "left"
        if widths[rung.position] <= rung.room:
            detail = tinted(escape(part.detail), palette.ink_secondary)
            text = f"{named([part.title], palette, part.standing)}  {detail}{share}"
            canvas.note(middle, y, text, align=align, dx=toward * (ELBOW + 5))
            y += 24
            continue
        wrapped = part.label(rung.room - width_of(tail, BODY, bold=True))
        text = wrapped.markup(palette, part.standing, share)
        canvas.note(middle, y - 11, text, align=align, dx=toward * (ELBOW + 5), hangs=True)
        y += wrapped.height + 8
    return y - 12


def _draw_unmoved(canvas: Canvas, strip: _Strip, y: float) -> float:
    """Changes that count nothing have no segment; they are named under the strip."""
    if not strip.unmoved:
        return y
    names = ", ".join(change.title for change in strip.unmoved)
    lines = wrap(f"Without effect: {names}", strip.frame.width - 8, AXIS)
    text = "<br>".join(map(escape, lines))
    canvas.note(-strip.frame.left, y + 6, text, at="left", size=AXIS, color=canvas.palette.ink_secondary, hangs=True)
    return y + 10 + LINE * len(lines)
