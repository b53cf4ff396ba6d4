"""Slow work in one small pool that all sessions share.

A page asks for a result by key, in a slot of its own ("explanation", "importance"), and is
given a `Ticket`. It keeps the ticket while the key stays the same, renews it at each look,
and shows the progress or the result. What nobody looks at any more is cancelled.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Generic, TypeVar

from explainers.run import Run, Stopped

T = TypeVar("T")
_Key = tuple[Hashable, int]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Counts:
    """How much a pool has done, and is doing, in jobs."""

    started: int  # begun by a worker
    finished: int  # ended by themselves: with a result, with an error, or at their time limit
    cancelled: int  # stopped, or held by nobody any more; begun or not
    running: int  # at a worker, a cancelled one too until it heeds that
    queued: int
    kept: int  # whole results, for whoever asks again


@dataclass(frozen=True, eq=False)
class _Outcome(Generic[T]):
    """What came of a job: a value or an error; only a whole value is kept."""

    value: T | None = None
    error: BaseException | None = None
    is_complete: bool = False


@dataclass(eq=False)
class _Job(Generic[T]):
    """Work under a key; guarded by the lock of its `Jobs`."""

    key: _Key
    work: Callable[[Run], T] | None
    seconds: float
    is_running: bool = False
    is_cancelled: bool = False
    progress: float = 0.0
    outcome: _Outcome[T] | None = None

    def advance(self, share: float) -> None:
        """Note the share done; it never goes back."""
        self.progress = max(self.progress, min(share, 1.0))

    def carry_out(self, cancelled: Callable[[], bool]) -> _Outcome[T]:
        """Do the work, whatever comes of it."""
        assert self.work is not None
        deadline = monotonic() + self.seconds
        run = Run(seed=self.key[1], deadline=deadline, cancelled=cancelled, progress=self.advance)
        try:
            value = self.work(run)
            says = getattr(value, "is_complete", None)
            was_cut = self.is_cancelled or monotonic() >= deadline
            return _Outcome(value, is_complete=says if isinstance(says, bool) else not was_cut)
        except (Stopped, ValueError) as told:  # a sentence for the person
            return _Outcome(error=told)
        except BaseException as error:
            _log.error("A job failed.", exc_info=error)
            # A SystemExit, raised again in a page, would end the page's thread instead of being shown.
            return _Outcome(error=error if isinstance(error, Exception) else RuntimeError("It broke off."))


@dataclass(eq=False)
class _Hold(Generic[T]):
    """A session's claim on a job; guarded by the lock of its `Jobs`."""

    session: str
    slot: str
    job: _Job[T]
    renewed: float
    waiting: int = 0
    is_lost: bool = False

    @property
    def is_done(self) -> bool:
        return self.is_lost or self.job.outcome is not None


@dataclass(frozen=True, eq=False)
class Ticket(Generic[T]):
    """A session's claim on a result; made by `Jobs.ask`.

    While the job is unfinished the claim has to be renewed. It is lost when it isn't, when
    the session asks for another key in the slot or for too many jobs, or when the session
    is released; a lost ticket is done, its result is `Stopped`, and asking again is right.
    """

    _jobs: Jobs
    _hold: _Hold[T]

    @property
    def key(self) -> Hashable:
        """What was asked for."""
        return self._hold.job.key[0]

    @property
    def progress(self) -> float:
        """The share that is done, from 0 to 1."""
        return self._hold.job.progress

    @property
    def is_running(self) -> bool:
        """Whether a worker is at it; an unfinished job that isn't running waits its turn."""
        return self._hold.job.is_running

    @property
    def is_done(self) -> bool:
        """Whether `result` can be asked."""
        return self._hold.is_done

    @property
    def is_lost(self) -> bool:
        """Whether the claim was given up before there was a result."""
        return self._hold.is_lost

    @property
    def was_stopped(self) -> bool:
        """Whether the person ended the work, and there is but a part of the result, or none."""
        return self._hold.job.is_cancelled and not self.is_complete and not self.is_lost

    @property
    def is_complete(self) -> bool:
        """Whether there is a whole result: not an error, not stopped, not out of time."""
        outcome = self._hold.job.outcome
        return not self.is_lost and outcome is not None and outcome.is_complete

    def wait(self, timeout: float) -> bool:
        """Wait so many seconds at most, without losing the claim; whether it is done."""
        return self._jobs._wait(self._hold, timeout)

    def renew(self) -> bool:
        """Say that somebody still looks; whether the claim still stands."""
        return self._jobs._renew(self._hold)

    def stop(self) -> None:
        """Stop the work because the person says so.

        If no other session holds the job, what the work returns counts as the result, though
        it is only part of one. Otherwise the others keep their run, and this ticket is lost.
        """
        self._jobs._stop(self._hold)

    def result(self) -> T:
        """What the work returned.

        Raises
        ------
        Stopped
            If it was stopped, ran out of time or was lost, and there is no result.
        Exception
            What the work raised.
        RuntimeError
            If it isn't done yet.
        """
        if self._hold.is_lost:
            raise Stopped("It was stopped, as nobody looked at it any more.")
        outcome = self._hold.job.outcome
        if outcome is None:
            raise RuntimeError("The job isn't done yet.")
        if outcome.error is not None:
            # Raised at every rerun of a page, the one error would grow by a traceback each time.
            raise outcome.error.with_traceback(None)
        return outcome.value  # type: ignore[return-value]  # it may be None only if T is


