"""The address of what is shown, to be copied, and who sees what by it."""

from __future__ import annotations

import streamlit as st

from components import projects
from components.state import session
from components.state.view import EDITS

HARMLESS = "Whoever opens it sees this case with these settings; it holds nothing else."
SHARED = "Whoever has it sees this case and all the data that you brought; it ends some days after its last use."


def link_box(key: str) -> None:
    """Show the address; the key begins with ``linkbox``, as the style does.

    The browser has copied it by then, if it may.
    """
    with st.container(key=key):
        st.code(session.address_text(), language=None, wrap_lines=True)
    view = session.view()
    holds_files = projects.is_token(view.data) or view.given not in ("", EDITS)
    st.caption(SHARED if holds_files else HARMLESS)
