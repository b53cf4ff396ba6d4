"""What alibi and NICEx really returned, as `recorded` keeps it, made into tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from explainers.adapters.alibi_results import from_alibi
from explainers.adapters.nice_results import from_nice
from explainers.constraints import Constraints
from explainers.counterfactuals.given import given
from explainers.decision import BinaryDecision
from explainers.problem import Problem
from tests.explainers.adapters.recorded.recording import COLUMNS, JOBS, kept, people
from tests.explainers.tables import posed

NUMBERS = COLUMNS[:2]


@pytest.fixture(scope="module")
def alibi() -> dict[str, Any]:
    return kept("alibi")


@pytest.fixture(scope="module")
def nice() -> dict[str, Any]:
    return kept("NICEx")


def named(rows: Any) -> Any:
    """From codes of jobs to jobs."""
    rows = np.asarray(rows, dtype=object)
    return np.column_stack([rows[:, :2], np.array(JOBS, dtype=object)[rows[:, 2].astype(int)]])


def spelt_back(rows: Any) -> Any:
    """From a column for each job to jobs."""
    return named(np.column_stack([rows[:, :2], rows[:, 2:].argmax(axis=1)]))


def problem() -> Problem:
    """The people of the records, scored by age and income; the case that was asked about is the first."""
    frame = pd.DataFrame(named(people()[0]), columns=list(COLUMNS)).infer_objects().astype({"age": int})
    return posed(frame, lambda rows: rows[:, 0] / 100 + rows[:, 1] / 10, BinaryDecision(("low", "high"), 0.83))


@pytest.mark.parametrize("explainer", ["Counterfactual", "CounterfactualProto"])
def test_the_best_is_taken(alibi: dict[str, Any], explainer: str) -> None:
    data = alibi[explainer]
    found = from_alibi(data, NUMBERS)
    assert data["cf"]["class"] != data["orig_class"]
    assert tuple(found.columns) == NUMBERS and found.to_numpy().tolist() == data["cf"]["X"].tolist()


@pytest.mark.parametrize("explainer", ["Counterfactual", "CounterfactualProto"])
def test_all_that_were_found_on_the_way_are_taken_once(alibi: dict[str, Any], explainer: str) -> None:
    data = alibi[explainer]
    on_the_way = [one["X"] if isinstance(one, dict) else one for step in data["all"].values() for one in step]
    every = {tuple(row) for row in np.concatenate([data["cf"]["X"], *on_the_way]).tolist()}
    found = from_alibi(data, NUMBERS, every=True)
    assert len(found) == len(every) > 1 and set(map(tuple, found.to_numpy().tolist())) == every
    assert found.iloc[0].tolist() == data["cf"]["X"][0].tolist()


def test_pertinent_negatives_are_taken(alibi: dict[str, Any]) -> None:
    assert from_alibi(alibi["CEM"], NUMBERS).to_numpy().tolist() == alibi["CEM"]["PN"].tolist()


@pytest.mark.parametrize("explainer", ["Counterfactual", "CounterfactualProto", "CEM"])
def test_where_alibi_found_none_there_are_no_rows(alibi: dict[str, Any], explainer: str) -> None:
    found = from_alibi(alibi[f"{explainer}, none"], NUMBERS, every=True)
    assert tuple(found.columns) == NUMBERS and found.empty


def test_categories_that_were_spelt_out_are_taken_back(alibi: dict[str, Any]) -> None:
    data = alibi["CounterfactualProto, categories spelt out"]
    found = from_alibi(data, COLUMNS, every=True, back=spelt_back)
    assert found["job"].unique().tolist() == ["clerk"] and found["income"].dtype == np.float64
    with pytest.raises(ValueError, match="Each row has 5 values, and 3 columns are named"):
        from_alibi(data, COLUMNS)


def test_rows_of_counterfactual_rl_have_a_type_a_column(alibi: dict[str, Any]) -> None:
    """alibi gives an array of objects: whole years, an income, the code of a job."""
    data = alibi["CounterfactualRLTabular"]
    found = from_alibi(data, COLUMNS, back=named)
    assert [found[name].dtype.kind for name in NUMBERS] == ["i", "f"] and set(found["job"]) <= set(JOBS)
    assert from_alibi(data, COLUMNS).to_numpy().tolist() == data["cf"]["X"].tolist()


def test_of_several_cases_one_is_taken(alibi: dict[str, Any]) -> None:
    data = alibi["CounterfactualRLTabular, three cases"]
    assert data["orig"]["X"].tolist() == people()[0][:3].tolist()
    for case in (0, 2, -1):
        assert from_alibi(data, COLUMNS, case).to_numpy().tolist() == [data["cf"]["X"][case].tolist()]
    with pytest.raises(ValueError, match="There are results for 3 cases, so there is no case 3"):
        from_alibi(data, COLUMNS, 3)


def test_of_one_case_all_that_are_diverse_are_taken(alibi: dict[str, Any]) -> None:
    data = alibi["CounterfactualRLTabular, diverse"]
    assert from_alibi(data, COLUMNS).to_numpy().tolist() == data["cf"]["X"].tolist() and len(data["cf"]["X"]) == 3


def test_alibi_s_own_object_is_taken_as_its_data(alibi: dict[str, Any]) -> None:
    class Explanation:
        data = alibi["CEM"]

    pd.testing.assert_frame_equal(from_alibi(Explanation(), NUMBERS), from_alibi(alibi["CEM"], NUMBERS))


@pytest.mark.parametrize("name", ["several classes", "a class asked for", "two classes", "the nearest neighbour"])
def test_the_row_of_nice_is_taken(nice: dict[str, Any], name: str) -> None:
    found = from_nice(nice[name], COLUMNS)
    assert found.to_numpy().tolist() == nice[name].tolist() and set(found.dtypes) == {np.dtype(float)}
    pd.testing.assert_frame_equal(from_nice(nice[name][0], COLUMNS), found)


def test_categories_as_words_stay_so(nice: dict[str, Any]) -> None:
    found = from_nice(nice["categories as words"], COLUMNS)
    assert found["job"].tolist() == ["clerk"] and [found[name].dtype.kind for name in NUMBERS] == ["f", "f"]


def test_other_columns_than_nice_s_are_refused(nice: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="The result has 3 values, and 2 columns are named"):
        from_nice(nice["two classes"], NUMBERS)


def test_what_was_returned_is_explained(alibi: dict[str, Any], nice: dict[str, Any]) -> None:
    """Also where all values are objects, as alibi gives them, or whole years are floats, as NICE does."""
    asked = problem()
    case = asked.case("0")
    learnt = from_alibi(alibi["CounterfactualRLTabular, diverse"], COLUMNS, back=named)
    found = given(asked, case, learnt, Constraints(), source="alibi").found
    assert [dict(one.origin.options)["row"] for one in found] == ["Row 1", "Row 2", "Row 3"]
    assert [asked.schema.decode(one.row[None])["age"].item() for one in found] == learnt["age"].tolist()
    near = given(asked, case, from_nice(nice["categories as words"], COLUMNS), Constraints(), source="NICE")
    assert [change.feature for change in near.found[0].changes] == ["income"]
