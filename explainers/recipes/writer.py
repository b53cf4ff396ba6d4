"""Python that is written out: values as literals, so that none of them is run, and what has to be imported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any

from explainers.constraints import Rule

WIDTH = 100
INDENT = "    "


class Writer:
    """Writes values as Python, and notes what has to be imported for them."""

    def __init__(self) -> None:
        self._names: dict[str, set[str]] = {}
        self._modules: set[str] = set()

    def module(self, name: str) -> None:
        """Have a module imported whole."""
        self._modules.add(name)

    def name(self, module: str, name: str) -> str:
        """Have a name imported; gives it."""
        self._names.setdefault(module, set()).add(name)
        return name

    def imports(self) -> list[str]:
        """The lines that import what was noted, the standard library first."""
        lines = [f"import {name}" for name in sorted(self._modules)]
        lines += [f"from {module} import {', '.join(sorted(self._names[module]))}" for module in sorted(self._names)]
        standard = [line for line in lines if line.split()[1] == "pathlib"]
        return [*standard, *([""] if standard else []), *(line for line in lines if line not in standard)]

    def value(self, value: Any, depth: int = 0) -> str:
        """A value as an expression, in one line if it is short."""
        if isinstance(value, Enum):
            kind = type(value)
            return f"{self.name(kind.__module__, kind.__name__)}.{value.name}"
        if is_dataclass(value) and not isinstance(value, type):
            begin = f"{self.name(type(value).__module__, type(value).__name__)}("
            parts = [f"{name}={self.value(own, depth + 1)}" for name, own in _said(value)]
            return self._enclosed(begin, parts, ")", depth)
        if isinstance(value, frozenset):
            return f"frozenset({self.value(tuple(sorted(value)), depth)})"
        if isinstance(value, tuple):
            parts = [self.value(item, depth + 1) for item in value]
            return self._enclosed("(", parts, ",)" if len(parts) == 1 else ")", depth)
        if isinstance(value, str):
            return quoted(value)
        if value is None or isinstance(value, bool | int | float):
            return repr(value)
        raise TypeError(f"A value of the kind {type(value).__name__} can't be written as Python.")

    @staticmethod
    def _enclosed(begin: str, parts: list[str], end: str, depth: int) -> str:
        line = f"{begin}{', '.join(parts)}{end}"
        if not parts or (len(line) + len(INDENT) * depth <= WIDTH and "\n" not in line):
            return line
        inner = "".join(f"{INDENT * (depth + 1)}{part},\n" for part in parts)
        return f"{begin}\n{inner}{INDENT * depth}{end.removeprefix(',')}"


def quoted(text: str) -> str:
    """A text as a literal, in double quotes unless it holds some."""
    return repr(text) if '"' in text else f'"{repr(chr(39) + text)[2:]}'


def _said(value: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass that are not at their default."""
    for item in fields(value):
        default = item.default_factory() if item.default_factory is not MISSING else item.default
        if item.init and getattr(value, item.name) != default:
            yield item.name, getattr(value, item.name)


def rule_lines(owner: str, rules: Sequence[tuple[str, Rule]], writer: Writer) -> list[str]:
    """Python after which `constraints` are known: what the schema of `owner` suggests, and what departs from it."""
    writer.name("explainers.constraints", "Constraints")
    lines = [f"constraints = Constraints.default({owner}.schema)"]
    for name, rule in rules:
        lines.append(f"constraints = constraints.with_rule({quoted(name)}, {writer.value(rule)})")
    return lines


def script(what: str, writer: Writer, body: Sequence[str], *, needs_files: bool) -> str:
    """The whole of a script: what it is and how it is run, its imports, its lines."""
    about = [
        f'"""Computes {what} of Flipside again.',
        "",
        "Run it with Flipside's folder on the path, as by PYTHONPATH=/path/to/flipside"
        + (",\nin the folder where the files named below are." if needs_files else "."),
        '"""',
    ]
    return "\n".join([*about, "", *writer.imports(), "", *body, ""])
