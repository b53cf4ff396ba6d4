"""What benchmarks of importances are made of: times, posed problems, and counterfactuals by hand."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.constraints import Constraints
from explainers.counterfactuals.assembly import Candidate, assemble
from explainers.decision import BinaryDecision
from explainers.distances import value_ranges
from explainers.model import Model
from explainers.problem import Case, Problem
from explainers.results import Counterfactual, Origin
from explainers.run import Run
from explainers.schema import Schema


@dataclass
class Times:
    """Wall and CPU seconds of one thing, repetition by repetition."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def of(self, call: Callable[[], Any]) -> Any:
        wall, cpu = time.perf_counter(), time.process_time()
        answer = call()
        self.wall.append(time.perf_counter() - wall)
        self.cpu.append(time.process_time() - cpu)
        return answer

    def medians(self) -> dict[str, float]:
        return {"wall_s": round(median(self.wall), 5), "cpu_s": round(median(self.cpu), 5)}


def posed(table: pd.DataFrame, labels: NDArray[np.intp], estimator: Any, threshold: float) -> Problem:
    """All rows of a table, each a training row, with a fitted model."""
    schema = Schema.infer(table)
    return Problem(
        model=Model.of(estimator, schema),
        rows=schema.encode(table),
        ids=tuple(map(str, range(len(table)))),
        training=np.ones(len(table), dtype=bool),
        decision=BinaryDecision(("0", "1"), threshold),
        observed=labels.astype(np.intp),
    )


def named(X: NDArray[np.float64]) -> pd.DataFrame:
    return pd.DataFrame(X, columns=[f"f{i + 1}" for i in range(X.shape[1])])


def by_hand(problem: Problem, case: Case, row: NDArray[np.float64]) -> Counterfactual:
    """The counterfactual that takes over a whole row."""
    target = problem.target(case)
    drawn = target.drawn(problem.model.score(np.stack([case.row, row]))).tolist()
    candidate, how = Candidate(row.copy(), drawn[1]), Origin("whole row", (), 0, problem.key)
    ranges = value_ranges(problem.rows)
    return assemble(problem, case, Constraints(), target, drawn[0], [candidate], ranges, how, Run())[0]


def forest_problem(n_changes: int) -> tuple[Problem, Case, Counterfactual, Any]:
    """A random forest of 100 and a counterfactual that changes every feature."""
    from sklearn.datasets import make_classification
    from sklearn.ensemble import RandomForestClassifier

    X, y = make_classification(2000, n_features=n_changes, n_informative=n_changes // 2, random_state=0)
    estimator = RandomForestClassifier(100, random_state=0, n_jobs=1).fit(named(X), y)
    problem = posed(named(X), y, estimator, 0.5)
    sides = problem.decision.sides(problem.outputs)
    case = problem.case(int(np.flatnonzero(sides == 0)[0]))
    found = by_hand(problem, case, problem.rows[np.flatnonzero(sides == 1)[0]])
    assert len(found) == n_changes
    return problem, case, found, estimator
