"""Computing that can't be ended from within: it is left alone where its run ends first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

from explainers.run import LOOK_EVERY, Run

T = TypeVar("T")

AT_ONCE = 2

_places = threading.BoundedSemaphore(AT_ONCE)


def aside(work: Callable[[], T], run: Run) -> T:
    """Do work in a thread of its own, and wait for it no longer than the run lasts.

    It is for one step of a library that takes seconds, asks nobody and lets Python go on
    meanwhile, such as one decision tree on 200 000 rows. With fewer rows or leaves it would
    be another tree, and how long it takes can't be foretold on a machine that others use,
    too. So it comes to its end with nobody waiting. As only so many run at once, those left
    alone included, they can't pile up.

    Parameters
    ----------
    work : callable
    run : Run

    Raises
    ------
    Stopped
        If the run ended first.
    """
    while not _places.acquire(timeout=LOOK_EVERY):
        run.check()
    future: Future[T] = Future()
    threading.Thread(target=_carry_out, args=(work, future), name="flipside-aside", daemon=True).start()
    while not wait([future], LOOK_EVERY).done:
        run.check()
    return future.result()


def _carry_out(work: Callable[[], T], future: Future[T]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)
    finally:
        _places.release()
