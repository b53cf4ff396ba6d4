"""Which side a row is on, exactly at the edge too."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.decision import (
    ANY_OTHER,
    BinaryDecision,
    ClassDecision,
    Decision,
    DecisionError,
    IntervalDecision,
    OneVsRestDecision,
    OtherClassTarget,
)

SHARES = st.floats(0.01, 0.99)


def two(*ones: float) -> np.ndarray:
    return np.array([[1 - one, one] for one in ones])


def numbers(*values: float) -> np.ndarray:
    return np.array(values)[:, None]


@given(threshold=SHARES)
def test_exactly_at_the_threshold_it_is_class_one(threshold: float) -> None:
    decision = BinaryDecision(("no", "yes"), threshold)
    under, at = math.nextafter(threshold, 0), threshold
    assert decision.sides(two(under, at)).tolist() == [0, 1]
    up, down = decision.target(two(under)[0]), decision.target(two(at)[0])
    assert (up.factual, up.desired, down.factual, down.desired) == ("no", "yes", "yes", "no")
    assert up.flips(two(under, at)).tolist() == [False, True]
    assert down.flips(two(under, at)).tolist() == [True, False]


@given(one=SHARES, threshold=SHARES)
def test_the_drawn_score_is_that_of_the_desired_side(one: float, threshold: float) -> None:
    outputs = two(one)
    target = BinaryDecision(("no", "yes"), threshold).target(outputs[0])
    wants_one = target.desired == "yes"
    assert target.drawn(outputs)[0] == (one if wants_one else 1 - one)
    assert target.low == (threshold if wants_one else 1 - threshold)
    assert target.quantity == f"probability of {target.desired}"
    assert not target.is_reached and not target.flips(outputs)[0]


def test_drawn_scores_count_as_their_outputs_do() -> None:
    decision = BinaryDecision(("no", "yes"), 0.25)
    up, down = decision.target(two(0.1)[0]), decision.target(two(0.9)[0])
    assert up.has_reached(np.array([0.2, 0.25, 0.3])).tolist() == [False, True, True]
    assert down.has_reached(np.array([0.7, 0.75, 0.8])).tolist() == [False, False, True]


def test_a_fixed_class_can_be_reached_already() -> None:
    decision = BinaryDecision(("no", "yes"), 0.5, wanted="no")
    assert decision.target(two(0.2)[0]).is_reached
    away = decision.target(two(0.7)[0])
    assert not away.is_reached and away.factual == "yes" and away.desired == "no"


def test_the_runner_up_is_wanted_of_many() -> None:
    decision = ClassDecision(("a", "b", "c"))
    outputs = np.array([[0.5, 0.2, 0.3], [0.2, 0.2, 0.6], [0.4, 0.4, 0.2]])
    assert decision.sides(outputs).tolist() == [0, 2, 0]
    target = decision.target(outputs[0])
    assert (target.factual, target.desired) == ("a", "c")
    assert target.flips(outputs).tolist() == [False, True, False]
    np.testing.assert_allclose(target.drawn(outputs), [-0.2, 0.4, -0.2])
    assert decision.target(outputs[2]).desired == "b"


def test_any_other_class_will_do_if_it_is_asked_for() -> None:
    decision = ClassDecision(("a", "b", "c")).adjusted(wanted=ANY_OTHER)
    outputs = np.array([[0.2, 0.5, 0.3], [0.6, 0.2, 0.2], [0.1, 0.3, 0.6], [0.4, 0.4, 0.2], [0.2, 0.4, 0.4]])
    target = decision.target(outputs[0])
    assert isinstance(target, OtherClassTarget)
    assert (target.factual, target.desired, target.is_reached) == ("b", "another class", False)
    assert target.flips(outputs).tolist() == [False, True, True, True, False], "a tie goes to the earlier class"
    np.testing.assert_allclose(target.drawn(outputs), [-0.2, 0.4, 0.3, 0.0, 0.0], atol=1e-12)
    assert [target.contenders(row) for row in outputs] == [(2, 1), (0, 1), (2, 1), (0, 1), (2, 1)]
    assert target.is_desired(decision.side_names()).tolist() == [True, False, True]
    flips = [part.flips(outputs) for part in target.parts()]
    assert [part.desired for part in target.parts()] == ["a", "c"]
    assert (np.any(flips, axis=0) == target.flips(outputs)).all()


def test_a_class_of_that_name_is_meant_itself_and_a_threshold_needs_a_class() -> None:
    named = ClassDecision(("a", ANY_OTHER, "c")).adjusted(wanted=ANY_OTHER)
    assert named.target(np.array([0.5, 0.2, 0.3])).desired == ANY_OTHER
    with pytest.raises(DecisionError, match="which class"):
        ClassDecision(("a", "b", "c"), ANY_OTHER).adjusted(threshold=0.4)


def test_a_tie_of_many_goes_to_the_earlier_class() -> None:
    outputs = np.array([0.4, 0.4, 0.2])
    assert not ClassDecision(("a", "b", "c"), wanted="b").target(outputs).flips(outputs[None])[0]
    assert ClassDecision(("a", "b", "c"), wanted="a").target(outputs).is_reached


def test_an_interval_includes_its_ends() -> None:
    target = IntervalDecision("price", (1, 2, 3), 2.0, 4.0).target(np.array([1.0]))
    outside = numbers(math.nextafter(2, 0), 2, 4, math.nextafter(4, 5))
    assert target.flips(outside).tolist() == [False, True, True, False]
    np.testing.assert_allclose(target.closeness(numbers(1, 2, 3, 6)), [-1, 0, 0, -2])


@pytest.mark.parametrize(("value", "low", "high"), [(1.0, 5.0, math.inf), (4.5, -math.inf, 2.0), (6, -math.inf, 2)])
def test_by_default_the_quarter_with_more_room_is_wanted(value: float, low: float, high: float) -> None:
    target = IntervalDecision("price", (2.0, 4.0, 5.0)).target(np.array([value]))
    assert (target.low, target.high, target.is_reached) == (low, high, False)


def test_nearer_is_more_on_either_side() -> None:
    up = IntervalDecision("price", (2, 4, 5), low=5.0).target(np.array([1.0]))
    down = IntervalDecision("price", (2, 4, 5), high=2.0).target(np.array([6.0]))
    assert (np.diff(up.closeness(numbers(1, 2, 3))) > 0).all()
    assert (np.diff(down.closeness(numbers(6, 4, 1))) > 0).all()


@pytest.mark.parametrize("threshold", [0.0, 1.0, -1.0, math.nan, math.inf])
def test_thresholds_that_can_t_be_are_refused(threshold: float) -> None:
    with pytest.raises(DecisionError, match=r"between 0 and 1.*\.$"):
        BinaryDecision(("no", "yes"), threshold)


def test_classes_and_intervals_that_can_t_be_are_refused() -> None:
    with pytest.raises(DecisionError, match=r"no class 'maybe'; choose no or yes\.$"):
        BinaryDecision(("no", "yes"), wanted="maybe")
    with pytest.raises(DecisionError, match=r"no class 'z'; choose one of a, b, c\.$"):
        ClassDecision(("a", "b", "c"), wanted="z")
    with pytest.raises(DecisionError, match=r"ends before it begins"):
        IntervalDecision("price", (1, 2, 3), 2.0, 1.0)
    for bounds in ((math.nan, 1.0), (1.0, math.nan)):
        with pytest.raises(DecisionError, match=r"is not a number"):
            IntervalDecision("price", (1, 2, 3), *bounds)


def test_without_bounds_the_sides_are_quarters_and_agree_with_each_case_s_target() -> None:
    decision = IntervalDecision("price", (2.0, 4.0, 5.0))
    values = numbers(1, 2, 3, 3.9, 4, 4.9, 5, 6)
    assert decision.side_names() == ("lowest quarter", "middle half", "highest quarter")
    assert decision.sides(values).tolist() == [0, 0, 1, 1, 1, 1, 2, 2]
    targets = [decision.target(value) for value in values]
    assert [t.desired for t in targets] == ["highest quarter"] * 4 + ["lowest quarter"] * 4
    assert [t.factual for t in targets] == [decision.side_names()[side] for side in decision.sides(values)]
    np.testing.assert_allclose(decision.distances(values), [4, 3, 2, 1.1, 2, 2.9, 3, 4])


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=3, unique=True).map(sorted), st.floats(-9, 9))
def test_a_quarter_is_reached_exactly_where_it_flips(quartiles: list[float], value: float) -> None:
    decision = IntervalDecision("price", (quartiles[0], quartiles[1], quartiles[2]))
    target = decision.target(np.array([value]))
    others = numbers(*np.linspace(-9, 9, 41), *quartiles, value)
    assert not target.is_reached
    wanted = decision.side_names().index(target.desired)
    assert (decision.sides(others) == wanted).tolist() == target.flips(others).tolist()
    way = target.low - value if target.direction(value) > 0 else value - target.high
    assert decision.distances(numbers(value))[0] == pytest.approx(way)


def test_where_the_lowest_quarter_reaches_the_median_it_is_left_upwards() -> None:
    target = IntervalDecision("price", (2.0, 2.0, 5.0)).target(np.array([2.0]))
    assert (target.factual, target.desired, target.is_reached) == ("lowest quarter", "highest quarter", False)


def test_with_bounds_the_sides_are_in_and_out() -> None:
    decision = IntervalDecision("price", (2.0, 4.0, 5.0), 3.0, 4.0)
    assert decision.side_names() == ("outside the range", "in the range")
    assert decision.sides(numbers(1, 3, 4, 5)).tolist() == [0, 1, 1, 0]
    np.testing.assert_allclose(decision.distances(numbers(1, 3.25, 5)), [2, 0.25, 1])


@pytest.mark.parametrize(("case", "way", "nearness"), [(1.0, 1, [-2, -1, 0, 0, -1]), (5.0, -1, [-2, -1, 0, 0, -1])])
def test_seen_from_either_side_an_interval_is_nearer_the_less_is_left(
    case: float, way: int, nearness: list[float]
) -> None:
    target = IntervalDecision("price", (2, 3, 4), 3.0, 4.0).target(np.array([case]))
    assert target.direction(case) == way
    assert target.nearness(np.array([1.0, 2, 3, 4, 5])).tolist() == nearness


def test_a_class_with_a_threshold_stands_against_all_others() -> None:
    decision = ClassDecision(("a", "b", "c")).adjusted(wanted="b", threshold=0.3)
    assert isinstance(decision, OneVsRestDecision)
    outputs = np.array([[0.5, 0.3, 0.2], [0.4, 0.2, 0.4]])
    assert decision.side_names() == ("not b", "b")
    assert decision.sides(outputs).tolist() == [1, 0]
    assert decision.observed_sides(np.array([0, 1, 2, -1])).tolist() == [0, 1, 0, -1]
    target = decision.target(outputs[1])
    assert (target.factual, target.desired, target.low, target.is_reached) == ("not b", "b", 0.3, False)
    assert target.flips(outputs).tolist() == [True, False]
    np.testing.assert_allclose(target.drawn(outputs), [0.3, 0.2])
    assert decision.target(outputs[0]).is_reached
    np.testing.assert_allclose(decision.distances(outputs), [0, 0.1])
    assert decision.adjusted(wanted="c") == OneVsRestDecision(("a", "b", "c"), "c", 0.3)


def test_what_was_observed_has_a_side() -> None:
    quarters = IntervalDecision("price", (2.0, 4.0, 5.0))
    observed = np.array([1.0, math.nan, 3.0, 7.0])
    assert quarters.observed_sides(observed).tolist() == [0, -1, 1, 2]
    assert quarters.adjusted(low=3.0).observed_sides(observed).tolist() == [0, -1, 1, 1]
    assert ClassDecision(("a", "b", "c")).observed_sides(np.array([2, -1])).tolist() == [2, -1]


def test_a_fixed_class_is_as_far_as_its_lead() -> None:
    outputs = np.array([[0.5, 0.2, 0.3], [0.2, 0.3, 0.5]])
    np.testing.assert_allclose(ClassDecision(("a", "b", "c"), "b").distances(outputs), [0.3, 0.2])


BINARY, MANY, NUMBER = BinaryDecision(("no", "yes")), ClassDecision(("a", "b", "c")), IntervalDecision("p", (1, 2, 3))


def test_decisions_are_adjusted_in_their_own_terms() -> None:
    assert BINARY.adjusted() == BINARY and MANY.adjusted() == MANY and NUMBER.adjusted() == NUMBER
    assert BINARY.adjusted("yes", 0.3) == BinaryDecision(("no", "yes"), 0.3, "yes")
    assert MANY.adjusted("c") == ClassDecision(("a", "b", "c"), "c")
    assert NUMBER.adjusted(low=2.0) == IntervalDecision("p", (1, 2, 3), low=2.0)
    assert NUMBER.adjusted(high=2.0).adjusted(low=1.0) == IntervalDecision("p", (1, 2, 3), 1.0, 2.0)


@pytest.mark.parametrize(
    ("decision", "changes", "told"),
    [
        (BINARY, {"low": 1.0}, "range is for numbers"),
        (BINARY, {"threshold": 1.0}, "between 0 and 1"),
        (MANY, {"high": 1.0}, "range is for numbers"),
        (MANY, {"threshold": 0.5}, "which class is wanted"),
        (MANY, {"wanted": "z"}, "no class 'z'"),
        (MANY, {"wanted": "z", "threshold": 0.5}, "no class 'z'"),
        (MANY, {"wanted": "a", "threshold": 1.5}, "between 0 and 1"),
        (MANY.adjusted("a", 0.5), {"low": 0.5}, "range is for numbers"),
        (NUMBER, {"threshold": 0.5}, "gives a number"),
        (NUMBER, {"wanted": "highest quarter"}, "gives a number"),
        (NUMBER, {"low": 3.0, "high": 1.0}, "ends before it begins"),
    ],
)
def test_what_does_not_fit_a_decision_is_one_sentence(decision: Decision, changes: dict[str, Any], told: str) -> None:
    with pytest.raises(DecisionError, match=told) as refused:
        decision.adjusted(**changes)
    assert str(refused.value).endswith(".")


def test_the_margin_is_the_way_to_the_nearest_bound_and_negative_outside() -> None:
    target = BinaryDecision(("no", "yes"), 0.3).target(np.array([0.8, 0.2]))
    assert target.margin(np.array([0.2, 0.3, 0.9])).tolist() == pytest.approx([-0.1, 0.0, 0.6])
    between = IntervalDecision("price", (0.0, 1.0, 2.0), 10.0, 14.0).target(np.array([5.0]))
    assert between.margin(np.array([9.0, 11.0, 13.5, 16.0])).tolist() == [-1.0, 1.0, 0.5, -2.0]
