"""What somebody brought, made ready to be explained: read, trained or tried, and scored, once for all sessions."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

import numpy as np

from components import projects
from components.jobs import Ticket, shared_jobs
from components.once import Once
from components.projects import Project
from components.state import session
from explainers.explanation import case_to_begin_with
from explainers.intake.loaded import LoadedModel
from explainers.intake.models import read_model
from explainers.intake.posing import Posed, look, pose
from explainers.intake.refusal import Refused, first_line
from explainers.intake.roles import Way
from explainers.intake.schema_edits import SchemaEdits
from explainers.intake.table import Table
from explainers.intake.tables import read_table, sheets_of
from explainers.labelled import LabelledTable
from explainers.problem import Problem
from explainers.registry import GENERATORS
from explainers.run import Run, Stopped
from samples import as_tables

SLOT = "arrival"
QUESTION = "Getting the data and the model ready"
SECONDS_AT_MOST = 900.0
SECONDS_FOR_BEGINNING = 2.0
NEAR = 0.1
"""The share of the rows on a side that are nearer to another decision."""
MOMENT = 0.4
ALLOW_PICKLE = "FLIPSIDE_ALLOW_PICKLE"
STOPPED = "It was stopped before the data and the model were ready."


@dataclass(frozen=True, eq=False)
class Brought:
    """A project with all that came of it.

    Attributes
    ----------
    project : Project
    table : Table, optional
        Nothing where the file was refused.
    posed : Posed
    beginning : str
        Id of the case to begin with.
    code : str
        Lines of Python that help against what is in the way.
    sheets : tuple of str
        Of a workbook whose sheet was refused.
    """

    project: Project
    table: Table | None
    posed: Posed
    beginning: str = ""
    code: str = ""
    sheets: tuple[str, ...] = ()

    @property
    def obstacle(self) -> str:
        """Why nothing can be explained, in one sentence, or nothing."""
        if self.posed.problem is not None:
            return ""
        if self.posed.problems:
            return self.posed.problems[0]
        return (
            f"{self.project.table_name} comes without a model, and without one there is no decision to flip; the page"
            " Equation explains its column of numbers."
        )


@dataclass(frozen=True, eq=False)
class Arrival:
    """How far what a view looks at has come.

    Attributes
    ----------
    ticket : Ticket, optional
        Work that isn't done yet.
    obstacle : str
        Why nothing can be explained, in one sentence.
    """

    ticket: Ticket[Any] | None = None
    obstacle: str = ""


@dataclass(frozen=True)
class _Done:
    """That a job is done; what it made is kept elsewhere, in bounds of its own."""

    is_complete: bool = False


_tables: Once[Table] = Once(kept=4)
_models: Once[LoadedModel] = Once(kept=4)
_learnt: Once[Any] = Once(kept=24)
_brought: Once[Brought] = Once(kept=12)


def arrive(data: str) -> Arrival:
    """Begin or go on making ready what is under a token, waiting a moment; samples are always ready.

    Raises
    ------
    StoreError
        If there is nothing under the token.
    """
    if not projects.is_token(data):
        return Arrival()
    projects.of(data)
    session.note_brought(data)
    ready = _brought.peek(data)
    if ready is None:
        if _was_ready(data):
            again()  # since it gave way to what others brought
        ticket = _ticket(data)
        if not ticket.wait(MOMENT):
            return Arrival(ticket=ticket)
        try:
            ticket.result()
        except Stopped:
            return Arrival(obstacle=STOPPED)
        except Exception as error:  # whatever a model or a file makes a library stumble over
            said = f"The data and the model could not be made ready, for {first_line(error)}; choose another file."
            return Arrival(obstacle=said)
        ready = brought(data)
    return Arrival(obstacle=ready.obstacle)


def again() -> None:
    """Forget what came of work that was stopped, so that it is done anew."""
    session.tickets().pop(SLOT, None)


def brought(data: str) -> Brought:
    """What came of a project; made now if nobody has asked for it."""
    return _brought.get(data, lambda: _make(projects.of(data), Run()))


def observed_column(data: str) -> LabelledTable | None:
    """The table and its column of numbers, where a project comes without a model and is ready."""
    ready = _brought.peek(data) if projects.is_token(data) else None
    return None if ready is None else ready.posed.labelled


def known(data: str) -> Brought:
    """What came of a project or, where that was stopped, what its table is, if that was read by then."""
    ready = _brought.peek(data)
    if ready is not None:
        return ready
    project = projects.of(data)
    table = _tables.peek(_table_key(project))
    return Brought(project, table, look(table, project.plan) if table else Posed())


def is_ready(data: str) -> bool:
    """Whether `brought` answers at once."""
    return _brought.peek(data) is not None


def table_of(project: Project) -> Table:
    """The table of a project, read once.

    Raises
    ------
    Refused, StoreError
        If it can't be read, or has expired.
    """

    def read() -> Table:
        if not project.table:
            return as_tables.table(project.sample)
        content = projects.file_of(projects.TABLE, project.table)
        return read_table(project.table_name, content, sheet=project.sheet or None)

    return _tables.get(_table_key(project), read)


def trained_file(project: Project) -> bytes:
    """The model that is trained here for a project, saved by skops."""
    from importlib import import_module

    posed = pose(table_of(project), project.plan, remember=_remember(project))
    sio: Any = import_module("skops.io")
    content: bytes = sio.dumps(posed.trained.estimator) if posed.trained else b""
    return content


def _table_key(project: Project) -> Hashable:
    return (project.table, project.sheet) if project.table else project.sample


def _make(project: Project, run: Run) -> Brought:
    try:
        table = table_of(project)
    except Refused as refused:
        sheets = sheets_of(project.table_name, projects.file_of(projects.TABLE, project.table)) if project.table else ()
        return Brought(project, None, Posed(problems=(str(refused),)), code=refused.code, sheets=sheets)
    run.progress(0.1)
    try:
        loaded = _model_of(project)
    except Refused as refused:
        return Brought(project, table, replace(look(table, project.plan), problems=(str(refused),)), code=refused.code)
    title = project.model_name.rsplit(".", 1)[0]
    remember = _remember(project)
    posed = pose(table, project.plan, loaded, title=title, remember=remember, run=run)
    problem = posed.problem
    # In other words or under other locks it is still a good case to begin with.
    key = ("beginning", replace(project.plan, classes=(), edits=SchemaEdits()), project.plan.edits.structure)
    beginning = remember(key, lambda: _beginning(problem, run)) if problem is not None else ""
    run.progress(1.0)
    return Brought(project, table, posed, beginning)


def _model_of(project: Project) -> LoadedModel | None:
    if project.plan.way is not Way.FILE or not project.model:
        return None

    def read() -> LoadedModel:
        content = projects.file_of(projects.MODEL, project.model)
        return read_model(project.model_name, content, allow_pickle=os.environ.get(ALLOW_PICKLE) == "1")

    return _models.get(project.model, read)


def _remember(project: Project) -> Callable[[Hashable, Callable[[], Any]], Any]:
    """What was trained or scored for the same files is not done again."""
    model = project.model if project.plan.way is Way.FILE else ""
    files = (project.sample, project.table, project.sheet, model)
    return lambda key, make: _learnt.get((files, key), make)


def _beginning(problem: Problem, run: Run) -> str:
    """The case to begin with or, where looking for it takes long, one that is near to another decision."""
    soon = replace(run, deadline=monotonic() + SECONDS_FOR_BEGINNING, progress=lambda done: None)
    try:
        return case_to_begin_with(problem, next(iter(GENERATORS.values())), soon).id
    except Stopped:
        run.check()
    unseen = np.flatnonzero(problem.unseen & (problem.decision.sides(problem.outputs) == 0))
    if not unseen.size:
        return problem.ids[0]
    nearest_first = unseen[np.argsort(problem.decision.distances(problem.outputs[unseen]), kind="stable")]
    return problem.ids[nearest_first[int(NEAR * len(nearest_first))]]


def _was_ready(data: str) -> bool:
    held: Ticket[_Done] | None = session.tickets().get(SLOT)
    if held is None or held.key != (SLOT, data) or not held.is_done:
        return False
    try:
        return held.result() == _Done()
    except Exception:  # it failed, and would again
        return False


def _ticket(data: str) -> Ticket[_Done]:
    """The session's claim, renewed while it asks for the same."""
    tickets = session.tickets()
    held: Ticket[_Done] | None = tickets.get(SLOT)
    if held is not None and held.key == (SLOT, data) and not held.is_lost:
        held.renew()
        return held
    project = projects.of(data)

    def work(run: Run) -> _Done:
        _brought.get(data, lambda: _make(project, run))
        return _Done()

    ticket = shared_jobs().ask(session.id_(), SLOT, (SLOT, data), work, SECONDS_AT_MOST)
    tickets[SLOT] = ticket
    return ticket
