"""How a text of separated values is written: encoding, separator, header."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from explainers.intake.refusal import Refused, counted

# The rarer a character is in prose and numbers, the earlier it stands.
SEPARATORS = {"\t": "tabs", ";": "semicolons", "|": "vertical bars", ",": "commas"}
SAMPLE_CHARACTERS = 1 << 18
SAMPLE_ROWS = 300
CONSISTENT = 0.95
MOST_TITLE_LINES = 10
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
OTHER_SCRIPTS = {
    **dict.fromkeys(("cp932", "shift_jis", "shift_jis_2004", "shift_jisx0213"), "Shift-JIS"),
    **dict.fromkeys(("euc_jp", "euc_jis_2004", "euc_jisx0213"), "EUC-JP"),
    **dict.fromkeys(("gb18030", "gbk", "gb2312"), "GB 18030"),
    **dict.fromkeys(("big5", "big5hkscs", "cp950"), "Big5"),
    **dict.fromkeys(("cp949", "euc_kr"), "EUC-KR"),
    "cp1251": "Windows-1251",
    **dict.fromkeys(("koi8_r", "koi8_u"), "KOI8"),
    **dict.fromkeys(("cp1253", "iso8859_7"), "Greek"),
    **dict.fromkeys(("cp1255", "iso8859_8"), "Hebrew"),
    "cp1256": "Arabic",
}
"""Encodings that are told from others by what they write, and what people call them."""
NUMBER = re.compile(r"\s*[+-]?(\d+([.,]\d*)*|[.,]\d+)([eE][+-]?\d+)?\s*%?\s*")
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")


@dataclass(frozen=True)
class Dialect:
    """How to cut a text into fields.

    Attributes
    ----------
    separator : str
    names : tuple of str
        One a column; empty where the file has none.
    start : int
        Position of the first character after the header.
    first_line : int
        Number of lines before `start`.
    notes : tuple of str
    """

    separator: str
    names: tuple[str, ...]
    start: int
    first_line: int
    notes: tuple[str, ...]


def decoded(name: str, content: bytes) -> tuple[str, tuple[str, ...]]:
    """Text of a file, and a note where it is not UTF-8.

    Raises
    ------
    Refused
        If it is not text.
    """
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return _strictly(name, content[len(mark) :], encoding)
    unmarked = _wide_without_mark(content[:4096])
    if unmarked:
        return _strictly(name, content, unmarked)
    notes: tuple[str, ...] = ()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text, notes = _other_than_utf8(name, content)
    if CONTROL.search(text[:SAMPLE_CHARACTERS]):
        raise Refused(f"{name} is not text but binary data; save the table as CSV, Parquet or Excel.")
    return text, notes


def dialect(name: str, text: str) -> Dialect:
    """Find out how a text is written from its first lines.

    Raises
    ------
    Refused
        If it is empty, has only a header or only one column.
    """
    lines = list(islice(io.StringIO(text[:SAMPLE_CHARACTERS], newline=""), 4 * SAMPLE_ROWS))
    if len(text) > SAMPLE_CHARACTERS and len(lines) > 1:
        lines.pop()
    skipped, told = _hint(lines)
    best = max((_Cut.of(lines[skipped:], separator) for separator in told or SEPARATORS), key=lambda cut: cut.merit)
    if not best.rows:
        raise Refused(f"{name} is empty; choose a file with a header and rows.")
    if best.width < 2:
        raise Refused(
            f"{name} has only one column, {best.rows[0][0][:40]!r}; if it holds more, save it with commas,"
            " semicolons or tabs between the values."
        )
    return _with_header(name, lines, skipped, best)


@dataclass(frozen=True)
class _Cut:
    """The sample cut by one separator; `ends` has the number of lines up to each row's end."""

    separator: str
    rows: tuple[tuple[str, ...], ...]
    ends: tuple[int, ...]
    width: int
    titles: int
    merit: tuple[bool, int, float, int]

    @classmethod
    def of(cls, lines: Sequence[str], separator: str) -> _Cut:
        reader = csv.reader(lines, delimiter=separator)
        rows: list[tuple[str, ...]] = []
        ends: list[int] = []
        try:
            for row in islice(reader, SAMPLE_ROWS):
                if row and (len(row) > 1 or row[0].strip()):
                    rows.append(tuple(row))
                    ends.append(reader.line_num)
        except csv.Error:
            pass
        rank = -list(SEPARATORS).index(separator) if separator in SEPARATORS else 0
        if not rows:
            return cls(separator, (), (), 0, 0, (False, 0, 0.0, rank))
        width = Counter(len(row) for row in rows[1:] or rows).most_common(1)[0][0]
        titles = next((place for place, row in enumerate(rows) if len(row) > 1), 0)
        body = rows[titles:]
        share = sum(len(row) == width for row in body[1:] or body) / max(1, len(body[1:] or body))
        fits = len(body[0]) == width or (len(body[0]) == width - 1 and width > 2)
        named = not titles or not _all_numbers(body[0])
        good = width > 1 and share >= CONSISTENT and fits and named and titles <= MOST_TITLE_LINES
        return cls(
            separator,
            tuple(rows),
            tuple(ends),
            width,
            titles,
            (good, -titles if good else 0, _rough(good, share, width), rank),
        )


