"""What each column holds: small charts side by side, drawn by Altair in pixels of one view."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from components.charts.text import width_of, wrap
from components.once import Once
from components.palette import FONT, Palette
from explainers import wording
from explainers.schema import Feature, Rows, Schema

WIDTH, GAP, COLUMNS = 203, 22, 2
HEIGHT = 64
BINS = 24
MOST_CATEGORIES = 6
MOST_PROFILES = 60
TITLE, TEXT = 13, 12
LINE, BAR = 16, 7
BASELINE = 12
"""Pixels from a line's top to where its letters stand."""
ROW_GAP, TILE_GAP = 6, 24


@dataclass
class Tile:
    """A profile of one feature in pixels from its own upper left.

    Attributes
    ----------
    rectangles : list of dict
        Each ``x, x2, y, y2``, what it stands for, and its rows.
    words : list of dict
        Each ``text, x, y, align, strong``.
    height : float
    """

    rectangles: list[dict[str, Any]] = field(default_factory=list)
    words: list[dict[str, Any]] = field(default_factory=list)
    height: float = 0.0

    def write(self, text: str, y: float, *, align: str = "left", strong: bool = False) -> None:
        """Put a line of text with its top at `y`."""
        x = 0.0 if align == "left" else float(WIDTH)
        self.words.append({"text": text, "x": x, "y": y + BASELINE, "align": align, "strong": strong})

    def moved(self, x: float, y: float) -> Tile:
        """The same tile elsewhere."""
        steps = {"x": x, "x2": x, "y": y, "y2": y}
        rectangles, words = (
            [{name: value + steps[name] if name in steps else value for name, value in mark.items()} for mark in marks]
            for marks in (self.rectangles, self.words)
        )
        return Tile(rectangles, words, self.height)


_tiles: Once[list[Tile]] = Once(kept=32)


def profile_grid(schema: Schema, rows: Callable[[], Rows | None], palette: Palette, key: Hashable) -> None:
    """Draw a profile of every feature.

    Parameters
    ----------
    schema : Schema
    rows : callable
        Gives all rows, encoded, or nothing where they can't be; asked once a key.
    palette : Palette
    key : hashable
        Equal only for the same schema and rows.
    """
    drawn = _tiles.get(key, lambda: tiles(schema, rows()))
    if drawn:
        st.altair_chart(profiles(drawn, palette), theme=None, key="profiles", width="content")
    if len(schema) > MOST_PROFILES:
        st.caption(f"The first {MOST_PROFILES} of {len(schema)} features are drawn.")


def tiles(schema: Schema, rows: Rows | None) -> list[Tile]:
    """Small charts of the features, numbers as histograms, categories as bars in the schema's order."""
    if rows is None:
        return []
    return [tile(feature, rows[:, place]) for place, feature in enumerate(schema.features[:MOST_PROFILES])]


def profiles(drawn: Sequence[Tile], palette: Palette) -> alt.LayerChart:
    """Tiles side by side, in one view."""
    placed: list[Tile] = []
    y = 0.0
    for start in range(0, len(drawn), COLUMNS):
        row = drawn[start : start + COLUMNS]
        placed += [one.moved(place * (WIDTH + GAP), y) for place, one in enumerate(row)]
        y += max(one.height for one in row) + TILE_GAP
    rectangles = [mark for one in placed for mark in one.rectangles]
    words = [mark for one in placed for mark in one.words]
    layers = [_rectangles(rectangles, palette)] if rectangles else []
    for strong in (True, False):
        for align in ("left", "right"):
            chosen = [word for word in words if (word["strong"], word["align"]) == (strong, align)]
            layers += [_words(chosen, align, strong, palette)] if chosen else []
    chart: alt.LayerChart = (
        alt.layer(*layers)
        .properties(width=COLUMNS * (WIDTH + GAP) - GAP, height=max(1.0, y - TILE_GAP), background=palette.background)
        .configure(font=FONT, padding=2)
        .configure_view(stroke=None)
        .configure_axis(disable=True)
    )
    return chart


def tile(feature: Feature, values: Rows) -> Tile:
    """What one feature holds.

    Parameters
    ----------
    feature : Feature
    values : array of shape (n_rows,)
        Encoded; NaN where missing.
    """
    made = Tile()
    for line in wrap(feature.title, WIDTH, TITLE, bold=True):
        made.write(line, made.height, strong=True)
        made.height += LINE
    known = values[np.isfinite(values)]
    missing = len(values) - len(known)
    said = [*([feature.unit] if feature.unit else []), *([f"{wording.number(missing, 0)} missing"] if missing else [])]
    for line in wrap(", ".join(said), WIDTH, TEXT) if said else ():
        made.write(line, made.height)
        made.height += LINE
    made.height += ROW_GAP
    if not known.size:
        made.write("no value", made.height)
        made.height += LINE
    elif feature.is_number:
        _histogram(made, feature, known)
    else:
        _bars(made, feature, known)
    return made


