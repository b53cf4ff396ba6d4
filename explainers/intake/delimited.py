"""Tables as text: CSV and its kin."""

from __future__ import annotations

from typing import Any

from explainers.intake.dialect import Dialect, decoded, dialect
from explainers.intake.numerals import decimal_of
from explainers.intake.refusal import Refused, counted
from explainers.intake.table import Reading, unique_names
from explainers.intake.text_columns import MISSING, read_text

NAME = "CSV"
ENDINGS = (".csv", ".tsv", ".txt", ".tab", ".dat", ".data")
BLOCK = 1 << 24
FOREIGN = {
    b"{": "JSON",
    b"[": "JSON",
    b"<!doctype": "a web page",
    b"<html": "a web page",
    b"<?xml": "XML",
    b"%pdf": "a PDF",
    b"sqlite format": "a database",
    b"\x1f\x8b": "compressed; unpack it first",
    b"bzh": "compressed; unpack it first",
    b"\xfd7zxz": "compressed; unpack it first",
    b"pk\x03\x04": "an archive; unpack it first",
}


def recognises(content: bytes) -> bool:
    """Any content may be text; asked last, it says why if it isn't."""
    return True


def read(name: str, content: bytes, sheet: str | None = None) -> Reading:
    """Columns of a text of separated values.

    Raises
    ------
    Refused
        If there are not at least two columns and a row, or rows have unlike lengths.
    """
    start = content[:256].lstrip().lower()
    for sign, what in FOREIGN.items():
        if start.startswith(sign):
            raise Refused(f"{name} is {what.split(';')[0]}, not a table; {_remedy(what)}.")
    text, notes = decoded(name, content)
    if not text.strip():
        raise Refused(f"{name} is empty; choose a file with a header and rows.")
    way = dialect(name, text)
    columns = _fields(name, text[way.start :], way)
    names, renamed = unique_names(way.names)
    kept = [place for place, title in enumerate(way.names) if title or columns[place].null_count < len(columns[place])]
    if len(kept) < len(names):
        notes += (f"A column of {name} without a name and without a value is left out.",)
    decimal = decimal_of([columns[place] for place in kept], way.separator)
    typed = [read_text(names[place], columns[place], decimal) for place in kept]
    found = tuple(finding for _, findings in typed for finding in findings)
    return Reading(tuple(series for series, _ in typed), (*notes, *way.notes), (*renamed, *found))


def _fields(name: str, text: str, way: Dialect) -> list[Any]:
    import pyarrow as pa
    from pyarrow import csv

    if not text.strip():
        raise Refused(f"{name} has a header but no rows; choose a file with both.")
    body = text.lstrip("\r\n").encode("utf-8", errors="replace")
    keys = [str(place) for place in range(len(way.names))]
    rows: list[tuple[int | None, int, int]] = []

    def odd(row: Any) -> str:
        rows.append((row.number, row.actual_columns, row.expected_columns))
        return "error"

    def parse(threads: bool) -> Any:
        return csv.read_csv(
            pa.py_buffer(body),
            read_options=csv.ReadOptions(column_names=keys, block_size=BLOCK, use_threads=threads),
            parse_options=csv.ParseOptions(
                delimiter=way.separator, newlines_in_values=b'"' in body, invalid_row_handler=odd
            ),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(keys, pa.string()), null_values=list(MISSING), strings_can_be_null=True
            ),
        )

    try:
        table = parse(threads=True)
    except pa.ArrowInvalid as error:
        rows.clear()
        try:
            parse(threads=False)
        except pa.ArrowInvalid:
            raise Refused(_ragged(name, rows, way) or f"{name} can't be cut into columns: {_line(error)}.") from None
        raise
    return [column.combine_chunks() for column in table.columns]


def _ragged(name: str, rows: list[tuple[int | None, int, int]], way: Dialect) -> str | None:
    if not rows:
        return None
    number, actual, expected = rows[-1]
    where = "A row" if number is None else f"Row {number}"
    return (
        f"{where} of {name} has {counted(actual, 'value')} where the header has {expected}; put values that contain"
        " the separator in quotes, or fill up the row."
    )


def _line(error: Exception) -> str:
    return str(error).splitlines()[0].removeprefix("CSV parse error: ").rstrip(". ")


def _remedy(what: str) -> str:
    return what.split("; ")[1] if ";" in what else "save it as CSV, Parquet or Excel"
