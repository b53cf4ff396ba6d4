"""What every card is made of: its frame, its head with the switch to its table, its chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from components.html import heading
from components.palette import Palette
from components.printed import as_elsewhere
from components.state import picks, widgets
from components.state.session import of_case
from explainers.decision import Target
from explainers.wording import Sentence

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
    """The numbers behind a chart; with a target, its scores and steps as they are printed elsewhere."""
    shown, formats = (frame, {}) if target is None else as_elsewhere(frame, target)
    help_ = {
        "running total": "Where the importances so far add up to; for Greedy the score after this step, for "
        "CounterShapley no score of its own.",
        "standard error": "How far the importance is off, typically: it is a mean over random orders.",
    }
    config = {
        column: st.column_config.NumberColumn(format=formats.get(column), help=help_.get(column))
        for column in {**formats, **help_}
    }
    st.dataframe(shown, hide_index=True, key=f"frame {name}", column_config=config)


def chart(name: str, figure: go.Figure, alt: str, pick: Callable[[str], None]) -> None:
    """A chart whose marks can be picked."""
    st.plotly_chart(
        figure, width="stretch", theme=None, key=picks.chart_key(name), alt=alt, config=CONFIG,
        on_select=of_case(lambda: pick(name)), selection_mode="points",
    )  # fmt: skip
