"""LIME, SHAP and MAPLE on the same rows, as the paper compares them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.bella_data import Posed
from explainers.labelled import LabelledTable
from explainers.problem import Case
from explainers.run import Run
from explainers.surrogates.bella import Bella, BellaOptions
from explainers.surrogates.space import Space

MAPLE_ROWS = 1000
"""MAPLE chooses its features by a fit for each row and feature; it is given so many training rows at most."""
BACKGROUND = 100

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Told:
    """What one method says of one row.

    Attributes
    ----------
    value : float
        What it explains.
    generality : float
        Share of the training rows that it holds for.
    weights : array
        One a column or feature, 0 for those it is without.
    seconds, cpu : float
    """

    value: float
    generality: float
    weights: Values
    seconds: float
    cpu: float


class Explainer(Protocol):
    def explain(self, case: Case, size: int) -> Told: ...


class BellaExplainer:
    def __init__(self, posed: Posed) -> None:
        self.table = LabelledTable.of_model(posed.problem, posed.problem.decision.target(posed.problem.outputs[0]))
        self.prepared = Bella().prepare(self.table, BellaOptions(), Run())

    def explain(self, case: Case, size: int = 0) -> Told:
        return timed(lambda: self._told(case))

    def _told(self, case: Case) -> tuple[float, float, Values]:
        found = Bella().explain(self.table, case, prepared=self.prepared)
        return found.best.explained, found.generality(found.chosen), found.coefficients[found.chosen]


class LimeExplainer:
    """Given the size of BELLA's explanation, as in the paper."""

    def __init__(self, posed: Posed) -> None:
        from lime.lime_tabular import LimeTabularExplainer

        problem = posed.problem
        self.schema, self.model = problem.schema, problem.model
        self.training = problem.rows[problem.training]
        self.lime = LimeTabularExplainer(
            self.training, mode="regression", random_state=0,
            categorical_features=np.flatnonzero(~problem.schema.is_number).tolist(),
        )  # fmt: skip

    def explain(self, case: Case, size: int) -> Told:
        return timed(lambda: self._told(case.row, size))

    def _told(self, row: Values, size: int) -> tuple[float, float, Values]:
        told = self.lime.explain_instance(row, lambda rows: self.model.score(rows)[:, 0], num_features=max(size, 1))
        weights = np.zeros(len(row))
        inside = np.ones(len(self.training), dtype=bool)
        own = self.lime.discretizer.discretize(row)
        bins = self.lime.discretizer.discretize(self.training)
        for feature, weight in told.local_exp[1]:
            weights[feature] = weight
            inside &= bins[:, feature] == own[feature]
        return float(told.local_pred[0]), float(inside.mean()), weights


class ShapExplainer:
    """Exact for the row by construction, so its error is 0 and it holds for no other."""

    def __init__(self, posed: Posed) -> None:
        import shap

        problem = posed.problem
        training = np.flatnonzero(problem.training)
        chosen = np.random.default_rng(0).choice(training, min(BACKGROUND, len(training)), replace=False)
        masker = shap.maskers.Independent(problem.rows[chosen])
        self.shap = shap.PermutationExplainer(lambda rows: problem.model.score(rows)[:, 0], masker, seed=0)

    def explain(self, case: Case, size: int = 0) -> Told:
        return timed(lambda: self._told(case))

    def _told(self, case: Case) -> tuple[float, float, Values]:
        told = self.shap(case.row[None], silent=True)
        return float(told.base_values[0] + told.values[0].sum()), 0.0, np.asarray(told.values[0])


class MapleExplainer:
    """The copy of its authors' code that comes with shap."""

    def __init__(self, posed: Posed) -> None:
        from shap.explainers.other import Maple

        problem = posed.problem
        training = np.flatnonzero(problem.training)
        chosen = np.sort(np.random.default_rng(0).permutation(training)[:MAPLE_ROWS])
        self.space = Space.of(problem.schema, problem.rows[problem.training])
        values = self.space.points(problem.rows[chosen]).values
        np.random.seed(0)  # its forest takes the global generator
        self.maple = Maple(lambda rows: problem.outputs[chosen[_places(values, rows)], 0], values).explainer

    def explain(self, case: Case, size: int = 0) -> Told:
        return timed(lambda: self._told(case))

    def _told(self, case: Case) -> tuple[float, float, Values]:
        told: dict[str, Any] = self.maple.explain(self.space.points(case.row[None]).values[0])
        return float(told["pred"][0]), float((told["weights"] > 0).mean()), np.asarray(told["coefs"][1:])


EXPLAINERS: dict[str, Any] = {
    "bella": BellaExplainer,
    "lime": LimeExplainer,
    "shap": ShapExplainer,
    "maple": MapleExplainer,
}


def _places(values: Values, rows: Values) -> NDArray[np.intp]:
    """Where each row stands; equal rows have equal outputs."""
    place = {row.tobytes(): at for at, row in enumerate(values)}
    return np.array([place[np.ascontiguousarray(row).tobytes()] for row in rows])


def timed(work: Any) -> Told:
    wall, cpu = time.perf_counter(), time.process_time()
    value, generality, weights = work()
    return Told(value, generality, weights, time.perf_counter() - wall, time.process_time() - cpu)
