"""A model and a table that don't quite fit: put right, or said in one sentence."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC

from explainers.intake.models import read_model
from explainers.intake.tables import read_table
from explainers.intake.trial import try_model
from explainers.schema import Schema
from explainers.training import TRAINERS, Trained, Trainer, split, train
from tests.explainers.intake.intake_models import (
    N,
    bare,
    fitted,
    gapped,
    inside,
    mixed,
    number,
    outside,
    saved,
    set_,
    shuffled,
    small,
    table,
    target,
)


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.astype({"age": "float64"}),
        lambda frame: frame.astype({"age": "Int64"}),
        lambda frame: frame.astype({"age": "int8"}),
        lambda frame: frame.astype({"age": "float32"}),
        lambda frame: frame.astype({"age": "str"}),
        lambda frame: frame.astype({"grade": "category"}),
        lambda frame: frame.astype({"grade": "object"}).assign(
            grade=lambda f: f["grade"].where(f["grade"].notna(), None)
        ),
    ],
)
def test_the_same_values_in_another_dtype_keep_their_scores(change: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    frame = gapped()
    model = fitted(mixed(RandomForestClassifier(9, random_state=0)), frame, target(frame))
    read = change(frame)
    trial = try_model(read_model("m.skops", saved(model)), shuffled(read), ignore=["extra"])
    np.testing.assert_array_equal(inside(trial, read), outside(model, frame))


def test_single_precision_is_handed_on_as_it_is() -> None:
    frame = table()[["age", "amount"]].astype("float32")
    model = fitted(MLPRegressor(hidden_layer_sizes=(6,), max_iter=20), frame, number(frame))
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    read = read_table("t.parquet", buffer.getvalue()).frame
    np.testing.assert_allclose(
        inside(try_model(read_model("m.skops", saved(model)), read), read), outside(model, frame), rtol=1e-6
    )


@pytest.mark.parametrize(
    ("values", "read"),
    [
        (["1", "2", "3"], [1, 2, 3]),
        ([1, 2, 3], ["1", "2", "3"]),
        ([1.0, 2.0, 3.0], [1, 2, 3]),
        (["True", "False", "True"], [True, False, True]),
        ([True, False, None], pd.array([True, False, None], "boolean")),
        (["a", "b", None], pd.array(["a", "b", None], "str")),
        (["a", "b", np.nan], pd.array(["a", "b", None], "str")),
        ([1, 2, np.nan], pd.array([1, 2, None], "Int64")),
    ],
)
def test_an_encoder_meets_its_values_whatever_their_type(values: list[Any], read: Any) -> None:
    column = pd.Series(values * 10, dtype=object if None in values else None)
    frame = pd.DataFrame({"kind": column, "n": np.arange(30.0)})
    model = make_pipeline(
        ColumnTransformer([("kind", OneHotEncoder(handle_unknown="ignore"), ["kind"])], remainder="passthrough"),
        RandomForestClassifier(9, random_state=0),
    )
    fitted(model, frame, np.where(np.arange(30) % 3, "x", "y"))
    table = pd.DataFrame({"n": np.arange(30.0), "kind": pd.concat([pd.Series(read)] * 10, ignore_index=True)})
    trial = try_model(read_model("m.skops", saved(model)), table)
    np.testing.assert_array_equal(inside(trial, table), outside(model, frame))


def test_a_model_fitted_on_an_array_takes_columns_in_their_order() -> None:
    frame = table()[["age", "amount"]]
    model = fitted(LogisticRegression(), frame.to_numpy(), target(frame))
    loaded = read_model("m.skops", saved(model))
    assert loaded.columns is None and loaded.n_columns == 2
    trial = try_model(loaded, frame.assign(y=1), ignore=["y"])
    np.testing.assert_array_equal(inside(trial, frame), model.predict_proba(frame.to_numpy()))
    assert (
        "fitted on 2 columns without names, but the table offers 3" in try_model(loaded, frame.assign(y=1)).problems[0]
    )


@pytest.mark.parametrize("name", TRAINERS)
def test_a_model_trained_here_and_downloaded_comes_back(name: str) -> None:
    frame = gapped()
    schema = Schema.infer(frame)
    observed = number(frame) if TRAINERS[name].kind == "number" else (target(frame) == "good").astype(np.intp)
    trained = fitted_here(TRAINERS[name], frame, observed, schema)
    trial = try_model(read_model("m.skops", saved(trained.estimator)), shuffled(frame), ignore=["extra"])
    np.testing.assert_allclose(inside(trial, frame), outside(trained.estimator, frame), rtol=1e-12)


def fitted_here(trainer: Trainer, frame: pd.DataFrame, observed: np.ndarray, schema: Schema) -> Trained:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return train(trainer, frame, observed, schema, split(observed))


def test_several_classes_and_numbers_as_classes() -> None:
    frame = table()[["age", "amount"]]
    model = fitted(RandomForestClassifier(5, random_state=0), frame, np.digitize(frame["age"], [30, 60]))
    trial = try_model(read_model("m.skops", saved(model)), frame, classes=("young", "middle", "old"), title="Ages")
    assert trial.model and trial.model.classes == ("young", "middle", "old") and trial.model.name == "Ages"
    np.testing.assert_array_equal(inside(trial, frame), model.predict_proba(frame))


DOES_NOT_FIT: dict[str, tuple[Callable[[], tuple[Any, pd.DataFrame]], str]] = {
    "a column is missing": (small(lambda f: f.drop(columns="amount")), r"wants a column 'amount', which the table la"),
    "two are missing": (small(lambda f: f[["grade"]]), r"wants the columns 'age', 'amount', 'purpose', which"),
    "another name": (small(lambda f: f.rename(columns={"age": " Age"})), r"'age', which the table calls ' Age';"),
    "text for numbers": (small(lambda f: set_(f, "amount", 77, "much")), r"numbers in the column 'amount'.*'much'"),
    "text for bare numbers": (bare(lambda f: set_(f, "amount", 3, "much")), r"numbers in the column 'amount'.*'much'"),
    "dates for numbers": (
        bare(lambda f: f.assign(age=pd.date_range("2020", periods=N))), r"numbers in the column 'age', but it holds"
    ),
    "a category unseen": (small(lambda f: set_(f, "grade", 150, "vast")), r"'grade' holds 'vast', .*never saw"),
    "no category known": (small(lambda f: f.assign(grade="x")), r"knows no value of the column 'grade'.*'high', 'low'"),
    "missing numbers": (
        bare(lambda f: set_(f, "amount", 140, None).astype({"amount": float})),
        r"no missing values, but the column 'amount' has 1 missing value;",
    ),
    "only missing numbers": (bare(lambda f: f.assign(amount=np.nan)), r"no missing values.*'amount' has 160 missing"),
    "a missing category": (
        small(lambda f: set_(f, "grade", 140, None).astype({"grade": "str"})), r"no missing values.*'grade' has 1 "
    ),
    "infinite": (bare(lambda f: set_(f, "amount", 2, np.inf).astype({"amount": float})), r"value 'inf' of the col"),
    "no probabilities": (bare(lambda f: f, LinearSVC()), r"LinearSVC, which gives classes but no probab.*Calibrated"),
}  # fmt: skip


@pytest.mark.parametrize("case", DOES_NOT_FIT)
def test_what_does_not_fit_is_one_sentence(case: str) -> None:
    build, said = DOES_NOT_FIT[case]
    model, frame = build()
    trial = try_model(read_model("m.skops", saved(model)), frame)
    assert trial.model is None and len(trial.problems) == 1
    assert re.search(said, trial.problems[0])
    assert trial.problems[0].endswith(".") and "\n" not in trial.problems[0]


def test_an_unseen_category_is_only_noted_where_the_encoder_takes_it() -> None:
    frame = table()
    model = fitted(mixed(LogisticRegression(), handle_unknown="ignore"), frame, target(frame))
    read = set_(frame, "grade", 150, "vast").astype({"grade": "str"})
    trial = try_model(read_model("m.skops", saved(model)), read)
    assert any("'grade' holds 'vast', which the model never saw" in note for note in trial.notes)
    np.testing.assert_allclose(inside(trial, read), outside(model, read))
