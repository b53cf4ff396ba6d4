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
``beside``                what stands beside the charts: usual, nearest, attributions
``sort``                  by what candidates stand in their table: distance, score, margin
``realism``               what is asked about all sampled rows: correlations, apart
``what-if``               ``open``: the features can be edited
``set``                   ``value:feature``: a value that the person tries; missing is a value, too
``given``                 in the place of what is searched for: ``edits`` for the values
                          tried, or the token of rows that somebody brought
``order``, ``only``       which cases, in which order; ``only=any`` for all of them
``side``, ``text``        cases on this side, cases that hold this text
``where.range`` ...       cases whose own value lies there; as for rules
``where.missing``         a feature of which the case's value is missing
``where.known``           one of which it is not
``number``                what the equation explains: ``score``, or ``observed``
``step``                  percent of the rows by which its neighbourhoods grow; 0 for each row
``size``                  the neighbourhood that is looked at
``reference``             a number that the case is asked to come to
``tolerance``             how near to it real cases have to be, in percent
``compare``               ``open``: other local explanations stand beside the equation
``generator``             a generator that is compared, once for each; none for all of them
``prototype``, ``along``  which prototype, from 1; how far along the path to it, in percent
``losses``                ``open``: what each loss makes of the case stands below its pictures
========================  ==========================================================
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from enum import StrEnum
from typing import Any, TypeVar

from components.state import equation_texts, prototype_texts
from components.state.rule_texts import (
    PARAMETERS,
    AddressError,
    Parameters,
    read_number,
    read_pair,
    read_rules,
    write_number,
    write_pair,
    write_rules,
)
from components.state.view import BESIDE, DEFAULT_METHOD, DEFAULT_QUERY, NO_CASE, REALISM, SORTS, View
from explainers.cases import CaseQuery, Filter, Order
from explainers.registry import GENERATORS

WHERE, GAPS = "where.", ("missing", "known")
ANY = "any"
WHAT_IF, OPEN = "what-if", "open"
ONCE = (
    "data",
    "case",
    "wanted",
    "threshold",
    "low",
    "high",
    "method",
    "shown",
    "beside",
    "sort",
    "realism",
    "order",
    "side",
    "text",
)
SINGLE = (*ONCE, WHAT_IF, "given", *equation_texts.PARAMETERS, *prototype_texts.PARAMETERS)
REPEATED = (
    "keep",
    "select",
    prototype_texts.GENERATOR,
    "only",
    "set",
    *PARAMETERS,
    *(WHERE + name for name in ("range", "among", "none", *GAPS)),
)
MOST_DIGITS = 9

Name = TypeVar("Name", bound=StrEnum)


def write(view: View) -> dict[str, list[str]]:
    """The parameters of a view; defaults are left out but for the data and the case."""
    parameters: dict[str, list[str]] = {"data": [view.data]}
    if view.case is not None:
        parameters["case"] = [view.case]
    if view.wanted is not None:
        parameters["wanted"] = [view.wanted]
    for name in ("threshold", "low", "high"):
        if getattr(view, name) is not None:
            parameters[name] = [write_number(getattr(view, name))]
    parameters |= write_rules(view.rules)
    if view.method != DEFAULT_METHOD:
        parameters["method"] = [view.method]
    for name, value in view.options:
        parameters[f"{view.method}.{name}"] = [_option_text(value)]
    if view.counterfactual:
        parameters["shown"] = [str(view.counterfactual + 1)]
    if view.kept:
        parameters["keep"] = list(view.kept)
    if view.selection:
        parameters["select"] = list(view.selection)
    if view.beside:
        parameters["beside"] = [view.beside]
    if view.sort:
        parameters["sort"] = [view.sort]
    if view.realism:
        parameters["realism"] = [view.realism]
    if view.asks_what_if:
        parameters[WHAT_IF] = [OPEN]
    if view.edits:
        parameters["set"] = [write_pair(text, name) for name, text in view.edits]
    if view.given:
        parameters["given"] = [view.given]
    pages = equation_texts.write_equation(view) | prototype_texts.write_prototypes(view)
    return parameters | pages | _write_query(view.query)


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
        **{name: read_number(name, single[name]) for name in ("threshold", "low", "high") if name in single},
        rules=read_rules(parameters),
        method=method,
        options=options,
        counterfactual=_shown(single.get("shown", "1")),
        kept=tuple(parameters.get("keep", ())),
        selection=tuple(parameters.get("select", ())),
        beside=_one_of("beside", single.get("beside", ""), BESIDE),
        sort=_one_of("sort", single.get("sort", ""), SORTS),
        realism=_one_of("realism", single.get("realism", ""), REALISM),
        query=_read_query(parameters, single),
        asks_what_if=_asks_what_if(single),
        edits=_edits(parameters),
        given=single.get("given", ""),
        **equation_texts.read_equation(single),
        **prototype_texts.read_prototypes(single, parameters.get(prototype_texts.GENERATOR, ())),
    )


