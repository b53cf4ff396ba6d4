"""A figure in the making: notes, lines, dots and bars, with heights in pixels from the top.

Across, a place is a score, or pixels right of the plot's left or right edge, so that
the figure may be stretched and texts stay where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import plotly.graph_objects as go

from components.charts.text import BODY
from components.palette import FONT, Palette

Anchor = Literal["score", "left", "right"]
Align = Literal["left", "center", "right"]
DIM = 0.42


@dataclass(frozen=True)
class Frame:
    """The plot's place in the figure, and the scores at its edges.

    Attributes
    ----------
    left, right : int
        Room beside the plot, in pixels.
    width : int
        The narrowest width of the figure.
    start, end : float
        Scores at the plot's left and right edge.
    """

    left: int
    right: int
    width: int
    start: float
    end: float

    @property
    def plot_width(self) -> int:
        return self.width - self.left - self.right

    @property
    def scale(self) -> float:
        """Pixels a unit of score; negative where scores fall to the right."""
        return self.plot_width / (self.end - self.start)

    def px(self, score: float) -> float:
        """Pixels from the plot's left edge."""
        return (score - self.start) * self.scale


@dataclass(frozen=True)
class Dot:
    """A mark that can be picked; `key` is its id."""

    x: float
    y: float
    key: str | int
    hover: str
    color: str
    is_hollow: bool = False


@dataclass(frozen=True)
class Bar:
    """A bar that can be picked, from one score by a signed length."""

    start: float
    length: float
    y: float
    key: str
    hover: str


@dataclass(frozen=True)
class Column:
    """An upright bar between two scores that can be picked, so many pixels high over its foot."""

    start: float
    end: float
    foot: float
    height: float
    key: str
    hover: str


