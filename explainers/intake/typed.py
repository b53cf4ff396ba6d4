"""Single values of a feature as people type them, and back.

Whatever is read fits the feature's column exactly: a value that the column could not hold
is refused, never rounded or wrapped in silence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from explainers import wording
from explainers.intake.dates import read_dates
from explainers.intake.numerals import Decimal, read_numbers
from explainers.intake.refusal import Refused, first_line
from explainers.intake.schema_edits import printed
from explainers.intake.text_columns import MISSING as MARKS_OF_MISSING
from explainers.intake.text_columns import TRUTH
from explainers.schema import MICROSECONDS_A_DAY, Feature, Schema, SchemaError, days, plain

MOST_CATEGORIES_NAMED = 8
MISSING_TEXTS = (wording.MISSING, "", *(mark for mark in MARKS_OF_MISSING if mark))


def read_value(feature: Feature, typed: Any, decimal: Decimal = Decimal.UNKNOWN) -> float:
    """A value of a feature from what somebody typed, or from a cell of a table.

    Parameters
    ----------
    feature : Feature
    typed : str, number, bool, date or None
        Text may have the feature's unit behind it, blanks or a comma as people set them,
        and the minus that numbers are printed with. A category may be named by its label or
        by its value in the table. ``None``, an empty text and "missing" are missing.
    decimal : Decimal
        What stands before decimals, where that is known.

    Returns
    -------
    float
        Encoded; NaN for missing.

    Raises
    ------
    Refused
        If the feature has no such value; the message says which it has.
    """
    if _is_missing(feature, typed):
        return _kept(feature, math.nan)
    if not feature.is_number:
        return _code(feature, typed)
    if isinstance(typed, str):
        number = _date(feature, typed) if feature.is_date else _number(feature, typed, decimal)
    elif isinstance(typed, date | np.datetime64):
        number = float(days(pd.Series([pd.Timestamp(typed)]))[0])
    else:
        try:
            number = float(typed)
        except (TypeError, ValueError):
            raise Refused(_no_number(feature, typed)) from None
    if not math.isfinite(number):
        raise Refused(_no_number(feature, typed))
    return _kept(feature, number)


def write_value(feature: Feature, encoded: float) -> str:
    """A value so that reading it gives the same value: no unit, no grouping, all decimals that it needs."""
    if math.isnan(encoded):
        return missing_text(feature)
    if not feature.is_number:
        return feature.labels[int(encoded)]
    if feature.is_date:
        moment = np.datetime64(round(encoded * MICROSECONDS_A_DAY), "us")
        text = str(moment).replace("T", " ")
        return text.removesuffix(" 00:00:00.000000").removesuffix(".000000")
    exact = plain(feature.dtypes[0])
    return str(exact.type(encoded) if exact.kind == "f" else encoded).removesuffix(".0")


def bare_number(feature: Feature, typed: str) -> str:
    """A number as text without the unit behind it, and with the minus of keyboards."""
    text = typed.strip().replace(wording.MINUS, "-")
    has_unit = feature.unit and text.casefold().endswith(feature.unit.casefold())
    return text[: -len(feature.unit)].strip() if has_unit else text


def missing_text(feature: Feature) -> str:
    """What "missing" is called; a category may bear the usual name itself."""
    return next(text for text in _missing_texts(feature))


def _missing_texts(feature: Feature) -> Iterator[str]:
    named = (*feature.labels, *(printed(value) for values in feature.categories for value in values))
    known = {text.strip().casefold() for text in named}
    yield from (text for text in MISSING_TEXTS if text.casefold() not in known)
    yield "?" * (1 + max(map(len, known), default=0))


def _is_missing(feature: Feature, typed: Any) -> bool:
    if typed is None or typed is pd.NaT or typed is pd.NA:
        return True
    if isinstance(typed, str):
        return typed.strip() in _missing_texts(feature) and typed not in feature.labels
    return isinstance(typed, float | np.floating | np.datetime64) and bool(np.isnan(typed))


def _kept(feature: Feature, number: float) -> float:
    """The number as the feature's column holds it.

    Raises
    ------
    Refused
        If the column can't hold it.
    """
    schema = Schema((feature,))
    try:
        with np.errstate(all="ignore"):
            kept = float(schema.encode(schema.decode(np.array([[number]])))[0, 0])
    except (SchemaError, ValueError, OverflowError, TypeError):
        kept = math.inf
    if math.isnan(number):
        if not math.isnan(kept):
            raise Refused(f"{feature.title} can't be missing; its column has no place for that.")
        return kept
    if feature.is_number and not _is_near(feature, kept, number):
        raise Refused(_not_held(feature, number))
    return kept


def _is_near(feature: Feature, kept: float, number: float) -> bool:
    """Whether the column rounded no more than its floats do by nature."""
    if kept == number:
        return True
    exact = plain(feature.dtypes[0])
    if exact.kind == "f":
        limits = np.finfo(exact)
        rounding = {"rel_tol": float(limits.eps), "abs_tol": float(limits.smallest_subnormal)}
        return math.isfinite(kept) and math.isclose(kept, number, **rounding)
    return feature.is_date and abs(kept - number) * MICROSECONDS_A_DAY <= 1.0


def _not_held(feature: Feature, number: float) -> str:
    dtype = plain(feature.dtypes[0])
    if number == feature.missing_code:
        return f"{number:g} means missing in the column of {feature.title}; say missing, or type another number."
    if dtype.kind in "iu" and not number.is_integer():
        return f"{feature.title} takes whole numbers only, not {wording.number(number, 6)}."
    if dtype.kind in "iu":
        bounds = np.iinfo(dtype)
        low, high = wording.number(float(bounds.min), 0), wording.number(float(bounds.max), 0)
        return f"The column of {feature.title} holds numbers from {low} to {high} only."
    return f"The column of {feature.title} can't hold {number:g}; type a value nearer to those of the table."


def _number(feature: Feature, typed: str, decimal: Decimal) -> float:
    import pyarrow as pa

    numbers = read_numbers(pa.array([bare_number(feature, typed)]), decimal)
    if numbers is None:
        raise Refused(_no_number(feature, typed))
    return float(numbers.array[0].as_py())


def _no_number(feature: Feature, typed: Any) -> str:
    example = "" if math.isnan(feature.low) else f", such as {wording.value(feature, feature.low)}"
    return f"{feature.title} should be {'a date' if feature.is_date else 'a number'}{example}, not {str(typed)!r}."


def _date(feature: Feature, typed: str) -> float:
    import pyarrow as pa

    try:
        dates = read_dates(pa.array([typed.strip()]))
    except ValueError as error:
        raise Refused(f"{feature.title} should be a date, and {typed!r} is none: {first_line(error)}.") from None
    if dates is None:
        raise Refused(_no_number(feature, typed))
    if dates.values is None:
        raise Refused(f"Day and month can't be told apart in {typed!r} of {feature.title}; write year-month-day.")
    return float(days(dates.values)[0])


def _code(feature: Feature, typed: Any) -> float:
    """By label, then by the value in the table, then by either in letters of any size."""
    text = printed(typed)
    by_label = {label: code for code, label in enumerate(feature.labels)}
    if isinstance(typed, str):
        by_value = {printed(values[0]): code for code, values in enumerate(feature.categories) if len(values) == 1}
        names = (by_label, by_value, _folded(by_label), _folded(by_value))
        wanted = (text, text, text.strip().casefold(), text.strip().casefold())
        for known, name in zip(names, wanted, strict=True):
            if name in known:
                return float(known[name])
        typed = TRUTH.get(text.strip().capitalize(), typed)
    for code, values in enumerate(feature.categories):
        if len(values) == 1 and type(typed) is not str and values[0] == typed:
            return float(code)
    if text in by_label:
        return float(by_label[text])
    named = ", ".join(feature.labels[:MOST_CATEGORIES_NAMED])
    more = len(feature.labels) - MOST_CATEGORIES_NAMED
    rest = f" and {more} more" if more > 0 else ""
    raise Refused(f"{feature.title} has no category called {text!r}; it has {named}{rest}.")


def _folded(known: dict[str, int]) -> dict[str, int]:
    """The names that are still told apart when the size of letters doesn't count."""
    names = [name.strip().casefold() for name in known]
    return {name: code for name, code in zip(names, known.values(), strict=True) if names.count(name) == 1}
