"""Rows that somebody proposes, each by as many values as are to differ: from a file, a table or a mapping."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from explainers.intake.dialect import SEPARATORS, decoded
from explainers.intake.numerals import Decimal, decimal_of
from explainers.intake.refusal import Refused, counted, first_line, listed
from explainers.intake.typed import bare_number, read_value
from explainers.schema import Feature, Schema

MOST_ROWS = 200
MOST_BYTES = 2_000_000
STAYS = ("", "-", "–", "—")
"""What a cell says whose value stays that of the case."""
MOST_NAMED = 6


@dataclass(frozen=True)
class Proposal:
    """One row, by the values that it says.

    Attributes
    ----------
    name : str
        How a person calls it, such as "Row 2".
    values : tuple of (feature name, float)
        Encoded; what isn't said stays as the case has it.
    refusal : str
        Why it can't be read, as a sentence; empty if it can.
    """

    name: str
    values: tuple[tuple[str, float], ...] = ()
    refusal: str = ""


@dataclass(frozen=True)
class Proposals:
    """What was brought.

    Attributes
    ----------
    rows : tuple of Proposal
    notes : tuple of str
        What was left out, as sentences.
    """

    rows: tuple[Proposal, ...]
    notes: tuple[str, ...] = ()


def read_rows(schema: Schema, name: str, content: bytes) -> Proposals:
    """Rows of a text of separated values, whose header names features or columns.

    A whole table has its separator found out from all its cells; here the header is known,
    and one column is enough. An empty cell or a dash stays as the case has it; "missing"
    and "NA" are missing.

    Parameters
    ----------
    schema : Schema
    name : str
        What the file is called.
    content : bytes

    Raises
    ------
    Refused
        If it is no text, names no feature, has no row or too many.
    """
    if len(content) > MOST_BYTES:
        raise Refused(f"{name} is larger than {MOST_BYTES // 10**6} MB; leave only the rows that are to be shown.")
    text, notes = decoded(name, content)
    if not text.strip():
        raise Refused(f"{name} is empty; its first line should name features, and each line below be a row.")
    try:
        separator = max(SEPARATORS, key=lambda mark: len(_known(schema, _lines(schema, text, mark)[0])))
        header, *body = _lines(schema, text, separator)
    except csv.Error as error:
        raise Refused(f"{name} can't be cut into columns: {first_line(error)}.") from None
    ragged = next((number for number, row in enumerate(body, 1) if len(row) != len(header)), None)
    if ragged is not None:
        found, wanted = counted(len(body[ragged - 1]), "value"), len(header)
        raise Refused(f"Row {ragged} of {name} has {found} where the header has {wanted}; fill it up.")
    columns = {title: [row[place] for row in body] for place, title in enumerate(header)}
    proposals = _proposals(schema, name, header, columns, len(body), separator, said=_is_said)
    return Proposals(proposals.rows, (*notes, *proposals.notes))


def rows_of_frame(schema: Schema, frame: pd.DataFrame, name: str = "The table") -> Proposals:
    """Rows of a data frame; a missing value in it is missing.

    Raises
    ------
    Refused
        As `read_rows`.
    """
    columns = {str(title): frame.iloc[:, place].tolist() for place, title in enumerate(frame.columns)}
    return _proposals(schema, name, [*map(str, frame.columns)], columns, len(frame), "", said=lambda *_: True)


def row_of_values(schema: Schema, values: Mapping[str, Any], name: str) -> Proposal:
    """One row from values by feature name.

    Raises
    ------
    SchemaError
        If there is no such feature.
    """
    try:
        return Proposal(name, tuple((key, read_value(schema[key], value)) for key, value in values.items()))
    except Refused as refused:
        return Proposal(name, refusal=str(refused))


def _lines(schema: Schema, text: str, separator: str) -> list[list[str]]:
    """The lines that aren't blank, cut; blanks round a name go unless they belong to it."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    header, *body = [row for row in rows if len(row) > 1 or "".join(row).strip()]
    own = {*schema.names, *schema.columns}
    return [[title if title in own else title.strip() for title in header], *body]


def _known(schema: Schema, header: Iterable[str]) -> dict[str, Feature]:
    """The features that titles of columns name: by name, by title, or by a column of a group."""
    names = {feature.name: feature for feature in schema.features}
    titles = {feature.title.casefold(): feature for feature in schema.features}
    parts = {column: feature for feature in schema.features for column in feature.columns}
    found = {title: names.get(title) or parts.get(title) or titles.get(title.casefold()) for title in header}
    return {title: feature for title, feature in found.items() if feature is not None}


