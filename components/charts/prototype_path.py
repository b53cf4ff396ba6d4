"""The path to a prototype: its score, and below it how far it is from a real case."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from components.charts.text import escape, width_of
from components.palette import FONT, Palette
from explainers import wording
from explainers.counterfactuals.prototype_path import TracedPaths

HEIGHT = 380
SCORES, TYPICALITY = (0.46, 0.94), (0.0, 0.28)
GAP, BOUND = 8, 13
QUARTERS = [0, 25, 50, 75, 100]
Bounds = dict[float, tuple[str, str]]
"""What is written at each bound."""


def prototype_path_chart(traced: TracedPaths, place: int, step: int, palette: Palette) -> go.Figure:
    """Score and distance to the nearest real case along one path, with the step that is looked at.

    Parameters
    ----------
    traced : TracedPaths
    place : int
        Which path.
    step : int
        -1 for the case itself.
    palette : Palette
    """
    path, target = traced.paths[place], traced.target
    shares = [0.0, *(100 * path.shares).tolist()]
    scores = [traced.factual_score, *path.scores.tolist()]
    flips = [False, *path.flips.tolist()]
    texts = wording.scores(scores, target)
    figure = go.Figure()
    figure.add_scatter(
        x=shares, y=scores, mode="lines+markers", line={"color": palette.mute, "width": 1.5, "dash": "dot"},
        marker={"size": 8, "opacity": 1, "color": [palette.side(flip) for flip in flips]},
        hovertext=[f"{share:.0f} % of the way: {text}" for share, text in zip(shares, texts, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>", cliponaxis=False,
    )  # fmt: skip
    gaps = traced.to_real[place].tolist()
    figure.add_scatter(
        x=shares[1:], y=gaps, yaxis="y2", mode="lines", line={"color": palette.ink_secondary, "width": 2},
        hovertext=[f"{share:.0f} % of the way: {gap:.2f}" for share, gap in zip(shares[1:], gaps, strict=True)],
        hovertemplate="%{hovertext}<extra></extra>", cliponaxis=False,
    )  # fmt: skip
    at = step + 1
    figure.add_scatter(
        x=[shares[at]], y=[scores[at]], mode="markers", hoverinfo="skip", cliponaxis=False,
        marker={"size": 17, "opacity": 1, "color": palette.side(flips[at]), "line": {"width": 3, "color": palette.ink}},
    )  # fmt: skip
    lines = wording.lines(target)
    for line in lines:
        figure.add_shape(
            type="line", xref="paper", x0=0, x1=1, y0=line, y1=line, line={"color": palette.ink, "width": 1.5}
        )
    figure.add_shape(
        type="line", x0=shares[at], x1=shares[at], yref="paper", y0=0, y1=1, layer="below",
        line={"color": palette.rule, "width": 1},
    )  # fmt: skip
    bounds = {line: wording.bound(line, target) for line in lines}
    _words(figure, traced, bounds, palette)
    widest = max(width_of(word, BOUND) for words in bounds.values() for word in words)
    known = [*scores, *lines]
    room = (max(known) - min(known) or 1.0) * 0.08
    axis = {"showgrid": False, "zeroline": False, "tickfont": {"size": 13, "color": palette.ink_secondary}}
    figure.update_layout(
        template="none", height=HEIGHT, margin={"l": 56, "r": widest + 2 * GAP, "t": 8, "b": 44}, showlegend=False,
        paper_bgcolor=palette.background, plot_bgcolor=palette.background, dragmode=False,
        font={"family": FONT, "color": palette.ink, "size": 14},
        hoverlabel={"bgcolor": palette.panel, "font": {"color": palette.ink, "family": FONT}},
        xaxis={**axis, "range": [-2, 102], "tickvals": QUARTERS, "anchor": "y2",
               "ticktext": [f"{quarter}\u00a0%" for quarter in QUARTERS],
               "title": {"text": "of the way to the prototype", "font": {"size": 13, "color": palette.ink_secondary}}},
        yaxis={**axis, "domain": SCORES, "range": [min(known) - room, max(known) + room], "nticks": 5},
        yaxis2={**axis, "domain": TYPICALITY, "rangemode": "tozero", "nticks": 3, "range": [0, max(gaps) * 1.1 or 1.0]},
    )  # fmt: skip
    return figure


def _words(figure: go.Figure, traced: TracedPaths, bounds: Bounds, palette: Palette) -> None:
    """What each part shows, and the bounds' own numbers."""
    about = {"xref": "paper", "yref": "paper", "x": 0, "showarrow": False, "xanchor": "left", "yanchor": "bottom"}
    quiet = {"size": 13, "color": palette.ink_secondary}
    figure.add_annotation(**about, y=SCORES[1] + 0.005, text=escape(traced.target.quantity), font=quiet)
    figure.add_annotation(**about, y=TYPICALITY[1] + 0.01, text="distance to the nearest real case wanted", font=quiet)
    # In the margin no point runs under them; two of them are drawn away from each other.
    anchors = ("top", "bottom") if len(bounds) > 1 else ("middle",)
    for (line, words), anchor in zip(bounds.items(), anchors, strict=True):
        figure.add_annotation(
            xref="paper", x=1, xanchor="left", xshift=GAP, y=line, yanchor=anchor, showarrow=False, align="left",
            text="<br>".join(map(escape, words)), font={"size": BOUND, "color": palette.ink},
        )  # fmt: skip


def step_at(shares: np.ndarray, percent: int) -> int:
    """The last step of a path that is not further along than so many percent; -1 before the first."""
    return int(np.searchsorted(shares, percent / 100 + 1e-9, side="right")) - 1