def _rough(good: bool, share: float, width: int) -> float:
    """Among the separators that don't fit, the one that cuts most rows alike."""
    return 0.0 if good else share * (width > 1)


def _with_header(name: str, lines: Sequence[str], skipped: int, cut: _Cut) -> Dialect:
    titles = cut.titles if cut.merit[0] else 0
    first = cut.rows[titles]
    notes: list[str] = []
    if titles:
        notes.append(f"{counted(titles, 'line')} above the header of {name} {'is' if titles == 1 else 'are'} left out.")
    if _is_header(first):
        names, last = first, skipped + cut.ends[titles]
        if len(first) == cut.width - 1:
            names = ("", *first)
            notes.append(f"The header of {name} has one name less than there are columns; the first column has none.")
    else:
        names = tuple(f"column {number}" for number in range(1, cut.width + 1))
        last = skipped + (cut.ends[titles - 1] if titles else 0)
        notes.append(f"{name} has no header, its first row holds numbers only; the columns are numbered.")
    return Dialect(cut.separator, names, sum(map(len, lines[:last])), last, tuple(notes))


def _is_header(row: Sequence[str]) -> bool:
    if not _all_numbers(row):
        return True
    # pandas writes 0, 1, 2 ... above columns that nobody named.
    cells = [cell.strip() for cell in row if cell.strip()]
    return len(cells) > 1 and cells == [str(place) for place in range(len(cells))]


def _all_numbers(row: Sequence[str]) -> bool:
    cells = [cell for cell in row if cell.strip()]
    return bool(cells) and all(NUMBER.fullmatch(cell) for cell in cells)


def _hint(lines: Sequence[str]) -> tuple[int, str]:
    """Excel's own first line "sep=;": how many lines it takes, and the separator."""
    found = re.fullmatch(r'"?sep=(.)"?\s*', lines[0], re.IGNORECASE) if lines else None
    return (1, found[1]) if found else (0, "")


def _strictly(name: str, content: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise Refused(
            f"{name} begins like {encoding.upper()} text but is damaged at byte {error.start}; save it again as UTF-8."
        ) from None
    return text, () if encoding == "utf-8" else (f"{name} is read as {encoding[:6].upper()} text.",)


def _wide_without_mark(sample: bytes) -> str | None:
    """UTF-16 without its mark: in Western text every other byte is zero."""
    half = len(sample) // 2
    if half < 2:
        return None
    even, odd = sample[0 : 2 * half : 2].count(0), sample[1 : 2 * half : 2].count(0)
    if odd > 0.6 * half and not even:
        return "utf-16-le"
    return "utf-16-be" if even > 0.6 * half and not odd else None


def _other_than_utf8(name: str, content: bytes) -> tuple[str, tuple[str, ...]]:
    lenient = content.decode("utf-8", errors="replace")
    damaged = lenient.count("�")
    if sum(character > "\x7f" for character in lenient) > 20 * damaged:
        return lenient, (f"{name} is UTF-8 text with {counted(damaged, 'damaged character')}, shown as �.",)
    for encoding in (*_of_another_script(content), "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return text, (_guessed(name, OTHER_SCRIPTS.get(encoding, "Windows-1252")),)
    return content.decode("latin-1"), (_guessed(name, "Latin-1"),)


def _guessed(name: str, what: str) -> str:
    return f"{name} is not UTF-8 and is read as {what} text; where letters look wrong, save it as UTF-8."


def _of_another_script(content: bytes) -> tuple[str, ...]:
    """The encoding, if what is not ASCII reads well in a script of its own; Latin ones can't be told apart so."""
    from charset_normalizer import from_bytes

    lines = (line for line in content.split(b"\n") if not line.isascii())
    best = from_bytes(b"\n".join(islice(lines, SAMPLE_ROWS))).best()
    return (best.encoding,) if best is not None and best.encoding in OTHER_SCRIPTS else ()