def _proposals(
    schema: Schema, name: str, header: Sequence[str], columns: Mapping[str, Sequence[Any]], n_rows: int,
    separator: str, said: Any,
) -> Proposals:  # fmt: skip
    known = _known(schema, header)
    _check(schema, name, header, known, n_rows)
    others = [title for title in header if title not in known]
    notes: tuple[str, ...] = ()
    if others:
        verb = "is no feature" if len(others) == 1 else "are no features"
        notes = (f"Of {name}, {listed(others)} {verb} of this data and left out.",)
    decimals = {title: _decimal(feature, columns[title], separator) for title, feature in known.items()}
    usual = next((way for way in decimals.values() if way is not Decimal.UNKNOWN), Decimal.UNKNOWN)
    rows = []
    for place in range(n_rows):
        values: dict[str, float] = {}
        try:
            for title, feature in known.items():
                cell, whole = columns[title][place], _whole(feature, title)
                if whole and said(feature, cell):
                    way = decimals[title]
                    values[feature.name] = read_value(feature, cell, usual if way is Decimal.UNKNOWN else way)
            values |= _combined(known, columns, place, said)
        except Refused as refused:
            rows.append(Proposal(f"Row {place + 1}", refusal=str(refused)))
            continue
        rows.append(Proposal(f"Row {place + 1}", tuple(values.items())))
    return Proposals(tuple(rows), notes)


def _check(schema: Schema, name: str, header: Sequence[str], known: Mapping[str, Feature], n_rows: int) -> None:
    if not known:
        wanted = listed([feature.name for feature in schema.features[:MOST_NAMED]])
        raise Refused(f"{name} names no feature of this data; its first line should have names such as {wanted}.")
    named = [feature.name for title, feature in known.items() if _whole(feature, title)]
    twice = next((feature for feature in named if named.count(feature) > 1), None)
    if twice is not None or len(set(header)) < len(header):
        title = schema[twice].title if twice else next(title for title in header if header.count(title) > 1)
        raise Refused(f"{name} has two columns for {title!r}; leave one of them.")
    for title, feature in known.items():
        lacking = [] if _whole(feature, title) else [column for column in feature.columns if column not in known]
        if lacking:
            raise Refused(
                f"{title!r} goes together with {lacking[0]!r}, which {name} lacks; bring all columns of"
                f" {feature.title}, or one column of that name with its categories."
            )
    if not n_rows:
        raise Refused(f"{name} has a header but no rows; put each counterfactual on a line of its own.")
    if n_rows > MOST_ROWS:
        raise Refused(f"{name} has {counted(n_rows, 'row')}, and {MOST_ROWS} are taken at most; leave the best ones.")


def _whole(feature: Feature, title: str) -> bool:
    """Whether a column stands for the whole feature, not for a part of a group."""
    return len(feature.columns) == 1 or title not in feature.columns


def _combined(
    known: Mapping[str, Feature], columns: Mapping[str, Sequence[Any]], place: int, said: Any
) -> dict[str, float]:
    """The categories that columns of groups stand for together."""
    groups = {feature.name: feature for title, feature in known.items() if not _whole(feature, title)}
    values: dict[str, float] = {}
    for name, feature in groups.items():
        cells = [columns[column][place] for column in feature.columns]
        if not any(said(feature, cell) for cell in cells):
            continue
        code = next((code for code, own in enumerate(feature.categories) if _agree(own, cells)), None)
        if code is None:
            shown = ", ".join(f"{column} = {cell}" for column, cell in zip(feature.columns, cells, strict=True))
            raise Refused(f"{feature.title} has no category with {shown}.")
        values[name] = float(code)
    return values


def _agree(own: Sequence[Any], cells: Sequence[Any]) -> bool:
    return all(_as_number(value) == _as_number(cell) for value, cell in zip(own, cells, strict=True))


def _as_number(cell: Any) -> Any:
    """A part of a group as it is compared: 1, 1.0, True and "true" are one."""
    try:
        return float({"true": 1, "false": 0}.get(str(cell).strip().lower(), cell))
    except (TypeError, ValueError):
        return str(cell)


def _is_said(feature: Feature, cell: str) -> bool:
    return cell.strip() not in STAYS or cell in feature.labels


def _decimal(feature: Feature, cells: Sequence[Any], separator: str) -> Decimal:
    import pyarrow as pa

    texts = [bare_number(feature, cell) for cell in cells if isinstance(cell, str) and cell.strip() not in STAYS]
    return decimal_of([pa.array(texts, pa.string())], separator) if texts else Decimal.UNKNOWN
