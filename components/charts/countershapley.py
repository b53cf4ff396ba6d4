"""How much does each change count? One strip from the case to its counterfactual."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from components.charts.canvas import DIM, Align, Bar, Canvas
from components.charts.ladder import ELBOW, ladder
from components.charts.strip import (
    AS_IT_IS,
    BRACKETS,
    END_SIZE,
    LANE,
    STRIP,
    TOP,
    Part,
    Strip,
    is_under_share,
    lane_middles,
    plan,
    pull,
    share_middle,
)
from components.charts.text import (
    AXIS,
    BODY,
    LABEL,
    LINE,
    SELECTED_MARK,
    Label,
    Standing,
    bold,
    escape,
    named,
    tinted,
    width_of,
    wrap,
)
from components.palette import Palette
from explainers import wording
from explainers.results import Importance

SHARE_ROOM = 10.0
"""Pixels over and under the middle of a share that the threshold's line leaves free."""


def countershapley_chart(
    importance: Importance,
    palette: Palette,
    *,
    selected: frozenset[str] = frozenset(),
    width: int = 620,
) -> go.Figure:
    """Draw the values of CounterShapley as one strip, largest first.

    Changes that pull back walk back on lanes of their own above the strip, so that it
    is seen that more goes in than comes out. Values that are not exact have their standard
    errors beside their shares, and drawn under their segments.

    Parameters
    ----------
    importance : Importance
    palette : Palette
    selected : frozenset of str
        Features whose changes are marked.
    width : int
        The narrowest width at which nothing is cut.
    """
    strip = plan(importance, selected, width)
    canvas = Canvas(palette)
    _draw_bars(canvas, strip)
    _draw_errors(canvas, strip)
    _draw_shares(canvas, strip)
    _draw_lanes(canvas, strip)
    _draw_thresholds(canvas, strip)
    _draw_ends(canvas, strip)
    bottom = _draw_unmoved(canvas, strip, _draw_labels(canvas, strip))
    return canvas.figure(strip.frame, bottom + 4)


def _draw_bars(canvas: Canvas, strip: Strip) -> None:
    """Bars, the selected ones last so that their outline is whole."""
    palette = canvas.palette
    heights = lane_middles(strip)
    for stands in (Standing.DIMMED, Standing.NEUTRAL, Standing.SELECTED):
        is_selected = stands is Standing.SELECTED
        opacity = DIM if stands is Standing.DIMMED else 1.0
        ahead = [_bar(part, strip.top + STRIP / 2) for part in strip.forward if part.standing is stands]
        back = [_bar(part, y) for part, y in zip(strip.backward, heights, strict=True) if part.standing is stands]
        outline = (palette.ink, 3.0) if is_selected else (palette.background, 2.0)
        canvas.bars(ahead, STRIP, palette.desired, outline=outline, opacity=opacity, is_hatched=False)
        outline = (palette.ink, 3.0) if is_selected else (palette.factual, 1.5)
        canvas.bars(back, LANE, palette.factual, outline=outline, opacity=opacity, is_hatched=True)


def _bar(part: Part, y: float) -> Bar:
    return Bar(start=part.start, length=part.value, y=y, key=part.key, hover=part.hover)


def _draw_errors(canvas: Canvas, strip: Strip) -> None:
    """Under each segment that is not exact a line of its own length, with a bracket at its end.

    The line begins where its own segment does, so that the bracket is read as the error of that
    length, and not as one of the place where the segments before it happen to end. Neighbours
    stand on two levels, as their brackets may be wider than they are.
    """
    if strip.importance.standard_errors is None:
        return
    palette = canvas.palette
    levels = (strip.bottom + 7.0, strip.bottom + BRACKETS - 6.0)
    under = [(part, levels[place % 2]) for place, part in enumerate(strip.forward)]
    under += [(part, y + LANE / 2 + 6) for part, y in zip(strip.backward, lane_middles(strip), strict=True)]
    for part, y in under:
        low, high = part.end - part.error, part.end + part.error
        canvas.line((part.start, y), (part.end, y), palette.mute)
        canvas.line((part.start, y - 2), (part.start, y + 2), palette.mute)
        canvas.line((low, y), (high, y), palette.ink, width=2)
        for end in (low, high):
            canvas.line((end, y - 4), (end, y + 4), palette.ink)


def _draw_shares(canvas: Canvas, strip: Strip) -> None:
    frame, palette = strip.frame, canvas.palette
    for part in strip.forward:
        middle = share_middle(strip, part)
        if middle is None:
            continue
        color = palette.ink_secondary if part.standing is Standing.DIMMED else palette.on
        score = frame.start + middle / frame.scale
        y = strip.top + STRIP / 2
        canvas.note(score, y, bold(escape(part.share)), size=LABEL, color=color, align="center")


def _draw_lanes(canvas: Canvas, strip: Strip) -> None:
    """Labels beside the lanes, and dotted connectors between them."""
    palette = canvas.palette
    below, half = strip.top, 0.0
    for part, lane, y in zip(strip.backward, strip.lanes, lane_middles(strip), strict=True):
        canvas.line((part.start, y + LANE / 2), (part.start, below - half), palette.mute, width=1.5, dash="dot")
        amount = tinted(bold(escape(pull(part))), palette.factual)
        canvas.note(part.start, y, amount + lane.markup(palette, part.standing), dx=9)
        below, half = y, LANE / 2