class Jobs:
    """A pool of workers that does each job once, for whoever asks.

    A result is whole, and kept for whoever asks again, if its attribute `is_complete` says
    so; one without that attribute is whole if the run was neither cancelled nor out of time
    when the work returned. All else (part of a result, an error, `Stopped`) is for those
    who hold the job at that moment only, and asking again starts anew.

    A worker takes what was asked first, but lets a session that has nothing running go
    before one that has. Work that never looks at its run keeps its worker until it ends.

    Parameters
    ----------
    workers : int
        How many jobs run at a time.
    kept : int
        How many whole results are kept; the one asked for longest ago goes first.
    lease_seconds : float
        How long an unfinished job is held for a session that doesn't renew.
    per_session : int
        How many unfinished jobs a session may hold. One more takes the place of the one
        renewed longest ago: most likely that of a page it has left.
    clock : callable
        Seconds, for the leases alone.
    """

    def __init__(
        self,
        workers: int = 2,
        kept: int = 256,
        lease_seconds: float = 5,
        per_session: int = 2,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._workers, self._per_session, self._most_kept = workers, per_session, kept
        self._lease_seconds, self._clock = lease_seconds, clock
        self._changed = threading.Condition()
        self._live: dict[_Key, _Job[Any]] = {}
        self._queue: list[_Job[Any]] = []
        self._kept: OrderedDict[_Key, _Job[Any]] = OrderedDict()
        self._holds: dict[tuple[str, str], _Hold[Any]] = {}
        self._threads = self._running = self._started = self._finished = self._cancelled = 0

    def ask(
        self, session: str, slot: str, key: Hashable, work: Callable[[Run], T], seconds: float = 60.0, seed: int = 0
    ) -> Ticket[T]:
        """Claim the result of some work; it is started only if nobody has asked for it yet.

        Parameters
        ----------
        session, slot : str
            A session has one key a slot: asking for another gives up the earlier one.
        key : hashable
            All that the result depends on, but for the seed.
        work : callable
            Called in another thread, so it makes no Streamlit call. It is handed the run that
            it obeys: it returns what it has, or raises `Stopped`, when told to stop.
        seconds : float
            Time limit, from when a worker begins. Who joins a job joins its time limit.
        """
        with self._changed:
            hold = self._claim(session, slot, self._job_for((key, seed), work, seconds))
            self._drop_lapsed()
            if self._queue and self._threads < self._workers:
                # A daemon, so that the server can stop at once; it ends when the queue is empty.
                threading.Thread(target=self._work, name="flipside-job", daemon=True).start()
                self._threads += 1
            return Ticket(self, hold)

    def release(self, session: str) -> None:
        """Give up all that a session holds, as when its tab was closed."""
        with self._changed:
            for hold in [hold for hold in self._holds.values() if hold.session == session]:
                self._drop(hold)

    def counts(self) -> Counts:
        """How much was done so far."""
        with self._changed:
            self._drop_lapsed()
            so_far = (self._started, self._finished, self._cancelled, self._running)
            return Counts(*so_far, queued=len(self._queue), kept=len(self._kept))

    def _wait(self, hold: _Hold[Any], timeout: float) -> bool:
        with self._changed:
            hold.waiting += 1
            try:
                self._drop_lapsed()
                return self._changed.wait_for(lambda: hold.is_done, timeout)
            finally:
                hold.waiting -= 1
                hold.renewed = self._clock()

    def _renew(self, hold: _Hold[Any]) -> bool:
        with self._changed:
            hold.renewed = self._clock()
            self._drop_lapsed()
            return not hold.is_lost

    def _stop(self, hold: _Hold[Any]) -> None:
        with self._changed:
            if hold.is_done:
                return
            if any(other.session != hold.session for other in self._of_job(hold.job)):
                self._drop(hold)
            else:
                self._cancel(hold.job)

    # What follows is called with the lock held, but for `_work` and `_is_cancelled`.

    def _of_job(self, job: _Job[Any]) -> list[_Hold[Any]]:
        return [hold for hold in self._holds.values() if hold.job is job]

    def _job_for(self, key: _Key, work: Callable[[Run], T], seconds: float) -> _Job[T]:
        """The job that is kept or under way for a key, or else a new one."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._live:
            self._live[key] = _Job(key, work, seconds)
            self._queue.append(self._live[key])
        return self._live[key]

    def _claim(self, session: str, slot: str, job: _Job[T]) -> _Hold[T]:
        """The session's hold on a job, which takes the place of another in the slot."""
        earlier = self._holds.get((session, slot))
        if earlier is not None and earlier.job is job:
            earlier.renewed = self._clock()
            return earlier
        if earlier is not None:
            self._drop(earlier)
        others = [other for other in self._holds.values() if other.session == session]
        hold = _Hold(session, slot, job, self._clock())
        if job.outcome is None:
            # Before others are dropped: one of them may be on the same job.
            self._holds[session, slot] = hold
            too_many = max(0, len(others) + 1 - self._per_session)
            for other in sorted(others, key=lambda other: other.renewed)[:too_many]:
                self._drop(other)
        return hold

    def _drop_lapsed(self) -> None:
        """Drop the holds that weren't renewed in time."""
        oldest = self._clock() - self._lease_seconds
        for hold in [hold for hold in self._holds.values() if hold.renewed < oldest and not hold.waiting]:
            self._drop(hold)

    def _drop(self, hold: _Hold[Any]) -> None:
        """Take a hold away, and cancel the job if it was the last one."""
        hold.is_lost = True
        del self._holds[hold.session, hold.slot]
        if not self._of_job(hold.job):
            self._cancel(hold.job)
        self._changed.notify_all()

    def _cancel(self, job: _Job[Any]) -> None:
        """Let a job end as soon as it can; nobody joins it any more."""
        if job.is_cancelled:
            return
        job.is_cancelled = True
        self._cancelled += 1
        del self._live[job.key]
        if not job.is_running:
            self._queue.remove(job)
            self._end(job, _Outcome(error=Stopped("It was stopped.")))

    def _end(self, job: _Job[Any], outcome: _Outcome[Any]) -> None:
        """Hand out what came of a job, and keep it if it is whole."""
        job.outcome, job.work, job.is_running = outcome, None, False
        if not job.is_cancelled:
            del self._live[job.key]
            self._finished += 1
        if outcome.is_complete:
            job.progress = 1.0
            self._kept[job.key] = job
            while len(self._kept) > self._most_kept:
                self._kept.popitem(last=False)
        for hold in self._of_job(job):
            del self._holds[hold.session, hold.slot]
        self._changed.notify_all()

    def _next(self) -> _Job[Any]:
        """Take from the queue the job of the session that has least running, the oldest first."""
        busy = Counter(hold.session for hold in self._holds.values() if hold.job.is_running)
        job = min(self._queue, key=lambda job: min((busy[hold.session] for hold in self._of_job(job)), default=0))
        self._queue.remove(job)
        job.is_running = True
        self._running += 1
        self._started += 1
        return job

    def _work(self) -> None:
        """Do jobs until none is left; the body of a worker's thread."""
        while True:
            with self._changed:
                self._drop_lapsed()
                if not self._queue:
                    self._threads -= 1
                    return
                job = self._next()
            outcome = job.carry_out(partial(self._is_cancelled, job))
            with self._changed:
                self._running -= 1
                self._end(job, outcome)

    def _is_cancelled(self, job: _Job[Any]) -> bool:
        with self._changed:
            self._drop_lapsed()
            return job.is_cancelled


_shared = Jobs()


def shared_jobs() -> Jobs:
    """The pool that all sessions of this process share."""
    return _shared
