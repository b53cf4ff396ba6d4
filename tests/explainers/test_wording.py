"""Numbers, scores and shares as people read them."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers import wording
from explainers.decision import BinaryDecision, ClassDecision, IntervalDecision, Target
from explainers.schema import Schema
from explainers.wording import MINUS, SPACE

SCHEMA = Schema.infer(pd.DataFrame({"price": [1234.5, -2.0, np.nan], "kind": ["a", "<b>&", None]}))
PRICE = replace(SCHEMA["price"], unit="DM")


def back(text: str) -> Fraction:
    return Fraction(text.replace(MINUS, "-").replace(SPACE, ""))


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (1234567.891, 2, "1 234 567.89"),
        (-1234.5, 1, "−1 234.5"),
        (5000.0, 2, "5 000"),
        (0.10, 2, "0.1"),
        (100.0, 0, "100"),
        (-0.0, 0, "0"),
        (-0.004, 2, "0"),
        (1e22, 0, "10 000 000 000 000 000 000 000"),
        (0.00001, 5, "0.00001"),
    ],
)
def test_numbers(value: float, decimals: int, text: str) -> None:
    assert wording.number(value, decimals) == text.replace(" ", SPACE)


@given(st.floats(-1e9, 1e9), st.integers(0, 12))
def test_numbers_read_back_as_rounded(value: float, decimals: int) -> None:
    text = wording.number(value, decimals)
    assert float(back(text)) == float(f"{value:.{decimals}f}")
    assert "e" not in text.lower() and "-" not in text and text != f"{MINUS}0"


def test_values_have_their_unit_once() -> None:
    assert wording.value(PRICE, 1234.5) == f"1{SPACE}234.5{SPACE}DM"
    assert wording.value(PRICE, math.nan) == "missing"
    assert wording.change(PRICE, -2.0, 3.0) == (f"{MINUS}2", f"3{SPACE}DM")
    assert wording.change(PRICE, -2.0, math.nan) == (f"{MINUS}2{SPACE}DM", "missing")
    assert wording.change(PRICE, math.nan, 3.0) == ("missing", f"3{SPACE}DM")
    assert wording.change(SCHEMA["kind"], 1.0, 0.0) == ("a", "<b>&")


def test_counts_have_their_noun() -> None:
    assert wording.count(1, "change") == f"1{SPACE}change"
    assert wording.count(4096, "change") == f"4{SPACE}096{SPACE}changes"
    assert wording.count(2, "match", "matches") == f"2{SPACE}matches"


def probability(line: float) -> Target:
    return BinaryDecision(("no", "yes"), line).target(np.array([1.0, 0.0]))


def amount(low: float | None = None, high: float | None = None, spread: float = 10.0, unit: str = "") -> Target:
    """A number of which the outer quartiles are so far from each other."""
    return IntervalDecision("price", (spread, 1.5 * spread, 2 * spread), low, high, unit).target(np.array([0.0]))


LINES = st.one_of(st.integers(1, 99).map(lambda n: n / 100), st.integers(1, 999).map(lambda n: n / 1000))


@given(line=LINES, away=st.floats(-0.3, 0.3).filter(lambda a: a == 0 or abs(a) > 1e-10))
def test_no_score_is_printed_on_the_wrong_side_of_the_line(line: float, away: float) -> None:
    value, target = line + away, probability(line)
    text, shown = back(wording.score(value, target)), back(wording.threshold(line, target))
    assert (text > shown, text == shown) == (value > line, value == line)


@given(
    digits=st.integers(1, 9999),
    exponent=st.integers(-9, 6),
    away=st.floats(-2, 2).filter(lambda a: a == 0 or abs(a) > 1e-8),
    is_low=st.booleans(),
    unit=st.sampled_from(["", "DM"]),
)
def test_no_number_is_printed_on_the_wrong_side_of_its_bound(
    digits: int, exponent: int, away: float, is_low: bool, unit: str
) -> None:
    line = float(f"{digits}e{exponent}")
    value = line + away * line
    target = amount(*((line, None) if is_low else (None, line)), 10.0**exponent, unit)
    text, shown = back(wording.score(value, target)), back(wording.threshold(line, target))
    assert shown == Fraction(f"{digits}e{exponent}")
    assert (text > shown, text == shown) == (value > line, value == line)


@pytest.mark.parametrize(
    ("value", "spread", "unit", "text"),
    [
        (28.94, 11.0, "", "28.9"),
        (120000.4, 60000.0, "", "120 000"),
        (0.000003, 0.000002, "", "0.00000300"),
        (1974.0, 300.0, "", "1974"),
        (6204.0, 3000.0, "DM", "6 204"),
        (-12345.6, 900.0, "", "−12 346"),
        (-0.001, 10.0, "", "0.0"),
    ],
)
def test_scores_fit_the_spread_of_the_number(value: float, spread: float, unit: str, text: str) -> None:
    assert wording.score(value, amount(spread=spread, low=-1e9, unit=unit)) == text.replace(" ", SPACE)


def test_years_are_not_grouped_and_amounts_are() -> None:
    year = replace(PRICE, unit="", decimals=0)
    assert wording.value(year, 1974.0) == "1974"
    assert wording.value(year, 19740.0) == f"19{SPACE}740"
    assert wording.value(PRICE, 6204.0, 0) == f"6{SPACE}204{SPACE}DM"


def test_a_score_reads_the_same_alone_and_in_a_column() -> None:
    assert wording.scores([0.25, 0.4996, 0.505, 0.7], probability(0.5)) == ("0.25", "0.4996", "0.51", "0.70")
    assert wording.score_decimals([0.25, 0.4996, 0.7], probability(0.5)) == 4
    assert wording.scores([0.25, 0.7], probability(0.5)) == ("0.25", "0.70")
    assert wording.score(-0.001, probability(0.5)) == "0.00"
    assert wording.score(-0.25, probability(0.5)) == f"{MINUS}0.25"
    assert wording.score(0.4999999, probability(0.5)) == "0.4999999"


@pytest.mark.parametrize(("line", "text"), [(0.5, "0.50"), (0.345, "0.345"), (1 - 0.35, "0.65")])
def test_thresholds_print_as_they_were_set(line: float, text: str) -> None:
    assert wording.threshold(line, probability(line)) == text


def test_bounds_have_words() -> None:
    target = amount(28.9, unit="mpg")
    assert (wording.bound(28.9, target), wording.wanted(target)) == (("28.9", "or more"), "28.9 mpg or more")
    assert wording.bound(0.5, probability(0.5)) == ("0.50", "threshold")
    both = amount(20.0, 25.0)
    assert [wording.bound(line, both) for line in wording.lines(both)] == [("20.0", "at least"), ("25.0", "at most")]
    assert wording.wanted(both) == "20.0 to 25.0"
    lead = ClassDecision(("a", "b", "c")).target(np.array([0.5, 0.3, 0.2]))
    assert wording.bound(0.0, lead) == ("0.00", "level")


@given(st.floats(0, 1), st.floats(0, 1).filter(lambda p: p == 0 or p > 1e-6))
def test_of_two_probabilities_the_larger_reads_as_larger(one: float, other: float) -> None:
    texts = wording.rivals(one, other)
    if abs(one - other) > 1e-9 or one == other:
        assert (back(texts[0]) > back(texts[1]), texts[0] == texts[1]) == (one > other, one == other)


def percents(values: list[float]) -> list[int]:
    return [int(back(text.removesuffix(f"{SPACE}%"))) for text in wording.shares(values)]


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=8).filter(lambda values: abs(math.fsum(values)) > 0.01))
def test_shares_add_up_to_a_hundred_unless_equals_would_differ(values: list[float]) -> None:
    shares, total = percents(values), math.fsum(values)
    for share, value in zip(shares, values, strict=True):
        assert abs(share - 100 * value / total) < 1 + 1e-6
    rounded = all(abs(share - 100 * value / total) < 0.5 + 2e-6 for share, value in zip(shares, values, strict=True))
    assert sum(shares) == 100 or (rounded and len(set(values)) < len(values))


@given(st.lists(st.integers(1, 4), min_size=2, max_size=12), st.floats(0.01, 1e4))
def test_equal_values_have_equal_shares(sizes: list[int], unit: float) -> None:
    """Also where they differ by what floats lose on the way."""
    values = [size * unit * (1 + place * 1e-15) for place, size in enumerate(sizes)]
    shares = percents(values)
    assert all(shares[i] == shares[j] for i, one in enumerate(sizes) for j, other in enumerate(sizes) if one == other)


def test_the_largest_remainders_are_rounded_up() -> None:
    assert wording.shares([2, 1, 1.01]) == tuple(f"{n}{SPACE}%" for n in (50, 25, 25))
    assert wording.shares([1, 1.01, 1.02]) == tuple(f"{n}{SPACE}%" for n in (33, 33, 34))
    assert wording.shares([1, 1, 1]) == (f"33{SPACE}%",) * 3
    assert wording.shares([0.355, 0.355, 0.29]) == (f"36{SPACE}%", f"36{SPACE}%", f"29{SPACE}%")
    assert wording.shares([0.4, 0.35]) == (f"53{SPACE}%", f"47{SPACE}%")
    assert wording.shares([1.25, -0.25]) == (f"125{SPACE}%", f"{MINUS}25{SPACE}%")
    assert wording.shares([-3, -1]) == (f"75{SPACE}%", f"25{SPACE}%")


@pytest.mark.parametrize("values", [[0.25, -0.25], [0.0, 0.0]])
def test_where_the_shares_have_no_total_the_values_are_shown(values: list[float]) -> None:
    assert wording.shares(values) == wording.signed_column(values)


def test_contributions_have_a_sign() -> None:
    assert wording.signed(0.144) == "+0.14"
    assert wording.signed(-0.044) == f"{MINUS}0.04"
    assert wording.signed(-0.0001) == "+0.00"
    assert [wording.signed(half) for half in (0.505 - 0.4, 0.115, -0.125)] == ["+0.11", "+0.12", f"{MINUS}0.13"]
    assert wording.signed_column([0.5, -0.004, 0.0]) == ("+0.500", f"{MINUS}0.004", "+0.000")


@given(st.lists(st.floats(-1, 1).filter(lambda v: abs(v) >= 1e-4), min_size=1, max_size=5))
def test_no_contribution_of_a_ten_thousandth_reads_as_zero(values: list[float]) -> None:
    assert all(back(text.removeprefix("+")) for text in wording.signed_column(values))


def test_a_sentence_without_its_roles() -> None:
    spans = (wording.Span("Scored "), wording.Span("0.50", wording.Role.DESIRED))
    assert wording.plain(spans) == "Scored 0.50"


@pytest.mark.parametrize("unit", ["", "CHF", "a, -b"])
@given(
    numbers=st.lists(st.floats(allow_infinity=True, allow_nan=True) | st.floats(-2e4, 2e4), max_size=8),
    decimals=st.integers(0, 6),
)
def test_many_values_are_printed_as_each_by_itself(unit: str, numbers: list[float], decimals: int) -> None:
    schema = Schema.infer(pd.DataFrame({"x": [0.5], "day": pd.to_datetime(["2024-01-01"]), "kind": ["a, -b"]}))
    for feature, encoded in (
        (replace(schema["x"], unit=unit, decimals=decimals), np.array(numbers)),
        (schema["day"], np.array([0.0, np.nan, 19723.0])),
        (schema["kind"], np.array([0.0, np.nan])),
    ):
        assert wording.values(feature, encoded) == [wording.value(feature, each) for each in encoded.tolist()]
