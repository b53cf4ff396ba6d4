"""Every trainer: any dtype, missing values, the same result again, and what it refuses."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from explainers.decision import BinaryDecision, ClassDecision, IntervalDecision
from explainers.model import Model
from explainers.schema import Schema
from explainers.training import (
    TRAINERS,
    Trainer,
    default_decision,
    forest,
    forest_of_numbers,
    read_outcome,
    split,
    train,
    trainers_of,
)

N = 240
ZONES = ["zone_x", "zone_y", "zone_z"]


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    random = np.random.default_rng(3)
    zone = random.integers(0, 3, N)
    table = pd.DataFrame(
        {
            "amount": random.normal(size=N).round(2) * 1e4,
            "zone_x": zone == 0,
            "count": pd.array(random.integers(0, 30, N), dtype="Int64"),
            "kind": pd.Series(random.choice(["a", "b", "<b>&", "東"], N), dtype="str"),
            "grade": pd.Categorical(random.choice(["low", "high"], N), ["low", "high"], ordered=True),
            "code": pd.Categorical(random.choice([10, 1, 2], N), [10, 1, 2]),
            "member": random.random(N) > 0.5,
            "maybe": pd.array(random.random(N) > 0.5, dtype="boolean"),
            "zone_y": (zone == 1).astype(np.int8),
            "zone_z": (zone == 2).astype(np.float32),
            "short": random.normal(size=N).astype(np.float32),
        }
    )
    for column in ("amount", "count", "kind", "grade", "code", "maybe", "short"):
        table.loc[random.random(N) < 0.1, column] = None
    table["never"] = np.nan
    table["nothing"] = pd.Series([None] * N, dtype="str")
    return table


@pytest.fixture(scope="module")
def schema(table: pd.DataFrame) -> Schema:
    return Schema.infer(table, {"zone": ZONES})


@pytest.fixture(scope="module")
def numbers(table: pd.DataFrame) -> np.ndarray:
    noise = np.random.default_rng(4).normal(scale=2e3, size=N)
    return np.asarray(table["amount"].fillna(0) + 2e4 * table["zone_x"] + noise, dtype=float)


@pytest.fixture(scope="module")
def labels(numbers: np.ndarray) -> np.ndarray:
    return np.digitize(numbers, np.quantile(numbers, [1 / 3, 2 / 3])).astype(np.intp)


@pytest.fixture(params=TRAINERS.values(), ids=lambda trainer: trainer.name)
def trainer(request: pytest.FixtureRequest) -> Trainer:
    return request.param


@pytest.fixture
def observed(trainer: Trainer, labels: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    return labels if trainer.kind == "classes" else numbers


def test_there_are_four_for_classes_and_four_for_numbers() -> None:
    assert list(trainers_of("classes")) == ["logistic_regression", "forest", "boosting", "mlp"]
    assert list(trainers_of("number")) == [
        "linear_regression",
        "forest_of_numbers",
        "boosting_of_numbers",
        "mlp_of_numbers",
    ]
    assert list(TRAINERS) == [*trainers_of("classes"), *trainers_of("number")]
    assert all(trainer.help.endswith(".") for trainer in TRAINERS.values())


def test_any_dtype_and_missing_values_are_learnt_from(
    trainer: Trainer, observed: np.ndarray, table: pd.DataFrame, schema: Schema
) -> None:
    training = split(observed)
    estimator = train(trainer, table, observed, schema, training).estimator
    model = Model.of(estimator, schema)
    outputs = model.score(schema.encode(table))
    assert model.columns == tuple(table.columns)
    if trainer.kind == "classes":
        np.testing.assert_array_equal(outputs, estimator.predict_proba(table))
        assert (outputs.argmax(axis=1) == observed)[~training].mean() > 0.55
    else:
        np.testing.assert_array_equal(outputs[:, 0], estimator.predict(table))
        assert np.mean((outputs[:, 0] - observed)[~training] ** 2) < 0.4 * observed[~training].var()


def test_a_row_of_missing_values_alone_is_scored(
    trainer: Trainer, observed: np.ndarray, table: pd.DataFrame, schema: Schema
) -> None:
    part = table.drop(columns=["member", *ZONES])
    schema = Schema.infer(part)
    estimator = train(trainer, part, observed, schema, split(observed)).estimator
    outputs = Model.of(estimator, schema).score(np.full((1, len(schema)), np.nan))
    assert np.isfinite(outputs).all()


def test_the_same_seed_gives_the_same_model(
    trainer: Trainer, observed: np.ndarray, table: pd.DataFrame, schema: Schema
) -> None:
    one, other = (train(trainer, table, observed, schema, split(observed), seed=7) for _ in range(2))
    assert one.fingerprint == other.fingerprint
    np.testing.assert_array_equal(
        Model.of(one.estimator, schema).score(schema.encode(table)),
        Model.of(other.estimator, schema).score(schema.encode(table)),
    )


def test_nothing_is_written_to(trainer: Trainer, observed: np.ndarray, table: pd.DataFrame, schema: Schema) -> None:
    before, outcome = table.copy(deep=True), observed.copy()
    train(trainer, table, observed, schema, split(observed))
    pd.testing.assert_frame_equal(table, before)
    np.testing.assert_array_equal(observed, outcome)


def test_a_saved_model_holds_scikit_learn_s_own_parts_alone(
    trainer: Trainer, observed: np.ndarray, table: pd.DataFrame, schema: Schema
) -> None:
    sio = pytest.importorskip("skops.io")
    estimator = train(trainer, table, observed, schema, split(observed)).estimator
    content = sio.dumps(estimator)
    strange = sio.get_untrusted_types(data=content)
    assert all(name.startswith(("sklearn.", "numpy.")) for name in strange)
    again = sio.loads(content, trusted=strange)
    np.testing.assert_array_equal(
        Model.of(again, schema).score(schema.encode(table)), Model.of(estimator, schema).score(schema.encode(table))
    )


def test_only_the_other_kind_is_refused(trainer: Trainer, table: pd.DataFrame, schema: Schema) -> None:
    other = np.arange(N, dtype=float) if trainer.kind == "classes" else np.arange(N) % 2
    with pytest.raises(ValueError, match=r"^[^.]* is here for (classes|a number); choose [^.]*\.$"):
        train(trainer, table, other, schema, split(other))


def test_no_column_to_learn_from_is_refused(labels: np.ndarray) -> None:
    table = pd.DataFrame({"nothing": np.full(N, np.nan)})
    with pytest.raises(ValueError, match="No column holds anything"):
        train(forest(5), table, labels, Schema.infer(table), split(labels))


@pytest.mark.parametrize("size", [1, 2])
def test_a_rare_class_is_refused(size: int, table: pd.DataFrame, schema: Schema) -> None:
    labels = np.where(np.arange(N) < size, 2, np.arange(N) % 2)
    rows = "1 row" if size == 1 else "2 rows"
    with pytest.raises(ValueError, match=f"^The class 2 of the target has only {rows} and needs 3 "):
        train(forest(5), table, labels, schema, split(labels))
    labels = np.where(np.arange(N) < 3, 2, np.arange(N) % 2)
    train(forest(5), table, labels, schema, split(labels))


def test_a_constant_target_is_refused(table: pd.DataFrame, schema: Schema) -> None:
    for trainer, observed in ((forest(5), np.ones(N, dtype=np.intp)), (forest_of_numbers(5), np.full(N, 2.5))):
        with pytest.raises(ValueError, match=r"^Every known value of the target is (1|2\.5); "):
            train(trainer, table, observed, schema, split(observed))


def test_rows_of_unknown_outcome_are_not_trained_on(
    table: pd.DataFrame, schema: Schema, labels: np.ndarray, numbers: np.ndarray
) -> None:
    unknown = np.arange(N) % 6 == 0
    for trainer, observed in (
        (forest(5), np.where(unknown, -1, labels)),
        (forest_of_numbers(5), np.where(unknown, np.nan, numbers)),
    ):
        assert not (split(observed) & unknown).any()
        trained = train(trainer, table, observed, schema, np.ones(N, dtype=bool))
        np.testing.assert_array_equal(trained.training, ~unknown)


def test_the_model_calls_the_classes_as_the_table_does(table: pd.DataFrame, schema: Schema, labels: np.ndarray) -> None:
    outcome = read_outcome(pd.Series(np.array(["x", "y", "z"])[labels], name="kind"))
    estimator = train(
        forest(5), table, outcome.observed, schema, split(outcome.observed), values=outcome.values
    ).estimator
    assert estimator.classes_.tolist() == ["x", "y", "z"] == list(Model.of(estimator, schema).classes)
    positions = train(forest(5), table, outcome.observed, schema, split(outcome.observed)).estimator
    np.testing.assert_array_equal(estimator.predict_proba(table), positions.predict_proba(table))


def test_split_takes_the_same_share_of_each_tenth() -> None:
    numbers = np.random.default_rng(0).permutation(np.arange(200.0) ** 2)
    training = split(numbers, seed=3)
    for tenth in np.split(np.argsort(numbers), 10):
        assert training[tenth].sum() == 14
    assert (training != split(numbers, seed=4)).any()


def test_split_leaves_a_row_of_each_class_on_both_sides() -> None:
    labels = np.repeat([0, 1, 2], [50, 3, 2])
    for share in (0.1, 0.7, 0.95):
        training = split(labels, share)
        for label in (0, 1, 2):
            assert 0 < training[labels == label].sum() < (labels == label).sum()


def test_the_default_decision_follows_the_outputs() -> None:
    assert default_decision(np.zeros((4, 2)), ("no", "yes")) == BinaryDecision(("no", "yes"), 0.5)
    assert default_decision(np.zeros((4, 3)), ("a", "b", "c")) == ClassDecision(("a", "b", "c"))
    for scale, quartiles in ((1, (25.0, 50.0, 75.0)), (1234.567, (30900.0, 61700.0, 92600.0)), (1e-6, None)):
        decision = default_decision(np.arange(101.0)[:, None] * scale, (), "price")
        assert isinstance(decision, IntervalDecision) and decision.quantity == "price"
        assert decision.quartiles == (quartiles or (2.5e-5, 5e-5, 7.5e-5))
    constant = default_decision(np.full((5, 1), 1 / 3), (), "price")
    assert isinstance(constant, IntervalDecision) and constant.quartiles == (1 / 3,) * 3


def test_training_is_quiet_and_writes_no_warning_of_ours(table: pd.DataFrame, labels: np.ndarray) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        part = table[["amount", "kind", "count"]]
        for trainer in trainers_of("classes").values():
            train(trainer, part, labels, Schema.infer(part), split(labels))


def test_pixels_are_centred_and_share_one_scale_and_the_rest_is_standardised() -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame({"weight": random.normal(50, 9, N), "a": 0.0, "b": random.integers(0, 17, N) * 1.0})
    table.loc[:0, "a"] = 1.0
    table["c"], table["d"] = 16 - table["b"], table["b"] // 2
    schema = Schema.infer(table).pictured((("a", "b"), ("c", "d")))
    labels = (table["b"] > 8).to_numpy(dtype=np.intp)
    trained = train(TRAINERS["mlp"], table, labels, schema, np.ones(N, dtype=bool))
    scaled = trained.estimator[0].transform(table)
    pixels = table[["a", "b", "c", "d"]]
    np.testing.assert_allclose(scaled[:, 1:], (pixels - pixels.mean()) * 4 / 16, atol=1e-12)
    assert scaled[:, 0].std() == pytest.approx(1)
    bare = train(TRAINERS["mlp"], table, labels, Schema.infer(table), np.ones(N, dtype=bool))
    np.testing.assert_allclose(bare.estimator[0].transform(table).std(axis=0), 1)
    assert bare.fingerprint != trained.fingerprint