def bins(known: Rows) -> tuple[Any, Any]:
    """Counts and edges: bins centred on the values where these are few whole ones.

    Returns
    -------
    counts : array of int of shape (n_bins,)
    edges : array of shape (n_bins + 1,)
    """
    low, high = float(known.min()), float(known.max())
    if low == high:
        return np.array([len(known)]), np.array([low - 0.5, low + 0.5])
    if bool((known == np.round(known)).all()) and high - low < BINS:
        return np.histogram(known, bins=np.arange(low - 0.5, high + 1.0))
    return np.histogram(known, bins=np.linspace(low, high, BINS + 1))


def _histogram(made: Tile, feature: Feature, known: Rows) -> None:
    counts, edges = bins(known)
    places = WIDTH * np.arange(len(edges)) / (len(edges) - 1)
    top, low, high = made.height, float(known.min()), float(known.max())
    for count, (one, other), (x, x2) in zip(counts.tolist(), pairwise(edges.tolist()), pairwise(places), strict=True):
        if count:
            # As told, a bin round a whole number is that number.
            whole = other - one == 1.0 and not float(one).is_integer()
            what = wording.value(feature, round((one + other) / 2)) if whole else _span(feature, one, other)
            made.rectangles.append({
                "x": float(x), "x2": float(x2) - 1.0, "y": top + HEIGHT * (1.0 - count / counts.max()),
                "y2": top + HEIGHT, "feature": feature.title, "what": what, "rows": count,
            })  # fmt: skip
    made.height += HEIGHT + 2
    ends = [wording.value(feature, low, unit=False), wording.value(feature, high)]
    if low == high:
        made.write(ends[1], made.height)
    else:
        made.write(ends[0], made.height)
        made.height += LINE if width_of("   ".join(ends), TEXT) > WIDTH else 0
        made.write(ends[1], made.height, align="right")
    made.height += LINE


def _span(feature: Feature, one: float, other: float) -> str:
    return f"{wording.value(feature, one, unit=False)} to {wording.value(feature, other)}"


def _bars(made: Tile, feature: Feature, known: Rows) -> None:
    """A line of text a category with its bar below it; the rarest are taken together."""
    counts = np.bincount(known.astype(np.intp), minlength=len(feature.labels))
    shown = list(zip(feature.labels, counts.tolist(), strict=True))
    if len(shown) > MOST_CATEGORIES:
        kept = sorted(np.argsort(-counts, kind="stable")[: MOST_CATEGORIES - 1].tolist())
        rest = int(counts.sum() - counts[kept].sum())
        shown = [*(shown[place] for place in kept), (f"{wording.number(len(counts) - len(kept), 0)} others", rest)]
    most = max(count for _, count in shown)
    for label, count in shown:
        number = wording.number(count, 0)
        made.write(number, made.height, align="right")
        for line in wrap(label, WIDTH - width_of(number, TEXT) - 10, TEXT):
            made.write(line, made.height)
            made.height += LINE
        made.rectangles.append({
            "x": 0.0, "x2": WIDTH * count / most, "y": made.height, "y2": made.height + BAR,
            "feature": feature.title, "what": label, "rows": count,
        })  # fmt: skip
        made.height += BAR + ROW_GAP


def _rectangles(marks: Sequence[dict[str, Any]], palette: Palette) -> alt.Chart:
    chart: alt.Chart = (
        alt.Chart(pd.DataFrame(list(marks)))
        .mark_rect(color=palette.mute)
        .encode(
            x=alt.X("x:Q", scale=None), x2="x2:Q", y=alt.Y("y:Q", scale=None), y2="y2:Q",
            tooltip=[alt.Tooltip("feature:N"), alt.Tooltip("what:N", title="value"), alt.Tooltip("rows:Q")],
        )
    )  # fmt: skip
    return chart


def _words(marks: Sequence[dict[str, Any]], align: Any, strong: bool, palette: Palette) -> alt.Chart:
    chart: alt.Chart = (
        alt.Chart(pd.DataFrame(list(marks))[["text", "x", "y"]])
        .mark_text(
            align=align, baseline="alphabetic", fontSize=TITLE if strong else TEXT,
            fontWeight=600 if strong else 400, color=palette.ink if strong else palette.ink_secondary,
        )
        .encode(x=alt.X("x:Q", scale=None), y=alt.Y("y:Q", scale=None), text="text:N")
    )  # fmt: skip
    return chart
