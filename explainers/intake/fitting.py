"""How a table's columns are handed to a model that was fitted on the same values, written otherwise.

A file keeps values, not always their types: a model fitted on the words "1" and "2"
meets the numbers 1 and 2, one fitted on None meets NaN. What can be told from the
model's own encoders is put right; all else is said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from explainers.intake.loaded import Expectation
from explainers.intake.refusal import counted, listed

Convert = Callable[[pd.Series], pd.Series]


@dataclass(frozen=True, eq=False)
class Fit:
    """How one column goes to the model.

    Attributes
    ----------
    convert : callable, optional
        What is done to the column before every call.
    problem : str, optional
        Why it can't go to the model at all, as a sentence.
    note : str, optional
    """

    convert: Convert | None = None
    problem: str | None = None
    note: str | None = None


def fit_column(name: str, column: pd.Series, expectation: Expectation) -> Fit:
    """Compare a column's values with what the model wants of it.

    Parameters
    ----------
    name : str
    column : Series
        All rows of the table.
    expectation : Expectation
    """
    if expectation.categories is not None:
        return _as_categories(name, column, expectation)
    if expectation.is_number:
        return _as_number(name, column)
    if expectation.is_number is False and pd.api.types.is_numeric_dtype(column.dtype):
        return Fit(convert=_words, note=f"The model takes {name!r} as text, so its numbers are handed to it as text.")
    return Fit()


def _as_number(name: str, column: pd.Series) -> Fit:
    if pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_bool_dtype(column.dtype):
        return Fit(convert=None if isinstance(column.dtype, np.dtype) else _floats)
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        said = (
            f"The model wants numbers in the column {name!r}, but it holds dates; turn them into numbers as in fitting."
        )
        return Fit(problem=said)
    numbers = _parsed(column)
    wrong = column[numbers.isna() & column.notna()]
    if len(wrong):
        return Fit(problem=text_problem(name, str(wrong.iloc[0])))
    return Fit(convert=_parsed, note=f"The model takes {name!r} as numbers, so its text is handed to it as numbers.")


def _as_categories(name: str, column: pd.Series, expectation: Expectation) -> Fit:
    """The first way of writing the values in which the model knows most of them."""
    categories = expectation.categories or ()
    known = {value for value in categories if not _is_missing(value)}
    ways: tuple[Convert | None, ...] = (None, _words, _parsed, _truths)
    values = pd.Series(column.dropna().unique(), name=name)
    strange = {way: [value for value in _written(values, way) if value not in known] for way in ways}
    best = min(ways, key=lambda way: (len(strange[way]), ways.index(way)))
    unknown = strange[best]
    problem = note = None
    if best is not None:
        note = f"The model knows the values of {name!r} in another type, so they are handed to it as that type."
    if unknown and len(unknown) == len(values):
        problem = (
            f"The model knows no value of the column {name!r}: it was fitted on {listed(sorted(map(str, known)))}, the"
            f" table holds {listed(unknown)}; write them as in fitting."
        )
    elif unknown and not expectation.takes_unknown:
        problem = (
            f"The column {name!r} holds {listed(unknown)}, which the model's encoder never saw; leave these rows out,"
            " or fit the encoder with handle_unknown='ignore'."
        )
    elif unknown:
        note = f"The column {name!r} holds {listed(unknown)}, which the model never saw and treats as none of its own."
    if column.isna().any() and not problem:
        best, problem = _with_gaps(name, column, expectation, best)
    return Fit(best, problem, None if problem else note)


def _with_gaps(
    name: str, column: pd.Series, expectation: Expectation, convert: Convert | None
) -> tuple[Convert | None, str | None]:
    """Missing values as the encoder knows them."""
    gaps = [value for value in expectation.categories or () if _is_missing(value)]
    if any(value is None for value in gaps) and not expectation.is_filled:
        return _with_gap(convert, None), None
    if convert is None and (isinstance(column.dtype, pd.BooleanDtype) or str(column.dtype) == "object"):
        convert = _with_gap(None, np.nan)
    if gaps or expectation.is_filled or expectation.takes_unknown:
        return convert, None
    return convert, gap_problem(name, int(column.isna().sum()))


def text_problem(name: str, text: str) -> str:
    """Say that a model wants numbers where a column holds text."""
    return (
        f"The model wants numbers in the column {name!r}, but it holds text such as {text[:40]!r}; encode it as in"
        " fitting, or bring the whole pipeline as the model."
    )


def gap_problem(name: str, count: int) -> str:
    """Say that a model doesn't take a column's missing values."""
    return (
        f"The model takes no missing values, but the column {name!r} has {counted(count, 'missing value')}; fill them"
        " in, leave these rows out, or fit the model with an imputer."
    )


def _is_missing(value: Any) -> bool:
    return value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value))


def _written(values: pd.Series, way: Convert | None) -> list[Any]:
    return list(values if way is None else way(values))


def _words(column: pd.Series) -> pd.Series:
    return column.map(_word, na_action="ignore").astype("str")


def _word(value: Any) -> str:
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else str(value)


def _parsed(column: pd.Series) -> pd.Series:
    return pd.to_numeric(column.astype("object"), errors="coerce").astype("float64")


def _truths(column: pd.Series) -> pd.Series:
    return column.map({"True": True, "False": False, 1: True, 0: False}).astype("object")


def _floats(column: pd.Series) -> pd.Series:
    return pd.Series(column.to_numpy(dtype=np.float64, na_value=np.nan), column.index, name=column.name)


def _with_gap(convert: Convert | None, gap: float | None) -> Convert:
    def filled(column: pd.Series) -> pd.Series:
        written = column if convert is None else convert(column)
        values = written.to_numpy(dtype=object)
        return pd.Series(np.where(written.isna(), gap, values), column.index, dtype="object", name=column.name)

    return filled
