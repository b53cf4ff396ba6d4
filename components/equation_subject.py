"""Which number the page Equation explains, of which case: the model's, its score, or an observed column."""

from __future__ import annotations

from dataclasses import dataclass

from components import arrival, catalogue
from components.catalogue import NotThereError
from components.state.view import NO_CASE, View
from explainers.cases import knows_observed
from explainers.intake.rows import row_of_values
from explainers.labelled import LabelledTable
from explainers.problem import Case, Problem, UnknownCase
from explainers.schema import SchemaError


@dataclass(frozen=True, eq=False)
class EquationSubject:
    """What is explained.

    Attributes
    ----------
    case : Case, optional
        Nothing where none is chosen.
    problem : Problem, optional
        Nothing where the table comes without a model.
    labelled : LabelledTable, optional
        Nothing where the model gives classes and nobody asked for its score.
    choices : tuple of (number, text)
        The numbers that can be explained; the first is the one by default.
    """

    case: Case | None
    problem: Problem | None
    labelled: LabelledTable | None
    choices: tuple[tuple[str, str], ...]


def settled(view: View, observed: LabelledTable) -> View:
    """The view of a table without a model, at its first case where none was asked for.

    Raises
    ------
    NotThereError
        If the view names a case, a feature or a value that isn't there.
    """
    view = view if view.case is not None else view.changed(case=observed.ids[0])
    if wrong := view.constraints(observed.schema).check(observed.schema):
        raise NotThereError(wrong[0])
    try:
        if view.case != NO_CASE:
            observed.case(str(view.case))
        refusal = row_of_values(observed.schema, dict(view.edits), "").refusal
    except (UnknownCase, SchemaError) as error:
        raise NotThereError(str(error)) from error
    if refusal:
        raise NotThereError(refusal)
    return view


def equation_subject(view: View) -> EquationSubject:
    """What the page explains.

    Raises
    ------
    ValueError
        If the view asks for a number that there isn't.
    """
    observed = arrival.observed_column(view.data)
    if observed is not None:
        case = None if view.case in (None, NO_CASE) else observed.case(str(view.case))
        return EquationSubject(case, None, observed, (("", f"{observed.target.quantity}, observed"),))
    problem = catalogue.problem_of(view)
    case = catalogue.case_of(view, problem)
    choices = _choices(problem)
    if view.number not in dict(choices):
        raise ValueError(_no_such(problem, view.number))
    labelled = None
    if view.number == "observed":
        labelled = LabelledTable.of_observed(problem)
    elif case is not None and (view.number == "score" or not problem.model.classes):
        labelled = LabelledTable.of_model(problem, problem.target(case))
    return EquationSubject(case, problem, labelled, choices)


def _choices(problem: Problem) -> tuple[tuple[str, str], ...]:
    if problem.model.classes:
        return (("", "nothing yet"), ("score", "the model's score"))
    model = ("", "what the model says")
    return (model, ("observed", "what was observed")) if knows_observed(problem) else (model,)


def _no_such(problem: Problem, number: str) -> str:
    if number == "score":
        return "The model gives a number itself, so there is no score to explain in its place."
    if problem.model.classes:
        return "Classes were observed here, and BELLA explains numbers; its score can be explained."
    return "No numbers were observed in this table; explain what the model says instead."
