"""The candidates in a table to choose from: what changes, how far, and how surely."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zlib import crc32

import pandas as pd
import streamlit as st

from components.card_parts import card
from components.charts.text import BODY, width_of
from components.html import heading
from components.palette import Palette
from components.printed import as_elsewhere
from components.state import picks, session, widgets
from components.state.session import of_case, of_data
from components.state.widgets import PLACE, seed
from explainers.candidate_frame import candidate_frame
from explainers.counterfactuals.candidates import SampledCounterfactuals
from explainers.schema import Schema

QUESTION = "Whom could this case become?"
ABOUT = "One row a candidate; empty where nothing changes. Pick one to read it below."
ORDERS = {"": "fewest changes first", "distance": "shortest way first", "score": "highest score first",
          "margin": "largest margin first"}  # fmt: skip
HEIGHT, CELL_ROOM = 290, 20
SHOWN = "shown"


def candidate_table(schema: Schema, found: SampledCounterfactuals, method: str, shown: int, palette: Palette) -> None:
    """Draw the table, in the order that the view asks for, and its download; picking a row shows that candidate."""
    frame = candidate_frame(schema, found)
    frame.insert(1, SHOWN, ["●" if place == shown else "" for place in range(len(frame))])
    sort = session.view().sort
    if sort:
        frame = frame.sort_values(sort, ascending=sort == "distance", kind="stable")
    places = frame.index.tolist()
    printed, formats = as_elsewhere(frame, found.target)
    with card("candidates"):
        with st.container(horizontal=True, vertical_alignment="top", key="head_candidates"):
            with st.container(width="stretch"):
                heading(QUESTION, "MCCE", ABOUT, palette)
            sort_key = seed("sort", sort)
            st.selectbox(
                "Order", list(ORDERS), key=sort_key, format_func=ORDERS.__getitem__, on_change=of_data(widgets.choose),
                args=("sort", sort_key), width=190, label_visibility="collapsed",
                help="This order stands in the address; a click on a column's head orders it on your screen alone.",
            )  # fmt: skip
            st.download_button(
                "CSV", _csv(frame.drop(columns=SHOWN)), "candidates.csv", "text/csv", key="candidates csv",
                icon=":material/download:", on_click="ignore", help="The table as it stands, with all columns.",
            )  # fmt: skip
        # Another search is another table, as one can't be told to forget which cell was picked.
        key = picks.chart_key(f"candidates {crc32(found.candidates.rows.tobytes())}")
        st.dataframe(
            printed, hide_index=True, key=key, height=HEIGHT, selection_mode=["single-row", "single-cell"],
            on_select=of_case(lambda: widgets.pick_candidate_row(method, key, places)), placeholder="",
            column_config=_columns(found, formats) | _widths(frame),
            alt="The candidates, with what changes, their distances and scores.",
        )  # fmt: skip


def _csv(frame: pd.DataFrame) -> bytes:
    """With a mark at its front by which spreadsheets know the encoding."""
    return frame.to_csv(index=False).encode("utf-8-sig")


def _widths(frame: pd.DataFrame) -> dict[str, Any]:
    """Room for each change, so that none is cut."""
    start, end = frame.columns.get_loc("margin"), frame.columns.get_loc("mean distance")
    return {
        title: st.column_config.TextColumn(
            width=round(max(width_of(text, BODY) for text in (title, *frame[title])) + CELL_ROOM)
        )
        for title in frame.columns[start + 1 : end]
    }


def _columns(found: SampledCounterfactuals, formats: Mapping[str, str]) -> dict[str, Any]:
    return {
        PLACE: st.column_config.NumberColumn(
            width=48, pinned=True, help="Its place in order of cost: fewest changes, then the shortest way."),
        SHOWN: st.column_config.TextColumn(width=64, pinned=True, help="The one that is shown below."),
        "changes": st.column_config.NumberColumn(width=74, help="How many features change (L0)."),
        "distance": st.column_config.NumberColumn(
            format="%.2f", width=80, help="L1, summed over features: numbers by their share of the range in training, "
            "another category as 1."),
        "score": st.column_config.NumberColumn(format=formats.get("score"), width=70, help=found.target.quantity),
        "margin": st.column_config.NumberColumn(
            format=formats.get("margin"), width=74, help="How far the score lies inside what is wanted."),
        "mean distance": st.column_config.NumberColumn(
            format="%.3f", help="The distance divided by the number of features (Gower, the paper's Equation 3)."),
        "copy of": st.column_config.TextColumn(help="The training row that it is equal to, if it is to one."),
        "front": st.column_config.CheckboxColumn(help="No other candidate beats it in changes and distance at once."),
    }  # fmt: skip
