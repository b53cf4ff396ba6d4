"""The view in the address, and back.

Every parameter may stand several times, as addresses allow. What the address says and
nobody understands is an error with a sentence, never a silent default.

========================  ==========================================================
``data``, ``case``        a sample and a row of it
``wanted``, ``threshold`` the decision
``lock``, ``free``        a feature's name: locked, or without any rule
``rise``, ``fall``        a feature that may only rise, only fall
``range``                 ``low:high:feature``, either bound may be empty
``among``                 ``label:feature``, once for each category allowed
``none``                  a feature that no category is allowed for
``method``                a generator
``<method>.<option>``     one of its options
``shown``                 which counterfactual, from 1
``keep``                  a feature whose change is kept
``select``                a feature that is marked
========================  ==========================================================
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from components.state.view import DEFAULT_METHOD, NO_CASE, View
from explainers.constraints import FREE, Rule
from explainers.registry import GENERATORS
from explainers.schema import Direction

Parameters = Mapping[str, Sequence[str]]

SINGLE = ("data", "case", "wanted", "threshold", "method", "shown")
REPEATED = ("lock", "free", "rise", "fall", "range", "among", "none", "keep", "select")
MOST_DIGITS = 9


class AddressError(ValueError):
    """The address asks for something that isn't there; the message is for the person."""


def write(view: View) -> dict[str, list[str]]:
    """The parameters of a view; defaults are left out but for the data and the case."""
    parameters: dict[str, list[str]] = {"data": [view.data]}
    if view.case is not None:
        parameters["case"] = [view.case]
    if view.wanted is not None:
        parameters["wanted"] = [view.wanted]
    if view.threshold is not None:
        parameters["threshold"] = [_number(view.threshold)]
    for name, rule in view.rules:
        for parameter, text in _rule_texts(name, rule):
            parameters.setdefault(parameter, []).append(text)
    if view.method != DEFAULT_METHOD:
        parameters["method"] = [view.method]
    for name, value in view.options:
        parameters[f"{view.method}.{name}"] = [str(value).lower() if isinstance(value, bool) else str(value)]
    if view.counterfactual:
        parameters["shown"] = [str(view.counterfactual + 1)]
    if view.kept:
        parameters["keep"] = list(view.kept)
    if view.selection:
        parameters["select"] = list(view.selection)
    return parameters


def read(parameters: Parameters) -> View:
    """The view that an address asks for.

    An address without parameters is the default view. One that names data but no case is
    a view without a case.

    Raises
    ------
    AddressError
        If a parameter is unknown, stands twice where it may once, or has no such value.
    """
    if not parameters:
        return View()
    single = {name: _one(name, parameters[name]) for name in SINGLE if name in parameters}
    method = single.get("method", DEFAULT_METHOD)
    if method not in GENERATORS:
        raise AddressError(f"There is no method {method!r}; there are {', '.join(GENERATORS)}.")
    options = _options(method, parameters)
    return View(
        data=single.get("data", View.data),
        case=single.get("case", NO_CASE),
        wanted=single.get("wanted"),
        threshold=_float("threshold", single["threshold"]) if "threshold" in single else None,
        rules=_rules(parameters),
        method=method,
        options=options,
        counterfactual=_shown(single.get("shown", "1")),
        kept=tuple(parameters.get("keep", ())),
        selection=tuple(parameters.get("select", ())),
    )


def _one(name: str, texts: Sequence[str]) -> str:
    if len(texts) != 1:
        raise AddressError(f"The address gives {name!r} {len(texts)} times; it can stand once.")
    return texts[0]


def _float(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise AddressError(f"The address says {name}={text}, which is not a number.")
    return value


def _shown(text: str) -> int:
    place = _whole("shown", text)
    if place < 1:
        raise AddressError(f"The address says shown={text}; counterfactuals are counted from 1.")
    return place - 1


def _whole(name: str, text: str) -> int:
    if not re.fullmatch(rf"-?[0-9]{{1,{MOST_DIGITS}}}", text):
        raise AddressError(f"The address says {name}={text}, which is not a whole number.")
    return int(text)


def _options(method: str, parameters: Parameters) -> tuple[tuple[str, Any], ...]:
    """The method's options, and a complaint about any parameter that nobody knows."""
    kinds = {f"{method}.{item.name}": item for item in fields(GENERATORS[method].options_type)}
    options: dict[str, Any] = {}
    for name, texts in parameters.items():
        if name in kinds:
            item = kinds[name]
            value = _option(name, _one(name, texts), item.default)
            if value != item.default:
                options[item.name] = value
        elif name not in SINGLE and name not in REPEATED:
            raise AddressError(f"The address has a parameter {name!r} that means nothing here.")
    wrong = GENERATORS[method].options_type(**options)
    problems = wrong.check()
    if problems:
        raise AddressError(problems[0])
    return tuple(sorted(options.items()))


def _option(name: str, text: str, default: Any) -> Any:
    if isinstance(default, bool):
        if text not in ("true", "false"):
            raise AddressError(f"The address says {name}={text}; it can be true or false.")
        return text == "true"
    return _whole(name, text) if isinstance(default, int) else text


def _rule_texts(name: str, rule: Rule) -> list[tuple[str, str]]:
    texts: list[tuple[str, str]] = []
    if rule == FREE:
        texts.append(("free", name))
    if rule.locked:
        texts.append(("lock", name))
    if rule.direction is not Direction.ANY:
        texts.append(("rise" if rule.direction is Direction.UP else "fall", name))
    if rule.low is not None or rule.high is not None:
        texts.append(("range", f"{_number(rule.low)}:{_number(rule.high)}:{name}"))
    if rule.categories is not None:
        among = [("among", f"{_escaped(label)}:{name}") for label in sorted(rule.categories)]
        texts += among or [("none", name)]
    return texts


def _rules(parameters: Parameters) -> tuple[tuple[str, Rule], ...]:
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
        label, name = _pieces("among", text, 2)
        labels.setdefault(name, set()).add(label.replace("%3A", ":").replace("%25", "%"))
    return {name: frozenset(those) for name, those in labels.items()}


def _pieces(parameter: str, text: str, how_many: int) -> list[str]:
    pieces = text.split(":", how_many - 1)
    if len(pieces) != how_many:
        raise AddressError(f"The address says {parameter}={text}, which can't be read.")
    return pieces


def _bound(text: str) -> float | None:
    return _float("range", text) if text else None


def _number(value: float | None) -> str:
    return "" if value is None else repr(value).removesuffix(".0")


def _escaped(label: str) -> str:
    return label.replace("%", "%25").replace(":", "%3A")
