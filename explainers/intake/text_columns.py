"""A column of text turned into what it means: numbers, truth values, dates, or text."""

from __future__ import annotations

from typing import Any

import pandas as pd

from explainers.intake.dates import read_dates
from explainers.intake.numerals import Decimal, is_beyond_floats, is_code, plain_ones, read_numbers
from explainers.intake.refusal import counted, listed
from explainers.intake.table import ColumnFinding, FindingKind

# pandas' own list, so that a table read by it elsewhere has the same gaps.
MISSING = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null",
)  # fmt: skip
MARKS = {"?", "-", "--", ".", "..", "*"}
TRUTH = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}
YES_NO = ({"yes", "no"}, {"y", "n"}, {"on", "off"}, {"t", "f"}, {"ja", "nein"}, {"oui", "non"}, {"si", "no"})
MOSTLY = 0.5


def read_text(name: str, column: Any, decimal: Decimal) -> tuple[pd.Series, tuple[ColumnFinding, ...]]:
    """Give a text column the dtype that all its values have.

    Text that people read as yes or no stays as it is written, since a model may have
    been fitted on these words.

    Parameters
    ----------
    name : str
    column : pyarrow string array
        Missing values are null.
    decimal : Decimal
        What the file writes before its decimals.

    Returns
    -------
    column : Series
    findings : tuple of ColumnFinding
    """
    if column.null_count == len(column):
        return pd.Series(float("nan"), range(len(column)), dtype="float64", name=name), ()
    numbers = read_numbers(column, decimal)
    if is_code(column) or (numbers is not None and is_beyond_floats(numbers.array)):
        sentence = f"The column {name!r} holds codes of digits, such as {_first(column)!r}, and is read as text."
        return _as_text(name, column), (ColumnFinding(name, FindingKind.CODE, sentence),)
    if numbers is not None:
        found = _found(name, FindingKind.NUMERAL, f"holds numbers {numbers.written}.") if numbers.written else ()
        return _as_numbers(name, numbers.array), found
    dates = read_dates(column)
    if dates is not None:
        return _as_dates(name, column, dates.values, dates.written)
    words = _few_words(column)
    if words and words <= set(TRUTH):
        return _as_truth(name, column), _found(name, FindingKind.BOOLEAN, "holds true and false.")
    if {word.strip().lower() for word in words} in YES_NO:
        said = f"says {listed(sorted(words))} and stays text, as a category."
        return _as_text(name, column), _found(name, FindingKind.YES_NO, said)
    return _mixed(name, column, decimal)


def _mixed(name: str, column: Any, decimal: Decimal) -> tuple[pd.Series, tuple[ColumnFinding, ...]]:
    """Text among numbers: a sign for missing, or a column that is really mixed."""
    import pyarrow as pa
    import pyarrow.compute as pc

    known = column.drop_null()
    other = known.filter(pc.invert(plain_ones(known)))
    if len(other) > MOSTLY * len(known):
        return _as_text(name, column), ()
    words = sorted(set(other.unique().to_pylist()))
    if {word.strip() for word in words} <= MARKS:
        masked = pc.if_else(pc.is_in(column, value_set=pa.array(words)), pa.scalar(None, pa.string()), column)
        numbers = read_numbers(masked, decimal)
        if numbers is not None:
            said = f"says {listed(words)} {counted(len(other), 'time')}; that is read as missing."
            return _as_numbers(name, numbers.array), _found(name, FindingKind.MISSING_MARK, said)
    said = (
        f"holds numbers but also text such as {words[0][:40]!r} ({len(other)} of {len(known)} values) and is read as"
        " text; clear these cells to have numbers."
    )
    return _as_text(name, column), _found(name, FindingKind.MIXED, said)


def _as_numbers(name: str, array: Any) -> pd.Series:
    return array.to_pandas().rename(name)


def _as_text(name: str, column: Any) -> pd.Series:
    return column.to_pandas().astype("str").rename(name)


def _as_truth(name: str, column: Any) -> pd.Series:
    values = column.to_pandas().map(TRUTH)
    return values.astype("boolean" if column.null_count else "bool").rename(name)


def _as_dates(
    name: str, column: Any, dates: pd.Series | None, written: str
) -> tuple[pd.Series, tuple[ColumnFinding, ...]]:
    if dates is None:
        said = (
            f"holds dates such as {_first(column)!r} in which day and month can't be told apart, and is read as text;"
            " write them as year-month-day."
        )
        return _as_text(name, column), _found(name, FindingKind.AMBIGUOUS_DATE, said)
    return dates.rename(name), _found(name, FindingKind.DATE, f"holds dates, written {written}.")


def _few_words(column: Any) -> set[str]:
    """The distinct values if there are only a few."""
    head = set(column.slice(0, 1000).drop_null().unique().to_pylist())
    if len(head) > len(TRUTH):
        return set()
    words = set(column.drop_null().unique().to_pylist())
    return words if len(words) <= len(TRUTH) else set()


def _first(column: Any) -> str:
    return str(column.drop_null()[0].as_py())


def _found(name: str, kind: FindingKind, said: str) -> tuple[ColumnFinding, ...]:
    return (ColumnFinding(name, kind, f"The column {name!r} {said}"),)