class Canvas:
    """Collects what a figure is made of; later things lie above earlier ones."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._notes: list[dict[str, Any]] = []
        self._shapes: list[dict[str, Any]] = []
        self._traces: list[dict[str, Any]] = []

    def note(
        self,
        x: float,
        y: float,
        markup: str,
        *,
        at: Anchor = "score",
        align: Align = "left",
        dx: float = 0.0,
        size: int = BODY,
        color: str | None = None,
        is_backed: bool = False,
        hangs: bool = False,
    ) -> None:
        """A text, vertically centred on `y` or, if it `hangs`, below it."""
        place = {"xref": "x", "x": x, "xshift": dx}
        if at != "score":
            place = {"xref": "paper", "x": 0 if at == "left" else 1, "xshift": x + dx}
        backing = {"bgcolor": self.palette.background, "borderpad": 1} if is_backed else {}
        self._notes.append(
            {
                **place,
                **backing,
                "yref": "y",
                "y": y,
                "text": markup,
                "showarrow": False,
                "xanchor": align,
                "align": align,
                "yanchor": "top" if hangs else "middle",
                "font": {"size": size, "color": color or self.palette.ink, "family": FONT},
            }
        )

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        color: str,
        *,
        width: float = 1,
        dash: str = "solid",
        opacity: float = 1,
        is_above: bool = False,
    ) -> None:
        """A line between two places (score, y)."""
        self._line(
            {"xref": "x", "x0": start[0], "x1": end[0]}, (start[1], end[1]), color, width, dash, opacity, is_above
        )

    def stub(self, score: float, y: float, start: float, end: float, color: str, *, width: float = 1) -> None:
        """A level line, so many pixels right of a score."""
        across = {"xref": "x", "xsizemode": "pixel", "xanchor": score, "x0": start, "x1": end}
        self._line(across, (y, y), color, width, "solid", 1, False)

    def hairline(self, y: float, frame: Frame, color: str) -> None:
        """A level line through the plot and the room beside it."""
        paper: dict[str, Any] = {"xref": "paper"}
        parts = (
            paper | {"x0": 0, "x1": 1},
            paper | {"xsizemode": "pixel", "xanchor": 0, "x0": -frame.left, "x1": 0},
            paper | {"xsizemode": "pixel", "xanchor": 1, "x0": 0, "x1": frame.right},
        )
        for across in parts:
            self._line(across, (y, y), color, 1, "solid", 1, False)

    def _line(
        self,
        across: dict[str, Any],
        down: tuple[float, float],
        color: str,
        width: float,
        dash: str,
        opacity: float,
        is_above: bool,
    ) -> None:
        stroke = {"color": color, "width": width, "dash": dash}
        layer = "above" if is_above else "below"
        down_to = {"yref": "y", "y0": down[0], "y1": down[1]}
        self._shapes.append({"type": "line", **across, **down_to, "line": stroke, "opacity": opacity, "layer": layer})

    def area(self, corners: Sequence[tuple[float, float]], color: str) -> None:
        """A filled polygon between places (score, y), under all else."""
        path = "L".join(f"{float(x)},{float(y)}" for x, y in corners)
        self._shapes.insert(
            0,
            {
                "type": "path", "xref": "x", "yref": "y", "path": f"M{path}Z", "fillcolor": color,
                "line": {"width": 0}, "layer": "below",
            },
        )  # fmt: skip

    def block(self, left: float, top: float, width: float, height: float, color: str) -> None:
        """A filled rectangle, so many pixels right of the plot's right edge."""
        self._shapes.append(
            {
                "type": "rect", "xref": "paper", "xsizemode": "pixel", "xanchor": 1, "x0": left, "x1": left + width,
                "yref": "y", "y0": top, "y1": top + height, "fillcolor": color, "line": {"width": 0}, "layer": "below",
            }
        )  # fmt: skip

    def dots(
        self,
        dots: Sequence[Dot],
        size: float | Sequence[float],
        opacity: float = 1.0,
        symbol: str = "circle",
        outline: float = 2.5,
    ) -> None:
        """Dots of one opacity and shape, and of one size or each of its own, which picking does not change."""
        if not dots:
            return
        colors = [self.palette.background if dot.is_hollow else dot.color for dot in dots]
        marker: dict[str, Any] = {
            "size": size if isinstance(size, int | float) else list(size),
            "symbol": symbol,
            "opacity": opacity,
            "color": colors[0] if len(set(colors)) == 1 else colors,
        }
        if any(dot.is_hollow for dot in dots):
            widths = [outline if dot.is_hollow else 0 for dot in dots]
            marker["line"] = {"width": widths, "color": [dot.color for dot in dots]}
        self._traces.append(
            {
                "type": "scatter",
                "x": [dot.x for dot in dots],
                "y": [dot.y for dot in dots],
                "mode": "markers",
                **self._still(dots, marker),
            }
        )

    def rings(
        self, dots: Sequence[Dot], sizes: Sequence[float], width: float, color: str, opacity: float = 1.0
    ) -> None:
        """Rings to lie under dots that are drawn later; they can be neither hovered nor picked."""
        if not dots:
            return
        still = {"marker": {"opacity": opacity}}
        self._traces.append(
            {
                "type": "scatter",
                "x": [dot.x for dot in dots],
                "y": [dot.y for dot in dots],
                "mode": "markers",
                "marker": {
                    "size": list(sizes),
                    "opacity": opacity,
                    "color": self.palette.background,
                    "line": {"width": width, "color": color},
                },
                "selected": still,
                "unselected": still,
                "hoverinfo": "skip",
                "cliponaxis": False,
            }
        )

    def bars(
        self,
        bars: Sequence[Bar],
        thickness: float,
        color: str,
        *,
        outline: tuple[str, float],
        opacity: float,
        is_hatched: bool,
    ) -> None:
        """Bars of one look, which picking does not change."""
        if not bars:
            return
        marker = {
            "color": self.palette.background if is_hatched else color,
            "opacity": opacity,
            "line": {"color": outline[0], "width": outline[1]},
            "pattern": self._hatch(color, is_hatched),
        }
        self._traces.append(
            {
                "type": "bar",
                "base": [bar.start for bar in bars],
                "x": [bar.length for bar in bars],
                "y": [bar.y for bar in bars],
                "width": thickness,
                "orientation": "h",
                "textposition": "none",
                **self._still(bars, marker),
            }
        )

    def arrow(self, start: float, end: float, y: float, color: str, *, standoff: float) -> None:
        """A level arrow between two scores, which keeps off the marks at both ends by so many pixels."""
        self._notes.append(
            {
                "xref": "x",
                "x": end,
                "axref": "x",
                "ax": start,
                "yref": "y",
                "y": y,
                "ayref": "y",
                "ay": y,
                "text": "",
                "showarrow": True,
                "arrowhead": 2,
                "arrowwidth": 1.5,
                "arrowcolor": color,
                "standoff": standoff,
                "startstandoff": standoff,
            }
        )

    def columns(self, columns: Sequence[Column], color: str, opacity: float, *, is_hatched: bool = False) -> None:
        """Upright bars of one look, which picking does not change."""
        if not columns:
            return
        marker = {
            "color": self.palette.background if is_hatched else color,
            "opacity": opacity,
            "line": {"color": color, "width": 1.5 if is_hatched else 0},
            "pattern": self._hatch(color, is_hatched),
        }
        self._traces.append(
            {
                "type": "bar",
                "x": [(column.start + column.end) / 2 for column in columns],
                "width": [column.end - column.start for column in columns],
                "base": [column.foot for column in columns],
                "y": [-column.height for column in columns],
                "textposition": "none",
                **self._still(columns, marker),
            }
        )

    @staticmethod
    def _still(marks: Sequence[Dot] | Sequence[Bar] | Sequence[Column], marker: dict[str, Any]) -> dict[str, Any]:
        """What makes marks known when they are picked or hovered over, and look the same all the while."""
        still = {"marker": {"opacity": marker["opacity"]}}
        return {
            "customdata": [mark.key for mark in marks],
            "hovertext": [mark.hover for mark in marks],
            "hovertemplate": "%{hovertext}<extra></extra>",
            "marker": marker,
            "selected": still,
            "unselected": still,
            "cliponaxis": False,
        }

    def _hatch(self, color: str, is_hatched: bool) -> dict[str, Any]:
        if not is_hatched:
            return {}
        return {"shape": "/", "fgcolor": color, "bgcolor": self.palette.background, "size": 7, "solidity": 0.35}

    def figure(self, frame: Frame, height: float) -> go.Figure:
        """The figure, as high as told and as wide as its place."""
        palette = self.palette
        axis = {"showgrid": False, "zeroline": False, "showline": False, "ticks": "", "showticklabels": False}
        low, high = sorted((frame.start, frame.end))
        for note in self._notes:
            if note["xref"] == "x":  # one a hair outside the range would vanish
                note["x"] = min(max(note["x"], low), high)
        layout = go.Layout(
            template=go.layout.Template(),
            autosize=True,
            height=round(height),
            margin={"l": frame.left, "r": frame.right, "t": 0, "b": 0, "pad": 0},
            paper_bgcolor=palette.background,
            plot_bgcolor=palette.background,
            font={"family": FONT, "size": BODY, "color": palette.ink},
            showlegend=False,
            barmode="overlay",
            clickmode="event+select",
            dragmode=False,
            hovermode="closest",
            hoverlabel={
                "bgcolor": palette.panel,
                "bordercolor": palette.rule,
                "align": "left",
                "font": {"family": FONT, "size": BODY, "color": palette.ink},
            },
            xaxis={**axis, "fixedrange": True, "range": [frame.start, frame.end]},
            yaxis={**axis, "fixedrange": True, "range": [round(height), 0]},
            annotations=self._notes,
            shapes=self._shapes,
        )
        return go.Figure(data=self._traces, layout=layout)
