"""One search for a counterfactual, counted, timed and judged as the paper on prototypes does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pandas as pd

from explainers.constraints import Constraints
from explainers.counterfactuals.prototype_path import PathOptions, PrototypePath
from explainers.counterfactuals.prototype_search import PrototypeOptions, PrototypeSearch, elastic_net
from explainers.counterfactuals.prototype_space import PrototypePrepared
from explainers.counterfactuals.searching import Search
from explainers.interpretability import Interpretability
from explainers.problem import Case, Problem
from explainers.run import Run


class Counted:
    """A prediction function that counts calls and rows, and the time spent in it."""

    def __init__(self, predict: Callable[[pd.DataFrame], Any]) -> None:
        self.predict, self.calls, self.rows, self.seconds = predict, 0, 0, 0.0

    def __call__(self, table: pd.DataFrame) -> Any:
        self.calls += 1
        self.rows += len(table)
        began = time.perf_counter()
        try:
            return self.predict(table)
        finally:
            self.seconds += time.perf_counter() - began

    def reset(self) -> None:
        self.calls, self.rows, self.seconds = 0, 0, 0.0


def search_of(problem: Problem, case: Case, prepared: PrototypePrepared) -> Search:
    outputs = problem.case_outputs(case)
    return Search(problem, case, Constraints(), outputs, problem.decision.target(outputs), prepared.ranges, Run())


def seek(
    problem: Problem,
    counted: Counted,
    case: Case,
    prepared: PrototypePrepared,
    options: PrototypeOptions | PathOptions,
    judge: Interpretability,
) -> dict[str, Any] | None:
    """One search, timed: what the row with the smallest elastic net is like, or nothing."""
    search = search_of(problem, case, prepared)
    counted.reset()
    began, steps = time.perf_counter(), 1
    if isinstance(options, PathOptions):
        PrototypePath().seek(search, options, prepared)
        ranked = PrototypePath().ranked(search, options, prepared)
    else:
        steps = PrototypeSearch().spend(search, options, prepared).steps
        ranked = PrototypeSearch().ranked(search, options, prepared)
    seconds = time.perf_counter() - began
    if not ranked:
        return None
    row = ranked[0].row[None]
    moves = prepared.space.points(row) - prepared.space.points(case.row[None])
    return {
        "seconds": seconds,
        "without_predict": seconds - counted.seconds,
        "steps": steps,
        "calls": counted.calls,
        "rows": counted.rows,
        "EN": float(elastic_net(moves)[0]),
        "changes": int((moves != 0).sum()),
        "IM1": float(judge.im1(row)[0]),
        "IM2x10": 10 * float(judge.im2(row)[0]),
        "real IM1": judge.real_im1,
        "real IM2x10": 10 * judge.real_im2,
    }
