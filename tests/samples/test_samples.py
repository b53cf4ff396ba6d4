"""The built-in data sets: complete, honest about themselves, the same every time."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

import samples
from explainers.problem import Problem
from explainers.schema import Direction
from explainers.training import TRAINING_SHARE, held_out_accuracy
from samples import german_credit


def german_credit_table() -> pd.DataFrame:
    return pd.read_csv(german_credit.FILE, keep_default_na=False)


def breast_cancer_table() -> pd.DataFrame:
    return load_breast_cancer(as_frame=True)["frame"]


TABLES = {"german_credit": german_credit_table, "breast_cancer": breast_cancer_table}


@pytest.fixture(scope="module", params=samples.SAMPLES)
def sample(request: pytest.FixtureRequest) -> samples.Sample:
    return samples.get(request.param)


@pytest.fixture(scope="module")
def problem(sample: samples.Sample) -> Problem:
    return sample.load()


@pytest.fixture(scope="module")
def table(sample: samples.Sample) -> pd.DataFrame:
    return TABLES[sample.name]()


@pytest.fixture(scope="module")
def inputs(sample: samples.Sample, table: pd.DataFrame) -> pd.DataFrame:
    return table.drop(columns=sample.card.target)


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(LookupError, match="german_credit or breast_cancer"):
        samples.get("iris")


def test_rows_become_the_table_again(problem: Problem, inputs: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(problem.schema.decode(problem.schema.encode(inputs)), inputs)
    np.testing.assert_array_equal(problem.rows, problem.schema.encode(inputs))


def test_every_feature_has_words(problem: Problem) -> None:
    for feature in problem.schema.features:
        assert feature.title and feature.description.endswith("."), feature.name
        assert len(set(feature.labels)) == len(feature.categories), feature.name
    titles = [feature.title for feature in problem.schema.features]
    assert len(set(titles)) == len(titles)


def test_the_card_lists_what_the_table_holds(sample: samples.Sample, table: pd.DataFrame, inputs: pd.DataFrame) -> None:
    card = sample.card
    assert card.rows == len(table)
    assert tuple(column for column, _ in card.columns) == tuple(inputs.columns)
    assert all(description for _, description in card.columns)
    assert card.origin and card.licence and card.citation and card.target_description


def test_a_case_is_called_by_its_number_in_the_table(problem: Problem, inputs: pd.DataFrame) -> None:
    assert problem.ids[0] == "1" and problem.ids[-1] == str(len(inputs))
    row = problem.schema.decode(problem.case("59").row[None])
    pd.testing.assert_frame_equal(row, inputs.iloc[[58]].reset_index(drop=True))


def test_observed_sides_are_those_of_the_table(sample: samples.Sample, problem: Problem, table: pd.DataFrame) -> None:
    assert problem.observed is not None
    positive = table[sample.card.target].isin(["good", 1])
    assert problem.decision.side_names()[1] in ("good risk", "benign")
    np.testing.assert_array_equal(problem.observed == 1, positive)


def test_three_tenths_are_held_out_in_each_class(problem: Problem) -> None:
    assert problem.observed is not None
    for side in (0, 1):
        share = problem.training[problem.observed == side].mean()
        assert share == pytest.approx(TRAINING_SHARE, abs=0.005)


def test_loading_twice_gives_the_same(sample: samples.Sample, problem: Problem) -> None:
    again = sample.load()
    assert again.key == problem.key
    np.testing.assert_array_equal(again.outputs, problem.outputs)


def test_scores_are_the_pipeline_s_own(problem: Problem, inputs: pd.DataFrame) -> None:
    np.testing.assert_array_equal(problem.outputs, problem.model.predict(inputs))
    np.testing.assert_allclose(problem.outputs.sum(axis=1), 1)


def test_the_model_is_better_than_the_larger_class(problem: Problem) -> None:
    assert problem.observed is not None
    held_out = problem.observed[~problem.training]
    assert held_out_accuracy(problem) > max(held_out.mean(), 1 - held_out.mean()) + 0.02


def test_german_credit_locks_what_nobody_should_change() -> None:
    schema = german_credit.load().schema
    assert {f.title for f in schema.features if f.locked} == {"personal status", "foreign worker"}
    assert schema["age_in_years"].direction is Direction.UP
    assert schema["present_employment_since"].labels[0] == "unemployed"
    assert {f.title for f in schema.features if f.ordered} == {"employed since", "job"}
