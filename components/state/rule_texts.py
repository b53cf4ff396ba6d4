"""Rules of features as texts of an address, and back."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from explainers.constraints import FREE, Rule
from explainers.schema import Direction

Parameters = Mapping[str, Sequence[str]]
Rules = tuple[tuple[str, Rule], ...]

PARAMETERS = ("lock", "free", "rise", "fall", "range", "among", "none")


class AddressError(ValueError):
    """The address asks for something that isn't there; the message is for the person."""


def write_rules(rules: Iterable[tuple[str, Rule]], before: str = "") -> dict[str, list[str]]:
    """The parameters of some rules, each parameter's name with `before` in front."""
    parameters: dict[str, list[str]] = {}
    for name, rule in rules:
        for parameter, text in _texts(name, rule):
            parameters.setdefault(before + parameter, []).append(text)
    return parameters


def read_rules(parameters: Parameters, before: str = "") -> Rules:
    """The rules in some parameters, sorted by feature.

    Raises
    ------
    AddressError
        If one can't be read, or a feature has more limits than go together.
    """
    given = {name: parameters.get(before + name, ()) for name in PARAMETERS}
    return _rules(given)


def read_number(name: str, text: str) -> float:
    """The finite number that a parameter gives."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise AddressError(f"The address says {name}={text}, which is not a number.")
    return value


def write_number(value: float | None) -> str:
    """A number so that reading it gives the same number; nothing for none."""
    return "" if value is None else repr(value).removesuffix(".0")


def write_pair(label: str, name: str) -> str:
    """``label:name``, whatever the label holds."""
    return f"{label.replace('%', '%25').replace(':', '%3A')}:{name}"


def read_pair(parameter: str, text: str) -> tuple[str, str]:
    """The label and the name that a parameter's text holds."""
    label, name = _pieces(parameter, text, 2)
    return label.replace("%3A", ":").replace("%25", "%"), name


def _texts(name: str, rule: Rule) -> list[tuple[str, str]]:
    texts: list[tuple[str, str]] = []
    if rule == FREE:
        texts.append(("free", name))
    if rule.locked:
        texts.append(("lock", name))
    if rule.direction is not Direction.ANY:
        texts.append(("rise" if rule.direction is Direction.UP else "fall", name))
    if rule.low is not None or rule.high is not None:
        texts.append(("range", f"{write_number(rule.low)}:{write_number(rule.high)}:{name}"))
    if rule.categories is not None:
        among = [("among", write_pair(label, name)) for label in sorted(rule.categories)]
        texts += among or [("none", name)]
    return texts


def _rules(parameters: Parameters) -> Rules:
    parts: dict[str, dict[str, Any]] = {}

    def add(name: str, part: str, value: Any) -> None:
        """Note a part of a feature's rule, once; nothing goes with being free."""
        rule = parts.setdefault(name, {})
        if part in rule or ("free" in (part, *rule) and rule):
            raise AddressError(f"The address gives {name!r} more limits than go together.")
        rule[part] = value

    for name in parameters.get("free", ()):
        add(name, "free", True)
    for name in parameters.get("lock", ()):
        add(name, "locked", True)
    for parameter, direction in (("rise", Direction.UP), ("fall", Direction.DOWN)):
        for name in parameters.get(parameter, ()):
            add(name, "direction", direction)
    for text in parameters.get("range", ()):
        low, high, name = _pieces("range", text, 3)
        add(name, "low", _bound(low))
        add(name, "high", _bound(high))
    for name, labels in _among(parameters).items():
        add(name, "categories", labels)
    for name in parameters.get("none", ()):
        add(name, "categories", frozenset())
    rules = {name: Rule(**{part: rule[part] for part in rule if part != "free"}) for name, rule in parts.items()}
    return tuple(sorted(rules.items(), key=lambda item: item[0]))


def _among(parameters: Parameters) -> dict[str, frozenset[str]]:
    labels: dict[str, set[str]] = {}
    for text in parameters.get("among", ()):
        label, name = read_pair("among", text)
        labels.setdefault(name, set()).add(label)
    return {name: frozenset(those) for name, those in labels.items()}


def _pieces(parameter: str, text: str, how_many: int) -> list[str]:
    pieces = text.split(":", how_many - 1)
    if len(pieces) != how_many:
        raise AddressError(f"The address says {parameter}={text}, which can't be read.")
    return pieces


def _bound(text: str) -> float | None:
    return read_number("range", text) if text else None
