"""Numbers as people write them: decimal comma, thousands, percent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

PLAIN = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
WITH_COMMA = r"^[+-]?(\d{1,3}([. \x{a0}\x{202f}'’]\d{3})+|\d+)(,\d*)?([eE][+-]?\d+)?$|^[+-]?,\d+$"
GROUPED_BY_COMMA = r"^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$"
GROUPED_BY_POINT = r"^[+-]?\d{1,3}(\.\d{3})+$"
GROUPED_BY_SPACE = r"^[+-]?\d{1,3}([ \x{a0}\x{202f}'’]\d{3})+([.,]\d*)?$"
WHOLE = r"^[+-]?\d+$"
CODE = r"^0\d+$"
DIGITS = r"^\d+$"
MOST_DIGITS = 18
LARGEST_EXACT = 2**53
SAMPLE = 5000


class Decimal(Enum):
    """What a file writes before its decimals."""

    POINT = "point"
    COMMA = "comma"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column read as numbers.

    Attributes
    ----------
    array : pyarrow Array
        Of int64 or double.
    written : str
        How they were written where that isn't plain, such as "with a decimal comma".
    """

    array: Any
    written: str = ""


def decimal_of(columns: Sequence[Any], separator: str) -> Decimal:
    """What a file's text columns say about its decimals.

    Parameters
    ----------
    columns : sequence of pyarrow string arrays
    separator : str
        A comma between values makes a comma within them unlikely.
    """
    point = False
    for column in columns:
        values = trimmed(column.slice(0, SAMPLE)).drop_null()
        if not len(values):
            continue
        has_comma = _matches(values, ",")
        if _any(has_comma):
            commas = values.filter(has_comma)
            if all_match(values, WITH_COMMA) and not all_match(commas, GROUPED_BY_COMMA):
                return Decimal.COMMA
        elif all_match(values, PLAIN):
            dotted = values.filter(_matches(values, r"\."))
            point = point or (len(dotted) > 0 and not all_match(dotted, GROUPED_BY_POINT))
    return Decimal.POINT if point or separator == "," else Decimal.UNKNOWN


def read_numbers(column: Any, decimal: Decimal) -> Numbers | None:
    """A text column as numbers if all its values are.

    Parameters
    ----------
    column : pyarrow string array
    decimal : Decimal
    """
    if decimal is not Decimal.COMMA or not _any(_matches(column, r"\.")):
        plain = _cast(column)
        if plain is not None:
            return Numbers(plain)
    values = trimmed(column)
    head = values.slice(0, SAMPLE).drop_null()
    if not _any(_matches(head, r"\d")):
        return None
    if all_match(head, r"%$"):
        return _percent(values, decimal)
    return _written(values, head, decimal)


def is_code(column: Any) -> bool:
    """Whether a text column holds digits that would lose something as a number."""
    import pyarrow.compute as pc

    known = column.drop_null()
    if not len(known) or not all_match(known, DIGITS):
        return False
    return _any(_matches(known, CODE)) or pc.max(pc.utf8_length(known)).as_py() > MOST_DIGITS


def is_beyond_floats(array: Any) -> bool:
    """Whether whole numbers are so large that a float would run some of them together."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_integer(array.type):
        return False
    bounds = pc.min_max(array).as_py()
    return bool(max(abs(bounds["min"] or 0), abs(bounds["max"] or 0)) > LARGEST_EXACT)


def plain_ones(column: Any) -> Any:
    """Which values of a text column are plain numbers, as a pyarrow boolean array."""
    return _matches(trimmed(column), PLAIN)


def trimmed(column: Any) -> Any:
    """A text column without blanks at the ends, and blank is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.equal(values, ""), pa.scalar(None, pa.string()), values)


def all_match(values: Any, pattern: str) -> bool:
    """Whether every value that is there matches a regular expression."""
    import pyarrow.compute as pc

    return pc.all(_matches(values, pattern)).as_py() is not False


def _written(values: Any, head: Any, decimal: Decimal) -> Numbers | None:
    """The first way of writing that all values keep, the head asked before the whole."""
    plain = (PLAIN, "", "")
    comma = (WITH_COMMA, r"[. \x{a0}\x{202f}'’]", "with a decimal comma")
    grouped_comma = (f"{GROUPED_BY_COMMA}|{PLAIN}", ",", "with commas between thousands")
    grouped_space = (f"{GROUPED_BY_SPACE}|{PLAIN}|{WHOLE}", r"[ \x{a0}\x{202f}'’]", "with thousands set apart")
    grouped_point = (f"{GROUPED_BY_POINT}|{WHOLE}", r"\.", "with points between thousands")
    ways = {
        Decimal.COMMA: (grouped_point, comma, plain, grouped_space),
        Decimal.POINT: (plain, grouped_comma, grouped_space),
        Decimal.UNKNOWN: (plain, grouped_space, comma, grouped_comma),
    }
    for pattern, dropped, written in ways[decimal]:
        if all_match(head, pattern) and all_match(values, pattern):
            read = _cast(_plainly(values, dropped, commas=written != grouped_comma[2]))
            return None if read is None else Numbers(read, written)
    return None


def _plainly(values: Any, dropped: str, *, commas: bool) -> Any:
    import pyarrow.compute as pc

    if dropped:
        values = pc.replace_substring_regex(values, dropped, "")
    return pc.replace_substring(values, ",", ".") if commas else values


def _percent(values: Any, decimal: Decimal) -> Numbers | None:
    import pyarrow.compute as pc

    if not all_match(values, r"%$"):
        return None
    bare = read_numbers(pc.replace_substring_regex(values, r"\s*%$", ""), decimal)
    if bare is None:
        return None
    return Numbers(bare.array, f"in percent and {bare.written}" if bare.written else "in percent")


def _cast(column: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if _any(pc.starts_with(column, "+")):
        column = pc.replace_substring_regex(column, r"^\+(\d)", r"\1")
    for kind in (pa.int64(), pa.float64()):
        try:
            cast = pc.cast(column, kind)
        except pa.ArrowInvalid:
            continue
        # "0x1A" is a word to everybody but Arrow.
        hexadecimal = pa.types.is_integer(kind) and _any(_matches(column, "[xX]"))
        return None if hexadecimal else cast
    return None


def _matches(values: Any, pattern: str) -> Any:
    import pyarrow.compute as pc

    return pc.match_substring_regex(values, pattern)


def _any(mask: Any) -> bool:
    import pyarrow.compute as pc

    return pc.any(mask).as_py() is True
