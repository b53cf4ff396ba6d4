"""The real dice-ml, where it is installed (requirements-peers.txt), and what its results look like where it isn't."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import samples
from explainers.adapters.dice_results import from_dice
from explainers.constraints import Constraints
from explainers.counterfactuals.given import given
from explainers.problem import Problem

OUTCOME = "risk"


def recorded(rows: pd.DataFrame | None, sparser: pd.DataFrame | None = None) -> Any:
    """What is read of dice_ml 0.12's CounterfactualExplanations."""
    example = SimpleNamespace(
        final_cfs_df=rows, final_cfs_df_sparse=sparser, test_instance_df=pd.DataFrame({"age": [20], OUTCOME: [0]}),
        data_interface=SimpleNamespace(outcome_name=OUTCOME),
    )  # fmt: skip
    return SimpleNamespace(cf_examples_list=[example])


def test_the_outcome_is_no_feature() -> None:
    found = recorded(pd.DataFrame({"age": [30, 40], OUTCOME: [1, 1]}, index=[5, 9]))
    assert from_dice(found).to_dict("list") == {"age": [30, 40]}
    assert from_dice(found.cf_examples_list[0]).to_dict("list") == {"age": [30, 40]}


def test_the_sparser_rows_are_taken_unless_told_otherwise() -> None:
    found = recorded(pd.DataFrame({"age": [30], OUTCOME: [1]}), pd.DataFrame({"age": [25], OUTCOME: [1]}))
    assert from_dice(found)["age"].tolist() == [25]
    assert from_dice(found, sparse=False)["age"].tolist() == [30]


def test_where_dice_found_none_there_are_no_rows() -> None:
    assert from_dice(recorded(None)).shape == (0, 1)


def test_a_case_that_was_not_asked_about_is_refused() -> None:
    with pytest.raises(ValueError, match="results for 1 cases, so there is no case 1"):
        from_dice(recorded(None), 1)


def by_dice(problem: Problem, case: str, how_many: int) -> Any:
    dice_ml = pytest.importorskip("dice_ml", reason="dice-ml is not installed; see requirements-peers.txt")
    table = problem.schema.decode(problem.rows[problem.training])
    outputs = problem.outputs[problem.training]
    names = [feature.name for feature in problem.schema.features if feature.is_number]
    data = dice_ml.Data(
        dataframe=table.assign(**{OUTCOME: (outputs[:, 1] >= 0.5).astype(int)}), continuous_features=names,
        outcome_name=OUTCOME,
    )  # fmt: skip

    class Asked:
        """The problem's own model, as dice-ml asks one."""

        def predict_proba(self, rows: pd.DataFrame) -> np.ndarray:
            return problem.model.score(problem.schema.encode(rows.astype(table.dtypes)))

        def predict(self, rows: pd.DataFrame) -> np.ndarray:
            return (self.predict_proba(rows)[:, 1] >= 0.5).astype(int)

    query = problem.schema.decode(problem.case(case).row[None])
    search = dice_ml.Dice(data, dice_ml.Model(model=Asked(), backend="sklearn"), method="random")
    return search.generate_counterfactuals(
        query, total_CFs=how_many, desired_class="opposite", random_seed=0, verbose=False
    )


def test_what_the_real_dice_finds_is_explained() -> None:
    problem = samples.get("german_credit").load()
    result = by_dice(problem, "96", 3)
    case = problem.case("96")
    found = given(problem, case, from_dice(result), Constraints(), source="dice-ml")
    assert len(found.found) + len(found.rejected) == 3
    assert found.found
    wanted = result.cf_examples_list[0].final_cfs_df_sparse
    for one in found.found:
        place = int(dict(one.origin.options)["row"].removeprefix("Row ")) - 1
        own = problem.schema.decode(one.row[None]).iloc[0]
        assert all(str(own[name]) == str(wanted.iloc[place][name]) for name in problem.schema.columns)
        assert one.score >= 0.5
