"""Slow work on the screen: what is under way, how far, and how to stop it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.jobs import Ticket

LOOK_EVERY = 0.4


def pending(ticket: Ticket[Any], question: str) -> None:
    """Show progress until the work is done, then draw the page anew."""

    @st.fragment(run_every=LOOK_EVERY)
    def watch() -> None:
        ticket.renew()
        if ticket.is_done:
            st.rerun()
        with st.container(border=True, key="card_pending"):
            st.html(f'<div class="heading"><h3>{question}</h3></div>')
            waiting = "" if ticket.is_running else " Waiting for other work to end."
            st.progress(ticket.progress, text=f"Computing…{waiting}")
            st.button("Stop", key="stop", on_click=ticket.stop, help="Ends the search and shows what it found so far.")

    watch()
