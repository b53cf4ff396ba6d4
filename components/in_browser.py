"""What the browser does by itself: it counts the steps from case to case, and copies the link."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from components.state import widgets
from components.state.session import of_data

_SCRIPT = (Path(__file__).parent / "assets" / "in_browser.js").read_text(encoding="utf-8")
_component = st.components.v2.component("in_browser", js=_SCRIPT, isolate_styles=False)


def in_browser(order: Sequence[str]) -> None:
    """Let each press of the case bar's buttons, and of left and right, lead on along these cases."""
    told = _component(key=widgets.WALK, on_walk_change=of_data(lambda: widgets.walk(order)))
    widgets.note_walk(told.walk)
