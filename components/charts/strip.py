"""The strip of CounterShapley, planned: its segments, the lanes above it, and where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from components.charts.axis import direction
from components.charts.canvas import Frame
from components.charts.text import (
    AXIS,
    BODY,
    LABEL,
    Label,
    Standing,
    bold,
    change_text,
    escape,
    label,
    standing,
    width_of,
    wrap,
)
from explainers import wording
from explainers.parts import COUNTS_AS_NOTHING, Parts
from explainers.results import FeatureChange, Importance

AS_IT_IS = "as it is"
END_SIZE = 18
STRIP = 34
LANE = 26
TOP = 12
BRACKETS = 22
"""Room under the strip for the errors of its segments."""


@dataclass(frozen=True)
class Part:
    """A segment of the strip or a lane above it: one change, or the smallest taken together.

    Its error is the standard error of its value; of several together at most so much.
    """

    changes: tuple[FeatureChange, ...]
    value: float
    start: float
    share: str
    standing: Standing
    error: float = 0.0

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
        suffix = " of the move" if "%" in self.share else ""
        return f"{names}<br>{escape(self.share)}{suffix}"


@dataclass(frozen=True)
class Strip:
    """The parts of the strip, where the whole of it lies, and how high its rows are."""

    importance: Importance
    frame: Frame
    forward: tuple[Part, ...]
    backward: tuple[Part, ...]
    lanes: tuple[Label, ...]
    unmoved: tuple[FeatureChange, ...]
    end_texts: tuple[str, ...]
    all_text: str

    @property
    def end_y(self) -> float:
        """Height of the counterfactual's score over the lanes: under the word of a threshold that it would touch."""
        end = self.frame.px(self.importance.counterfactual.score)
        passes = any(self.frame.px(bound) > end - 4 for bound in self.bounds)
        return TOP + 18 if self.backward and passes else TOP

    @property
    def bounds(self) -> list[float]:
        low, high = sorted((self.frame.start, self.frame.end))
        return [line for line in wording.lines(self.importance.counterfactual.target) if low < line < high]

    @property
    def lane_heights(self) -> list[int]:
        return [max(LANE + 14, lane.height + 8) for lane in self.lanes]

    @property
    def top(self) -> float:
        return self.end_y + 18 + sum(self.lane_heights)

    @property
    def bottom(self) -> float:
        return self.top + STRIP

    @property
    def foot(self) -> float:
        """Where labels may begin: under the strip, and under the brackets of what is not exact."""
        return self.bottom + (0 if self.importance.standard_errors is None else BRACKETS)


def plan(importance: Importance, selected: frozenset[str], width: int) -> Strip:
    """Cut the move from the case to its counterfactual into parts, and find their room."""
    counterfactual = importance.counterfactual
    sign = direction(counterfactual)
    found = Parts.of(importance)
    groups, values, shares = (*found.forward, *found.backward), found.values, found.shares
    errors = [0.0] * len(groups)
    if importance.standard_errors is not None:
        errors = [float(importance.standard_errors[list(group)].sum()) for group in groups]
        beside = wording.give_or_take(errors, values, counterfactual.target)
        shares = tuple(f"{share}{wording.SPACE}{error}" for share, error in zip(shares, beside, strict=True))
    parts: list[Part] = []
    at = counterfactual.factual_score
    for group, value, share, error in zip(groups, values, shares, errors, strict=True):
        changes = tuple(counterfactual.changes[i] for i in group)
        stands = standing([change.feature for change in changes], selected)
        parts.append(Part(changes, value, at, share, stands, error))
        at += value
    ends = (counterfactual.factual_score, counterfactual.score)
    end_texts = wording.scores(ends, counterfactual.target)
    n_changes = len(counterfactual)
    all_text = {1: "with the change", 2: "with both changes"}.get(
        n_changes, f"with all {wording.count(n_changes, 'change')}"
    )
    walked = tuple(parts[len(found.forward) :])
    frame = _frame(parts, bool(walked), counterfactual.factual_score, sign, end_texts, all_text, width)
    return Strip(
        importance=importance,
        frame=frame,
        forward=tuple(parts[: len(found.forward)]),
        backward=walked,
        lanes=tuple(_lane_label(part, frame) for part in walked),
        unmoved=tuple(counterfactual.changes[i] for i in found.unmoved),
        end_texts=end_texts,
        all_text=all_text,
    )


def pull(part: Part) -> str:
    """What stands before the name of a change that pulls back."""
    return f"◄ {part.share}  "


def _lane_label(part: Part, frame: Frame) -> Label:
    room = frame.plot_width + frame.right - frame.px(part.start) - 20
    return part.label(room, width_of(pull(part), BODY, bold=True))


def _frame(
    parts: Sequence[Part],
    has_lanes: bool,
    origin: float,
    sign: int,
    end_texts: tuple[str, ...],
    all_text: str,
    width: int,
) -> Frame:
    """From the least to the furthest score reached, in the direction of the move, and room for its error."""
    left = max(72.0, *(width_of(text, END_SIZE, bold=True) + 22 for text in end_texts), width_of(AS_IT_IS, AXIS) + 22)
    after = width_of(all_text, AXIS) + 24
    if has_lanes:
        after = max(200.0, after + width_of(end_texts[1], END_SIZE, bold=True))
    reached = [0.0, *((part.end - origin) * sign for part in parts)]
    # A bracket's end on the very edge would not be drawn.
    reached += [(part.end - origin) * sign + 1.05 * part.error for part in parts]
    least, most = min(reached), max(reached)
    if most - least < COUNTS_AS_NOTHING:
        most = least + 1.0
    return Frame(round(left), round(max(120.0, after)), width, origin + sign * least, origin + sign * most)


def lane_middles(strip: Strip) -> list[float]:
    """Middles of the lanes; the first one lies nearest to the strip."""
    at, middles = strip.top - 4, []
    for height in strip.lane_heights:
        middles.append(at - height / 2)
        at -= height
    return middles


def share_middle(strip: Strip, part: Part) -> float | None:
    """Where the share stands in its segment, in pixels; None if it has no room."""
    start, end = strip.frame.px(part.start), strip.frame.px(part.end)
    return (start + end) / 2 if end - start > width_of(part.share, LABEL, bold=True) + 10 else None


def is_under_share(strip: Strip, bound: float) -> bool:
    """Whether a share stands where the line of a bound runs, which then leaves room for it."""
    middles = [(part, share_middle(strip, part)) for part in strip.forward]
    line = strip.frame.px(bound)
    return any(
        middle is not None and abs(middle - line) < width_of(part.share, LABEL, bold=True) / 2 + 4
        for part, middle in middles
    )
