"""What a card beside the charts has computed: as a job, with progress and Stop."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import streamlit as st

from components import explaining
from components.html import empty
from components.palette import Palette
from components.pending import pending
from components.state import session
from explainers.run import Run, Stopped
from explainers.wording import Span

T = TypeVar("T")

SLOT = "beside"


def known(name: str) -> Any:
    """What the card of this name has come to, if it is done; its key begins with the name."""
    ticket = session.tickets().get(SLOT)
    if ticket is None or ticket.key[1][0] != name or not ticket.is_done:
        return None
    try:
        return ticket.result()
    except (Stopped, ValueError):
        return None


def worked(question: str, key: Hashable, work: Callable[[Run], T], palette: Palette, slot: str = SLOT) -> T | None:
    """The result of some work or, where there is none yet, nothing, once it is shown why.

    Parameters
    ----------
    question : str
        Heads the card as long as the work goes on.
    key : hashable
        All that the result depends on.
    work : callable
    palette : Palette
    slot : str
        One a card, where a page has several that compute.
    """
    ticket = explaining.held(slot, key, work)
    if not ticket.wait(explaining.MOMENT):
        pending(ticket, question)
        return None
    try:
        return ticket.result()
    except Stopped:
        empty((Span("It was stopped before there was anything to show."),), palette)
        st.button("Compute it again", key=f"{slot} again", on_click=explaining.again, help="Starts the work anew.")
    except ValueError as error:
        empty((Span(str(error)),), palette)
    return None
