"""How an explanation came about, and Python that computes it again with the library alone."""

from __future__ import annotations

from dataclasses import dataclass

from explainers.constraints import Rule
from explainers.method import Options
from explainers.recipes.subject import Subject
from explainers.recipes.writer import INDENT, Writer, quoted, rule_lines, script


@dataclass(frozen=True)
class Recipe:
    """All that an explanation depends on.

    Attributes
    ----------
    subject : Subject
    method : str
        A generator's name in the registry.
    options : Options
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

    subject: Subject
    method: str
    options: Options
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
        writer = Writer()
        printed = [*_print(writer), *_beside(self.beside, writer)]
        body = [*self.subject.lines(writer), "", *_search(self, writer), "", *printed]
        return script("an explanation", writer, body, needs_files=bool(self.subject.table or self.rows))


def _found(recipe: Recipe, writer: Writer) -> list[str]:
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
            f"ROWS = {quoted(recipe.rows)}",
            "rows = read_rows(problem.schema, ROWS, Path(ROWS).read_bytes()).rows",
            "found = given(problem, case, rows, constraints).found",
        ]
    writer.name("explainers.registry", "GENERATORS")
    return [
        f"options = {writer.value(recipe.options)}",
        f"found = GENERATORS[{quoted(recipe.method)}].explain(problem, case, constraints, options).found",
    ]


def _search(recipe: Recipe, writer: Writer) -> list[str]:
    """Come to the counterfactual, and explain it."""
    writer.name("explainers.explanation", "explain_changes")
    lines = rule_lines("problem", recipe.rules, writer)
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


def _print(writer: Writer) -> list[str]:
    writer.name("explainers", "sentences")
    writer.name("explainers", "wording")
    return [
        "print(wording.plain(sentences.answer(explanation)))",
        "for result in (explanation.countershapley, explanation.greedy, explanation.combinations):",
        f"{INDENT}if result is not None:",
        f"{INDENT * 2}print()",
        f"{INDENT * 2}print(result.to_frame().to_csv(index=False))",
    ]


def _beside(beside: str, writer: Writer) -> list[str]:
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