def _draw_thresholds(canvas: Canvas, strip: Strip) -> None:
    """The threshold through the strip, its word over it, out of the way of the counterfactual's score."""
    frame, palette = strip.frame, canvas.palette
    end = frame.px(strip.importance.counterfactual.score)
    bounds = sorted(strip.bounds, key=frame.px)
    for position, bound in enumerate(bounds):
        middle = strip.top + STRIP / 2
        room = SHARE_ROOM if is_under_share(strip, bound) else 0.0
        for top, bottom in ((TOP + 9, middle - room), (middle + room, strip.bottom)):
            canvas.line((bound, top), (bound, bottom), palette.background, width=5, is_above=True)
            canvas.line((bound, top), (bound, bottom), palette.ink, width=1.5, is_above=True)
        number, word = wording.bound(bound, strip.importance.counterfactual.target)
        text = f"{bold(number)} {word}"
        width = width_of(f"{number} {word}", AXIS, bold=True)
        is_followed = position + 1 < len(bounds) and frame.px(bounds[position + 1]) - frame.px(bound) < width + 12
        is_near = bool(strip.backward) and 0 <= end - frame.px(bound) < max(150.0, width)
        if is_near or is_followed:
            canvas.note(bound, TOP, text, size=AXIS, align="right", dx=4)
        elif position:
            canvas.note(bound, TOP, text, size=AXIS, align="left", dx=-4)
        else:
            canvas.note(bound, TOP, text, size=AXIS, align="center")


def _draw_ends(canvas: Canvas, strip: Strip) -> None:
    """Where the case stands, and where its counterfactual does."""
    palette = canvas.palette
    counterfactual = strip.importance.counterfactual
    start_color = palette.side(bool(strip.importance.path_flips[0]))
    end_color = palette.side(bool(strip.importance.path_flips[-1]))
    upper, lower = strip.top + STRIP / 2 - 9, strip.top + STRIP / 2 + 10
    start = counterfactual.factual_score
    canvas.note(start, upper, bold(strip.end_texts[0]), align="right", dx=-14, size=END_SIZE, color=start_color)
    canvas.note(start, lower, AS_IT_IS, align="right", dx=-14, size=AXIS, color=palette.ink_secondary)
    canvas.line((start, strip.top - 5), (start, strip.bottom + 5), start_color, width=3, is_above=True)
    if strip.backward:
        last = strip.backward[-1].end
        canvas.line((last, strip.end_y + 12), (last, strip.top - 3), end_color, width=3, is_above=True)
        quiet = tinted(strip.all_text, palette.ink_secondary, AXIS)
        text = f"{bold(strip.end_texts[1])}  {quiet}"
        canvas.note(last, strip.end_y - 1, text, size=END_SIZE, color=end_color, dx=-2)
        return
    end = counterfactual.score
    canvas.line((end, strip.top - 5), (end, strip.bottom + 5), end_color, width=3, is_above=True)
    canvas.note(14, upper, bold(strip.end_texts[1]), at="right", size=END_SIZE, color=end_color)
    canvas.note(14, lower, strip.all_text, at="right", size=AXIS, color=palette.ink_secondary)


def _draw_labels(canvas: Canvas, strip: Strip) -> float:
    """Labels under their segments where they fit, the others on the ladder; returns where they end."""
    direct = {part: fitting for part in strip.forward if (fitting := _fitting(strip, part))}
    palette = canvas.palette
    top = strip.foot + 8
    height = max((fitting.height for fitting in direct.values()), default=0)
    for part, fitting in direct.items():
        canvas.line((part.start, strip.foot + 4), (part.start, top + height + 4), palette.rule)
        canvas.note(part.start, top, fitting.markup(palette, part.standing), dx=8, hangs=True)
    laddered = [part for part in strip.forward if part not in direct]
    bottom = top + height + (6 if direct else 0)
    return _draw_ladder(canvas, strip, laddered, bottom + 14) if laddered else bottom


def _fitting(strip: Strip, part: Part) -> Label | None:
    """The label if it fits under its segment in 2 lines of name and 2, if wide 4, of values."""
    room = abs(part.value * strip.frame.scale)
    if share_middle(strip, part) is None:
        return None
    fitting = part.label(room - 16)
    words = [*part.title.split(" "), *part.detail.split(" ")]
    is_broken = any(width_of(word, BODY, bold=True) > room - 16 for word in words)
    most = 4 if room >= 170 else 2
    return fitting if not is_broken and len(fitting.name) <= 2 and len(fitting.detail) <= most else None


def _draw_ladder(canvas: Canvas, strip: Strip, parts: Sequence[Part], y: float) -> float:
    frame, palette = strip.frame, canvas.palette
    tails = [f"  {part.share}" if share_middle(strip, part) is None else "" for part in parts]
    widths = [
        width_of(f"{SELECTED_MARK}{part.title}{tail}", BODY, bold=True) + width_of(f"  {part.detail}", BODY) + 8
        for part, tail in zip(parts, tails, strict=True)
    ]
    middles = [frame.px(part.start + part.value / 2) for part in parts]
    for rung in ladder(middles, widths, -frame.left, frame.plot_width + frame.right):
        part, tail = parts[rung.position], tails[rung.position]
        toward = -1 if rung.runs_left else 1
        middle = part.start + part.value / 2
        canvas.line((middle, strip.foot + 4), (middle, y), palette.mute)
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


def _draw_unmoved(canvas: Canvas, strip: Strip, y: float) -> float:
    """Changes that count nothing have no segment; they are named under the strip."""
    if not strip.unmoved:
        return y
    names = ", ".join(change.title for change in strip.unmoved)
    lines = wrap(f"Without effect: {names}", strip.frame.width - 8, AXIS)
    text = "<br>".join(map(escape, lines))
    canvas.note(-strip.frame.left, y + 6, text, at="left", size=AXIS, color=canvas.palette.ink_secondary, hangs=True)
    return y + 10 + LINE * len(lines)
