"""What a person should know of a table's columns before using them; what is done about it is said elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from explainers.intake.refusal import counted
from explainers.intake.table import ColumnFinding, FindingKind

FEWEST_ROWS = 10
MANY_CATEGORIES = 50
MOSTLY = 0.5
WORDS_OF_FREE_TEXT = 3
UNNAMED = re.compile(r"Unnamed: \d+|index|level_\d+", re.IGNORECASE)
CALLED_ID = re.compile(r"(^|[\W_])(id|ids|key|uuid|guid|no|nr|number|index)$|[a-z]I[dD]$", re.IGNORECASE)


def inspect(columns: Sequence[pd.Series], known: Sequence[ColumnFinding] = ()) -> tuple[ColumnFinding, ...]:
    """Findings that show only in a whole column.

    Parameters
    ----------
    columns : sequence of Series
    known : sequence of ColumnFinding
        What was already found in reading.
    """
    mixed = {finding.column for finding in known if finding.kind is FindingKind.MIXED}
    return tuple(
        ColumnFinding(str(column.name), kind, f"The column {str(column.name)!r} {said}")
        for place, column in enumerate(columns)
        for kind, said in _findings(column, first=place == 0)
        if column.name not in mixed or kind is FindingKind.ALL_MISSING
    )


def ids_among(findings: Sequence[ColumnFinding]) -> tuple[str, ...]:
    """Columns that may name the rows, running numbers first."""
    return tuple(
        finding.column
        for kind in (FindingKind.INDEX, FindingKind.IDENTIFIER)
        for finding in findings
        if finding.kind is kind
    )


def _findings(column: pd.Series, *, first: bool) -> Iterator[tuple[FindingKind, str]]:
    missing = int(column.isna().sum())
    if missing == len(column):
        yield FindingKind.ALL_MISSING, "has no value in any row."
        return
    distinct = column.nunique()
    if distinct == 1 and not missing:
        if len(column) > 1:
            value = str(column.iloc[0])[:40]
            yield FindingKind.CONSTANT, f"is {value!r} in every row, so it can't explain anything."
        return
    if UNNAMED.fullmatch(str(column.name)) and distinct == len(column):
        yield FindingKind.INDEX, "is the rows' index: it can name them, but explains nothing."
        return
    if pd.api.types.is_bool_dtype(column.dtype) or pd.api.types.is_datetime64_any_dtype(column.dtype):
        return
    if pd.api.types.is_numeric_dtype(column.dtype):
        yield from _of_numbers(column, distinct, first=first)
    else:
        yield from _of_text(column, distinct, missing)


def _of_numbers(column: pd.Series, distinct: int, *, first: bool) -> Iterator[tuple[FindingKind, str]]:
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    infinite = int(np.isinf(values).sum())
    if infinite:
        said = f"has {counted(infinite, 'infinite value')}, which most models refuse; clear them."
        yield FindingKind.INFINITE, said
    if distinct < len(column) or column.dtype.kind not in "iu" or len(column) < FEWEST_ROWS:
        return
    running = bool((np.diff(values) == 1).all()) and values[0] in (0, 1)
    if running and first:
        yield FindingKind.INDEX, "numbers the rows: it can name them, but explains nothing."
    elif running or CALLED_ID.search(str(column.name)):
        yield FindingKind.IDENTIFIER, "is different in every row: it can name the rows, but explains nothing."


def _of_text(column: pd.Series, distinct: int, missing: int) -> Iterator[tuple[FindingKind, str]]:
    known = len(column) - missing
    if isinstance(column.dtype, pd.CategoricalDtype) and distinct < known:
        return
    words = column.dropna().astype("str").head(1000).str.count(r"\S+").mean()
    if words >= WORDS_OF_FREE_TEXT and distinct > MOSTLY * known and distinct > FEWEST_ROWS:
        yield FindingKind.FREE_TEXT, "holds free text, nearly every value another."
    elif distinct == len(column) and len(column) >= FEWEST_ROWS:
        yield FindingKind.IDENTIFIER, "is different in every row: it can name the rows, but explains nothing."
    elif distinct > MANY_CATEGORIES:
        yield FindingKind.MANY_CATEGORIES, f"has {counted(distinct, 'different value')}, many for a category."
