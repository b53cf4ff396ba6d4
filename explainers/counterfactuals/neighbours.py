"""The nearest real cases with the desired decision, once every rule is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.constraints import FREE, Constraints
from explainers.decision import Target
from explainers.distances import heom
from explainers.problem import Case, Problem
from explainers.results import NoneFound
from explainers.run import Run
from explainers.schema import Rows

ROWS_AT_ONCE = 128


@dataclass(frozen=True, eq=False)
class Neighbour:
    """A training row that has the desired decision and keeps every rule.

    Attributes
    ----------
    id : str
    row : array of shape (n_features,)
        With the case's own value wherever the training row breaks a rule.
    score, closeness : float
        Of this row, drawn; see `Target`.
    """

    id: str
    row: Rows
    score: float
    closeness: float


def desired_training_rows(problem: Problem, target: Target, run: Run) -> NDArray[np.intp]:
    """Positions of the training rows that are predicted and, where known, observed as desired."""
    return np.flatnonzero(problem.training & target.flips(problem.scored(run)) & problem.may_have_been(target))


def nearest_desired(
    problem: Problem, case: Case, constraints: Constraints, target: Target, ranges: Rows, most: int, run: Run
) -> tuple[Neighbour, ...]:
    """The nearest rows by HEOM, different from each other, the earlier row first in a tie.

    Rows that break a rule are repaired with the case's own value and scored again; those
    that then lack the desired decision drop out.
    """
    positions = desired_training_rows(problem, target, run)
    repaired, is_repaired = _repair(problem, case, constraints, positions)
    nearest_first = np.argsort(heom(problem.schema, ranges, case.row, repaired), kind="stable")
    found: dict[bytes, Neighbour] = {}
    for start in range(0, len(positions), ROWS_AT_ONCE):
        places = nearest_first[start : start + ROWS_AT_ONCE]
        outputs = problem.outputs[positions[places]].copy()
        outputs[is_repaired[places]] = problem.model.score(repaired[places][is_repaired[places]], run)
        scores, closeness, flips = target.drawn(outputs), target.closeness(outputs), target.flips(outputs)
        for at in np.flatnonzero(flips).tolist():
            row = repaired[places[at]]
            id_ = problem.ids[positions[places[at]]]
            found.setdefault(row.tobytes(), Neighbour(id_, row, float(scores[at]), float(closeness[at])))
            if len(found) == most:
                return tuple(found.values())
    return tuple(found.values())


def why_none(
    problem: Problem,
    case: Case,
    constraints: Constraints,
    target: Target,
    run: Run,
    finds: Callable[[Constraints], bool],
) -> NoneFound:
    """Which rules leave no training row with the desired decision, and which alone would be enough to free.

    Parameters
    ----------
    problem : Problem
    case : Case
    constraints : Constraints
    target : Target
    run : Run
    finds : callable
        Whether the search finds something under other rules.
    """
    positions = desired_training_rows(problem, target, run)
    if not len(positions):
        return NoneFound("unseen")
    binding = constraints.binding(problem.schema, case.row, problem.rows[positions])
    relaxing = tuple(name for name in binding if finds(constraints.with_rule(name, FREE)))
    return NoneFound("constrained", binding=binding, relaxing=relaxing)


def _repair(
    problem: Problem, case: Case, constraints: Constraints, positions: NDArray[np.intp]
) -> tuple[Rows, NDArray[np.bool_]]:
    """The rows with the case's own value wherever a rule is broken, and which rows that touched."""
    rows = problem.rows[positions]
    allowed = constraints.allowed(problem.schema, case.row, rows)
    return np.where(allowed, rows, case.row), np.asarray(~allowed.all(axis=1))
