"""The problems there are to explain, each made once for all sessions."""

from __future__ import annotations

from typing import Any

from components import arrival, projects
from components.once import Once
from components.state.view import NO_CASE, View
from explainers.cases import Cases
from explainers.cases import cases as cases_of
from explainers.constraints import Constraints
from explainers.decision import DecisionError
from explainers.explanation import case_to_begin_with
from explainers.intake.refusal import Refused
from explainers.intake.rows import row_of_values
from explainers.method import Generator, Options
from explainers.problem import Case, Problem, UnknownCase
from explainers.registry import GENERATORS
from explainers.run import Run
from explainers.schema import SchemaError
from explainers.what_if import proposed_row


class NotThereError(LookupError):
    """The view names something that isn't there; the message is for the person."""


_samples: Once[Problem] = Once(kept=4)
_decided: Once[Problem] = Once(kept=64)
_beginnings: Once[str] = Once(kept=64)
_queried: Once[Cases] = Once(kept=16)
_prepared: Once[Any] = Once(kept=16)


def sample_problem(name: str) -> Problem:
    """The problem of a sample as it comes.

    Raises
    ------
    NotThereError
        If there is no such sample.
    """
    import samples

    if name not in samples.SAMPLES:
        raise NotThereError(f"There is no data set {name!r} here; choose {' or '.join(samples.SAMPLES)}.")
    return _samples.get(name, samples.get(name).load)


def problem_at(data: str) -> Problem:
    """The problem of a sample, or of what somebody brought, as it comes.

    Raises
    ------
    NotThereError
        If there is none.
    """
    if not projects.is_token(data):
        return sample_problem(data)
    brought = arrival.brought(data)
    if brought.posed.problem is None:
        raise NotThereError(brought.obstacle)
    return brought.posed.problem


def problem_of(view: View) -> Problem:
    """The problem that a view looks at, under the view's decision.

    Raises
    ------
    NotThereError
        If the data isn't there, or the decision can't be.
    """
    problem = problem_at(view.data)
    try:
        decision = problem.decision.adjusted(view.wanted, view.threshold, view.low, view.high)
    except DecisionError as error:
        raise NotThereError(str(error)) from error
    if view.query.side is not None and view.query.side not in decision.side_names():
        names = ", ".join(decision.side_names())
        raise NotThereError(f"There is no side {view.query.side!r} of this decision; there are {names}.")
    if decision == problem.decision:
        return problem
    return _decided.get((problem.content_key, decision), lambda: problem.with_decision(decision))


def beginning(name: str) -> str:
    """Id of the case that a data set begins with; see `case_to_begin_with`."""
    problem = problem_at(name)
    if projects.is_token(name):
        return arrival.brought(name).beginning
    first = next(iter(GENERATORS.values()))
    return _beginnings.get(problem.key, lambda: case_to_begin_with(problem, first).id)


def settled(view: View) -> View:
    """The view with the case to begin with, where none was asked for."""
    return view if view.case is not None else view.changed(case=beginning(view.data))


def check(view: View, problem: Problem) -> None:
    """Make sure that all a view names is there.

    Raises
    ------
    NotThereError
        With the first thing that isn't.
    """
    if wrong := view.constraints(problem.schema).check(problem.schema):
        raise NotThereError(wrong[0])
    if wrong := Constraints(view.query.where).check(problem.schema):
        raise NotThereError(wrong[0])
    try:
        query = view.query
        for name in (*view.kept, *view.selection, *dict(query.where), *query.missing, *query.known):
            problem.schema.index(name)
        if view.case != NO_CASE:
            problem.position(str(view.case))
        if case := case_of(view, problem):
            proposed_row(problem, case, row_of_values(problem.schema, dict(view.edits), ""))
    except (SchemaError, UnknownCase, Refused) as error:
        raise NotThereError(str(error)) from error


def case_of(view: View, problem: Problem) -> Case | None:
    """The case that a view looks at, if it looks at one."""
    return None if view.case in (None, NO_CASE) else problem.case(str(view.case))


def cases(view: View, problem: Problem) -> Cases:
    """The cases to go through: those that the view asks for, in its order; looked for once."""
    return _queried.get((problem.key, view.query), lambda: cases_of(problem, view.query))


def prepared(problem: Problem, generator: Generator, constraints: Constraints, options: Options, run: Run) -> Any:
    """What a generator prepares, made once for all cases that it serves."""
    key = (generator.name, generator.prepared_key(problem, constraints, options), run.seed)
    return _prepared.get(key, lambda: generator.prepare(problem, constraints, options, run))
