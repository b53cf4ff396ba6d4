"""Slow work on the screen: what is under way, how far, and how to stop it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components.jobs import Ticket

LOOK_EVERY = 0.4


def awaited(ticket: Ticket[Any]) -> None:
    """Draw the page anew once work is done of which the page itself says nothing."""

    @st.fragment(run_every=LOOK_EVERY)
    def watch() -> None:
        ticket.renew()
        if ticket.is_done:
            st.rerun()

    watch()


def pending(ticket: Ticket[Any], question: str, name: str = "") -> None:
    """Show progress until the work is done, then draw the page anew.

    Parameters
    ----------
    ticket : Ticket
    question : str
        What the work is to answer.
    name : str, optional
        Of work that others may go on beside.
    """

    @st.fragment(run_every=LOOK_EVERY)
    def watch() -> None:
        ticket.renew()
        if ticket.is_done:
            st.rerun()
        with st.container(border=True, key=f"card_pending_{name}" if name else "card_pending"):
            st.html(f'<div class="heading"><h3>{question}</h3></div>')
            waiting = "" if ticket.is_running else " Waiting for other work to end."
            st.progress(ticket.progress, text=f"Computing…{waiting}")
            st.button(
                "Stop", key=f"stop {name}".strip(), on_click=ticket.stop,
                help="Ends the work and shows what there is of it so far.",
            )  # fmt: skip

    watch()
