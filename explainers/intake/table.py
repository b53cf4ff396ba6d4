"""What a file of rows turns into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd


class FindingKind(StrEnum):
    """What there is to say about a column."""

    INDEX = "index"
    IDENTIFIER = "identifier"
    CONSTANT = "constant"
    ALL_MISSING = "all missing"
    BOOLEAN = "boolean"
    YES_NO = "yes or no"
    DATE = "date"
    AMBIGUOUS_DATE = "ambiguous date"
    MIXED = "mixed"
    CODE = "code"
    NUMERAL = "numeral"
    MISSING_MARK = "missing mark"
    INFINITE = "infinite"
    FREE_TEXT = "free text"
    MANY_CATEGORIES = "many categories"
    RENAMED = "renamed"
    LEFT_OUT = "left out"


@dataclass(frozen=True)
class ColumnFinding:
    """One thing about one column that a person should know.

    Attributes
    ----------
    column : str
    kind : FindingKind
    sentence : str
        Names the column, says how it is read and, where needed, what to do.
    """

    column: str
    kind: FindingKind
    sentence: str


@dataclass(frozen=True, eq=False)
class Table:
    """A table as it came, every column with one dtype.

    Numbers are NumPy integers or floats (missing is NaN), text is ``str``, truth values
    are ``bool`` (``boolean`` where some are missing), dates are ``datetime64``.

    Attributes
    ----------
    frame : DataFrame
        With a plain running index; an index in the file is a column here.
    notes : tuple of str
        What was found out or changed in reading, as sentences; the findings' ones too.
    format : str
        Name of the format in the registry.
    findings : tuple of ColumnFinding
    ids : tuple of str
        Columns that may name the rows, the likeliest first.
    sheets : tuple of str
        Names of the sheets of a workbook; empty for other files.
    """

    frame: pd.DataFrame
    notes: tuple[str, ...]
    format: str
    findings: tuple[ColumnFinding, ...] = ()
    ids: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Reading:
    """What a format's reader hands on: columns with their dtypes, and what was said on the way."""

    columns: tuple[pd.Series, ...]
    notes: tuple[str, ...] = ()
    findings: tuple[ColumnFinding, ...] = ()
    sheets: tuple[str, ...] = ()


def unique_names(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[ColumnFinding, ...]]:
    """Column names as pandas makes them unique, so that a model fitted on pandas' reading finds them.

    Returns
    -------
    names : tuple of str
    findings : tuple of ColumnFinding
        One for each column that got another name.
    """
    taken: set[str] = {name for name in names if name}
    seen: set[str] = set()
    made: list[str] = []
    findings: list[ColumnFinding] = []
    for position, name in enumerate(names):
        wanted = name or f"Unnamed: {position}"
        new = wanted if wanted not in seen else _free(wanted, taken | seen)
        if wanted in seen:
            sentence = f"Two columns are called {wanted!r}; the later one is read as {new!r}."
            findings.append(ColumnFinding(new, FindingKind.RENAMED, sentence))
        seen.add(new)
        made.append(new)
    return tuple(made), tuple(findings)


def _free(name: str, taken: set[str]) -> str:
    return next(candidate for candidate in _numbered(name) if candidate not in taken)


def _numbered(name: str) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"{name}.{number}"
