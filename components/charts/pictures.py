"""Rows whose features are pixels, as pictures side by side, and what changes from the first to the second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from components.charts.text import escape
from components.palette import FONT, Palette
from explainers import sentences_picture
from explainers.picture import places_of, scale_of, seen
from explainers.schema import Rows, Schema

SIDE, TITLE, NOTE, SCALE = 160, 30, 19, 40
ROOM = 800
"""So wide are all pictures of a row together at most."""
BETWEEN = 0.03
CHANGE = "what changes"


@dataclass(frozen=True, eq=False)
class Picture:
    """A row, what stands above it, and the colour of the side that it is on.

    Attributes
    ----------
    title, colour : str
    row : array of shape (n_features,)
    note : str
        What stands below the title, in quiet ink.
    """

    title: str
    colour: str
    row: Rows
    note: str = ""


def pictures_chart(schema: Schema, pictures: Sequence[Picture], palette: Palette) -> go.Figure:
    """The pictures on one scale of ink.

    Parameters
    ----------
    schema : Schema
        With a picture.
    pictures : sequence of Picture
    palette : Palette
    """
    return _pictures(schema, pictures, len(pictures), palette)


def change_chart(schema: Schema, pictures: Sequence[Picture], palette: Palette) -> go.Figure:
    """The pictures on one scale of ink, and last how the second differs from the first.

    Parameters
    ----------
    schema : Schema
        With a picture.
    pictures : sequence of Picture
        Two or more.
    palette : Palette
    """
    place, before, after = len(pictures), pictures[0].row, pictures[1].row
    figure = _pictures(schema, pictures, place + 1, palette)
    drawn = seen(schema, np.stack([before, after]))
    texts = _texts(schema, lambda name: sentences_picture.pixel_change(schema, name, before, after))
    _add(figure, place, place + 1, drawn[1] - drawn[0], texts, "coloraxis2", palette)
    _title(figure, place, place + 1, Picture(CHANGE, palette.ink, after), palette)
    low, high = scale_of(schema)
    step = high - low or 1.0
    slot = _slot(place, place + 1)
    figure.update_layout(
        coloraxis2={"colorscale": [[0, palette.factual], [0.5, palette.panel], [1, palette.desired]],
                    "cmin": -step, "cmax": step, "colorbar": _bar(slot, palette)},
    )  # fmt: skip
    _ends(figure, slot, sentences_picture.step_scale(schema, step), palette)
    return figure


def width_of(n_slots: int) -> int:
    """How wide a chart of so many pictures is where there is room, in pixels."""
    return round(n_slots * _side(n_slots) / (1 - BETWEEN * (n_slots - 1))) + 4


def _side(n_slots: int) -> int:
    return min(SIDE, ROOM // n_slots)


def _pictures(schema: Schema, pictures: Sequence[Picture], n_slots: int, palette: Palette) -> go.Figure:
    """The pictures in the first of so many slots."""
    low, high = scale_of(schema)
    step = high - low or 1.0
    title = TITLE + NOTE * any(picture.note for picture in pictures)
    figure = go.Figure()
    for place, picture in enumerate(pictures):
        texts = _texts(schema, lambda name, row=picture.row: sentences_picture.pixel(schema, name, row))
        _add(figure, place, n_slots, seen(schema, picture.row[None])[0], texts, "coloraxis", palette)
        _title(figure, place, n_slots, picture, palette)
    figure.update_layout(
        template="none", height=_side(n_slots) + title + SCALE, margin={"l": 2, "r": 2, "t": title, "b": SCALE},
        dragmode=False,
        paper_bgcolor=palette.background, plot_bgcolor=palette.background, showlegend=False,
        font={"family": FONT, "color": palette.ink, "size": 14},
        hoverlabel={"bgcolor": palette.panel, "font": {"color": palette.ink, "family": FONT}},
        coloraxis={"colorscale": [[0, palette.panel], [1, palette.ink]], "cmin": low, "cmax": low + step,
                   "colorbar": _bar(_slot(0, n_slots), palette)},
    )  # fmt: skip
    _ends(figure, _slot(0, n_slots), sentences_picture.scale(schema, low, low + step), palette)
    return figure


def _slot(place: int, n_slots: int) -> tuple[float, float]:
    width = (1 - BETWEEN * (n_slots - 1)) / n_slots
    return place * (width + BETWEEN), place * (width + BETWEEN) + width


def _texts(schema: Schema, told: Any) -> list[list[str]]:
    """What is said of each pixel, where the picture has it."""
    texts = [[""] * len(row) for row in schema.picture]
    for name, (down, across) in places_of(schema).items():
        texts[down][across] = escape(told(name))
    return texts


def _add(
    figure: go.Figure, place: int, n_slots: int, pixels: Any, texts: list[list[str]], coloraxis: str, palette: Palette
) -> None:
    """One picture in its slot, its pixels square, with a hairline around it."""
    number = "" if place == 0 else str(place + 1)
    height, width = pixels.shape
    figure.add_heatmap(
        z=[[None if np.isnan(ink) else ink for ink in row] for row in pixels.tolist()], text=texts, hoverongaps=False,
        hovertemplate="%{text}<extra></extra>", coloraxis=coloraxis, xaxis=f"x{number}", yaxis=f"y{number}",
    )  # fmt: skip
    bare = {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": "", "constrain": "domain",
            "fixedrange": True}  # fmt: skip
    figure.update_layout({
        f"xaxis{number}": {**bare, "domain": _slot(place, n_slots), "range": [-0.5, width - 0.5],
                           "constraintoward": "left", "anchor": f"y{number}"},
        f"yaxis{number}": {**bare, "range": [height - 0.5, -0.5], "scaleanchor": f"x{number}",
                           "constraintoward": "top", "anchor": f"x{number}"},
    })  # fmt: skip
    figure.add_shape(
        type="rect", xref=f"x{number}", yref=f"y{number}", x0=-0.5, x1=width - 0.5, y0=-0.5, y1=height - 0.5,
        line={"color": palette.rule, "width": 1},
    )  # fmt: skip


def _title(figure: go.Figure, place: int, n_slots: int, picture: Picture, palette: Palette) -> None:
    note = f'<br><span style="color:{palette.ink_secondary}">{escape(picture.note)}</span>' if picture.note else ""
    figure.add_annotation(
        xref="paper", yref="paper", x=_slot(place, n_slots)[0], y=1, xanchor="left", yanchor="bottom", yshift=3,
        showarrow=False, align="left", text=f"<b>{escape(picture.title)}</b>{note}",
        font={"color": picture.colour, "size": 14},
    )  # fmt: skip


def _bar(slot: tuple[float, float], palette: Palette) -> dict[str, Any]:
    """A scale below a picture."""
    return {
        "orientation": "h", "x": slot[0], "xanchor": "left", "xpad": 0, "y": 0, "yanchor": "top", "ypad": 6,
        "lenmode": "fraction", "len": slot[1] - slot[0], "thickness": 8, "outlinewidth": 1,
        "outlinecolor": palette.rule, "showticklabels": False, "ticks": "",
    }  # fmt: skip


def _ends(figure: go.Figure, slot: tuple[float, float], texts: tuple[str, str], palette: Palette) -> None:
    """What stands below a scale, within its ends."""
    for x, anchor, text in zip(slot, ("left", "right"), texts, strict=True):
        figure.add_annotation(
            xref="paper", yref="paper", x=x, y=0, xanchor=anchor, yanchor="top", yshift=-17, showarrow=False,
            text=escape(text), font={"size": 13, "color": palette.ink_secondary},
        )  # fmt: skip
