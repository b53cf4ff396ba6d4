"""Splitting, training and measuring on tables of every kind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from explainers.decision import BinaryDecision
from explainers.model import Model
from explainers.problem import Problem
from explainers.schema import Schema
from explainers.training import TRAINERS, forest, held_out_accuracy, split, train, train_forest

N = 120


@pytest.fixture
def table() -> pd.DataFrame:
    random = np.random.default_rng(3)
    amount = random.normal(size=N).round(2)
    amount[::10] = np.nan
    kind = pd.Series(random.choice(["a", "b", "c"], N), dtype="str")
    kind[::7] = np.nan
    hot = random.integers(0, 3, N)
    return pd.DataFrame(
        {
            "amount": amount,
            "count": pd.array(np.where(np.arange(N) % 9, np.arange(N), 0), dtype="Int64"),
            "kind": kind,
            "grade": pd.Categorical(random.choice(["low", "high"], N), ["low", "high"], ordered=True),
            "member": random.random(N) > 0.5,
            "maybe": pd.array(np.where(np.arange(N) % 5, True, None), dtype="boolean"),
            "zone_x": (hot == 0).astype(int),
            "zone_y": (hot == 1).astype(int),
            "zone_z": (hot == 2).astype(int),
        }
    )


@pytest.fixture
def schema(table: pd.DataFrame) -> Schema:
    return Schema.infer(table, {"zone": ["zone_x", "zone_y", "zone_z"]})


@pytest.fixture
def labels(table: pd.DataFrame) -> np.ndarray:
    return ((table["zone_x"] == 1) | (table["amount"] > 0.8)).to_numpy(dtype=np.intp)


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
def test_split_takes_the_same_share_of_each_class(share: float) -> None:
    labels = np.repeat([0, 1, 2], [100, 40, 7])
    training = split(labels, share, seed=1)
    for label, size in ((0, 100), (1, 40), (2, 7)):
        assert training[labels == label].sum() == round(share * size)


def test_split_follows_the_seed_only() -> None:
    labels = np.repeat([0, 1], 50)
    np.testing.assert_array_equal(split(labels, seed=4), split(labels, seed=4))
    assert (split(labels, seed=4) != split(labels, seed=5)).any()


def test_a_forest_takes_missing_values_and_every_dtype(table: pd.DataFrame, schema: Schema, labels: np.ndarray) -> None:
    trained = train(forest(20), table, labels, schema, split(labels))
    model = Model.of(trained.estimator, schema)
    np.testing.assert_array_equal(model.score(schema.encode(table)), trained.estimator.predict_proba(table))


def test_numbers_only_and_categories_only(table: pd.DataFrame, labels: np.ndarray) -> None:
    for columns in (["amount", "count"], ["kind", "grade"]):
        part = table[columns]
        estimator = train_forest(part, labels, Schema.infer(part), split(labels), trees=10)
        assert estimator.predict_proba(part).shape == (N, 2)


def test_only_training_rows_are_learnt_from(table: pd.DataFrame, schema: Schema, labels: np.ndarray) -> None:
    training = split(labels)
    one = train_forest(table, labels, schema, training, trees=10)
    other = train_forest(table, np.where(training, labels, 1 - labels), schema, training, trees=10)
    np.testing.assert_array_equal(one.predict_proba(table), other.predict_proba(table))


def test_fingerprints_tell_trainers_seeds_and_data_apart(
    table: pd.DataFrame, schema: Schema, labels: np.ndarray
) -> None:
    training = split(labels)

    def fingerprint(trees: int = 5, seed: int = 0, table: pd.DataFrame = table) -> str:
        return train(forest(trees), table, labels, schema, training, seed=seed).fingerprint

    changed = table.assign(amount=table["amount"].where(table.index != 1, 7.5))
    prints = [fingerprint(), fingerprint(trees=6), fingerprint(seed=1), fingerprint(table=changed)]
    assert len(set(prints)) == len(prints)
    assert fingerprint() == prints[0]


def test_a_class_without_training_rows_is_refused(table: pd.DataFrame, schema: Schema, labels: np.ndarray) -> None:
    with pytest.raises(ValueError, match="class 1"):
        train(forest(5), table, labels, schema, labels == 0)


def test_trainers_are_found_by_their_own_name() -> None:
    assert all(name == trainer.name and trainer.title for name, trainer in TRAINERS.items())


def test_accuracy_is_of_held_out_rows_under_the_problem_s_decision(
    table: pd.DataFrame, schema: Schema, labels: np.ndarray
) -> None:
    trained = train(forest(20), table, labels, schema, split(labels))
    model = Model.of(trained.estimator, schema, classes=("no", "yes"))
    problem = Problem(
        model=model,
        rows=schema.encode(table),
        ids=tuple(map(str, range(N))),
        training=trained.training,
        decision=BinaryDecision(("no", "yes"), 0.5),
        observed=labels,
    )
    held_out = ~trained.training
    right = (problem.outputs[held_out, 1] >= 0.5) == (labels[held_out] == 1)
    assert held_out_accuracy(problem) == pytest.approx(right.mean())
    nearly_always = problem.with_decision(BinaryDecision(("no", "yes"), 1e-9))
    right = (problem.outputs[held_out, 1] >= 1e-9) == (labels[held_out] == 1)
    assert held_out_accuracy(nearly_always) == pytest.approx(right.mean())
    assert np.isnan(held_out_accuracy(replace(problem, observed=None)))
    assert np.isnan(held_out_accuracy(replace(problem, training=np.ones(N, dtype=bool))))
