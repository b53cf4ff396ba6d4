"""What can't be ended is left alone, and does not pile up."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from explainers.aside import AT_ONCE, aside
from explainers.run import Run, Stopped


class Endless:
    """Work that goes on until it is let go."""

    def __init__(self) -> None:
        self.begun, self.let_go = 0, threading.Event()

    def __call__(self) -> str:
        self.begun += 1
        self.let_go.wait()
        return "done"


@pytest.fixture
def endless() -> Iterator[Endless]:
    work = Endless()
    yield work
    work.let_go.set()


def test_its_result_and_its_error_come_back() -> None:
    assert aside(lambda: 7, Run()) == 7
    with pytest.raises(ZeroDivisionError):
        aside(lambda: 1 // 0, Run())


def test_a_run_that_ends_does_not_wait(endless: Endless) -> None:
    with pytest.raises(Stopped, match="stopped"):
        aside(endless, Run(cancelled=lambda: endless.begun > 0))
    with pytest.raises(Stopped, match="time"):
        aside(endless, Run.within(0.0))


def test_those_left_alone_take_up_their_places_until_they_end(endless: Endless) -> None:
    for n in range(1, AT_ONCE + 1):
        with pytest.raises(Stopped):
            aside(endless, Run(cancelled=lambda n=n: endless.begun == n))  # type: ignore[misc]
    with pytest.raises(Stopped):
        aside(endless, Run.within(0.0))
    assert endless.begun == AT_ONCE
    endless.let_go.set()
    assert aside(endless, Run()) == "done"
