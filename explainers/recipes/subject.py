"""What something is computed of: a table and a model, the decision, and the case."""

from __future__ import annotations

from dataclasses import dataclass

from explainers.intake.roles import Plan, Way
from explainers.recipes.writer import INDENT, Writer, quoted


@dataclass(frozen=True)
class Subject:
    """Table, model, decision and case.

    Attributes
    ----------
    case : str
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
    """

    case: str
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

    @property
    def is_observed(self) -> bool:
        """Whether there is no model, and a column of the table is what is explained."""
        return self.plan is not None and self.plan.way is Way.OBSERVED

    def lines(self, writer: Writer) -> list[str]:
        """Python that loads table and model and sets the decision; `problem` and `case` are then known.

        Where a column was observed it is `labelled` and `case`.
        """
        if self.is_observed:
            loaded = [*_table(self, writer), *_posed(self, writer, "labelled")]
            return [*loaded, f"case = labelled.case({quoted(self.case)})"]
        if self.plan is None:
            writer.module("samples")
            lines = [f"problem = samples.get({quoted(self.sample)}).load()"]
        else:
            lines = [*_table(self, writer), *_posed(self, writer, "problem")]
        wish = [
            f"{name}={writer.value(value)}"
            for name in ("wanted", "threshold", "low", "high")
            if (value := getattr(self, name)) is not None
        ]
        if wish:
            lines.append(f"problem = problem.with_decision(problem.decision.adjusted({', '.join(wish)}))")
        return [*lines, f"case = problem.case({quoted(self.case)})"]


def _table(subject: Subject, writer: Writer) -> list[str]:
    if subject.sample:
        writer.name("samples", "as_tables")
        return [f"table = as_tables.table({quoted(subject.sample)})"]
    writer.name("pathlib", "Path")
    writer.name("explainers.intake.tables", "read_table")
    sheet = f", sheet={quoted(subject.sheet)}" if subject.sheet else ""
    return [f"TABLE = {quoted(subject.table)}", f"table = read_table(TABLE, Path(TABLE).read_bytes(){sheet})"]


def _posed(subject: Subject, writer: Writer, wanted: str) -> list[str]:
    """Pose the problem or, where a column was observed and there is no model, label the table."""
    lines = [f"plan = {writer.value(subject.plan)}"]
    model = ""
    if subject.model:
        writer.name("pathlib", "Path")
        writer.name("explainers.intake.models", "read_model")
        allowed = ", allow_pickle=True" if subject.is_pickle else ""
        lines.append(f"MODEL = {quoted(subject.model)}")
        if subject.is_pickle:
            lines.append("# a pickle can run any code when it is opened: open only what you trust")
        lines.append(f"loaded = read_model(MODEL, Path(MODEL).read_bytes(){allowed})")
        model = f", loaded, title={quoted(subject.model.rsplit('.', 1)[0])}"
    writer.name("explainers.intake.posing", "pose")
    return [
        *lines,
        f"posed = pose(table, plan{model})",
        f"if posed.{wanted} is None:",
        f'{INDENT}raise SystemExit(" ".join(posed.problems))',
        f"{wanted} = posed.{wanted}",
    ]
