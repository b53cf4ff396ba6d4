"""Tables as Parquet."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd

from explainers.intake.refusal import Refused
from explainers.intake.table import ColumnFinding, FindingKind, Reading, unique_names

NAME = "Parquet"
ENDINGS = (".parquet", ".pq", ".parq")
MAGIC = b"PAR1"


def recognises(content: bytes) -> bool:
    """By the four letters at its start."""
    return content.startswith(MAGIC)


def read(name: str, content: bytes, sheet: str | None = None) -> Reading:
    """Columns of a Parquet file; a pandas index becomes a column.

    Raises
    ------
    Refused
        If it is damaged.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        # read_table would take a name twice for an error
        file = parquet.ParquetFile(io.BytesIO(content))
        table = file.read()
    except (pa.ArrowException, OSError) as error:
        raise Refused(f"{name} is a damaged Parquet file; save it again.") from error
    names, renamed = unique_names([_title(column) for column in table.column_names])
    columns: list[pd.Series] = []
    findings = list(renamed)
    for title, array in zip(names, table.columns, strict=True):
        series = _plain(array)
        if series is None:
            said = f"The column {title!r} holds {array.type}, which is no single value a row, and is left out."
            findings.append(ColumnFinding(title, FindingKind.LEFT_OUT, said))
        else:
            columns.append(series.rename(title))
    return Reading(tuple(columns), (), tuple(findings))


def _title(column: str) -> str:
    """pandas calls an index without a name so."""
    return "" if column.startswith("__index_level_") else column


def _plain(array: Any) -> pd.Series | None:
    """One dtype a column, or nothing for columns of lists, records and bytes."""
    import pyarrow as pa

    kind = array.type
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return None
    if pa.types.is_null(kind) or pa.types.is_decimal(kind):
        array = array.cast(pa.float64())
    elif pa.types.is_date(kind):
        array = array.cast(pa.timestamp("ms"))
    elif pa.types.is_timestamp(kind) and kind.tz:
        array = array.cast(pa.timestamp(kind.unit))
    elif pa.types.is_time(kind) or pa.types.is_duration(kind):
        array = array.cast(pa.string())
    series = array.to_pandas()
    if pa.types.is_boolean(kind) and array.null_count:
        series = series.astype("boolean")
    return series
