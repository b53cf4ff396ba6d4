"""The nearest real case that has the desired decision, exactly as it is in the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers import wording
from explainers.counterfactuals.neighbours import desired_training_rows
from explainers.decision import Target
from explainers.distances import heom_parts, value_ranges
from explainers.problem import Case, Problem
from explainers.results import Counterfactual
from explainers.run import Run
from explainers.schema import Rows, Schema, same


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
    parts : array of shape (n_features,)
        HEOM to the case, feature by feature; read-only.
    n_differing : int
        Features in which it differs from the case.
    """

    id: str
    row: Rows
    score: float
    parts: NDArray[np.float64]
    n_differing: int

    def __post_init__(self) -> None:
        self.row.setflags(write=False)
        self.parts.setflags(write=False)

    @property
    def distance(self) -> float:
        """HEOM to the case, summed over features."""
        return float(self.parts.sum())


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
    parts = heom_parts(problem.schema, value_ranges(problem.rows[problem.training]), case.row, rows)
    nearest = int(np.argmin(parts.sum(axis=-1)))
    at = positions[nearest]
    run.progress(1.0)
    return RealCase(
        id=problem.ids[at],
        row=problem.rows[at].copy(),
        score=float(target.drawn(problem.outputs[at][None])[0]),
        parts=parts[nearest].copy(),
        n_differing=int((~same(rows[nearest], case.row)).sum()),
    )


def differing(row: Rows, counterfactual: Counterfactual, real: RealCase) -> tuple[int, ...]:
    """Places of the features in which the three are not alike: what changes first, then what only the real case has."""
    is_changed, is_other = ~same(counterfactual.row, row), ~same(real.row, row)
    return (*np.flatnonzero(is_changed).tolist(), *np.flatnonzero(is_other & ~is_changed).tolist())


def real_frame(schema: Schema, counterfactual: Counterfactual, real: RealCase) -> pd.DataFrame:
    """One row a feature, those that differ first, then score and distance: of the case, what it becomes and what is."""
    own = counterfactual.factual
    places = differing(own, counterfactual, real)
    places = (*places, *(place for place in range(len(schema)) if place not in places))
    features = [schema.features[place] for place in places]
    target = counterfactual.target
    scores = wording.scores([counterfactual.factual_score, counterfactual.score, real.score], target)
    distances = [wording.number(distance, 3) for distance in (0.0, counterfactual.distance, real.distance)]

    def column(row: Rows, decimals: tuple[int | None, ...], at: int) -> list[str]:
        texts = [
            wording.value(feature, float(row[place]), decimals[place])
            for feature, place in zip(features, places, strict=True)
        ]
        return [*texts, scores[at], distances[at]]

    as_recorded = (None,) * len(schema)
    return pd.DataFrame(
        {
            "feature": [
                *(feature.title for feature in features),
                f"score ({target.quantity})",
                "distance from the case",
            ],
            f"case {counterfactual.case}": column(own, as_recorded, 0),
            "counterfactual": column(counterfactual.row, counterfactual.decimals, 1),
            f"real case {real.id}": column(real.row, as_recorded, 2),
        }
    )
