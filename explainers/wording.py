"""Values, scores and sentences as people read them.

Nobody else formats a number or composes a sentence. A sentence is a tuple of spans,
each a text and a role, so that a page, a report and a terminal can each set it in
their own way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from explainers.decision import Target
from explainers.schema import Feature

SPACE = "\u00a0"
MINUS = "\u2212"
MISSING = "missing"
MOST_SCORE_DECIMALS = 12


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


def number(value: float, decimals: int) -> str:
    """A number with so many decimals at most, grouped by thousands with no-break spaces."""
    text = f"{value:,.{decimals}f}".replace(",", SPACE)
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text in ("-0", "0"):
        return "0"
    return text.replace("-", MINUS)


def count(amount: int, singular: str, plural: str = "") -> str:
    """A count and its noun: 1 change, 4 096 changes."""
    return f"{number(amount, 0)}{SPACE}{singular if amount == 1 else plural or singular + 's'}"


def value(feature: Feature, encoded: float, decimals: int | None = None, *, unit: bool = True) -> str:
    """One value of a feature, with its unit."""
    if math.isnan(encoded):
        return MISSING
    if not feature.is_number:
        return feature.labels[int(encoded)]
    text = number(encoded, feature.decimals if decimals is None else decimals)
    return f"{text}{SPACE}{feature.unit}" if unit and feature.unit else text


def change(feature: Feature, old: float, new: float, decimals: int | None = None) -> tuple[str, str]:
    """Old and new value; a unit that both share stands once, after the new one."""
    both_known = not (math.isnan(old) or math.isnan(new))
    return value(feature, old, decimals, unit=not both_known), value(feature, new, decimals)


def scores(values: Sequence[float] | NDArray[np.float64], lines: Sequence[float] = ()) -> tuple[str, ...]:
    """Scores of one column in one precision.

    Two decimals, or as many as it takes until rounding neither hides on which side of
    a line a score is nor makes it equal to the line.
    """
    finite = [line for line in lines if math.isfinite(line)]
    decimals = max((_score_decimals(float(v), line) for v in values for line in finite), default=2)
    return tuple(_fixed(float(v), decimals) for v in values)


def score(value: float, lines: Sequence[float] = ()) -> str:
    """One score; see `scores`."""
    return scores([value], lines)[0]


def lines(target: Target) -> tuple[float, ...]:
    """The drawn scores at which the decision changes."""
    return tuple(line for line in (target.low, target.high) if math.isfinite(line))


def threshold(line: float) -> str:
    """A threshold: two decimals, or as many as it was set with."""
    return _fixed(line, max(2, _recorded_decimals(line)))


def signed(value: float, decimals: int = 2) -> str:
    """A step or a contribution: +0.14, −0.04."""
    text = f"{abs(value):.{decimals}f}"
    return f"{MINUS if value < 0 and float(text) else '+'}{text}"


def signed_column(values: Sequence[float] | NDArray[np.float64]) -> tuple[str, ...]:
    """Contributions of one column in one precision, in which none of 0.0001 or more reads as zero."""
    sizes = [abs(float(v)) for v in values if abs(float(v)) >= 1e-10]
    decimals = next((d for d in range(2, MOST_SCORE_DECIMALS) if all(round(s, d) for s in sizes)), 2)
    return tuple(signed(float(v), min(decimals, 4)) for v in values)


def shares(values: Sequence[float] | NDArray[np.float64]) -> tuple[str, ...]:
    """Each value's share of the total, as whole percents that add up to 100.

    By largest remainder, negatives included; signed scores where the total is zero.
    """
    total = math.fsum(float(v) for v in values)
    if abs(total) < 1e-12:
        return signed_column(values)
    raw = [100.0 * float(v) / total for v in values]
    whole = [math.floor(share) for share in raw]
    left = 100 - sum(whole)
    by_remainder = sorted(range(len(raw)), key=lambda i: (whole[i] - raw[i], i))
    for i in by_remainder[:left]:
        whole[i] += 1
    return tuple(f"{MINUS if share < 0 else ''}{abs(share)}{SPACE}%" for share in whole)


def _fixed(value: float, decimals: int) -> str:
    text = f"{value:.{decimals}f}"
    return text.replace("-", MINUS) if float(text) else text.removeprefix("-")


def _score_decimals(value: float, line: float) -> int:
    for decimals in range(2, MOST_SCORE_DECIMALS):
        rounded = round(value, decimals)
        shown_line = round(line, max(2, _recorded_decimals(line)))
        if (rounded >= shown_line) == (value >= line) and (rounded == shown_line) == (value == line):
            return decimals
    return MOST_SCORE_DECIMALS


def _recorded_decimals(value: float) -> int:
    """Decimals of a number that somebody typed."""
    return next((d for d in range(MOST_SCORE_DECIMALS) if math.isclose(round(value, d), value, abs_tol=1e-12)), 12)


def ticks(values: Sequence[float], step: float) -> tuple[str, ...]:
    """Marks of an axis, in the precision of the step between them."""
    decimals = next((d for d in range(MOST_SCORE_DECIMALS) if math.isclose(round(step, d), step, rel_tol=1e-6)), 12)
    return tuple(_fixed(round(v, decimals), decimals) if abs(v) < 1000 else number(v, decimals) for v in values)


def verdict(flips: bool) -> str:
    """Whether a row has the desired decision, in words."""
    return "flips" if flips else "does not flip"


def steps(path: Sequence[float] | NDArray[np.float64], score_texts: Sequence[str]) -> tuple[str, ...]:
    """Steps between scores, in the precision in which the scores are printed or a finer one."""
    values = np.diff(np.asarray(path, dtype=float))
    decimals = (len(text.partition(".")[2]) for text in (*score_texts, *signed_column(values)))
    finest = max(decimals, default=2)
    return tuple(signed(float(v), finest) for v in values)
