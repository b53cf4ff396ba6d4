"""The row of pages, and what stands there when the address can't be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from components.html import empty
from components.palette import Palette
from components.state import session
from explainers.wording import Span


def navigation(pages: Sequence[Any], here: Any) -> None:
    """Links that carry the view from page to page."""
    parameters = session.parameters()
    with st.container(key="navigation", horizontal=True):
        for page in pages:
            with st.container(key="here" if page == here else f"link_{page.url_path}", width="content"):
                st.page_link(page, query_params=parameters)


def unreadable(sentence: str, palette: Palette) -> None:
    """Say what is wrong with the address, and offer the way to the first screen."""
    empty((Span(sentence),), palette)
    st.button("Start over", key="start over", on_click=session.forget_address, help="Goes to the first case.")
