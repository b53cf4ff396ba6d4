"""LIME: a weighted line through the scores around a case; needs the package lime, which is optional.

Ribeiro, Singh and Guestrin, "Why should I trust you? Explaining the predictions of any
classifier", 2016.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explainers.attributions.attribution import Attribution
from explainers.importance.shares import Meter
from explainers.method import Options, origin
from explainers.problem import Case, Problem
from explainers.run import Run
from explainers.schema import Rows, Schema, plain
from explainers.wording import count

SAMPLES = 5000
SEEDS = 2**31 - 1


def missing() -> str | None:
    """The line that installs what LIME needs, or nothing if it is there."""
    return None if find_spec("lime") else "pip install lime==0.2.0.1"


@dataclass(frozen=True)
class Lime:
    """How each value of the case moves the score of rows like it, by a line fitted around the case."""

    name: ClassVar[str] = "lime"
    title: ClassVar[str] = "LIME"
    question: ClassVar[str] = "Which of the case's values go with its score, among rows around it?"
    options_type: ClassVar[type[Options]] = Options

    def unfit(self, problem: Problem) -> str | None:
        install = missing()
        if install:
            return f"LIME needs the package lime here; install it with {install}."
        if not problem.training.any():
            return "LIME draws its rows like training rows, and this table has none."
        if not _complete(problem).any():
            return "LIME draws no missing numbers, and every training row of this table has some."
        return None

    def explain(
        self, problem: Problem, case: Case, options: Options | None = None, run: Run | None = None
    ) -> Attribution:
        """Score rows drawn around the case, and fit the line.

        Raises
        ------
        ValueError
            If LIME can't serve the problem, or the case.
        Stopped
            If the run ended first.
        """
        run = run or Run()
        if why := self.unfit(problem):
            raise ValueError(why)
        if np.isnan(case.row[problem.schema.is_number]).any():
            raise ValueError("LIME draws no missing numbers, and the case has one.")
        from lime.lime_tabular import LimeTabularExplainer

        target = problem.target(case, run)
        meter = Meter(run)
        spelt = _Spelling.of(problem.schema)

        def score(rows: Rows) -> NDArray[np.float64]:
            return target.drawn(problem.model.score(spelt.read(rows), meter.run))

        drawn_like = _complete(problem)
        n_left_out = int(problem.training.sum() - drawn_like.sum())
        run.check()
        explainer = LimeTabularExplainer(
            spelt.written(problem.rows[drawn_like]),
            mode="regression",
            categorical_features=np.flatnonzero(~problem.schema.is_number).tolist(),
            feature_selection="none",
            random_state=int(run.random(case.id).integers(SEEDS)),
        )
        told = explainer.explain_instance(
            spelt.written(case.row[None])[0], score, num_features=len(problem.schema), num_samples=SAMPLES
        )
        values = np.zeros(len(problem.schema))
        for place, weight in told.local_exp[1]:
            values[place] = weight
        run.progress(1.0)
        return Attribution(
            case=case.id,
            features=problem.schema.names,
            values=values,
            base=float(told.intercept[1]),
            score=float(told.predicted_value),
            target=target,
            explainer=f"LimeTabularExplainer of lime {version('lime')}, ridge regression on values in quartiles"
            + (f", {count(n_left_out, 'training row')} with missing numbers left out" if n_left_out else ""),
            n_reference=SAMPLES,
            origin=origin(self, problem, options or Options(), run),
            evaluations=meter.cost.rows,
            fit=float(told.score),
        )


def _complete(problem: Problem) -> NDArray[np.bool_]:
    """Which rows are training rows without a missing number, shape (n_rows,)."""
    gaps = np.isnan(problem.rows[:, problem.schema.is_number]).any(axis=1)
    return np.asarray(problem.training & ~gaps)


@dataclass(frozen=True, eq=False)
class _Spelling:
    """Rows as LIME takes them: a missing category is one more category."""

    n_categories: NDArray[np.float64]
    is_whole: NDArray[np.bool_]

    @classmethod
    def of(cls, schema: Schema) -> _Spelling:
        return cls(
            np.array([len(feature.categories) if not feature.is_number else np.nan for feature in schema.features]),
            np.array([feature.is_number and plain(feature.dtypes[0]).kind in "iu" for feature in schema.features]),
        )

    def written(self, rows: Rows) -> Rows:
        return np.where(np.isnan(rows), self.n_categories, rows)

    def read(self, rows: Rows) -> Rows:
        """Numbers between whole ones, which LIME draws too, are rounded where only whole ones can be."""
        known = np.where(rows == self.n_categories, np.nan, rows)
        return np.where(self.is_whole, np.round(known), known)
