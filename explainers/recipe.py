"""How an explanation came about, and Python that computes it again with the library alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from typing import Any

from explainers.constraints import Rule
from explainers.intake.roles import Plan
from explainers.method import Options

WIDTH = 100
INDENT = "    "


@dataclass(frozen=True)
class Recipe:
    """All that an explanation depends on.

    Attributes
    ----------
    case : str
    method : str
        A generator's name in the registry.
    options : Options
    sample : str
        Whose table it is, if it is a sample's.
    table, sheet, model : str
        Names of the files, and the sheet of a workbook; empty for none.
    plan : Plan, optional
        What was said of table and model; nothing for a sample as it comes.
    is_pickle : bool
        Whether the model's file may run code when it is opened.
    wanted : str, optional
    threshold, low, high : float, optional
        What was set of the decision; see `Decision.adjusted`.
    rules : tuple of (feature name, Rule)
        Where it departs from what the schema suggests.
    edits : tuple of (feature name, text)
        What was typed as the counterfactual, which then was not searched for.
    rows : str
        Name of the file that counterfactuals were brought in, if they were.
    place : int
        Which of the counterfactuals found or given, from 0.
    kept : tuple of str
        Features whose change is kept; empty for all of them.
    beside : str
        What stands beside the explanation, as `Shown.beside` calls it; empty for nothing.
    """

    case: str
    method: str
    options: Options
    sample: str = ""
    table: str = ""
    sheet: str = ""
    model: str = ""
    plan: Plan | None = None
    is_pickle: bool = False
    wanted: str | None = None
    threshold: float | None = None
    low: float | None = None
    high: float | None = None
    rules: tuple[tuple[str, Rule], ...] = ()
    edits: tuple[tuple[str, str], ...] = ()
    rows: str = ""
    place: int = 0
    kept: tuple[str, ...] = ()
    beside: str = ""

    def python(self) -> str:
        """A script that computes the explanation again and prints its scores and importances.

        Names and values stand in it as literals only, so whatever they are none of them is run.
        """
        writer = _Writer()
        body = "\n".join(
            [*_problem(self, writer), "", *_search(self, writer), "", *_print(writer), *_beside(self.beside, writer)]
        )
        about = [
            '"""Computes an explanation of Flipside again.',
            "",
            "Run it with Flipside's folder on the path, as by PYTHONPATH=/path/to/flipside"
            + (",\nin the folder where the files named below are." if self.table or self.rows else "."),
            '"""',
        ]
        return "\n".join([*about, "", *writer.imports(), "", body, ""])


class _Writer:
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
            return _quoted(value)
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


def _quoted(text: str) -> str:
    """A text as a literal, in double quotes unless it holds some."""
    return repr(text) if '"' in text else f'"{repr(chr(39) + text)[2:]}'


def _said(value: Any) -> Iterator[tuple[str, Any]]:
    """The fields of a dataclass that are not at their default."""
    for item in fields(value):
        default = item.default_factory() if item.default_factory is not MISSING else item.default
        if item.init and getattr(value, item.name) != default:
            yield item.name, getattr(value, item.name)


def _problem(recipe: Recipe, writer: _Writer) -> list[str]:
    """Load the data and the model, and set the decision."""
    lines: list[str] = []
    if recipe.plan is None:
        writer.module("samples")
        lines.append(f"problem = samples.get({_quoted(recipe.sample)}).load()")
    else:
        lines += [*_table(recipe, writer), *_posed(recipe, writer)]
    wish = [
        f"{name}={writer.value(value)}"
        for name in ("wanted", "threshold", "low", "high")
        if (value := getattr(recipe, name)) is not None
    ]
    if wish:
        lines.append(f"problem = problem.with_decision(problem.decision.adjusted({', '.join(wish)}))")
    lines.append(f"case = problem.case({_quoted(recipe.case)})")
    return lines


def _table(recipe: Recipe, writer: _Writer) -> list[str]:
    if recipe.sample:
        writer.name("samples", "as_tables")
        return [f"table = as_tables.table({_quoted(recipe.sample)})"]
    writer.name("pathlib", "Path")
    writer.name("explainers.intake.tables", "read_table")
    sheet = f", sheet={_quoted(recipe.sheet)}" if recipe.sheet else ""
    return [f"TABLE = {_quoted(recipe.table)}", f"table = read_table(TABLE, Path(TABLE).read_bytes(){sheet})"]


