"""Which data: a sample, or what this person brought last."""

from __future__ import annotations

import streamlit as st

import samples
from components import projects
from components.state import session, widgets
from components.state.widgets import seed
from components.store_errors import StoreError


def data_picker() -> None:
    """A list of the samples and, by its file's name, of what was brought."""
    here = session.view().data
    own = here if projects.is_token(here) else session.last_brought()
    key = seed("data", here)
    st.selectbox(
        "Data", [*samples.SAMPLES, *([own] if _title(own) else [])], key=key, label_visibility="collapsed", width=155,
        format_func=_title, on_change=widgets.choose_data, args=(key,), filter_mode=None,
        help="The table and the model that are explained; a sample with a star was edited. Bring your own on the page "
        "Data & model.",
    )  # fmt: skip


def _title(data: str) -> str:
    """What is in the list for it; nothing where it has expired."""
    if data in samples.SAMPLES:
        return samples.SAMPLES[data].title
    try:
        return projects.of(data).title if data else ""
    except StoreError:
        return ""
