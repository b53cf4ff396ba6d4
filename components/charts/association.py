"""Do features go together as they should? Every pair of them, among real and among sampled rows."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from components.charts.canvas import Canvas, Dot, Frame
from components.charts.text import AXIS, bold, escape
from components.palette import Palette
from explainers import wording
from explainers.counterfactuals.realism import Correlations

_LEFT, _RIGHT, _TOP, _HEIGHT, _FOOT = 52, 16, 34, 260, 58
_DOT = 8
_STEP = 0.25


def association_chart(compared: Correlations, palette: Palette, *, width: int = 620) -> go.Figure:
    """Draw one dot a pair: across among real rows, up among sampled ones; on the line both agree.

    Parameters
    ----------
    compared : Correlations
    palette : Palette
    width : int
        The narrowest width at which nothing is cut.
    """
    pairs = compared.to_frame()
    both = pairs[["real", "sampled"]]
    low, high = float(both.min().min()) - 0.05, float(both.max().max()) + 0.05
    frame = Frame(_LEFT, _RIGHT, width, low, high)
    canvas, bottom = Canvas(palette), _TOP + _HEIGHT

    def height(value: float) -> float:
        return bottom - _HEIGHT * (value - low) / (high - low)

    steps = [place * _STEP for place in range(math.ceil(low / _STEP), math.floor(high / _STEP) + 1)]
    for step, text in zip(steps, wording.ticks(steps, _STEP), strict=True):
        canvas.line((frame.start, height(step)), (frame.end, height(step)), palette.grid)
        canvas.line((step, _TOP), (step, bottom), palette.grid)
        canvas.note(-10, height(step), text, at="left", align="right", size=AXIS, color=palette.ink_secondary)
        canvas.note(step, bottom + 16, text, align="center", size=AXIS, color=palette.ink_secondary)
    canvas.line((low, height(low)), (high, height(high)), palette.ink, width=1.5)
    canvas.note(-_LEFT, 14, "among sampled rows ↑ stronger", at="left", size=AXIS, color=palette.ink_secondary)
    canvas.note(-_LEFT, bottom + 42, "among real rows → stronger", at="left", size=AXIS, color=palette.ink_secondary)
    dots = [
        Dot(
            x=float(pair.real),
            y=height(float(pair.sampled)),
            key=place,
            hover=f"{bold(escape(str(pair.feature)))} and {bold(escape(str(pair.other)))}<br>"
            f"real {wording.signed(float(pair.real))}, sampled {wording.signed(float(pair.sampled))}",
            color=palette.mute,
        )
        for place, pair in enumerate(pairs.rename(columns={"with": "other"}).itertuples())
    ]
    canvas.dots(dots, _DOT, 0.8)
    return canvas.figure(frame, bottom + _FOOT)
