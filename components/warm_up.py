"""Make ready what the first visitor needs, while the server starts."""

from __future__ import annotations

import gc
import logging
import threading
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st

from components import catalogue
from components.state.view import DEFAULT_DATA

SECONDS_UNTIL_DRAWN = 20.0
"""After so many the first visitor's page is drawn, which nothing else should hold up."""
log = logging.getLogger(__name__)


@asynccontextmanager
async def warm_up(app: Any) -> AsyncIterator[None]:
    """Load heavy packages and the first sample in a thread of their own, and open the browser.

    Streamlit opens none for an app of this kind. It counts a machine without a screen as
    headless.
    """
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    if not st.get_option("server.headless"):
        url = f"http://{st.get_option('browser.serverAddress')}:{st.get_option('server.port')}"
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    yield


def _warm_up() -> None:
    # Streamlit collects garbage after each run of a script. What is there after this stays, so it need not be
    # looked through again each time: that would cost as much as all else that a click costs.
    gc.disable()
    try:
        catalogue.beginning(DEFAULT_DATA)
    except Exception:
        log.exception("The first sample could not be made ready.")
    gc.freeze()
    gc.enable()
    later = threading.Timer(SECONDS_UNTIL_DRAWN, _compile)
    later.daemon = True
    later.start()


def _compile() -> None:
    """Make ready what the page Equation computes with, which takes seconds where it was never done before."""
    from explainers.surrogates.descent import compile_now

    try:
        compile_now()
    except Exception:
        log.exception("The Lasso could not be compiled ahead.")
