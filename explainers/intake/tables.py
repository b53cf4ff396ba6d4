"""Any file of rows, by its content; a further format is a file and a line in `FORMATS`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from types import ModuleType

import pandas as pd

from explainers.intake import delimited, excel, parquet
from explainers.intake.inspection import ids_among, inspect
from explainers.intake.refusal import Refused, counted
from explainers.intake.table import ColumnFinding, FindingKind, Table

# Asked in this order; text comes last, since anything might be text.
FORMATS: tuple[ModuleType, ...] = (parquet, excel, delimited)
ENDINGS: tuple[str, ...] = tuple(ending for format_ in FORMATS for ending in format_.ENDINGS)
MOST_ROWS = 2_000_000
MOST_COLUMNS = 2_000
MOST_TOLD = 3


def read_table(name: str, content: bytes, *, sheet: str | None = None) -> Table:
    """Read a table from a file's content.

    Parameters
    ----------
    name : str
        What the file is called; its ending counts only where the content leaves it open.
    content : bytes
    sheet : str, optional
        Of a workbook; by default the first one that holds anything.

    Raises
    ------
    Refused
        If there is no table of at least two columns and a row; the message is one sentence.
    """
    if not content:
        raise Refused(f"{name} is empty; choose a file with a header and rows.")
    format_ = next(format_ for format_ in FORMATS if format_.recognises(content))
    reading = format_.read(name, content, sheet)
    columns = reading.columns
    if not columns or not len(columns[0]):
        raise Refused(f"{name} has no rows; choose a file with rows.")
    if len(columns) < 2:
        raise Refused(f"{name} has only one column, {columns[0].name!r}; choose a table with at least two.")
    if len(columns) > MOST_COLUMNS or len(columns[0]) > MOST_ROWS:
        what = f"{counted(len(columns[0]), 'row')} and {counted(len(columns), 'column')}"
        raise Refused(
            f"{name} has {what}; at most {counted(MOST_ROWS, 'row')} and {counted(MOST_COLUMNS, 'column')} are taken,"
            " so cut it down."
        )
    findings = reading.findings + inspect(columns, reading.findings)
    if all(f.kind is FindingKind.ALL_MISSING for f in findings) and len(findings) == len(columns):
        raise Refused(f"{name} has no value in any cell; choose another file.")
    notes = (*_ending(name, format_), *reading.notes, *_told(findings))
    frame = pd.concat([column.reset_index(drop=True) for column in columns], axis=1)
    return Table(frame, notes, format_.NAME, findings, ids_among(findings), reading.sheets)


def sheets_of(name: str, content: bytes) -> tuple[str, ...]:
    """Names of a workbook's sheets, though none of them may be a table; none for other files."""
    if not excel.recognises(content):
        return ()
    try:
        return excel.sheets(name, content)
    except Refused:
        return ()


def _told(findings: Sequence[ColumnFinding]) -> Iterator[str]:
    """Each kind of finding in a few sentences, however many columns share it."""
    for kind, alike in groupby(sorted(findings, key=lambda f: tuple(FindingKind).index(f.kind)), lambda f: f.kind):
        sentences = [finding.sentence for finding in alike]
        if kind is FindingKind.RENAMED or len(sentences) <= MOST_TOLD:
            yield from sentences
        else:
            more = counted(len(sentences) - 1, "more column")
            yield f"{sentences[0].removesuffix('.')}; so it is with {more}."


def _ending(name: str, format_: ModuleType) -> tuple[str, ...]:
    """Say so where a name promises another format."""
    lower = name.lower()
    promised = next((other.NAME for other in FORMATS if lower.endswith(other.ENDINGS)), None)
    if promised in (None, format_.NAME):
        return ()
    return (f"{name} is called like {promised}, but its content is {format_.NAME} and is read so.",)
