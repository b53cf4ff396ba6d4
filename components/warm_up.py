"""Make ready what the first visitor needs, while the server starts."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from components import catalogue
from components.state.view import DEFAULT_DATA

log = logging.getLogger(__name__)


@asynccontextmanager
async def warm_up(app: Any) -> AsyncIterator[None]:
    """Load heavy packages and the first sample in a thread of their own."""
    threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()
    yield


def _warm_up() -> None:
    try:
        catalogue.beginning(DEFAULT_DATA)
    except Exception:
        log.exception("The first sample could not be made ready.")
