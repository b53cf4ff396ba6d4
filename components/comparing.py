"""What the page Compare asks: each generator's search on the same case, one after the other, as jobs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic, perf_counter
from typing import Any

from components import catalogue, explaining
from components.jobs import Ticket
from components.once import Once
from components.state.view import View
from explainers.comparison import Compared, Yardstick, compared
from explainers.method import Options
from explainers.model import ModelError
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS
from explainers.run import Run, Stopped

SHARE_OF_SEARCH = 0.5
"""How much of a method's progress is its search; the first to find something waits for the measures to be fitted."""

_yardsticks: Once[Yardstick] = Once(kept=16)


@dataclass(frozen=True, eq=False)
class Comparison:
    """What is known by now.

    Attributes
    ----------
    done : tuple of Compared
        In the order of the registry.
    failures : tuple of (generator name, sentence)
        What can't serve this problem, or failed.
    pending : Ticket, optional
        The search under way.
    waiting : tuple of str
        Generators that are not done yet, the one under way first.
    was_stopped : bool
        Whether the person stopped a search; those that wait are then not asked.
    """

    done: tuple[Compared, ...]
    failures: tuple[tuple[str, str], ...]
    pending: Ticket[Any] | None
    waiting: tuple[str, ...]
    was_stopped: bool = False


def chosen(view: View) -> tuple[str, ...]:
    """The generators to compare."""
    return tuple(name for name in GENERATORS if not view.compared or name in view.compared)


def options_of(view: View, name: str) -> Options:
    """A generator's options: those of the view for its own method, else as they come."""
    return view.method_options() if name == view.method else GENERATORS[name].options_type()


def compare(view: View, problem: Problem, case: Case) -> Comparison:
    """Ask for one generator after the other, and wait a moment in all."""
    until, names = monotonic() + explaining.MOMENT, chosen(view)
    done: list[Compared] = []
    failures: list[tuple[str, str]] = []
    for at, name in enumerate(names):
        if unfit := GENERATORS[name].unfit(problem):
            failures.append((name, unfit))
            continue
        ticket = _searching(view, problem, case, name, is_in_time=all(row.is_measured for row in done))
        if not ticket.wait(max(0.0, until - monotonic())):
            return Comparison(tuple(done), tuple(failures), ticket, names[at:])
        try:
            done.append(ticket.result())
        except Stopped:
            failures.append((name, "It was stopped before there was anything to show."))
        except (ModelError, ValueError) as error:
            failures.append((name, str(error)))
        if ticket.was_stopped:
            return Comparison(tuple(done), tuple(failures), None, names[at + 1 :], was_stopped=True)
    return Comparison(tuple(done), tuple(failures), None, ())


def _searching(view: View, problem: Problem, case: Case, name: str, is_in_time: bool) -> Ticket[Compared]:
    """A method's search, and its measures: where the time was too short to fit them once, it is not tried again."""
    generator, options, constraints = GENERATORS[name], options_of(view, name), view.constraints(problem.schema)
    subject = (problem.key, view.case)

    def work(run: Run) -> Compared:
        prepared = catalogue.prepared(problem, generator, constraints, options, run)
        began = perf_counter()
        result = generator.explain(problem, case, constraints, options, run.part(0.0, SHARE_OF_SEARCH), prepared)
        seconds = perf_counter() - began

        def yardstick() -> Yardstick:
            if not is_in_time:
                return Yardstick.unfitted(problem, case)
            # A search that took all its time is measured all the same, so measuring has a time of its own.
            until = monotonic() + explaining.SECONDS_AT_MOST
            measuring = replace(run.part(SHARE_OF_SEARCH, 1.0), deadline=until)
            try:
                return _yardsticks.get(subject, lambda: Yardstick.of(problem, case, measuring))
            except Stopped:
                return Yardstick.unfitted(problem, case)

        return compared(name, problem, constraints, result, seconds, yardstick)

    return explaining.held(f"compare {name}", (*subject, view.rules, name, options, is_in_time), work)