def _asks_what_if(single: Mapping[str, str]) -> bool:
    if single.get(WHAT_IF, OPEN) != OPEN:
        raise AddressError(f"The address says {WHAT_IF}={single[WHAT_IF]}; it can be {OPEN}.")
    return WHAT_IF in single


def _edits(parameters: Parameters) -> tuple[tuple[str, str], ...]:
    edits: dict[str, str] = {}
    for pair in parameters.get("set", ()):
        text, name = read_pair("set", pair)
        if name in edits:
            raise AddressError(f"The address sets {name!r} twice; it can have one value.")
        edits[name] = text
    return tuple(sorted(edits.items()))


def _one(name: str, texts: Sequence[str]) -> str:
    if len(texts) != 1:
        raise AddressError(f"The address gives {name!r} {len(texts)} times; it can stand once.")
    return texts[0]


def _shown(text: str) -> int:
    place = _whole("shown", text)
    if place < 1:
        raise AddressError(f"The address says shown={text}; counterfactuals are counted from 1.")
    return place - 1


def _one_of(name: str, text: str, known: Sequence[str]) -> str:
    if text and text not in known:
        raise AddressError(f"The address says {name}={text}; it can be {', '.join(known)}.")
    return text


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
            value = _option(name, _one(name, texts), item.metadata)
            if value != item.default:
                options[item.name] = value
        elif name not in SINGLE and name not in REPEATED:
            raise AddressError(f"The address has a parameter {name!r} that means nothing here.")
    wrong = GENERATORS[method].options_type(**options)
    problems = wrong.check()
    if problems:
        raise AddressError(problems[0])
    return tuple(sorted(options.items()))


def _option_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return write_number(value) if isinstance(value, float) else str(value)


def _option(name: str, text: str, about: Mapping[str, Any]) -> Any:
    if "choices" in about:
        return text
    if "low" in about:
        return _whole(name, text) if about["type"] is int else read_number(name, text)
    if text not in ("true", "false"):
        raise AddressError(f"The address says {name}={text}; it can be true or false.")
    return text == "true"


def _write_query(query: CaseQuery) -> dict[str, list[str]]:
    parameters: dict[str, list[str]] = {}
    if query.order is not DEFAULT_QUERY.order:
        parameters["order"] = [query.order.value]
    if query.filters != DEFAULT_QUERY.filters:
        parameters["only"] = sorted(name.value for name in query.filters) or [ANY]
    if query.side is not None:
        parameters["side"] = [query.side]
    if query.text:
        parameters["text"] = [query.text]
    gaps = {WHERE + name: list(names) for name in GAPS if (names := getattr(query, name))}
    return parameters | write_rules(query.where, WHERE) | gaps


def _read_query(parameters: Parameters, single: Mapping[str, str]) -> CaseQuery:
    only = parameters.get("only")
    filters = DEFAULT_QUERY.filters if only is None else frozenset(_named(Filter, "only", o) for o in only if o != ANY)
    where = read_rules(parameters, WHERE)
    for name, rule in where:
        if rule.is_free:
            raise AddressError(f"The address asks for cases by {name!r} without saying for which of its values.")
    return CaseQuery(
        order=_named(Order, "order", single["order"]) if "order" in single else DEFAULT_QUERY.order,
        filters=filters,
        side=single.get("side"),
        text=single.get("text", ""),
        where=where,
        **{name: tuple(sorted(set(parameters.get(WHERE + name, ())))) for name in GAPS},
    )


def _named(kind: type[Name], parameter: str, text: str) -> Name:
    try:
        return kind(text)
    except ValueError:
        names = ", ".join(member.value for member in kind)
        raise AddressError(f"The address says {parameter}={text}; it can be {names}.") from None
