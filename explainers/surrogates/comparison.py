"""Other local explanations of the same row beside an equation: how near, for how many, how large.

As the paper compares them (Sections 5.1, Tables 2 to 4): LIME's explanation holds for the
rows whose values fall into its quartiles, MAPLE's for those it gives weight, SHAP's for the
case alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.attributions.attribution import Attribution
from explainers.attributions.lime_weights import Lime
from explainers.attributions.shap_values import Shap
from explainers.problem import Case, Problem
from explainers.run import Run
from explainers.surrogates.equation import LocalEquations
from explainers.surrogates.space import Space

NOTHING = 1e-12
ROUNDING = 1e-9
"""An error below this share of the number is none but that of summing up."""
MAPLE_ROWS = 500
"""MAPLE fits a line for every fifth row and feature before it explains; it is given so many rows at most."""


@dataclass(frozen=True)
class Beside:
    """One explanation of the row.

    Attributes
    ----------
    method : str
    value : float
        What it makes of the row; NaN where it can't serve.
    error : float
        How far that is from the number explained.
    generality : float
        The share of the rows that it holds for.
    size : int
        Features or, for equations, columns that it needs.
    why_not : str
        Why it can't serve, as a sentence.
    """

    method: str
    value: float = float("nan")
    error: float = float("nan")
    generality: float = float("nan")
    size: int = 0
    why_not: str = ""


@dataclass(frozen=True)
class Comparison:
    """All of them, BELLA first.

    Attributes
    ----------
    rows : tuple of Beside
    n_maple : int
        Rows that MAPLE was given.
    """

    rows: tuple[Beside, ...]
    n_maple: int

    def to_frame(self) -> pd.DataFrame:
        """One row a method; what can't serve has no numbers."""
        return pd.DataFrame(
            {
                "method": [row.method for row in self.rows],
                "says": [row.value for row in self.rows],
                "off by": [row.error for row in self.rows],
                "holds for, % of rows": [100.0 * row.generality for row in self.rows],
                "features": [row.size for row in self.rows],
            }
        )


def compare(problem: Problem, case: Case, found: LocalEquations, place: int, run: Run | None = None) -> Comparison:
    """SHAP, LIME and MAPLE of the number that an equation of the model explains.

    Raises
    ------
    Stopped
        If the run ended first.
    """
    run = run or Run()
    equation = found.equation(place)
    own = _beside("BELLA", equation.explained, found.label, found.generality(place), len(equation.terms))
    shap = _attributed("SHAP", Shap(), problem, case, found.label, run)
    run.progress(0.4)
    lime = _attributed("LIME", Lime(), problem, case, found.label, run)
    run.progress(0.7)
    maple, n_maple = _maple(problem, case, found.label, run)
    run.progress(1.0)
    return Comparison((own, shap, lime, maple), n_maple)


def _attributed(name: str, method: Shap | Lime, problem: Problem, case: Case, label: float, run: Run) -> Beside:
    quiet = Run(seed=run.seed, deadline=run.deadline, cancelled=run.cancelled)
    try:
        told = method.explain(problem, case, run=quiet)
    except ValueError as error:
        return Beside(name, why_not=str(error))
    used = np.abs(told.values) > NOTHING
    value = told.base + float(told.values.sum())
    generality = 0.0 if name == "SHAP" else _in_the_same_quartiles(problem, case, told, used)
    return _beside(name, value, label, generality, int(used.sum()))


def _in_the_same_quartiles(problem: Problem, case: Case, told: Attribution, used: NDArray[np.bool_]) -> float:
    """The share of the training rows that LIME can't tell from the case by the features it uses."""
    rows = problem.rows[problem.training]
    inside = np.ones(len(rows), dtype=bool)
    for place in np.flatnonzero(used):
        values, own = rows[:, place], case.row[place]
        if problem.schema.features[place].is_number:
            cuts = np.unique(np.nanpercentile(values, [25, 50, 75]))
            inside &= np.searchsorted(cuts, values) == np.searchsorted(cuts, own)
        else:
            inside &= (values == own) | (np.isnan(values) & np.isnan(own))
    return float(inside.mean())


def _maple(problem: Problem, case: Case, label: float, run: Run) -> tuple[Beside, int]:
    """MAPLE as it comes with shap, in the columns of the equations."""
    from shap.explainers.other import Maple
    from sklearn.utils import check_random_state

    run.check()
    training = np.flatnonzero(problem.training)
    if len(training) < 20:
        return Beside("MAPLE", why_not="MAPLE learns a forest, and so few rows are not enough for one."), len(training)
    chosen = np.sort(run.random(case.id).permutation(training)[:MAPLE_ROWS])
    target = problem.target(case)
    outputs = target.drawn(problem.outputs[chosen])
    space = Space.of(problem.schema, problem.rows[training])
    values = space.points(problem.rows[chosen]).values
    before = check_random_state(None).get_state()
    np.random.seed(run.seed)  # the copy in shap takes the global generator and no other
    try:
        maple = Maple(lambda asked: _outputs_of(values, outputs, asked), values).explainer
    finally:
        np.random.set_state(before)
    run.check()
    told = maple.explain(space.points(case.row[None]).values[0])
    size = int((np.abs(told["coefs"][1:]) > NOTHING).sum())
    generality = float((told["weights"] > 0).mean())
    return _beside("MAPLE", float(told["pred"][0]), label, generality, size), len(chosen)


def _outputs_of(
    values: NDArray[np.float64], outputs: NDArray[np.float64], asked: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What the model says of rows that were scored before."""
    places = {row.tobytes(): place for place, row in enumerate(values)}
    return outputs[[places[np.ascontiguousarray(row).tobytes()] for row in asked]]


def _beside(name: str, value: float, label: float, generality: float, size: int) -> Beside:
    gap = abs(value - label)
    return Beside(name, value, gap if gap > ROUNDING * max(abs(label), 1.0) else 0.0, generality, size)