def _posed(recipe: Recipe, writer: _Writer) -> list[str]:
    lines = [f"plan = {writer.value(recipe.plan)}"]
    model = ""
    if recipe.model:
        writer.name("pathlib", "Path")
        writer.name("explainers.intake.models", "read_model")
        allowed = ", allow_pickle=True" if recipe.is_pickle else ""
        lines.append(f"MODEL = {_quoted(recipe.model)}")
        if recipe.is_pickle:
            lines.append("# a pickle can run any code when it is opened: open only what you trust")
        lines.append(f"loaded = read_model(MODEL, Path(MODEL).read_bytes(){allowed})")
        model = f", loaded, title={_quoted(recipe.model.rsplit('.', 1)[0])}"
    writer.name("explainers.intake.posing", "pose")
    return [
        *lines,
        f"posed = pose(table, plan{model})",
        "if posed.problem is None:",
        f'{INDENT}raise SystemExit(" ".join(posed.problems))',
        "problem = posed.problem",
    ]


def _found(recipe: Recipe, writer: _Writer) -> list[str]:
    """Look for counterfactuals, or check those that are given."""
    if recipe.edits or recipe.rows:
        writer.name("explainers.counterfactuals.given", "given")
    if recipe.edits:
        edits = f"dict({writer.value(recipe.edits)})"
        return [f"found = given(problem, case, {edits}, constraints).found"]
    if recipe.rows:
        writer.name("pathlib", "Path")
        writer.name("explainers.intake.rows", "read_rows")
        return [
            f"ROWS = {_quoted(recipe.rows)}",
            "rows = read_rows(problem.schema, ROWS, Path(ROWS).read_bytes()).rows",
            "found = given(problem, case, rows, constraints).found",
        ]
    writer.name("explainers.registry", "GENERATORS")
    return [
        f"options = {writer.value(recipe.options)}",
        f"found = GENERATORS[{_quoted(recipe.method)}].explain(problem, case, constraints, options).found",
    ]


def _search(recipe: Recipe, writer: _Writer) -> list[str]:
    """Come to the counterfactual, and explain it."""
    writer.name("explainers.constraints", "Constraints")
    writer.name("explainers.explanation", "explain_changes")
    lines = ["constraints = Constraints.default(problem.schema)"]
    for name, rule in recipe.rules:
        lines.append(f"constraints = constraints.with_rule({_quoted(name)}, {writer.value(rule)})")
    lines += [*_found(recipe, writer), f"counterfactual = found[{recipe.place}]"]
    if recipe.kept:
        writer.name("explainers.counterfactuals.assembly", "keep_only")
        writer.name("explainers.distances", "value_ranges")
        lines += [
            f"kept = {writer.value(recipe.kept)}",
            "ranges = value_ranges(problem.rows[problem.training])",
            "counterfactual = keep_only(problem, case, constraints, counterfactual, kept, ranges)",
        ]
    return [*lines, "explanation = explain_changes(problem, case, counterfactual)"]


def _print(writer: _Writer) -> list[str]:
    writer.name("explainers", "sentences")
    writer.name("explainers", "wording")
    return [
        "print(wording.plain(sentences.answer(explanation)))",
        "for result in (explanation.countershapley, explanation.greedy, explanation.combinations):",
        f"{INDENT}if result is not None:",
        f"{INDENT * 2}print()",
        f"{INDENT * 2}print(result.to_frame().to_csv(index=False))",
    ]


def _beside(beside: str, writer: _Writer) -> list[str]:
    """Compute and print what stands beside the explanation."""
    if beside == "usual":
        writer.name("explainers.usualness", "usual_frame")
        writer.name("explainers.usualness", "usualness")
        return [
            "usual = usualness(problem.schema, problem.rows, counterfactual)",
            "print()",
            "print(usual_frame(usual).to_csv(index=False))",
        ]
    if beside == "nearest":
        writer.name("explainers.real_case", "nearest_real_case")
        writer.name("explainers.real_case", "real_frame")
        return [
            "real = nearest_real_case(problem, case, counterfactual.target)",
            "if real is not None:",
            f"{INDENT}print()",
            f"{INDENT}print(real_frame(problem.schema, counterfactual, real).to_csv(index=False))",
        ]
    if beside == "attributions":
        writer.name("explainers.attributions.together", "attribute")
        writer.name("explainers.shown", "compared")
        writer.name("explainers.shown", "reasons")
        return [
            "attributions = attribute(problem, case)",
            "if attributions.told:",
            f"{INDENT}comparison = compared(problem.schema, explanation, attributions)",
            f"{INDENT}print()",
            f"{INDENT}print(comparison.to_frame().to_csv(index=False))",
            f"{INDENT}for reason in reasons(problem, comparison, constraints):",
            f"{INDENT * 2}print(wording.plain(reason))",
        ]
    return []
