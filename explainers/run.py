"""One run of a method: its seed, its time, its progress, and how to stop it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

LOOK_EVERY = 0.05
"""Seconds from one look to the next of what waits or computes by itself while a run may end."""


class Stopped(Exception):
    """Raised between two calls of the model when a run was cancelled or ran out of time."""


def _never() -> bool:
    return False


def _nobody(told: float) -> None:
    return None


@dataclass(frozen=True)
class Run:
    """How a method is run; methods read it and hand it down to the model.

    Attributes
    ----------
    seed : int
        Every random choice comes from it and from the case.
    deadline : float, optional
        Time, on the clock of ``time.monotonic``, at which the run stops.
    cancelled : callable
        Asked before each call of the model.
    progress : callable
        Told the share that is done, from 0 to 1.
    asked : callable
        Told after each call of the model how many rows it scored.
    """

    seed: int = 0
    deadline: float | None = None
    cancelled: Callable[[], bool] = _never
    progress: Callable[[float], None] = _nobody
    asked: Callable[[int], None] = _nobody

    @classmethod
    def within(cls, seconds: float, seed: int = 0) -> Run:
        """A run that stops after so many seconds."""
        return cls(seed=seed, deadline=time.monotonic() + seconds)

    def check(self) -> None:
        """Raise `Stopped` if the run was cancelled or is out of time."""
        if self.cancelled():
            raise Stopped("It was stopped.")
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise Stopped("Its time was up.")

    def part(self, start: float, end: float) -> Run:
        """The same run for a part of the work, whose progress goes from `start` to `end`."""
        return replace(self, progress=lambda share: self.progress(start + share * (end - start)))

    def random(self, case: str) -> np.random.Generator:
        """Random numbers that depend on the seed and the case alone."""
        digest = hashlib.sha256(case.encode()).digest()
        return np.random.default_rng([self.seed, int.from_bytes(digest[:8], "big")])
