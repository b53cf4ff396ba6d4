"""What a view and what somebody brought come to as a recipe."""

from __future__ import annotations

from components import projects
from components.projects import Project
from components.state.view import EDITS, View
from explainers.intake import pickles
from explainers.intake.models import format_of
from explainers.intake.roles import Way
from explainers.recipe import Recipe


def recipe_of(view: View) -> Recipe:
    """How the explanation that a view shows comes about.

    Raises
    ------
    StoreError
        If what somebody brought has expired.
    """
    project, is_brought = projects.of(view.data), projects.is_token(view.data)
    has_model = is_brought and project.plan.way is Way.FILE and bool(project.model)
    return Recipe(
        case=str(view.case),
        method=view.method,
        options=view.method_options(),
        sample=project.sample,
        table="" if project.sample else project.table_name,
        sheet=project.sheet,
        model=project.model_name if has_model else "",
        plan=project.plan if is_brought else None,
        is_pickle=has_model and _is_pickle(project),
        wanted=view.wanted,
        threshold=view.threshold,
        low=view.low,
        high=view.high,
        rules=view.rules,
        edits=view.edits if view.given == EDITS else (),
        rows=projects.name_of(projects.ROWS, view.given) if view.given not in ("", EDITS) else "",
        place=view.counterfactual,
        kept=view.kept,
        beside=view.beside,
    )


def _is_pickle(project: Project) -> bool:
    return format_of(projects.file_of(projects.MODEL, project.model)) is pickles
