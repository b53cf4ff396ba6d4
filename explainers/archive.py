"""Results as plain data and back, to the last bit: for a file, the store and a link.

Every result is a frozen dataclass of tuples, arrays, numbers and texts, so one mechanism
serves all: a dataclass becomes a mapping with its class's name, an array its dtype, shape
and bytes. A number that JSON can't say is named.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from explainers.attributions.attribution import Attribution
from explainers.attributions.together import Attributions
from explainers.combinations import SomeCoalitions
from explainers.counterfactuals.candidates import Candidates, SampledCounterfactuals
from explainers.decision import BinaryTarget, ClassTarget, IntervalTarget, OtherClassTarget
from explainers.explanation import Explanation
from explainers.real_case import RealCase
from explainers.results import (
    CoalitionScores,
    Cost,
    Counterfactual,
    Counterfactuals,
    FeatureChange,
    Importance,
    NoneFound,
    Origin,
    Rejected,
)
from explainers.schema import Direction, Feature, Kind
from explainers.shown import Shown
from explainers.surrogates.comparison import Beside, Comparison
from explainers.surrogates.equation import Equation, LocalEquations, Term
from explainers.surrogates.reference_value import ReferenceValue, Towards
from explainers.surrogates.shown import ShownEquations, Tried
from explainers.surrogates.space import Column
from explainers.usualness import Place, Usualness
from explainers.wording import Role, Span

FORMAT = "flipside result"
VERSION = 4
READABLE = (2, 3, 4)
"""What was added to the classes since version 2 has a default, which is what it was before."""
CLASSES: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        Attribution,
        Attributions,
        Beside,
        BinaryTarget,
        Candidates,
        ClassTarget,
        CoalitionScores,
        Column,
        Comparison,
        Cost,
        Counterfactual,
        Counterfactuals,
        Equation,
        Explanation,
        Feature,
        FeatureChange,
        Importance,
        IntervalTarget,
        LocalEquations,
        NoneFound,
        Origin,
        OtherClassTarget,
        Place,
        RealCase,
        ReferenceValue,
        Rejected,
        SampledCounterfactuals,
        Shown,
        ShownEquations,
        SomeCoalitions,
        Span,
        Term,
        Towards,
        Tried,
        Usualness,
    )
}
ENUMS: dict[str, type[StrEnum]] = {kind.__name__: kind for kind in (Direction, Kind, Role)}
DTYPES = ("<f8", "<i8", "|b1")
NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class ArchiveError(ValueError):
    """Something can't be kept, or what was kept can't be read; the message says why."""


def to_dict(result: Any) -> dict[str, Any]:
    """A result as mappings, lists, texts and finite numbers.

    Raises
    ------
    ArchiveError
        If a part of it is of a kind that is not kept.
    """
    return {"format": FORMAT, "version": VERSION, "result": _packed(result)}


def from_dict(kept: Any) -> Any:
    """The result that `to_dict` made this of.

    Raises
    ------
    ArchiveError
        If it is something else, of another version, or damaged.
    """
    if not isinstance(kept, dict) or kept.get("format") != FORMAT:
        raise ArchiveError("This is not a result kept by Flipside.")
    if kept.get("version") not in READABLE:
        raise ArchiveError(
            f"This result was kept in version {kept.get('version')!r} of the format, and only"
            f" {READABLE[0]} to {READABLE[-1]} can be read."
        )
    result = _unpacked(kept.get("result"))
    if type(result) not in CLASSES.values():
        raise ArchiveError("This result is damaged: it holds no result.")
    return result


def to_json(result: Any) -> str:
    """A result as text for a file; see `to_dict`."""
    return json.dumps(to_dict(result), allow_nan=False, indent=1)


def from_json(text: str | bytes) -> Any:
    """The result that `to_json` made this of; see `from_dict`."""
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ArchiveError("This is not a result kept by Flipside, as it is no JSON.") from error
    return from_dict(kept)


def _packed(value: Any) -> Any:
    if isinstance(value, StrEnum) and type(value).__name__ in ENUMS:
        return {"enum": type(value).__name__, "value": value.value}
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        number = float(value)
        return number if math.isfinite(number) else {"number": str(number)}
    if isinstance(value, tuple):
        return [_packed(item) for item in value]
    if isinstance(value, np.ndarray):
        dtype = value.dtype.newbyteorder("<").str
        if dtype in DTYPES:
            data = base64.b64encode(np.ascontiguousarray(value, dtype=dtype).tobytes()).decode("ascii")
            return {"array": dtype, "shape": list(value.shape), "data": data}
    if is_dataclass(value) and type(value).__name__ in CLASSES:
        packed = {item.name: _packed(getattr(value, item.name)) for item in fields(value)}
        return {"class": type(value).__name__, "fields": packed}
    raise ArchiveError(f"A value of the kind {type(value).__name__} can't be kept.")


def _unpacked(kept: Any) -> Any:
    if isinstance(kept, list):
        return tuple(_unpacked(item) for item in kept)
    if not isinstance(kept, dict):
        return kept
    if "number" in kept:
        return NUMBERS[_known(kept["number"], tuple(NUMBERS), "number")]
    if "array" in kept:
        return _array(kept)
    if "enum" in kept:
        kind = ENUMS[_known(kept["enum"], tuple(ENUMS), "kind of choice")]
        return kind(_known(kept.get("value"), tuple(kind), "choice"))
    return _object(kept)


def _array(kept: dict[str, Any]) -> np.ndarray[Any, Any]:
    dtype = _known(kept["array"], DTYPES, "kind of array")
    try:
        data = base64.b64decode(kept["data"], validate=True)
        array = np.frombuffer(data, dtype=dtype).reshape(kept["shape"]).astype(np.dtype(dtype).newbyteorder("="))
    except (KeyError, TypeError, ValueError, binascii.Error) as error:
        raise ArchiveError("This result is damaged: an array can't be read.") from error
    array.setflags(write=False)
    return array


def _object(kept: dict[str, Any]) -> Any:
    kind = CLASSES[_known(kept.get("class"), tuple(CLASSES), "kind of result")]
    packed = kept.get("fields")
    hints = get_type_hints(kind)
    names = {item.name for item in fields(kind)}
    needed = {item.name for item in fields(kind) if item.default is MISSING}
    if not isinstance(packed, dict) or not needed <= set(packed) <= names:
        raise ArchiveError(f"This result is damaged: its {kind.__name__} has other fields.")
    values = {name: _unpacked(item) for name, item in packed.items()}
    for name, value in values.items():
        if not _fits(value, hints[name]):
            raise ArchiveError(f"This result is damaged: {kind.__name__}.{name} is something else.")
    return kind(**values)


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is of the type that its field is declared with."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if len(parts) == 2 and parts[1] is Ellipsis:
            return all(_fits(item, parts[0]) for item in value)
        return len(value) == len(parts) and all(map(_fits, value, parts))
    if origin is np.ndarray:
        return isinstance(value, np.ndarray) and value.dtype == get_args(parts[1])[0]
    return isinstance(value, hint) and (hint is bool or not isinstance(value, bool))


def _known(name: Any, names: tuple[str, ...], what: str) -> str:
    if not isinstance(name, str) or name not in names:
        raise ArchiveError(f"This result holds a {what} that is not known here: {name!r}.")
    return name
