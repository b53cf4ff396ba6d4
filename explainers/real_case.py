"""The nearest real case that has the desired decision, exactly as it is in the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explainers.counterfactuals.neighbours import desired_training_rows
from explainers.decision import Target
from explainers.distances import heom, value_ranges
from explainers.problem import Case, Problem
from explainers.run import Run
from explainers.schema import Rows, same


@dataclass(frozen=True, eq=False)
class RealCase:
    """A row of the table on the desired side, seen from a case.

    Attributes
    ----------
    id : str
    row : array of shape (n_features,)
        Encoded; read-only.
    score : float
        Drawn, for the case's target.
    distance : float
        HEOM to the case, summed over features.
    n_differing : int
        Features in which it differs from the case.
    """

    id: str
    row: Rows
    score: float
    distance: float
    n_differing: int

    def __post_init__(self) -> None:
        self.row.setflags(write=False)


def nearest_real_case(problem: Problem, case: Case, target: Target, run: Run | None = None) -> RealCase | None:
    """The training row nearest to a case by HEOM that is predicted and, where known, observed as desired.

    It is the row from which NICE starts when nothing is locked; no rule binds it, as it
    is shown and not proposed. Of equally near rows the earlier one.

    Returns
    -------
    RealCase, optional
        Nothing where no training row has the desired decision.

    Raises
    ------
    Stopped
        If the run ended first.
    """
    run = run or Run()
    positions = desired_training_rows(problem, target, run)
    run.check()
    if not positions.size:
        run.progress(1.0)
        return None
    rows = problem.rows[positions]
    distances = heom(problem.schema, value_ranges(problem.rows[problem.training]), case.row, rows)
    nearest = int(np.argmin(distances))
    at = positions[nearest]
    run.progress(1.0)
    return RealCase(
        id=problem.ids[at],
        row=problem.rows[at].copy(),
        score=float(target.drawn(problem.outputs[at][None])[0]),
        distance=float(distances[nearest]),
        n_differing=int((~same(rows[nearest], case.row)).sum()),
    )
