"""Work that tests of the pool hold up and let go."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from components.jobs import Jobs, Ticket
from explainers.run import Run

# Only a broken pool waits so long.
PATIENCE = 30.0


class Clock:
    """Stands still until told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True)
class Found:
    """A result that says whether it is whole."""

    what: str
    is_complete: bool


class Gated:
    """Work that tells when it began, waits until it may go on, and looks at its run then."""

    def __init__(self, name: str = "done") -> None:
        self.name = name
        self.runs: list[Run] = []
        self.began = threading.Event()
        self.gate = threading.Event()

    def __call__(self, run: Run) -> Found:
        self.runs.append(run)
        self.began.set()
        assert self.gate.wait(PATIENCE)
        return Found("part", False) if run.cancelled() else Found(self.name, True)

    @property
    def calls(self) -> int:
        return len(self.runs)

    def wait_until_begun(self) -> Run:
        assert self.began.wait(PATIENCE)
        return self.runs[0]

    def go(self) -> None:
        self.gate.set()


def outcome(ticket: Ticket[Any]) -> Any:
    assert ticket.wait(PATIENCE)
    return ticket.result()


def drain(jobs: Jobs) -> None:
    """Wait until one worker has ended all that it was given: its queue is first come, first served."""
    assert outcome(jobs.ask("drain", "drain", object(), lambda run: "drained")) == "drained"


Make = Callable[..., Gated]
