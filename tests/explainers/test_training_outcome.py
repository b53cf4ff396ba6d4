"""Which column is the target, which kind it is, what is read from it, and how well a model meets it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from explainers.decision import ClassDecision, IntervalDecision
from explainers.model import Model
from explainers.problem import Problem
from explainers.schema import Schema
from explainers.training import guess_target, held_out, held_out_accuracy, read_outcome, target_kind

N = 60


def column(values: object, **kwargs: object) -> pd.Series:
    return pd.Series(values, name="answer", **kwargs)


@pytest.mark.parametrize(
    ("names", "guess"),
    [
        (["a", "b", "c"], "c"),
        (["Target", "b", "c"], "Target"),
        (["a", "class", "label"], "label"),
        (["a", " Y ", "c"], " Y "),
        (["default", "outcome", "c"], "outcome"),
        (["yes", "classes", "targeted"], "targeted"),
    ],
)
def test_a_telling_name_or_the_last_column_is_the_target(names: list[str], guess: str) -> None:
    assert guess_target(pd.DataFrame({name: np.arange(N) % 3 for name in names})) == guess


def test_what_can_t_be_a_target_is_passed_over() -> None:
    ids = [f"id {i}" for i in range(N)]
    table = pd.DataFrame({"a": np.arange(N) % 2, "id": ids, "constant": 1, "target": np.nan})
    assert guess_target(table) == "a"
    assert guess_target(table[["id", "constant"]]) == "constant"
    with pytest.raises(ValueError, match="no column"):
        guess_target(table[[]])


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["a", "b"] * 30, "classes"),
        ([True, False] * 30, "classes"),
        (pd.Categorical(np.arange(N) % 20), "classes"),
        ([0, 1] * 30, "classes"),
        ([0.5, 1.5] * 30, "classes"),
        ([0.0, 1.0, np.nan] * 20, "classes"),
        (pd.array([1, 2, 3, None] * 15, dtype="Int64"), "classes"),
        (np.arange(N) % 10, "classes"),
        (np.arange(N) % 11, "number"),
        (np.arange(N) % 3 / 2, "number"),
        ([1, 2, 3] * 4, "number"),
        (np.arange(N) / 7, "number"),
    ],
)
def test_few_distinct_whole_numbers_are_classes(values: object, kind: str) -> None:
    assert target_kind(column(values)) == kind


@pytest.mark.parametrize(
    ("values", "classes"),
    [
        (["b", "a", None] * 5, ("a", "b")),
        ([2.0, 10.0, np.nan] * 5, ("2", "10")),
        ([0.5, 1.5, 1.5] * 5, ("0.5", "1.5")),
        ([True, False, None] * 5, ("False", "True")),
        (pd.Categorical(["low", "high", None] * 5, ["low", "high", "never"]), ("high", "low")),
        ([1, "x", None] * 5, ("1", "x")),
        (["<b>&", "東", None] * 5, ("<b>&", "東")),
    ],
)
def test_classes_are_read_in_ascending_order(values: object, classes: tuple[str, ...]) -> None:
    outcome = read_outcome(column(values, dtype=None), "classes")
    assert outcome.classes == classes
    known = pd.Series(values).notna().to_numpy()
    np.testing.assert_array_equal(outcome.observed >= 0, known)
    assert (np.unique(outcome.values) == outcome.values).all()
    for position, value in zip(outcome.observed[known], pd.Series(values)[known], strict=True):
        assert outcome.values[position] == value or str(outcome.values[position]) == str(value)


def test_numbers_are_read_with_gaps_as_nan() -> None:
    outcome = read_outcome(column(pd.array([1.5, None, 3.25, 4], dtype="Float64")))
    assert outcome.kind == "number" and outcome.classes == ()
    np.testing.assert_array_equal(outcome.observed, [1.5, np.nan, 3.25, 4.0])
    np.testing.assert_array_equal(read_outcome(column([1.5, np.inf, 2.5, 7])).observed, [1.5, np.nan, 2.5, 7])
    np.testing.assert_array_equal(read_outcome(column(["1", "2.5", None]), "number").observed, [1, 2.5, np.nan])


@pytest.mark.parametrize(
    ("values", "kind", "says"),
    [
        ([None] * 9, None, "The column 'answer' is empty; "),
        (["a"] * 9, None, "Every known value of 'answer' is a; "),
        ([2.5, None] * 9, "number", "Every known value of 'answer' is 2.5; "),
        (["a", "b"] * 9 + ["c"], None, "The class 'c' of 'answer' has only 1 row and needs 3 "),
        ([0, 1] * 9 + [7, 7], "classes", "The class '7' of 'answer' has only 2 rows and needs 3 "),
        (["1", "many"] * 9, "number", "The column 'answer' holds 'many', no number; "),
        ([f"id {i}" for i in range(99)], None, "The column 'answer' has 99 different values, "),
    ],
)
def test_what_nothing_can_be_learnt_from_is_one_sentence(values: list[object], kind: str | None, says: str) -> None:
    with pytest.raises(ValueError, match=f"^{says}") as refused:
        read_outcome(column(values), kind)  # type: ignore[arg-type]
    assert str(refused.value).endswith(".") and "\n" not in str(refused.value)


def posed(outputs: np.ndarray, observed: np.ndarray | None, training: np.ndarray, classes: tuple[str, ...]) -> Problem:
    table = pd.DataFrame({"x": np.arange(float(len(outputs)))})
    schema = Schema.infer(table)
    decision = ClassDecision(classes) if classes else IntervalDecision("price", (1.0, 2.0, 3.0))
    model = Model(lambda asked: outputs[asked["x"].astype(int)], schema, ("x",), classes, "given", "given")
    ids = tuple(map(str, range(len(outputs))))
    return Problem(model, schema.encode(table), ids, training, decision, observed)


def test_accuracy_is_of_known_rows_that_were_not_trained_on() -> None:
    observed = np.array([0, 0, 0, 1, 1, 2, 2, -1])
    decided = np.array([1, 1, 1, 1, 2, 2, 0, 0])
    training = np.arange(8) < 3
    problem = posed(np.eye(3)[decided], observed, training, ("a", "b", "c"))
    (accuracy,) = held_out(problem)
    assert (accuracy.name, accuracy.value, accuracy.simplest, accuracy.n_rows) == ("accuracy", 0.5, 0.0, 4)
    assert held_out_accuracy(problem) == 0.5


def test_a_number_has_r_squared_and_mean_absolute_error() -> None:
    observed = np.array([0.0, 10.0, 2.0, 4.0, 6.0, np.nan])
    outputs = np.array([50.0, 50.0, 3.0, 4.0, 4.0, 9.0])
    problem = posed(outputs[:, None], observed, np.arange(6) < 2, ())
    explained, absolute = held_out(problem)
    assert (explained.name, absolute.name) == ("R²", "mean absolute error")
    assert explained.value == pytest.approx(1 - 5 / 8) and absolute.value == pytest.approx(1.0)
    assert explained.simplest == pytest.approx(1 - (9 + 1 + 1) / 8)
    assert absolute.simplest == pytest.approx(5 / 3) and absolute.n_rows == 3
    assert np.isnan(held_out_accuracy(problem))


def test_r_squared_of_a_constant_is_left_out() -> None:
    problem = posed(np.arange(4.0)[:, None], np.full(4, 1.0), np.arange(4) < 2, ())
    assert [measure.name for measure in held_out(problem)] == ["mean absolute error"]


def test_nothing_is_measured_where_nothing_is_known() -> None:
    outputs, labels = np.eye(2)[np.arange(6) % 2], np.arange(6) % 2
    for observed, training in (
        (None, np.arange(6) < 3),
        (labels, np.ones(6, bool)),
        (labels * 0 - 1, np.arange(6) < 3),
    ):
        assert held_out(posed(outputs, observed, training, ("a", "b"))) == ()
