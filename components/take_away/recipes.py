"""What a view and what somebody brought come to as a recipe."""

from __future__ import annotations

from components import projects
from components.projects import Project
from components.state.view import EDITS, View
from explainers.intake import pickles
from explainers.intake.models import format_of
from explainers.intake.roles import Way
from explainers.recipes.equation import EquationRecipe
from explainers.recipes.explanation import Recipe
from explainers.recipes.subject import Subject
from explainers.surrogates.bella import BellaOptions


def recipe_of(view: View) -> Recipe:
    """How the explanation that a view shows comes about.

    Raises
    ------
    StoreError
        If what somebody brought has expired.
    """
    return Recipe(
        subject=_subject(view),
        method=view.method,
        options=view.method_options(),
        rules=view.rules,
        edits=view.edits if view.given == EDITS else (),
        rows=projects.name_of(projects.ROWS, view.given) if view.given not in ("", EDITS) else "",
        place=view.counterfactual,
        kept=view.kept,
        beside=view.beside,
    )


def equation_recipe_of(view: View) -> EquationRecipe:
    """How the equation that a view shows comes about; see `recipe_of`."""
    return EquationRecipe(
        subject=_subject(view),
        of_observed=view.number == "observed",
        options=BellaOptions(view.step),
        size=view.size,
        edits=view.edits,
        rules=view.rules,
        reference=view.reference,
        tolerance=view.tolerance / 100,
        compares=view.compares,
    )


def _subject(view: View) -> Subject:
    project, is_brought = projects.of(view.data), projects.is_token(view.data)
    has_model = is_brought and project.plan.way is Way.FILE and bool(project.model)
    return Subject(
        case=str(view.case),
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
    )


def _is_pickle(project: Project) -> bool:
    return format_of(projects.file_of(projects.MODEL, project.model)) is pickles
