"""What a page shows in the place of everything as long as there is nothing to explain."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components import arrival
from components.arrival import Arrival
from components.data_picker import data_picker
from components.html import empty
from components.palette import Palette
from components.pending import pending
from components.state import session
from explainers.wording import Span


def data_bar() -> None:
    """The shared bar, without a case."""
    with st.container(key="casebar", horizontal=True, vertical_alignment="center", gap="small"):
        data_picker()


def not_ready(arrived: Arrival, remedy: Any, palette: Palette) -> None:
    """Progress, or why there is nothing and the page where that can be changed."""
    if arrived.ticket is not None:
        pending(arrived.ticket, arrival.QUESTION)
        return
    empty((Span(arrived.obstacle),), palette)
    if arrived.obstacle == arrival.STOPPED:
        st.button("Go on", key="go on", on_click=arrival.again, help="Gets the data and the model ready after all.")
    else:
        st.page_link(remedy, label="Change the data or the model", query_params=session.parameters())
