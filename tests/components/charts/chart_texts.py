"""Where the texts of a figure stand, by their estimated widths."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from components.charts.text import width_of


@dataclass(frozen=True)
class Box:
    text: str
    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Box) -> float:
        """By how many pixels two boxes run into each other; negative if they don't."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return min(across, down)


def shown(markup: str) -> str:
    """What is read of a markup."""
    return html.unescape(re.sub(r"<[^<>]*>", "", markup.replace("<br>", "\n")))


def line_width(markup: str, size: float) -> float:
    width, bold, sizes = 0.0, False, [size]
    for piece in re.split(r"(<[^<>]*>)", markup):
        if piece == "<b>":
            bold = True
        elif piece == "</b>":
            bold = False
        elif piece.startswith("<span"):
            found = re.search(r"font-size:(\d+)px", piece)
            sizes.append(float(found.group(1)) if found else sizes[-1])
        elif piece == "</span>":
            sizes.pop()
        else:
            width += width_of(html.unescape(piece), sizes[-1], bold)
    return width


def box(figure: go.Figure, note: Any, width: int) -> Box:
    layout = figure.layout
    plot = width - layout.margin.l - layout.margin.r
    start, end = layout.xaxis.range
    share = note.x if note.xref == "paper" else (note.x - start) / (end - start)
    x = layout.margin.l + share * plot + (note.xshift or 0)
    lines, is_bold = [], False
    for line in note.text.split("<br>"):
        lines.append(line_width(f"<b>{line}" if is_bold else line, note.font.size))
        is_bold = (is_bold or "<b>" in line) and "</b>" not in line[max(line.rfind("<b>"), 0) :]
    wide, high = max(lines), len(lines) * note.font.size * 1.25
    left = x - {"left": 0.0, "center": 0.5, "right": 1.0}[note.xanchor] * wide
    top = note.y - {"top": 0.0, "middle": 0.5}[note.yanchor] * high
    return Box(shown(note.text), left, top, left + wide, top + high)


def boxes(figure: go.Figure, width: int) -> list[Box]:
    return [box(figure, note, width) for note in figure.layout.annotations]


def note_of(figure: go.Figure, start: str) -> Any:
    """The one note that begins so."""
    (found,) = [note for note in figure.layout.annotations if shown(note.text).startswith(start)]
    return found


def colors_of(trace: Any) -> list[str]:
    """The colour of each mark of a trace, which has one for each or one for all."""
    colors = trace.marker.color
    return [colors] * len(trace.x) if isinstance(colors, str) else list(colors)


def marks(figure: go.Figure) -> dict[Any, tuple[float, float, str, float, Any]]:
    """What can be picked, by id: x, y, colour, opacity and the trace."""
    found = {}
    for trace in figure.data:
        if trace.customdata is None:
            continue
        for i, (key, color) in enumerate(zip(trace.customdata, colors_of(trace), strict=True)):
            assert key not in found, "an id stands for one mark"
            found[key] = (trace.x[i], trace.y[i], color, trace.marker.opacity, trace)
    return found
