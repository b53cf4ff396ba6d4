"""What every card is made of: its frame, its head with the switch to its table, its chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from components.html import heading
from components.palette import Palette
from components.state import widgets
from explainers import wording
from explainers.decision import Target
from explainers.wording import Sentence

SCORES = ("score", "running total")
SHOWS_TABLE = "shows table"
"""Remembered apart from the switch, which Streamlit forgets while a case is still being computed."""
CONFIG = {"displayModeBar": False, "doubleClick": False, "showTips": False}


def card(name: str) -> Any:
    """The frame of a card."""
    return st.container(border=True, key=f"card_{name}")


def headed(name: str, question: str, method: str, about: str, palette: Palette, help_: Sequence[Sentence] = ()) -> bool:
    """Draw a card's head, with how to read the chart if that is given; whether its table is to be shown."""
    with st.container(horizontal=True, vertical_alignment="top", key=f"head_{name}"):
        with st.container(width="stretch"):
            heading(question, method, about, palette, help_)
        key = widgets.seed(f"table {name}", widgets.chosen(f"{SHOWS_TABLE} {name}", False))
        return st.toggle(
            "Table", key=key, help="The numbers behind the chart.", width="content",
            on_change=widgets.take, args=(f"{SHOWS_TABLE} {name}", key),
        )  # fmt: skip


def table(frame: pd.DataFrame, name: str, target: Target | None = None) -> None:
    """The numbers behind a chart; with a target, its scores as they are printed elsewhere."""
    decimals = 4
    if target is not None:
        frame, decimals = scores_printed(frame, SCORES, target)
    score, step = f"%.{decimals}f", f"%+.{max(decimals, 4)}f"
    st.dataframe(frame, hide_index=True, key=f"frame {name}", column_config={
        "score": st.column_config.NumberColumn(format=score),
        "running total": st.column_config.NumberColumn(
            format=score, help="Where the importances so far add up to; for Greedy the score after this step, for "
            "CounterShapley no score of its own."),
        "importance": st.column_config.NumberColumn(format=step),
        "standard error": st.column_config.NumberColumn(
            format="%.4f", help="How far the importance is off, typically: it is a mean over random orders."),
    })  # fmt: skip


def scores_printed(frame: pd.DataFrame, columns: Sequence[str], target: Target) -> tuple[pd.DataFrame, int]:
    """A table with its scores no more exact than they are printed elsewhere, and with how many decimals that is."""
    values = frame[[name for name in columns if name in frame]].astype(float)
    flat = values.to_numpy().ravel()
    decimals = wording.score_decimals(flat[~np.isnan(flat)], target)
    printed = values.map(lambda value: wording.as_printed(value, decimals))
    return frame.assign(**{name: printed[name] for name in values}), decimals


def chart(name: str, figure: go.Figure, alt: str, pick: Callable[[str], None]) -> None:
    """A chart whose marks can be picked."""
    st.plotly_chart(
        figure, width="stretch", theme=None, key=widgets.chart_key(name), alt=alt, config=CONFIG,
        on_select=lambda: pick(name), selection_mode="points",
    )  # fmt: skip
