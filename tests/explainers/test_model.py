"""One score for every model, whatever its columns, batches and repeats."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.tree import DecisionTreeRegressor

from explainers import model as model_module
from explainers.model import Model, ModelError
from explainers.run import Run, Stopped
from explainers.schema import Schema

TABLE = pd.DataFrame({"b": [0.0, 1.0, 2.0, 5.0], "a": [5, 3, 3, 1], "c": [1.5, 0.5, 2.5, 3.5]})
LABELS = np.array([0, 1, 1, 0])


def counting(schema: Schema, asked: list[int], columns: tuple[str, ...] = ()) -> Model:
    """Scores by the bits of a row, so that every difference counts; one by one, as arrays round by their size."""

    def score(row: list[float]) -> float:
        told = [-7.0 if math.isnan(v) else math.atan(v) + (math.copysign(1.0, v) < 0) for v in row]
        return sum(10.0**place * part for place, part in enumerate(told))

    def predict(table: pd.DataFrame) -> np.ndarray:
        asked.append(len(table))
        return np.array([score(row) for row in table.to_numpy(dtype=float).tolist()])

    return Model(predict, schema, columns or schema.columns, (), "weights", "weights")


@pytest.mark.parametrize("estimator", [RandomForestClassifier(7, random_state=0), LogisticRegression()])
def test_columns_go_back_by_name(estimator: Any) -> None:
    estimator.fit(TABLE, LABELS)
    shuffled = TABLE[["c", "b", "a"]]
    schema = Schema.infer(shuffled)
    np.testing.assert_array_equal(
        Model.of(estimator, schema).score(schema.encode(shuffled)), estimator.predict_proba(TABLE)
    )


def test_a_model_may_want_fewer_columns() -> None:
    estimator = LogisticRegression().fit(TABLE[["c", "a"]], LABELS)
    schema = Schema.infer(TABLE)
    scores = Model.of(estimator, schema).score(schema.encode(TABLE))
    np.testing.assert_array_equal(scores, estimator.predict_proba(TABLE[["c", "a"]]))


def test_models_fitted_without_names_get_the_table_s_order() -> None:
    table = pd.DataFrame({"z1": [1, 0, 0, 1], "x": [0.5, 2.0, 1.0, 4.0], "z2": [0, 1, 1, 0]})
    estimator = DecisionTreeRegressor(random_state=0).fit(table.to_numpy(), [1.0, 2.0, 3.0, 4.0])
    schema = Schema.infer(table, {"z": ["z1", "z2"]})
    np.testing.assert_array_equal(
        Model.of(estimator, schema).score(schema.encode(table))[:, 0], estimator.predict(table.to_numpy())
    )


def test_models_fitted_without_names_take_missing_whole_numbers() -> None:
    table = pd.DataFrame({"n": pd.array([1, None, 3, 4], dtype="Int64")})
    values = table.to_numpy(dtype=float, na_value=np.nan)
    estimator = DecisionTreeRegressor(random_state=0).fit(values, [1.0, 2.0, 3.0, 4.0])
    schema = Schema.infer(table)
    assert Model.of(estimator, schema).score(schema.encode(table))[:, 0].tolist() == [1.0, 2.0, 3.0, 4.0]


VALUES = st.sampled_from([0.0, -0.0, 1.0, 2.0, 3.0, 0.1, -1.5, float("nan"), 1e300, 255.0])


@settings(max_examples=200)
@given(rows=st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=12).map(np.array))
def test_repeats_change_nothing(rows: np.ndarray) -> None:
    asked: list[int] = []
    model = counting(Schema.infer(TABLE.astype(float)), asked)
    before = rows.copy()
    together = model.score(rows)
    assert asked == [len({row.tobytes() for row in rows})]
    np.testing.assert_array_equal(together, np.concatenate([model.score(row[None]) for row in rows]))
    np.testing.assert_array_equal(rows, before)


@pytest.mark.parametrize("values", [range(3), range(300)])
def test_equal_rows_of_whole_numbers_are_asked_once(values: range) -> None:
    random = np.random.default_rng(0)
    rows = random.integers(values.start, values.stop, (20_000, 4)).astype(float)
    rows = np.concatenate([rows, rows])
    asked: list[int] = []
    counting(Schema.infer(pd.DataFrame(rows[:9], columns=list("abcd"))), asked).score(rows)
    assert sum(asked) == len(np.unique(rows, axis=0))


def test_colliding_rows_are_all_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """If two rows ever had one hash, each would still get its own score."""
    monkeypatch.setattr(model_module.pd, "factorize", lambda h: (np.zeros(len(h), dtype=int), h[:1]))
    asked: list[int] = []
    model = counting(Schema.infer(TABLE), asked)
    rows = np.array([[1.0, 2, 3], [3.0, 2, 1]])
    assert len(np.unique(model.score(rows))) == 2


def test_batches_give_what_one_call_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.arange(90.0).reshape(30, 3)
    one: list[int] = []
    whole = counting(Schema.infer(TABLE), one).score(rows)
    monkeypatch.setattr(model_module, "FIRST_BATCH", 7)
    monkeypatch.setattr(model_module, "_next_size", lambda size, asked, seconds: size + 1)
    asked: list[int] = []
    model = counting(Schema.infer(TABLE), asked)
    np.testing.assert_array_equal(model.score(rows), whole)
    assert one == [30] and asked == [7, 8, 9, 6]
    model.score(rows)
    assert asked[4:] == [11, 12, 7]


def test_a_batch_takes_about_a_tenth_of_a_second() -> None:
    assert model_module._next_size(4096, 4096, 0.01) == 8192
    assert model_module._next_size(4096, 4096, 0.1) == 4096
    assert model_module._next_size(4096, 4096, 1.0) == 2048
    assert model_module._next_size(64, 64, 1.0) == 64
    assert model_module._next_size(65_536, 65_536, 0.0) == 65_536
    assert model_module._next_size(4096, 100, 0.0) == 4096, "a few rows say nothing about many"
    assert model_module._next_size(4096, 300, 1.0) == 150


def test_a_run_is_checked_before_every_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_module, "FIRST_BATCH", 7)
    monkeypatch.setattr(model_module, "_next_size", lambda size, asked, seconds: size)
    asked: list[int] = []
    model = counting(Schema.infer(TABLE), asked)
    with pytest.raises(Stopped):
        model.score(np.arange(90.0).reshape(30, 3), Run(cancelled=lambda: len(asked) >= 2))
    assert asked == [7, 7]


def test_no_rows_need_no_call() -> None:
    asked: list[int] = []
    assert counting(Schema.infer(TABLE), asked).score(np.empty((0, 3))).shape == (0, 1)
    assert not asked


def test_regressors_have_one_output() -> None:
    estimator = LinearRegression().fit(TABLE, LABELS)
    schema = Schema.infer(TABLE)
    model = Model.of(estimator, schema)
    assert model.classes == () and model.name == "LinearRegression"
    np.testing.assert_array_equal(model.score(schema.encode(TABLE))[:, 0], estimator.predict(TABLE))


def test_fingerprints_tell_models_apart() -> None:
    schema = Schema.infer(TABLE)
    one = Model.of(LogisticRegression().fit(TABLE, LABELS), schema)
    again = Model.of(LogisticRegression().fit(TABLE, LABELS), schema)
    other = Model.of(LogisticRegression().fit(TABLE, 1 - LABELS), schema)
    assert one.fingerprint == again.fingerprint != other.fingerprint


def test_what_can_t_be_used_is_refused_in_a_sentence() -> None:
    schema = Schema.infer(TABLE)
    with pytest.raises(ModelError, match=r"gives classes but no probabilities.*\.$"):
        Model.of(RidgeClassifier().fit(TABLE, LABELS), schema)
    with pytest.raises(ModelError, match=r"wants a column 'a' that the table lacks.*\.$"):
        Model.of(LogisticRegression().fit(TABLE, LABELS), Schema.infer(TABLE.drop(columns="a")))


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda table: 1 / 0, "weights fails on a row .*: division by zero"),
        (lambda table: np.ones((len(table), 3)), r"shape \(1, 3\) for 1 rows and no classes"),
        (lambda table: np.ones(len(table) + 1), r"shape \(2, 1\) for 1 rows"),
        (lambda table: np.full(len(table), np.nan), "a score that is not a number"),
        (lambda table: np.full(len(table), np.inf), "a score that is not a number"),
        (lambda table: 1.0, "weights gives"),
        (lambda table: None, "weights gives"),
    ],
)
def test_odd_answers_are_refused_in_a_sentence(answer: Any, sentence: str) -> None:
    model = replace(counting(Schema.infer(TABLE), []), predict=answer)
    with pytest.raises(ModelError, match=sentence):
        model.score(np.zeros((1, 3)))
