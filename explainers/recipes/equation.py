"""How an equation came about, and Python that computes it again with the library alone."""

from __future__ import annotations

from dataclasses import dataclass

from explainers.constraints import Rule
from explainers.recipes.subject import Subject
from explainers.recipes.writer import INDENT, Writer, rule_lines, script
from explainers.surrogates.bella import BellaOptions


@dataclass(frozen=True)
class EquationRecipe:
    """All that an equation and what a person tries on it depend on.

    Attributes
    ----------
    subject : Subject
    of_observed : bool
        Whether the number was observed, though there is a model.
    options : BellaOptions
    size : int, optional
        The neighbourhood that is looked at; by default the best.
    edits : tuple of (feature name, text)
        Values that are tried.
    rules : tuple of (feature name, Rule)
        Where it departs from what the schema suggests.
    reference : float, optional
        The number that the case is asked to come to.
    tolerance : float
        How near real cases have to be to it, as a share.
    compares : bool
        Whether other explanations stand beside.
    """

    subject: Subject
    of_observed: bool
    options: BellaOptions
    size: int | None = None
    edits: tuple[tuple[str, str], ...] = ()
    rules: tuple[tuple[str, Rule], ...] = ()
    reference: float | None = None
    tolerance: float = 0.05
    compares: bool = False

    def python(self) -> str:
        """A script that computes the equation again and prints it, with its neighbourhoods and its neighbours."""
        writer = Writer()
        body = [*self.subject.lines(writer), *self._labelled(writer), "", *self._equation(writer)]
        for part in (self._tried(writer), self._reference(writer), self._compared(writer)):
            body += ["", *part] if part else []
        return script("an equation", writer, body, needs_files=bool(self.subject.table))

    def _labelled(self, writer: Writer) -> list[str]:
        if self.subject.is_observed:
            return []
        writer.name("explainers.labelled", "LabelledTable")
        if self.of_observed:
            return ["labelled = LabelledTable.of_observed(problem)"]
        return ["labelled = LabelledTable.of_model(problem, problem.target(case))"]

    def _equation(self, writer: Writer) -> list[str]:
        writer.name("explainers", "sentences_equation")
        writer.name("explainers", "wording")
        writer.name("explainers.surrogates.bella", "Bella")
        place = "found.chosen" if self.size is None else f"found.sizes.tolist().index({self.size})"
        return [
            f"options = {writer.value(self.options)}",
            "found = Bella().explain(labelled, case, options)",
            f"place = {place}",
            "equation = found.equation(place)",
            "print(wording.plain(sentences_equation.answer(labelled, found, place)))",
            "for units in sentences_equation.UNITS:",
            f"{INDENT}print(wording.plain(sentences_equation.equation_text(equation, found.target, units)))",
            "for frame in (equation.to_frame(), found.to_frame(), found.neighbours_frame(labelled, place)):",
            f"{INDENT}print()",
            f"{INDENT}print(frame.to_csv(index=False))",
        ]

    def _tried(self, writer: Writer) -> list[str]:
        if not self.edits:
            return []
        writer.name("explainers.surrogates.shown", "try_values")
        return [
            f"tried = try_values(labelled, case, equation, dict({writer.value(self.edits)}))",
            "print(wording.plain(sentences_equation.tried(labelled, tried.value, tried.asked)))",
        ]

    def _reference(self, writer: Writer) -> list[str]:
        if self.reference is None:
            return []
        writer.name("explainers.surrogates.reference_value", "towards_reference")
        arguments = f"labelled, case, {self.reference!r}, constraints, options, tolerance={self.tolerance!r}"
        return [
            *rule_lines("labelled", self.rules, writer),
            f"reference = towards_reference({arguments})",
            "print(wording.plain(sentences_equation.towards(labelled, reference)))",
            "print(reference.to_frame().to_csv(index=False))",
        ]

    def _compared(self, writer: Writer) -> list[str]:
        if not self.compares:
            return []
        writer.name("explainers.surrogates.comparison", "compare")
        return ["print(compare(problem, case, found, place).to_frame().to_csv(index=False))"]
