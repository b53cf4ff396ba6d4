"""How much a counterfactual looks like a case of the desired side: IM1 and IM2.

Van Looveren and Klaise, "Interpretable counterfactual explanations guided by prototypes",
2019, Section 4.1. One autoencoder knows the training rows that are decided as desired, one
those decided as the case, one all of them. Rows are points on comparable scales. Raw values
mislead, as they also tell which autoencoder fits better, so they stand beside those of real rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.autoencoder import DeepAutoencoder, Points, fit_deep_autoencoder
from explainers.counterfactuals.prototype_space import Space
from explainers.decision import Target
from explainers.problem import Case, Problem
from explainers.run import Run
from explainers.schema import Rows

TINY = 1e-6
FEWEST_ROWS = 20
EPOCHS = 300


@dataclass(frozen=True, eq=False)
class Interpretability:
    """What measures IM1 and IM2 from one side of a decision to another.

    Attributes
    ----------
    space : Space
    desired, factual, everybody : DeepAutoencoder
        Fitted to the training rows of the desired side, of the case's side, and to all.
    real_im1, real_im2 : float
        Medians over the training rows of the desired side.
    """

    space: Space
    desired: DeepAutoencoder
    factual: DeepAutoencoder
    everybody: DeepAutoencoder
    real_im1: float
    real_im2: float

    @classmethod
    def of(cls, problem: Problem, case: Case, target: Target, run: Run | None = None) -> Interpretability | None:
        """Fit the autoencoders; nothing where a side has fewer than `FEWEST_ROWS` training rows.

        Raises
        ------
        Stopped
            If the run ended first.
        """
        run = run or Run()
        rows, outputs = problem.rows[problem.training], problem.scored(run)[problem.training]
        is_desired = target.flips(outputs)
        own_side = problem.decision.sides(problem.case_outputs(case, run)[None])[0]
        is_factual = ~is_desired & (problem.decision.sides(outputs) == own_side)
        if min(is_desired.sum(), is_factual.sum()) < FEWEST_ROWS:
            return None
        space = Space.of(problem.schema, rows)
        points = space.points(rows)
        fitted = []
        for part in (points[is_desired], points[is_factual], points):
            fitted.append(fit_deep_autoencoder(part, run.seed, run, epochs=EPOCHS))
            run.progress(len(fitted) / 3)
        desired, factual, everybody = fitted
        im1, im2 = _im1(desired, factual, points[is_desired]), _im2(desired, everybody, points[is_desired])
        return cls(space, desired, factual, everybody, float(np.median(im1)), float(np.median(im2)))

    def im1(self, rows: Rows) -> NDArray[np.float64]:
        """What the desired side's autoencoder loses over what the case's side's loses (Equation 11), shape (n_rows,).

        Below 1 a row looks more like the desired side.
        """
        return _im1(self.desired, self.factual, self.space.points(rows))

    def im2(self, rows: Rows) -> NDArray[np.float64]:
        """How differently the desired side's and the common autoencoder see a row (Equation 12), shape (n_rows,)."""
        return _im2(self.desired, self.everybody, self.space.points(rows))


def _im1(desired: DeepAutoencoder, factual: DeepAutoencoder, points: Points) -> NDArray[np.float64]:
    return np.asarray(desired.errors(points) / (factual.errors(points) + TINY))


def _im2(desired: DeepAutoencoder, everybody: DeepAutoencoder, points: Points) -> NDArray[np.float64]:
    gaps = ((desired.rebuilt(points) - everybody.rebuilt(points)) ** 2).sum(axis=1)
    return np.asarray(gaps / (np.abs(points).sum(axis=1) + TINY))
