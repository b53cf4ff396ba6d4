"""Dates as people write them, where a whole column leaves no doubt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from explainers.intake.numerals import SAMPLE, all_match, trimmed

TIME = r"([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)?"
ISO = r"^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$"
ISO_WITH_ZONE = r"^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$"
YEAR_FIRST = rf"^\d{{4}}[/.]\d{{1,2}}[/.]\d{{1,2}}{TIME}$"
DAYS_WITH_POINTS = rf"^\d{{1,2}}\.\d{{1,2}}\.\d{{4}}{TIME}$"
WITH_SLASHES = rf"^\d{{1,2}}[/-]\d{{1,2}}[/-]\d{{4}}{TIME}$"


@dataclass(frozen=True, eq=False)
class Dates:
    """A column read as dates.

    Attributes
    ----------
    values : Series of datetime64, or nothing
        Nothing where day and month can't be told apart.
    written : str
        How they are written.
    """

    values: pd.Series | None
    written: str


def read_dates(column: Any) -> Dates | None:
    """A text column as dates if all its values are.

    Parameters
    ----------
    column : pyarrow string array
    """
    head = column.slice(0, SAMPLE).drop_null()
    if not len(head) or not all_match(head, r"^\s*\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"):
        return None
    values = trimmed(column)
    if all_match(values, ISO):
        return _parsed(values, "year, month, day", format="ISO8601")
    if all_match(values, ISO_WITH_ZONE):
        return _parsed(values, "year, month, day, and are now in UTC", format="ISO8601", utc=True)
    if all_match(values, YEAR_FIRST):
        return _parsed(values, "year, month, day", yearfirst=True)
    if all_match(values, DAYS_WITH_POINTS):
        return _parsed(values, "day, month, year", dayfirst=True)
    return _with_slashes(values) if all_match(values, WITH_SLASHES) else None


def _with_slashes(values: Any) -> Dates | None:
    """Only a number above twelve tells days from months."""
    import pyarrow.compute as pc

    parts = pc.extract_regex(values.drop_null(), r"^(?P<one>\d{1,2})[/-](?P<two>\d{1,2})")
    most = [pc.max(pc.cast(pc.struct_field(parts, name), "int64")).as_py() for name in ("one", "two")]
    if most[0] > 12 and most[1] > 12:
        return None
    if most[0] > 12:
        return _parsed(values, "day, month, year", dayfirst=True)
    if most[1] > 12:
        return _parsed(values, "month, day, year", dayfirst=False)
    return Dates(None, "")


def _parsed(values: Any, written: str, *, utc: bool = False, **how: Any) -> Dates | None:
    text = values.to_pandas()
    try:
        read = pd.to_datetime(text, utc=utc, **({"format": "mixed"} | how))
    except (ValueError, OverflowError):
        return None
    return Dates(read.dt.tz_localize(None) if utc else read, written)
