"""What is said of a table's columns, as a file to keep: JSON with a version, read strictly."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from explainers.intake.refusal import Refused, listed
from explainers.intake.schema_edits import FeatureEdit, SchemaEdits
from explainers.schema import Direction, Kind, Schema

VERSION = 1
NAME = "flipside_schema"
MOST_BYTES = 4 << 20
TEXTS = ("title", "unit", "description")
SWITCHES = ("ordered", "locked")
BOUNDS = ("allowed_low", "allowed_high")
NAMED = {"kind": Kind, "direction": Direction}
PARTS = (NAME, "features", "groups", "uses", "picture")


def write_schema(schema: Schema, edits: SchemaEdits) -> bytes:
    """All that a schema says of its features, so that the file can be read by itself.

    Parameters
    ----------
    schema : Schema
        As edited.
    edits : SchemaEdits
        What was said of it; of features that the schema lacks, too.
    """
    described = {feature.name: _described(schema, feature.name, edits[feature.name]) for feature in schema.features}
    plain = edits_to_plain(edits)
    plain["features"] |= described
    # Groups that were found in this table are the same features of any other.
    plain["groups"] |= {feature.name: list(feature.columns) for feature in schema.features if len(feature.columns) > 1}
    return json.dumps({NAME: VERSION, **plain}, indent=2, ensure_ascii=False).encode()


def read_schema(name: str, content: bytes) -> SchemaEdits:
    """The edits that a file holds.

    Parameters
    ----------
    name : str
        What the file is called.
    content : bytes

    Raises
    ------
    Refused
        If it is no such file, of another version, or says what can't be.
    """
    if len(content) > MOST_BYTES:
        raise Refused(f"{name} is larger than any schema; choose a file that was saved here.")
    try:
        plain = json.loads(content)
    except (ValueError, RecursionError):
        raise Refused(f"{name} is no JSON, so it holds no schema; choose a file that was saved here.") from None
    if not isinstance(plain, dict) or NAME not in plain:
        raise Refused(f"{name} holds no schema of columns; choose a file that was saved here.")
    if plain[NAME] != VERSION:
        raise Refused(f"{name} is of version {plain[NAME]!r}, and {VERSION} is read here; save it anew.")
    unknown = [part for part in plain if part not in PARTS]
    if unknown:
        raise Refused(f"{name} says {listed(unknown)}, which no schema has; take it out.")
    try:
        return edits_of_plain(plain)
    except ValueError as error:
        raise Refused(f"{name} {error}.") from None


def edits_to_plain(edits: SchemaEdits) -> dict[str, Any]:
    """Edits as plain data for JSON."""
    return {
        "features": {name: to_plain(edit) for name, edit in edits.features},
        "groups": {name: list(columns) for name, columns in edits.groups},
        "uses": dict(edits.uses),
        "picture": [list(row) for row in edits.picture],
    }


def edits_of_plain(plain: Mapping[str, Any]) -> SchemaEdits:
    """Edits from plain data.

    Raises
    ------
    ValueError
        With what is wrong, as the rest of a sentence.
    """
    features, groups, uses = (_mapping(plain.get(part, {}), part) for part in ("features", "groups", "uses"))
    edits = SchemaEdits(
        groups=tuple(sorted((name, _strings(columns, f"the group {name!r}")) for name, columns in groups.items())),
        uses=tuple(sorted((name, _switch(used, f"the use of {name!r}")) for name, used in uses.items())),
        picture=_rows(plain.get("picture", []), "the picture"),
    )
    for name, said in features.items():
        edits = edits.with_feature(name, of_plain(name, said))
    return edits


def to_plain(edit: FeatureEdit) -> dict[str, Any]:
    """What is said of a feature as plain data; what isn't said is absent."""
    plain: dict[str, Any] = {}
    for item in fields(edit):
        value = getattr(edit, item.name)
        if value is not None and value != ():
            plain[item.name] = [list(pair) for pair in value] if item.name == "categories" else _plain(value)
    return plain


def of_plain(name: str, said: Any) -> FeatureEdit:
    """What is said of a feature, from plain data.

    Raises
    ------
    ValueError
        With what is wrong, as the rest of a sentence.
    """
    plain = _mapping(said, f"feature {name!r}")
    known = {item.name for item in fields(FeatureEdit)}
    unknown = [key for key in plain if key not in known]
    if unknown:
        raise ValueError(f"says {listed(unknown)} of {name!r}, which no feature has")
    read: dict[str, Any] = {
        **{key: _string(plain[key], f"{key} of {name!r}") for key in TEXTS if key in plain},
        **{key: _switch(plain[key], f"{key} of {name!r}") for key in SWITCHES if key in plain},
        **{key: _number(plain[key], f"{key} of {name!r}") for key in BOUNDS if key in plain},
        **{key: _named(kind, plain[key], f"{key} of {name!r}") for key, kind in NAMED.items() if key in plain},
        "categories": _pairs(plain.get("categories", []), f"categories of {name!r}"),
        "missing": _strings(plain.get("missing", []), f"missing of {name!r}"),
    }
    return FeatureEdit(**read)


def _described(schema: Schema, name: str, edit: FeatureEdit) -> dict[str, Any]:
    """The feature as it is now; categories under the labels that were read off the table."""
    feature = schema[name]
    plain = to_plain(edit) | {
        "title": feature.title,
        "unit": feature.unit,
        "description": feature.description,
        "kind": feature.kind.value,
        "locked": feature.locked,
        "direction": feature.direction.value,
    }
    if feature.is_number:
        return plain
    as_read = {wanted.strip(): value for value, wanted in edit.categories}
    plain["ordered"] = feature.ordered
    plain["categories"] = [[as_read.get(label, label), label] for label in feature.labels]
    return plain


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"gives for {what} no names with values")
    return value


def _string(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"gives for {what} {value!r}, which is no text")
    return value


def _strings(value: Any, what: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError(f"gives for {what} no list")
    return tuple(_string(item, what) for item in value)


def _rows(value: Any, what: str) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list):
        raise ValueError(f"gives for {what} no rows of pixels")
    return tuple(_strings(row, f"a row of {what}") for row in value)


def _pairs(value: Any, what: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list) or any(not isinstance(item, list) or len(item) != 2 for item in value):
        raise ValueError(f"gives for {what} no list of pairs")
    pairs = tuple((_string(one, what), _string(other, what)) for one, other in value)
    if len(dict(pairs)) < len(pairs):
        raise ValueError(f"gives for {what} one twice")
    return pairs


def _switch(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"gives for {what} {value!r}, which is neither true nor false")
    return value


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"gives for {what} {value!r}, which is no number")
    return float(value)


def _named(kind: Any, value: Any, what: str) -> Any:
    names = [member.value for member in kind]
    if value not in names:
        raise ValueError(f"gives for {what} {value!r}; it can be {', '.join(names)}")
    return kind(value)
