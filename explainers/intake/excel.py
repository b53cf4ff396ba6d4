"""Tables as Excel and OpenDocument workbooks."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Sequence
from typing import Any

import pandas as pd

from explainers.intake.numerals import Decimal
from explainers.intake.refusal import Refused, listed
from explainers.intake.table import ColumnFinding, FindingKind, Reading, unique_names
from explainers.intake.text_columns import MISSING, read_text

NAME = "Excel"
ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MOST_UNPACKED = 1 << 30


def recognises(content: bytes) -> bool:
    """By what the archive holds, or by the mark of workbooks before 2007."""
    if content.startswith(OLD):
        return True
    if not content.startswith(b"PK\x03\x04"):
        return False
    try:
        names = zipfile.ZipFile(io.BytesIO(content)).namelist()
    except zipfile.BadZipFile:
        return False
    return any(name.startswith("xl/workbook.") for name in names) or {"mimetype", "content.xml"} <= set(names)


def read(name: str, content: bytes, sheet: str | None = None) -> Reading:
    """Columns of one sheet, by default the first that holds anything.

    Raises
    ------
    Refused
        If it is damaged, locked by a password, or the sheet is empty or unknown.
    """
    book = _opened(name, content)
    names = tuple(book.sheet_names)
    if sheet is not None and sheet not in names:
        raise Refused(f"{name} has no sheet {sheet!r}; choose one of {listed(names)}.")
    chosen, rows = next(
        ((title, rows) for title in ([sheet] if sheet else names) if (rows := _rows(book, title))), ("", [])
    )
    if not rows:
        raise Refused(f"{name} has no values{f' on the sheet {sheet!r}' if sheet else ''}; choose another file.")
    if len(rows) < 2:
        raise Refused(f"The sheet {chosen!r} of {name} has a header but no rows; fill them in or choose another sheet.")
    titles, renamed = unique_names([_title(cell) for cell in rows[0]])
    columns: list[pd.Series] = []
    findings = list(renamed)
    for place, title in enumerate(titles):
        cells = [row[place] for row in rows[1:]]
        if rows[0][place] == "" and all(_is_missing(cell) for cell in cells):
            continue
        series, found = _column(title, cells)
        columns.append(series)
        findings += found
    others = [title for title in names if title != chosen]
    notes = (f"{name} has {len(names)} sheets; {chosen!r} is read, not {listed(others)}.",) if others else ()
    return Reading(tuple(columns), notes, tuple(findings), names)


def sheets(name: str, content: bytes) -> tuple[str, ...]:
    """Names of the sheets.

    Raises
    ------
    Refused
        If it is damaged or locked by a password.
    """
    return tuple(_opened(name, content).sheet_names)


def _opened(name: str, content: bytes) -> Any:
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    if not content.startswith(OLD):
        size = sum(entry.file_size for entry in zipfile.ZipFile(io.BytesIO(content)).infolist())
        if size > MOST_UNPACKED:
            raise Refused(f"{name} unpacks to {size >> 20} MB, more than is taken; save the sheet as Parquet.")
    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(content))
    except PasswordError:
        raise Refused(f"{name} is locked by a password; save it without one.") from None
    except CalamineError as error:
        raise Refused(f"{name} is not a workbook that can be read; save it as .xlsx or CSV.") from error


def _rows(book: Any, title: str) -> list[list[Any]]:
    from python_calamine import CalamineError

    try:
        rows: list[list[Any]] = book.get_sheet_by_name(title).to_python()
    except CalamineError:
        return []
    while rows and sum(not _is_missing(cell) for cell in rows[0]) < min(2, len(rows[0])):
        rows = rows[1:]  # a title above the header
    return [row for row in rows if not all(_is_missing(cell) for cell in row)]


def _title(cell: Any) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def _is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and cell in MISSING)


def _column(title: str, cells: Sequence[Any]) -> tuple[pd.Series, tuple[ColumnFinding, ...]]:
    """Cells of one kind keep it; mixed ones become text."""
    known = [cell for cell in cells if not _is_missing(cell)]
    values = [None if _is_missing(cell) else cell for cell in cells]
    kinds = {type(cell) for cell in known}
    if kinds and kinds <= {int, float}:
        numbers = pd.Series(values, dtype="float64", name=title)
        whole = len(known) == len(values) and all(float(cell).is_integer() and abs(cell) < 2**53 for cell in known)
        return (numbers.astype("int64") if whole else numbers), ()
    if kinds == {bool}:
        return pd.Series(values, dtype="bool" if len(known) == len(values) else "boolean", name=title), ()
    if kinds and kinds <= {datetime.date, datetime.datetime}:
        said = f"The column {title!r} holds dates."
        dates = pd.Series(pd.to_datetime(pd.Series(values, dtype="object")), name=title)
        return dates, (ColumnFinding(title, FindingKind.DATE, said),)
    return _as_text(title, values)


def _as_text(title: str, values: Sequence[Any]) -> tuple[pd.Series, tuple[ColumnFinding, ...]]:
    import pyarrow as pa

    texts = [None if value is None else _title(value) for value in values]
    return read_text(title, pa.array(texts, pa.string()), Decimal.POINT)
