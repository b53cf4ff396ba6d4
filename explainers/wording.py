"""Values, scores and sentences as people read them.

Nobody else formats a number or composes a sentence. A sentence is a tuple of spans,
each a text and a role, so that a page, a report and a terminal can each set it in
their own way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from explainers.decision import Target
from explainers.schema import SECONDS_A_DAY, Feature

SPACE = "\u00a0"
MINUS = "\u2212"
MISSING = "missing"
MOST_SCORE_DECIMALS = 12
MOST_CHANGES_COUNTED_OUT = 40
NO_TOTAL = 1e-12
EQUAL = 1e-9
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
GROUPED_FROM = 1_000
"""Amounts and counts are grouped by thousands from here on."""
BARE_GROUPED_FROM = 10_000
"""A number without a unit is grouped from here on only, as it may be a year."""


class Role(StrEnum):
    """How a span stands out."""

    PLAIN = "plain"
    STRONG = "strong"
    QUIET = "quiet"
    FACTUAL = "factual"
    DESIRED = "desired"


@dataclass(frozen=True)
class Span:
    """A piece of a sentence."""

    text: str
    role: Role = Role.PLAIN


Sentence = tuple[Span, ...]


def plain(sentence: Sentence) -> str:
    """A sentence without its roles."""
    return "".join(span.text for span in sentence)


def number(value: float, decimals: int, grouped_from: float = GROUPED_FROM) -> str:
    """A number with so many decimals at most, grouped by thousands with no-break spaces."""
    text = _fixed(value, decimals, grouped_from)
    return text.rstrip("0").rstrip(".") if "." in text else text


def significant(value: float, digits: int = 4) -> str:
    """A number with so many significant digits, such as a coefficient; grouped as one without a unit."""
    if value == 0 or not math.isfinite(value):
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return _fixed(value, decimals, BARE_GROUPED_FROM)


def count(amount: int, singular: str, plural: str = "") -> str:
    """A count and its noun: 1 change, 4 096 changes."""
    return f"{number(amount, 0)}{SPACE}{singular if amount == 1 else plural or singular + 's'}"


def combinations(n_changes: int) -> str:
    """How many combinations so many changes make: 512 combinations, 2⁶⁰ combinations."""
    if n_changes <= MOST_CHANGES_COUNTED_OUT:
        return count(2**n_changes, "combination")
    return f"2{str(n_changes).translate(RAISED)}{SPACE}combinations"


def give_or_take(
    errors: Sequence[float] | NDArray[np.float64], values: Sequence[float] | NDArray[np.float64], target: Target
) -> tuple[str, ...]:
    """Standard errors beside the `shares` of values, rounded up: ± 0.4 percent points.

    In the unit of the scores where the total is zero, as the shares are then.
    """
    total = abs(math.fsum(float(v) for v in values))
    scale, decimals = (100.0 / total, 1) if total >= NO_TOTAL else (1.0, target.decimals + 1)
    least = 10**decimals
    rounded = [math.ceil(float(error) * scale * least - 1e-9) / least for error in errors]
    return tuple(f"±{SPACE}{number(error, decimals)}" for error in rounded)


def seconds(amount: float) -> str:
    """A time in seconds, in two digits at least: 0.04 s, 1.3 s, 12 s."""
    decimals = 0 if amount >= 9.95 else 1 if amount >= 0.95 else 2
    return f"{max(amount, 0.01):.{decimals}f}{SPACE}s"


def value(feature: Feature, encoded: float, decimals: int | None = None, *, unit: bool = True) -> str:
    """One value of a feature, with its unit."""
    if math.isnan(encoded):
        return MISSING
    if not feature.is_number:
        return feature.labels[int(encoded)]
    places = feature.decimals if decimals is None else decimals
    if feature.is_date:
        return date(encoded, places)
    text = number(encoded, places, _grouped_from(feature.unit))
    return f"{text}{SPACE}{feature.unit}" if unit and feature.unit else text


def values(feature: Feature, encoded: NDArray[np.float64]) -> list[str]:
    """Many values of a feature, each as `value` prints it; of numbers in a fraction of the time.

    Parameters
    ----------
    encoded : array of shape (n_values,)
    """
    if not feature.is_number or feature.is_date:
        return [value(feature, each) for each in encoded.tolist()]
    bare, limit = f"z.{feature.decimals}f", _grouped_from(feature.unit)
    texts = [format(each, bare if -limit < each < limit else f"z,.{feature.decimals}f") for each in encoded.tolist()]
    if feature.decimals:
        texts = [text.rstrip("0").rstrip(".") for text in texts]
    texts = "\n".join(texts).replace(",", SPACE).replace("-", MINUS).split("\n") if texts else []
    if feature.unit:
        texts = [f"{text}{SPACE}{feature.unit}" for text in texts]
    for place in np.flatnonzero(np.isnan(encoded)).tolist():
        texts[place] = MISSING
    return texts


def date(days: float, decimals: int = 0) -> str:
    """Days since 1970 as an ISO date; with decimals, the time of day to the second."""
    if decimals == 0:
        return str(np.datetime64(round(days), "D"))
    return str(np.datetime64(round(days * SECONDS_A_DAY), "s")).replace("T", " ")


def change(feature: Feature, old: float, new: float, decimals: int | None = None) -> tuple[str, str]:
    """Old and new value; a unit that both share stands once, after the new one."""
    both_known = not (math.isnan(old) or math.isnan(new))
    return value(feature, old, decimals, unit=not both_known), value(feature, new, decimals)


def scores(values: Sequence[float] | NDArray[np.float64], target: Target) -> tuple[str, ...]:
    """Drawn scores, each as `score` prints it, so that it reads the same alone and in a column."""
    return tuple(score(float(value), target) for value in values)


def score(value: float, target: Target) -> str:
    """A drawn score, without its unit.

    It has the target's decimals (two for probabilities; for a number what its spread asks
    for), or as many as it takes until rounding neither hides on which side of a bound it is
    nor makes it equal to the bound.
    """
    decimals = score_decimals([value], target)
    return _fixed(_half_up(value, decimals), decimals, _grouped_from(target.unit))


def score_decimals(values: Sequence[float] | NDArray[np.float64], target: Target) -> int:
    """With how many decimals all these scores are at least as exact as `score` prints each."""
    needed = (_score_decimals(float(v), line, target.decimals) for v in values for line in lines(target))
    return max(needed, default=target.decimals)


def as_printed(value: float, decimals: int) -> float:
    """A score as a number that is no more exact than it is printed, for a table that prints numbers by itself."""
    return value if math.isnan(value) else round(_half_up(value, decimals), decimals)


def gap(value: float, line: float, target: Target) -> str:
    """How far a score as printed is from a bound as printed; see `scores`."""
    decimals = len(score(value, target).partition(".")[2])
    shown = float(f"{_half_up(value, decimals):.{decimals}f}")
    return _fixed(abs(shown - line), max(decimals, _recorded_decimals(line)), _grouped_from(target.unit))


def lines(target: Target) -> tuple[float, ...]:
    """The drawn scores at which the decision changes."""
    return tuple(line for line in (target.low, target.high) if math.isfinite(line))


def threshold(line: float, target: Target) -> str:
    """A bound: with the decimals of the scores, or as many as it was set with."""
    return _fixed(line, max(target.decimals, _recorded_decimals(line)), _grouped_from(target.unit))


def bound(line: float, target: Target) -> tuple[str, str]:
    """A bound on an axis, and the word behind it: 0.50 threshold, 28.9 or more, 0.00 level."""
    if target.extent == (0.0, 1.0):
        word = "threshold"
    elif math.isfinite(target.extent[0]):
        word = "level"
    elif math.isinf(target.low) or math.isinf(target.high):
        word = "or more" if line == target.low else "or less"
    else:
        word = "at least" if line == target.low else "at most"
    return threshold(line, target), word


def wanted(target: Target) -> str:
    """Which scores are wanted: threshold 0.50, 28.9 miles per gallon or more, 20.0 to 25.0."""
    texts = [threshold(line, target) for line in lines(target)]
    if target.extent == (0.0, 1.0):
        return f"threshold {texts[0]}"
    if math.isfinite(target.extent[0]):
        return "a lead"
    unit = f" {target.unit}" if target.unit else ""
    if len(texts) == 2:
        return f"{texts[0]} to {texts[1]}{unit}"
    return f"{texts[0]}{unit} or {'more' if math.isfinite(target.low) else 'less'}" if texts else "any number"


def rivals(one: float, other: float) -> tuple[str, str]:
    """Two probabilities in one precision in which the larger one reads as larger."""
    differ = (d for d in range(2, MOST_SCORE_DECIMALS) if one == other or f"{one:.{d}f}" != f"{other:.{d}f}")
    decimals = next(differ, MOST_SCORE_DECIMALS)
    return f"{one:.{decimals}f}", f"{other:.{decimals}f}"


def signed(value: float, decimals: int = 2, grouped_from: float = BARE_GROUPED_FROM) -> str:
    """A step or a contribution: +0.14, −0.04."""
    text = _fixed(_half_up(abs(value), decimals), decimals, grouped_from)
    return f"{MINUS if value < 0 and text.strip('0.') else '+'}{text}"


def signed_column(
    values: Sequence[float] | NDArray[np.float64], target: Target | None = None, least: int = 0
) -> tuple[str, ...]:
    """Contributions of one column in one precision.

    Two decimals more than scores have at least are the most; down to these none reads as zero.
    """
    base = 2 if target is None else target.decimals
    sizes = [abs(float(v)) for v in values if abs(float(v)) >= 10.0 ** -(base + 8)]
    needed = next((d for d in (base, base + 1) if all(float(f"{s:.{d}f}") for s in sizes)), base + 2)
    grouped_from = _grouped_from("" if target is None else target.unit)
    return tuple(signed(float(v), max(needed, least), grouped_from) for v in values)


def shares(values: Sequence[float] | NDArray[np.float64], target: Target | None = None) -> tuple[str, ...]:
    """Each value's share of the total, as whole percents that add up to 100.

    By largest remainder, negatives included; where that would tell equal values apart, each
    share is rounded by itself instead. Signed scores where the total is zero.
    """
    total = math.fsum(float(v) for v in values)
    if abs(total) < NO_TOTAL:
        return signed_column(values, target)
    raw = [100.0 * float(v) / total for v in values]
    whole = [math.floor(part) for part in raw]
    left = 100 - sum(whole)
    by_remainder = sorted(range(len(raw)), key=lambda i: (whole[i] - raw[i], i))
    for i in by_remainder[:left]:
        whole[i] += 1
    neighbours = pairwise(sorted(range(len(raw)), key=raw.__getitem__))
    if any(whole[i] != whole[j] and are_equal(raw[i], raw[j], max(map(abs, raw))) for i, j in neighbours):
        return tuple(share(float(v), total, target) for v in values)
    return tuple(_percent(part) for part in whole)


def share(value: float, total: float, target: Target | None = None) -> str:
    """The share of one value, rounded by itself; see `shares`."""
    if abs(total) < NO_TOTAL:
        return signed_column([value], target)[0]
    return _percent(int(as_printed(100.0 * value / total, 0)))


def are_equal(one: float, other: float, largest: float) -> bool:
    """Whether two values differ by no more than rounding errors of the largest of them."""
    return abs(one - other) <= EQUAL * abs(largest)


def ticks(values: Sequence[float], step: float, target: Target | None = None) -> tuple[str, ...]:
    """Marks of an axis, in the precision of the step between them."""
    decimals = next((d for d in range(MOST_SCORE_DECIMALS) if math.isclose(round(step, d), step, rel_tol=1e-6)), 12)
    grouped_from = _grouped_from("" if target is None else target.unit)
    return tuple(_fixed(round(v, decimals), decimals, grouped_from) for v in values)


def verdict(flips: bool) -> str:
    """Whether a row has the desired decision, in words."""
    return "flips" if flips else "does not flip"


def _percent(whole: int) -> str:
    return f"{MINUS if whole < 0 else ''}{abs(whole)}{SPACE}%"


def _grouped_from(unit: str) -> float:
    return GROUPED_FROM if unit else BARE_GROUPED_FROM


def _fixed(value: float, decimals: int, grouped_from: float) -> str:
    text = f"{abs(value):,.{decimals}f}" if abs(value) >= grouped_from else f"{abs(value):.{decimals}f}"
    return f"{MINUS if value < 0 and text.strip('0.,') else ''}{text.replace(',', SPACE)}"


def _half_up(score: float, decimals: int) -> float:
    """Moved so far that a half is rounded away from zero, also where the nearest float lies just below it."""
    return score + math.copysign(10.0 ** -(decimals + 6), score)


def _score_decimals(value: float, line: float, least: int) -> int:
    shown_line = float(f"{line:.{max(least, _recorded_decimals(line))}f}")
    most = max(MOST_SCORE_DECIMALS, least + MOST_SCORE_DECIMALS - 2)
    for decimals in range(least, most):
        rounded = float(f"{_half_up(value, decimals):.{decimals}f}")
        if (rounded >= shown_line) == (value >= line) and (rounded == shown_line) == (value == line):
            return decimals
    return most


def _recorded_decimals(value: float) -> int:
    """Decimals of a number that somebody typed; the last digits of a float are not trusted."""
    exponent = Decimal(f"{value:.15g}").normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
