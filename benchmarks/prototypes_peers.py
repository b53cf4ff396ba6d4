"""dice-ml on the same cases, where it is installed (requirements-peers.txt)."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd

from explainers.adapters.dice_results import from_dice
from explainers.constraints import Constraints
from explainers.counterfactuals.given import given
from explainers.problem import Case, Problem
from explainers.results import Counterfactuals
from explainers.run import Run

OUTCOME = "outcome of the model"
NAME = "dice-ml"


def is_installed() -> bool:
    return find_spec("dice_ml") is not None


@dataclass(frozen=True, eq=False)
class AskedByDice:
    """A problem's model as dice-ml asks one; both take even odds as the threshold."""

    problem: Problem
    dtypes: pd.Series

    def predict_proba(self, rows: pd.DataFrame) -> np.ndarray:
        return self.problem.model.score(self.problem.schema.encode(rows.astype(self.dtypes)))

    def predict(self, rows: pd.DataFrame) -> np.ndarray:
        return self.problem.decision.sides(self.predict_proba(rows))


@dataclass(frozen=True, eq=False)
class Dice:
    """dice-ml's random search for one row; what it returns is checked as anybody's rows are."""

    problem: Problem
    constraints: Constraints
    search: Any

    @classmethod
    def of(cls, problem: Problem, constraints: Constraints) -> Dice:
        import dice_ml

        table = problem.schema.decode(problem.rows[problem.training])
        sides = problem.decision.sides(problem.outputs[problem.training])
        numbers = [feature.name for feature in problem.schema.features if feature.is_number]
        data = dice_ml.Data(
            dataframe=table.assign(**{OUTCOME: sides}), continuous_features=numbers, outcome_name=OUTCOME
        )
        model = dice_ml.Model(model=AskedByDice(problem, table.dtypes), backend="sklearn")
        return cls(problem, constraints, dice_ml.Dice(data, model, method="random"))

    def explain(self, case: Case, run: Run) -> Counterfactuals | None:
        from raiutils.exceptions import UserConfigValidationException

        free = [name for name in self.problem.schema.names if not self.constraints[name].locked]
        try:
            result = self.search.generate_counterfactuals(
                self.problem.schema.decode(case.row[None]), total_CFs=1, desired_class="opposite",
                features_to_vary=free, random_seed=run.seed, verbose=False,
            )  # fmt: skip
        except UserConfigValidationException:  # this is how it says that it found none
            return None
        return given(self.problem, case, from_dice(result), self.constraints, run, source=NAME)
