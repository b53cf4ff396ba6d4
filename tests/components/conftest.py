"""A pool on a clock that stands still, and work that waits until it is let go."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from components.jobs import Jobs
from tests.components.gated_work import Clock, Gated


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def gated() -> Iterator[Callable[..., Gated]]:
    """Makes gated works, and lets all of them end after the test."""
    made: list[Gated] = []

    def make(name: str = "done") -> Gated:
        made.append(Gated(name))
        return made[-1]

    yield make
    for work in made:
        work.go()


@pytest.fixture
def jobs(clock: Clock) -> Jobs:
    return Jobs(workers=1, kept=3, clock=clock)
