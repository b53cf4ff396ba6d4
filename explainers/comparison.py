"""All generators on the same case: what each found, by the same measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from explainers.constraints import Constraints
from explainers.counterfactuals.neighbours import desired_training_rows
from explainers.decision import Target
from explainers.distances import heom, value_ranges
from explainers.interpretability import Interpretability
from explainers.model import Model
from explainers.problem import Case, Problem
from explainers.results import Counterfactual, Counterfactuals
from explainers.retraining import retrained_models
from explainers.run import Run
from explainers.schema import Rows


@dataclass(frozen=True)
class Measures:
    """One counterfactual by every measure.

    Attributes
    ----------
    is_valid : bool
        Whether it has the desired decision when scored anew.
    changes : int
        L0.
    distance : float
        L1: differences over ranges, summed.
    violations : int
        Changed features whose rule is broken.
    im1, im2 : float, optional
        See `Interpretability`.
    to_real : float
        L1 to the nearest training row that is decided, and known, as desired.
    robustness : float, optional
        The share of models fitted again under which it still has the desired decision.
    """

    is_valid: bool
    changes: int
    distance: float
    violations: int
    im1: float | None
    im2: float | None
    to_real: float
    robustness: float | None


@dataclass(frozen=True, eq=False)
class Compared:
    """What one generator came to.

    Attributes
    ----------
    method : str
    result : Counterfactuals
    measures : tuple of Measures
        One for each counterfactual found.
    real_im1, real_im2 : float, optional
        What these measures are for real cases of the desired side.
    seconds : float
        How long the search took, without what serves all cases alike.
    is_measured : bool
        Whether by all measures that there are.
    """

    method: str
    result: Counterfactuals
    measures: tuple[Measures, ...]
    real_im1: float | None
    real_im2: float | None
    seconds: float
    is_measured: bool = True

    @property
    def is_complete(self) -> bool:
        """Whether the search and the measuring ended by themselves."""
        return self.result.is_complete and self.is_measured


@dataclass(frozen=True, eq=False)
class Yardstick:
    """What all counterfactuals of a case are measured by.

    Attributes
    ----------
    ranges : array of shape (n_features,)
    real : array of shape (n_rows, n_features)
        Training rows on the desired side.
    interpretability : Interpretability, optional
    models : tuple of Model
        Fitted again; empty where that can't be done.
    is_whole : bool
        Whether all was fitted that can be.
    """

    ranges: Rows
    real: Rows
    interpretability: Interpretability | None
    models: tuple[Model, ...]
    is_whole: bool = True

    @classmethod
    def of(cls, problem: Problem, case: Case, run: Run | None = None) -> Yardstick:
        """Fit what is needed.

        Raises
        ------
        Stopped
            If the run ended first.
        """
        run = run or Run()
        known = Interpretability.of(problem, case, problem.target(case, run), run.part(0.0, 0.5))
        models = retrained_models(problem, run.part(0.5, 1.0))
        return replace(cls.unfitted(problem, case), interpretability=known, models=models, is_whole=True)

    @classmethod
    def unfitted(cls, problem: Problem, case: Case) -> Yardstick:
        """Only what needs no fitting."""
        run = Run()
        ranges = value_ranges(problem.rows[problem.training])
        real = problem.rows[desired_training_rows(problem, problem.target(case, run), run)]
        return cls(ranges, real, None, (), is_whole=False)

    def measured(
        self, problem: Problem, constraints: Constraints, found: Sequence[Counterfactual], run: Run | None = None
    ) -> tuple[Measures, ...]:
        """Every measure of some counterfactuals of one case."""
        if not found:
            return ()
        schema, case, target = problem.schema, found[0].factual, found[0].target
        rows = np.stack([counterfactual.row for counterfactual in found])
        flips = target.flips(problem.model.score(rows, run))
        broken = (~constraints.allowed(schema, case, rows)).sum(axis=1)
        distances = heom(schema, self.ranges, case, rows)
        im = self.interpretability
        im1, im2 = (None, None) if im is None else (im.im1(rows), im.im2(rows))
        holds = self._robustness(target, rows, run)
        return tuple(
            Measures(
                bool(flips[at]),
                len(found[at]),
                float(distances[at]),
                int(broken[at]),
                None if im1 is None else float(im1[at]),
                None if im2 is None else float(im2[at]),
                float(heom(schema, self.ranges, row, self.real).min(initial=np.inf)),
                None if holds is None else float(holds[at]),
            )
            for at, row in enumerate(rows)
        )

    def _robustness(self, target: Target, rows: Rows, run: Run | None) -> Rows | None:
        if not self.models:
            return None
        return np.asarray(np.mean([target.flips(model.score(rows, run)) for model in self.models], axis=0))


def compared(
    method: str,
    problem: Problem,
    constraints: Constraints,
    result: Counterfactuals,
    seconds: float,
    yardstick: Callable[[], Yardstick],
) -> Compared:
    """What a generator found, measured; a run that has ended may still be measured.

    The yardstick is asked for only where there is something to measure.
    """
    if not result.found:
        return Compared(method, result, (), None, None, seconds)
    yard = yardstick()
    measures, im = yard.measured(problem, constraints, result.found), yard.interpretability
    real_im1, real_im2 = (None, None) if im is None else (im.real_im1, im.real_im2)
    return Compared(method, result, measures, real_im1, real_im2, seconds, yard.is_whole)


def comparison_frame(titles: Mapping[str, str], rows: Sequence[Compared]) -> pd.DataFrame:
    """One row a method: the best of what it found by every measure, then how many it found and how long it took."""
    best = [row.measures[0] if row.measures else None for row in rows]
    scores = [row.result.found[0].score if row.result.found else None for row in rows]
    return pd.DataFrame(
        {
            "method": [titles[row.method] for row in rows],
            "found": [len(row.result.found) for row in rows],
            "valid": [None if m is None else m.is_valid for m in best],
            "changes": [None if m is None else m.changes for m in best],
            "distance": [None if m is None else m.distance for m in best],
            "score": scores,
            "violations": [None if m is None else m.violations for m in best],
            "IM1": [None if m is None else m.im1 for m in best],
            "IM2": [None if m is None else m.im2 for m in best],
            "to real": [None if m is None else m.to_real for m in best],
            "robustness": [None if m is None else m.robustness for m in best],
            "seconds": [row.seconds for row in rows],
        }
    )
