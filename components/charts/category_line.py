"""The categories of a feature on the line on which a path moves."""

from __future__ import annotations

import plotly.graph_objects as go

from components.charts.text import escape
from components.palette import FONT, Palette
from explainers.embedding import Embedding

PITCH = 26


def category_line_chart(
    embedding: Embedding, feature: int, own: float, prototype: float, palette: Palette
) -> go.Figure:
    """One row a category in the order of the line; the case's is hollow, the prototype's filled, or both in one.

    Parameters
    ----------
    embedding : Embedding
    feature : int
        Its position in the schema.
    own, prototype : float
        Codes; NaN where missing.
    palette : Palette
    """
    labels, places = embedding.schema.features[feature].labels, embedding.places[feature]
    order = embedding.order(feature)
    outlines = {prototype: palette.desired, own: palette.factual}
    fills = {own: palette.background, prototype: palette.desired}
    measure = f"alike stands near ({embedding.likeness.upper()})"
    figure = go.Figure(
        go.Scatter(
            x=[places[code] for code in order], y=list(range(len(order))), mode="lines+markers", cliponaxis=False,
            line={"color": palette.grid, "width": 1.5}, hoverinfo="skip",
            marker={"size": 14, "opacity": 1, "color": [fills.get(float(code), palette.mute) for code in order],
                    "line": {"width": 2.5, "color": [outlines.get(float(code), palette.mute) for code in order]}},
        )
    )  # fmt: skip
    figure.update_layout(
        template="none", height=PITCH * len(order) + 50, margin={"l": 8, "r": 20, "t": 8, "b": 34}, showlegend=False,
        paper_bgcolor=palette.background, plot_bgcolor=palette.background, dragmode=False,
        font={"family": FONT, "color": palette.ink, "size": 14},
        yaxis={"tickvals": list(range(len(order))), "ticktext": [escape(labels[code]) for code in order],
               "autorange": "reversed", "showgrid": False, "zeroline": False, "automargin": True},
        xaxis={"showgrid": False, "zeroline": False, "showticklabels": False,
               "title": {"text": measure, "font": {"size": 13, "color": palette.ink_secondary}}},
    )  # fmt: skip
    return figure
