"""What the page Equation shows, as texts of an address, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from components.state.rule_texts import AddressError, read_number, write_number
from components.state.view import DEFAULT_STEP, DEFAULT_TOLERANCE, NUMBERS, TOLERANCES, View
from explainers.surrogates.bella import STEPS

PARAMETERS = ("number", "step", "size", "reference", "tolerance", "compare")
OPEN = "open"
MOST_DIGITS = 9


def write_equation(view: View) -> dict[str, list[str]]:
    """The parameters of a view's equation; defaults are left out."""
    parameters: dict[str, list[str]] = {}
    if view.number:
        parameters["number"] = [view.number]
    if view.step != DEFAULT_STEP:
        parameters["step"] = [view.step]
    if view.size is not None:
        parameters["size"] = [str(view.size)]
    if view.reference is not None:
        parameters["reference"] = [write_number(view.reference)]
    if view.tolerance != DEFAULT_TOLERANCE:
        parameters["tolerance"] = [str(view.tolerance)]
    if view.compares:
        parameters["compare"] = [OPEN]
    return parameters


def read_equation(single: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a view that some parameters give.

    Raises
    ------
    AddressError
        If one has no such value.
    """
    fields: dict[str, Any] = {}
    for name, choices in (("number", NUMBERS), ("step", tuple(STEPS))):
        if name in single:
            if single[name] not in choices:
                raise AddressError(f"The address says {name}={single[name]}; it can be {', '.join(choices)}.")
            fields[name] = single[name]
    if "size" in single:
        fields["size"] = _whole("size", single["size"])
    if "reference" in single:
        fields["reference"] = read_number("reference", single["reference"])
    if "tolerance" in single:
        fields["tolerance"] = _whole("tolerance", single["tolerance"])
        low, high = TOLERANCES
        if not low <= fields["tolerance"] <= high:
            raise AddressError(f"The address says tolerance={single['tolerance']}; it can be {low} to {high}.")
    if "compare" in single:
        if single["compare"] != OPEN:
            raise AddressError(f"The address says compare={single['compare']}; it can be {OPEN}.")
        fields["compares"] = True
    return fields


def _whole(name: str, text: str) -> int:
    if not re.fullmatch(rf"[0-9]{{1,{MOST_DIGITS}}}", text):
        raise AddressError(f"The address says {name}={text}, which is not a count.")
    return int(text)
