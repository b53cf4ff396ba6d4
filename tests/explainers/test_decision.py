"""Which side a row is on, exactly at the edge too."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.decision import BinaryDecision, ClassDecision, DecisionError, IntervalDecision

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
