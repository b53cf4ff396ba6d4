"""What the page Data & model is about, whether a sample or something brought, ready to be explained or not."""

from __future__ import annotations

from dataclasses import dataclass

from components import arrival, catalogue, projects
from components.projects import Project
from components.state.view import View
from explainers.intake.posing import Posed
from explainers.intake.roles import Roles, roles_for_training
from explainers.intake.table import Table
from explainers.problem import Problem
from explainers.schema import Rows, Schema


@dataclass(frozen=True, eq=False)
class Subject:
    """A project and what is known of it.

    Attributes
    ----------
    project : Project
    is_sample : bool
        Whether it is a sample as it comes.
    table : Table, optional
        Nothing where the file was refused.
    schema : Schema, optional
    roles : Roles, optional
    problem : Problem, optional
    posed : Posed, optional
        Nothing for a sample as it comes.
    code : str
        Lines of Python that help against what is in the way.
    refused_sheets : tuple of str
        Those of a workbook of which none was read.
    """

    project: Project
    is_sample: bool
    table: Table | None
    schema: Schema | None
    roles: Roles | None
    problem: Problem | None
    posed: Posed | None
    code: str = ""
    refused_sheets: tuple[str, ...] = ()

    @property
    def sheets(self) -> tuple[str, ...]:
        """The sheets of the workbook, if it is one."""
        return self.table.sheets if self.table else self.refused_sheets

    def rows(self) -> Rows | None:
        """All rows, encoded, if they can be."""
        if self.problem is not None:
            return self.problem.rows
        return self.posed.rows() if self.posed else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed and left out, and what was noticed in reading."""
        return (*(self.posed.notes if self.posed else ()), *(self.table.notes if self.table else ()))


def subject_of(view: View) -> Subject:
    """What the view looks at."""
    project = projects.of(view.data)
    if not projects.is_token(view.data):
        table, sample = arrival.table_of(project), catalogue.problem_of(view)
        roles = roles_for_training(table, project.plan)
        return Subject(project, True, table, sample.schema, roles, sample, None)
    brought = arrival.known(view.data)
    posed = brought.posed
    problem = None if posed.problem is None else catalogue.problem_of(view)
    return Subject(
        project, False, brought.table, posed.schema, posed.roles, problem, posed, brought.code, brought.sheets
    )
