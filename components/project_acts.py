"""What a person does to a project: each act makes a new one and looks at it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ParamSpec

from components import arrival, projects
from components.projects import Project
from components.state import session, widgets
from components.state.view import View
from components.store_errors import StoreError
from explainers.intake.refusal import Refused
from explainers.intake.roles import Plan, Way, roles_for_training
from explainers.intake.schema_edits import SchemaEdits, read_for_model, read_for_training
from explainers.intake.schema_file import read_schema
from explainers.schema import SchemaError

MOST_ROWS_TO_CHECK = 200_000
P = ParamSpec("P")


def of_table(callback: Callable[P, None]) -> Callable[P, None]:
    """An act on the table shown now: void once the person has gone on to another, whatever is said of it."""
    return session.bound(callback, _table_of)


def _table_of(view: View) -> tuple[str, str, str]:
    project = projects.of(view.data)
    return project.sample, project.table, project.sheet


def bring(table_key: str, model_key: str) -> None:
    """Go over to the files in two uploaders; a model alone goes with the table that is there."""
    table, model = widgets.value(table_key), widgets.value(model_key)
    if table is None and model is None:
        session.say("No file is chosen; choose a table, a model or both.")
        return

    def make() -> Project:
        project = projects.of(session.view().data) if table is None else Project(table.name)
        if table is not None:
            project = replace(project, table=projects.keep_file(projects.TABLE, table.name, table.getvalue()))
        if model is None:
            return project
        token = projects.keep_file(projects.MODEL, model.name, model.getvalue())
        said = Plan(Way.FILE, project.plan.target, project.plan.id, edits=project.plan.edits)
        return replace(project, model=token, model_name=model.name, plan=said)

    _show(make, lambda view, project: {})


def plan(**changes: Any) -> None:
    """Say something else of the model: where it comes from, what it predicts, how it is trained."""
    _show(lambda: projects.of(session.view().data).planned(**changes), _same_case)


def plan_by(field: str, key: str, read: Callable[[Any], Any] | None = None, **besides: Any) -> None:
    """Let a part of the plan follow a widget."""
    chosen = widgets.value(key)
    plan(**{field: read(chosen) if read else chosen}, **besides)


def choose_sheet(key: str) -> None:
    """Go over to another sheet of the workbook, of which nothing is said yet."""
    sheet = widgets.value(key)
    _show(lambda: replace(projects.of(session.view().data), sheet=sheet, plan=Plan()), lambda view, project: {})


def edit(change: Callable[[SchemaEdits], SchemaEdits], features: Sequence[str] = ()) -> None:
    """Say something else of the columns.

    Rules that the view has for these features fall away, since what was just said is to
    hold; where rows are encoded in another way, all do.

    Parameters
    ----------
    change : callable
        May raise `SchemaError` or `Refused`; its sentence is then told, and nothing changes.
    features : sequence of str, optional
    """

    def make() -> Project:
        project = projects.of(session.view().data)
        edits = change(project.plan.edits)
        _check(project, edits, features)
        return project.planned(edits=edits)

    before = projects.of(session.view().data).plan.edits

    def keep(view: View, after: Project) -> dict[str, Any]:
        if after.plan.edits.structure != before.structure:
            return _same_case(view, after)
        rules = tuple((name, rule) for name, rule in view.rules if name not in features)
        decided = {name: getattr(view, name) for name in ("wanted", "threshold", "low", "high", "query")}
        return _same_case(view, after) | decided | {"rules": rules}

    _show(make, keep)


def load_schema(key: str) -> None:
    """Take what a file says of the columns."""
    file = widgets.value(key)
    if file is not None:
        edit(lambda edits: read_schema(file.name, file.getvalue()))


def forget_edits() -> None:
    """Take the columns as they were read."""
    edit(lambda edits: SchemaEdits())


def _check(project: Project, edits: SchemaEdits, touched: Sequence[str]) -> None:
    """Refuse edits that don't fit, before they are kept; of large tables that is found out in time."""
    table = arrival.table_of(project)
    unknown = [column for column, _ in edits.uses if column not in table.frame.columns]
    unknown += [column for _, columns in edits.groups for column in columns if column not in table.frame.columns]
    unknown += [column for row in edits.picture for column in row if column not in table.frame.columns]
    # Groups may have been found that nothing is said of; what was said before was known then.
    known = {*table.frame.columns, *touched, *(name for name, _ in (*edits.groups, *project.plan.edits.features))}
    unknown += [name for name, _ in edits.features if name not in known]
    if unknown:
        raise SchemaError(f"The table has no column {unknown[0]!r}, of which this says something; choose another file.")
    if len(table.frame) > MOST_ROWS_TO_CHECK:
        return
    planned = replace(project.plan, edits=edits)
    if planned.way is not Way.FILE:
        features = roles_for_training(table, planned).features
        read_for_training(table.frame[list(features)], edits)
        return
    data = session.view().data
    posed = arrival.brought(data).posed if arrival.is_ready(data) else None
    if posed is None or posed.roles is None:
        return
    if posed.problem is not None:
        _check_uses(edits, posed.roles.features)
    read_for_model(table.frame[list(posed.roles.features)], edits)


def _check_uses(edits: SchemaEdits, features: Sequence[str]) -> None:
    """Refuse to change what a model from a file takes."""
    for column, used in edits.uses:
        if column in features and not used:
            raise SchemaError(f"The model takes {column!r}, so it can't be left out; lock it to keep it as it is.")
        if column not in features and used:
            raise SchemaError(f"The model doesn't know {column!r}, so it is no feature; train a model here to use it.")


def _same_case(view: View, project: Project) -> dict[str, Any]:
    return {"case": view.case, "method": view.method, "options": view.options}


def _show(make: Callable[[], Project], keep: Callable[[View, Project], dict[str, Any]]) -> None:
    """Keep a project and look at it with what is kept of the view, or tell why not."""
    view = session.view()
    try:
        project = make()
        token = projects.keep(project)
    except Refused as refused:
        session.say(str(refused), refused.code)
    except (StoreError, ValueError) as error:
        session.say(str(error))
    else:
        session.show(View(data=token, **keep(view, project)))
