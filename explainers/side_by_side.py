"""Many cases at once: each is explained as if alone, and their questions to the model are asked together.

A call of a model costs far more than a row. So every case runs in a thread of its own
until it needs an answer; when all of them wait, their rows go to the model in one call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from explainers.model import Model
from explainers.problem import Problem
from explainers.run import Run
from explainers.schema import Rows

T = TypeVar("T")
Item = TypeVar("Item")


def side_by_side(problem: Problem, items: Sequence[Item], work: Callable[[Problem, Item], T]) -> list[T]:
    """Do the same work for several items, with as few calls of the model as the slowest of them needs.

    Parameters
    ----------
    problem : Problem
    items : sequence
        What to work on; one thread each.
    work : callable
        Called with the problem as it is to be asked here, and an item. What it raises is
        raised here once all are done.

    Returns
    -------
    list
        What the work returned, in the order of the items.
    """

    meeting = _Meeting(problem.model, len(items))
    shared = replace(problem, model=_SharedModel.of(problem.model, meeting)).with_outputs(problem.outputs)

    def attend(item: Item) -> T:
        try:
            return work(shared, item)
        finally:
            meeting.leave()

    with ThreadPoolExecutor(max_workers=max(1, len(items))) as threads:
        return [future.result() for future in [threads.submit(attend, item) for item in items]]


@dataclass(eq=False)
class _Question:
    """Rows that somebody waits to have scored; guarded by the meeting's lock."""

    rows: Rows
    outputs: NDArray[np.float64] | None = None
    error: Exception | None = None

    @property
    def is_answered(self) -> bool:
        return self.outputs is not None or self.error is not None


class _Meeting:
    """Where those who take part wait until all of them have a question."""

    def __init__(self, model: Model, n_present: int) -> None:
        self._model = model
        self._present = n_present
        self._open: list[_Question] = []
        self._changed = threading.Condition()

    def ask(self, rows: Rows, run: Run) -> NDArray[np.float64]:
        question = _Question(rows)
        with self._changed:
            self._open.append(question)
            self._answer_if_all_wait(run)
            self._changed.wait_for(lambda: question.is_answered)
        if question.error is not None:
            raise question.error
        assert question.outputs is not None
        return question.outputs

    def leave(self) -> None:
        with self._changed:
            self._present -= 1
            self._answer_if_all_wait(Run())

    def _answer_if_all_wait(self, run: Run) -> None:
        if not self._open or len(self._open) < self._present:
            return
        asked, self._open = self._open, []
        try:
            outputs = self._model.score(np.concatenate([question.rows for question in asked]), run)
            ends = np.cumsum([len(question.rows) for question in asked])[:-1]
            for question, part in zip(asked, np.split(outputs, ends), strict=True):
                question.outputs = part
        except Exception as error:
            for question in asked:
                question.error = error
        self._changed.notify_all()


@dataclass(frozen=True, eq=False)
class _SharedModel(Model):
    """A model that is asked in a meeting."""

    meeting: _Meeting = field(kw_only=True)

    @classmethod
    def of(cls, model: Model, meeting: _Meeting) -> _SharedModel:  # type: ignore[override]
        return cls(**{item.name: getattr(model, item.name) for item in fields(model) if item.init}, meeting=meeting)

    def score(self, rows: Rows, run: Run | None = None) -> NDArray[np.float64]:
        run = run or Run()
        run.check()
        return self.meeting.ask(rows, run) if len(rows) else super().score(rows, run)
