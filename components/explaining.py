"""What a view asks of the explainers, as jobs that all sessions share."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from components.jobs import Ticket, shared_jobs
from components.sources import Source, source_of
from components.state import session
from components.state.view import View
from components.store_errors import StoreError
from explainers.counterfactuals.assembly import NotACounterfactual, keep_only
from explainers.distances import value_ranges
from explainers.explanation import Explanation, explain_changes
from explainers.intake.rows import row_of_values
from explainers.model import ModelError
from explainers.problem import Case, Problem
from explainers.results import Counterfactual, Counterfactuals
from explainers.run import Run, Stopped
from explainers.what_if import WhatIf, proposed_row, what_if

T = TypeVar("T")

SEARCH, READING, TRYING = "search", "reading", "trying"
SECONDS_AT_MOST = 60.0
MOMENT = 0.4
"""Seconds that a page waits before it shows progress instead."""


@dataclass(frozen=True, eq=False)
class Searched:
    """What a search found, and how many seconds it took when it was made."""

    found: Counterfactuals
    seconds: float

    @property
    def is_complete(self) -> bool:
        return self.found.is_complete


@dataclass(frozen=True, eq=False)
class Outcome:
    """What is known about the view's case by now.

    Attributes
    ----------
    pending : Ticket, optional
        Work that isn't done yet; what follows is then absent.
    found : Counterfactuals, optional
    explanation : Explanation, optional
        Of the counterfactual that the view shows.
    failure : str
        Why there is nothing, as a sentence for the person.
    seconds : float
        What the search took.
    """

    pending: Ticket[Any] | None = None
    found: Counterfactuals | None = None
    explanation: Explanation | None = None
    failure: str = ""
    seconds: float = 0.0


def explain(view: View, problem: Problem, case: Case | None) -> Outcome:
    """Search and read, waiting a moment; what takes longer is left pending.

    Asked once a run, by the frame; pages take `current`, so that all of them show the same.
    """
    asked = Outcome() if case is None else _explain(view, problem, case)
    session.carry(asked)
    return asked


def current() -> Outcome:
    """What `explain` came to in this run."""
    asked: Outcome = session.carried()
    return asked


def _explain(view: View, problem: Problem, case: Case) -> Outcome:
    found: Counterfactuals | None = None
    until = monotonic() + MOMENT
    try:
        source = source_of(view, problem, case)
        searching = held(SEARCH, source.key, partial(_timed, source.find))
        if not searching.wait(MOMENT):
            return Outcome(pending=searching)
        searched = searching.result()
        found = searched.found
        if not found.found:
            return Outcome(found=found)
        if view.counterfactual >= len(found.found):
            return Outcome(found=found, failure=_no_such(view.counterfactual, len(found.found)))
        reading = _read(view, problem, case, source, found.found[view.counterfactual])
        if not reading.wait(max(0.0, until - monotonic())):
            return Outcome(pending=reading)
        return Outcome(found=found, explanation=reading.result(), seconds=searched.seconds)
    except Stopped:
        return Outcome(found=found, failure="It was stopped before there was anything to show.")
    except (ModelError, NotACounterfactual, ValueError, StoreError) as error:
        return Outcome(found=found, failure=str(error))


def _timed(find: Callable[[Run], Counterfactuals], run: Run) -> Searched:
    began = monotonic()
    return Searched(find(run), monotonic() - began)


def try_edits(view: View, problem: Problem, case: Case) -> Ticket[WhatIf]:
    """What the case comes to with the edits of a view."""
    constraints = view.constraints(problem.schema)

    def work(run: Run) -> WhatIf:
        row = proposed_row(problem, case, row_of_values(problem.schema, dict(view.edits), ""))
        return what_if(problem, case, [row], constraints, run)[0]

    return held(TRYING, (problem.key, view.case, view.rules, view.edits), work)


def _no_such(place: int, how_many: int) -> str:
    return f"The address asks for counterfactual {place + 1}, but there {'is' if how_many == 1 else 'are'} {how_many}."


def _read(view: View, problem: Problem, case: Case, source: Source, found: Counterfactual) -> Ticket[Explanation]:
    constraints = view.constraints(problem.schema)

    def work(run: Run) -> Explanation:
        shown = found
        if view.kept:
            ranges = value_ranges(problem.rows[problem.training])
            shown = keep_only(problem, case, constraints, found, view.kept, ranges, run)
        return explain_changes(problem, case, shown, run)

    # Not by its place: a search that was stopped may have found others than a whole one.
    return held(READING, (*source.key, found.row.tobytes(), view.kept), work)


def again() -> None:
    """Forget what came of stopped work, so that it is done anew."""
    session.tickets().clear()


def held(slot: str, key: Hashable, work: Callable[[Run], T], seconds: float = SECONDS_AT_MOST) -> Ticket[T]:
    """The session's claim in a slot, renewed while it asks for the same."""
    tickets: dict[str, Ticket[Any]] = session.tickets()
    ticket = tickets.get(slot)
    if ticket is not None and ticket.key == (slot, key) and not ticket.is_lost:
        ticket.renew()
        return ticket
    tickets[slot] = shared_jobs().ask(session.id_(), slot, (slot, key), work, seconds)
    return tickets[slot]
