"""What the pages Compare and Prototypes show, as texts of an address, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from components.state.rule_texts import AddressError
from components.state.view import View
from explainers.registry import GENERATORS

PARAMETERS = ("prototype", "along", "losses")
OPEN = "open"
GENERATOR = "generator"
MOST_DIGITS = 3


def write_prototypes(view: View) -> dict[str, list[str]]:
    """The parameters of what is compared and of the path that is looked at; defaults are left out."""
    parameters: dict[str, list[str]] = {}
    if view.compared:
        parameters[GENERATOR] = list(view.compared)
    if view.prototype:
        parameters["prototype"] = [str(view.prototype + 1)]
    if view.along is not None:
        parameters["along"] = [str(view.along)]
    if view.losses:
        parameters["losses"] = [OPEN]
    return parameters


def read_prototypes(single: Mapping[str, str], names: Sequence[str]) -> dict[str, Any]:
    """The fields of a view that some parameters and the generators named give.

    Raises
    ------
    AddressError
        If one has no such value.
    """
    for name in names:
        if name not in GENERATORS or list(names).count(name) > 1:
            known = ", ".join(GENERATORS)
            raise AddressError(f"The address says {GENERATOR}={name}; it can be {known}, each once.")
    fields: dict[str, Any] = {"compared": tuple(names)} if names else {}
    if "prototype" in single:
        fields["prototype"] = _whole("prototype", single["prototype"], 1, 10**MOST_DIGITS - 1) - 1
    if "along" in single:
        fields["along"] = _whole("along", single["along"], 0, 100)
    if "losses" in single:
        if single["losses"] != OPEN:
            raise AddressError(f"The address says losses={single['losses']}; it can be {OPEN}.")
        fields["losses"] = True
    return fields


def _whole(name: str, text: str, low: int, high: int) -> int:
    if not re.fullmatch(rf"[0-9]{{1,{MOST_DIGITS}}}", text) or not low <= int(text) <= high:
        raise AddressError(f"The address says {name}={text}; it can be a whole number from {low} to {high}.")
    return int(text)
