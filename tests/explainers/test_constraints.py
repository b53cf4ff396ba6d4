"""Locks, ranges and directions, read literally and checked as sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explainers.constraints import FREE, Constraints, Rule
from explainers.schema import Direction, Schema
from tests.contract.asking import is_same, may_change

TABLE = pd.DataFrame(
    {
        "age": [20.0, 30.0, np.nan],
        "grade": pd.Categorical(["low", "top", None], ["low", "middle", "top"], ordered=True),
        "colour": ["red", "blue", "green"],
    }
)
SCHEMA = Schema.infer(TABLE)
NUMBERS = st.one_of(st.just(float("nan")), st.floats(10, 40))
CODES = st.sampled_from([0.0, 1.0, 2.0, float("nan")])
ROWS = st.tuples(NUMBERS, CODES, CODES).map(np.array)
BOUNDS = st.one_of(st.none(), st.floats(10, 40))
DIRECTIONS = st.sampled_from(Direction)


def some(labels: tuple[str, ...]) -> st.SearchStrategy:
    return st.one_of(st.none(), st.frozensets(st.sampled_from(labels)))


RULES = st.tuples(
    st.builds(Rule, locked=st.booleans(), direction=DIRECTIONS, low=BOUNDS, high=BOUNDS),
    st.builds(Rule, locked=st.booleans(), direction=DIRECTIONS, categories=some(SCHEMA["grade"].labels)),
    st.builds(Rule, locked=st.booleans(), categories=some(SCHEMA["colour"].labels)),
)


@settings(max_examples=300)
@given(rules=RULES, case=ROWS, rows=st.lists(ROWS, min_size=1, max_size=4).map(np.array))
def test_what_is_allowed(rules: tuple[Rule, ...], case: np.ndarray, rows: np.ndarray) -> None:
    constraints = Constraints(tuple(zip(SCHEMA.names, rules, strict=True)))
    expected = np.array(
        [
            [
                is_same(old, new) or may_change(feature, rule, old, new)
                for feature, rule, old, new in zip(SCHEMA.features, rules, case, row, strict=True)
            ]
            for row in rows
        ]
    )
    np.testing.assert_array_equal(constraints.allowed(SCHEMA, case, rows), expected)
    broken = {name for name, column in zip(SCHEMA.names, expected.T, strict=True) if not column.all()}
    assert set(constraints.binding(SCHEMA, case, rows)) == broken


def test_a_case_outside_its_range_may_stay() -> None:
    constraints = Constraints((("age", Rule(low=25.0)),))
    case = np.array([20.0, 0.0, 0.0])
    rows = np.array([[20.0, 0, 0], [22.0, 0, 0], [25.0, 0, 0], [np.nan, 0, 0]])
    assert constraints.allowed(SCHEMA, case, rows)[:, 0].tolist() == [True, False, True, False]


def test_a_missing_value_may_move_into_a_range_but_has_no_direction() -> None:
    case, rows = np.array([np.nan, 0.0, 0.0]), np.array([[30.0, 0.0, 0.0]])
    assert Constraints((("age", Rule(low=25.0)),)).allowed(SCHEMA, case, rows).all()
    assert not Constraints((("age", Rule(direction=Direction.UP)),)).allowed(SCHEMA, case, rows).all()


def test_a_direction_may_be_given_by_its_name() -> None:
    constraints = Constraints((("age", Rule(direction="up")),))  # type: ignore[arg-type]
    assert not constraints.allowed(SCHEMA, np.array([30.0, 0, 0]), np.array([[20.0, 0, 0]]))[0, 0]


@pytest.mark.parametrize(
    ("name", "rule", "sentence"),
    [
        ("height", Rule(locked=True), "There is no feature called 'height'."),
        ("colour", Rule(direction=Direction.UP), "colour has no order, so it can't be told to rise or fall."),
        ("grade", Rule(low=1.0), "grade is not a number, so it has no range."),
        ("age", Rule(low=2.0, high=1.0), "The range of age ends before it begins."),
        ("age", Rule(low=float("nan")), "A bound of age is not a number."),
        ("colour", Rule(categories=frozenset({"pink"})), "colour has no category called 'pink'."),
    ],
)
def test_what_can_t_hold_is_said(name: str, rule: Rule, sentence: str) -> None:
    assert Constraints(((name, rule),)).check(SCHEMA) == (sentence,)


def test_what_can_hold_is_not_complained_about() -> None:
    rules = (("age", Rule(low=1.0, high=1.0)), ("grade", Rule(direction=Direction.UP)))
    assert Constraints(rules).check(SCHEMA) == ()


def test_equal_rules_are_equal_constraints() -> None:
    one = Constraints((("b", Rule(locked=True)), ("a", Rule(low=1.0)), ("c", FREE)))
    other = Constraints((("a", Rule(low=1.0)), ("b", Rule(locked=True))))
    assert one == other and hash(one) == hash(other)
    assert one.with_lock("b", False) == Constraints((("a", Rule(low=1.0)),))
    assert one["b"].locked and one["nobody"] == FREE


def test_defaults_come_from_the_schema() -> None:
    schema = SCHEMA.described({"age": {"direction": Direction.UP}, "colour": {"locked": True}})
    assert Constraints.default(schema) == Constraints(
        (("age", Rule(direction=Direction.UP)), ("colour", Rule(locked=True)))
    )
