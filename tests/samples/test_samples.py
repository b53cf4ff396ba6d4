"""The built-in data sets: complete, honest about themselves, the same every time."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

import samples
from explainers.decision import ClassDecision, IntervalDecision
from explainers.problem import Problem
from explainers.schema import Direction
from explainers.training import TRAINING_SHARE, held_out, held_out_accuracy, split, train
from samples import auto_mpg, digits, german_credit, penguins


def german_credit_table() -> pd.DataFrame:
    return pd.read_csv(german_credit.FILE, keep_default_na=False)


def breast_cancer_table() -> pd.DataFrame:
    return load_breast_cancer(as_frame=True)["frame"]


def penguins_table() -> pd.DataFrame:
    return pd.read_csv(penguins.FILE)


TABLES = {
    "german_credit": german_credit_table,
    "breast_cancer": breast_cancer_table,
    "penguins": penguins_table,
    "auto_mpg": auto_mpg.read,
    "digits": digits.read,
}
CALLED: dict[str, dict[object, str]] = {
    "german_credit": {"good": "good risk", "bad": "bad risk"},
    "breast_cancer": {1: "benign", 0: "malignant"},
    "digits": dict(enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])),
}
OF_CLASSES = [name for name in samples.SAMPLES if name != "auto_mpg"]


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
    with pytest.raises(LookupError, match="german_credit or breast_cancer or penguins or auto_mpg or digits"):
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
    if sample.name not in OF_CLASSES:
        assert problem.model.classes == ()
        return
    assert problem.observed is not None
    names = np.array(problem.decision.side_names())[problem.observed]
    called = CALLED.get(sample.name, {})
    np.testing.assert_array_equal(names, [called.get(value, value) for value in table[sample.card.target]])


def test_three_tenths_are_held_out_in_each_class(sample: samples.Sample, problem: Problem) -> None:
    assert problem.training.mean() == pytest.approx(TRAINING_SHARE, abs=0.01)
    if sample.name not in OF_CLASSES:
        return
    assert problem.observed is not None
    for side in range(len(problem.decision.side_names())):
        members = problem.observed == side
        assert problem.training[members].sum() == round(TRAINING_SHARE * members.sum())


def test_loading_twice_gives_the_same(sample: samples.Sample, problem: Problem) -> None:
    again = sample.load()
    assert again.key == problem.key
    np.testing.assert_array_equal(again.outputs, problem.outputs)


def test_scores_are_the_pipeline_s_own(problem: Problem, inputs: pd.DataFrame) -> None:
    own = np.asarray(problem.model.predict(inputs))
    np.testing.assert_array_equal(problem.outputs, own.reshape(len(inputs), -1))
    if problem.model.classes:
        np.testing.assert_allclose(problem.outputs.sum(axis=1), 1)


@pytest.mark.parametrize("name", OF_CLASSES)
def test_the_model_is_better_than_the_most_frequent_class(name: str) -> None:
    problem = samples.get(name).load()
    (accuracy,) = held_out(problem)
    assert accuracy.value == held_out_accuracy(problem) > accuracy.simplest + 0.02


def test_penguins_are_of_three_classes_with_gaps() -> None:
    problem = samples.get("penguins").load()
    schema = problem.schema
    assert problem.decision == ClassDecision(("Adelie", "Chinstrap", "Gentoo"))
    assert int(np.isnan(problem.rows).sum()) == 4 * 2 + 11
    assert [f.title for f in schema.features if not f.is_number] == ["island", "sex"]
    assert [f.title for f in schema.features if f.locked] == ["year"]


def test_auto_mpg_is_a_number_with_gaps_in_power() -> None:
    problem = samples.get("auto_mpg").load()
    gaps = dict(zip(problem.schema.names, np.isnan(problem.rows).sum(axis=0).tolist(), strict=True))
    assert gaps.pop("Horsepower") == 6 and not any(gaps.values())
    assert (problem.schema["Year"].low, problem.schema["Year"].high) == (1970, 1982)
    assert not problem.schema["Origin"].is_number
    assert problem.model.classes == ()


def test_auto_mpg_s_interval_is_of_the_model_s_outputs_on_training_rows() -> None:
    problem = samples.get("auto_mpg").load()
    decision = problem.decision
    assert isinstance(decision, IntervalDecision) and decision.quantity == "miles per gallon"
    outputs = problem.outputs[problem.training, 0]
    np.testing.assert_allclose(decision.quartiles, np.quantile(outputs, [0.25, 0.5, 0.75]), atol=0.05)
    assert all(quartile == round(quartile, 1) for quartile in decision.quartiles)


def test_auto_mpg_s_forest_explains_what_it_has_not_seen() -> None:
    table = auto_mpg.read()
    observed = table.pop(auto_mpg.TARGET).to_numpy(dtype=float, copy=True)
    problem = auto_mpg.load()
    np.testing.assert_array_equal(problem.training, split(observed))
    estimator = train(auto_mpg.TRAINER, table, observed, problem.schema, problem.training).estimator
    unseen = ~problem.training
    off = estimator.predict(table[unseen]) - observed[unseen]
    assert np.mean(off**2) < 0.2 * observed[unseen].var()
    np.testing.assert_array_equal(estimator.predict(table), problem.outputs[:, 0])


def test_german_credit_locks_what_nobody_should_change() -> None:
    schema = german_credit.load().schema
    assert {f.title for f in schema.features if f.locked} == {"personal status", "foreign worker"}
    assert schema["age_in_years"].direction is Direction.UP
    assert schema["present_employment_since"].labels[0] == "unemployed"
    assert {f.title for f in schema.features if f.ordered} == {"employed since", "job"}
