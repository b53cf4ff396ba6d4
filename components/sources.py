"""Where a view's counterfactuals come from: a generator, the person's own edits, or rows that somebody brought."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from components import catalogue, projects
from components.once import Once
from components.state.view import EDITS, View
from explainers.counterfactuals.given import given
from explainers.intake.rows import Proposal, Proposals, read_rows, row_of_values
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS
from explainers.results import Counterfactuals
from explainers.run import Run

OWN = "The edited case"

_brought: Once[tuple[str, Proposals]] = Once(kept=32)


@dataclass(frozen=True, eq=False)
class Source:
    """What is asked for the counterfactuals of a case.

    Attributes
    ----------
    key : tuple
        All that they depend on.
    find : callable
        Finds or checks them; called in another thread.
    """

    key: tuple[Hashable, ...]
    find: Callable[[Run], Counterfactuals]


def source_of(view: View, problem: Problem, case: Case) -> Source:
    """The source that a view asks.

    Raises
    ------
    StoreError
        If the rows that somebody brought have expired.
    Refused
        If they can't be read as rows of this data.
    """
    constraints = view.constraints(problem.schema)
    about = (problem.key, view.case, view.rules)
    if view.given:
        name, rows = _rows(view, problem)
        own = view.edits if view.given == EDITS else view.given
        return Source((*about, own), lambda run: given(problem, case, rows, constraints, run, source=name))
    generator, options = GENERATORS[view.method], view.method_options()

    def search(run: Run) -> Counterfactuals:
        prepared = catalogue.prepared(problem, generator, constraints, options, run)
        return generator.explain(problem, case, constraints, options, run, prepared)

    return Source((*about, view.method, view.options), search)


def _rows(view: View, problem: Problem) -> tuple[str, tuple[Proposal, ...]]:
    """What is given, and how it is called."""
    if view.given == EDITS:
        return EDITS, (row_of_values(problem.schema, dict(view.edits), OWN),)
    name, brought = brought_by(view, problem)
    return name, brought.rows


def brought_by(view: View, problem: Problem) -> tuple[str, Proposals]:
    """The name of the file that somebody brought, and its rows.

    Raises
    ------
    StoreError
        If it has expired.
    Refused
        If it can't be read as rows of this data.
    """
    projects.note_use(view.given)

    def read() -> tuple[str, Proposals]:
        item = projects.store().get(view.given, projects.ROWS)
        name = str(item.about["name"])
        return name, read_rows(problem.schema, name, item.content)

    return _brought.get((view.given, problem.content_key), read)
