"""What quick clicks, shared work and going back cost: nothing is computed that nobody waits for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from components import catalogue, explaining
from components.explaining import Outcome
from components.jobs import Jobs
from components.state.view import View
from explainers.counterfactuals.nice import Nice
from explainers.problem import Problem
from explainers.registry import GENERATORS

# Only a broken pool waits so long.
PATIENCE = 60.0
NO_TIME = 0.0


class GatedNice(Nice):
    """Finds nothing before it is let, and looks at its run meanwhile."""

    def __init__(self) -> None:
        object.__setattr__(self, "gate", threading.Event())

    def explain(self, problem: Any, case: Any, constraints=None, options=None, run=None, prepared=None) -> Any:
        while not self.gate.wait(0.01):  # type: ignore[attr-defined]
            run.check()
        return super().explain(problem, case, constraints, options, run, prepared)


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> Jobs:
    pool = Jobs()
    monkeypatch.setattr(explaining, "shared_jobs", lambda: pool)
    return pool


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    gated = GatedNice()
    monkeypatch.setitem(GENERATORS, "nice", gated)
    return gated.gate  # type: ignore[attr-defined,no-any-return]


@pytest.fixture
def problem() -> Problem:
    return catalogue.sample_problem("german_credit")


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, problem: Problem) -> Callable[..., Outcome]:
    """Asks for a case in the name of a session, waiting so long."""
    sessions: dict[str, dict[str, Any]] = {}

    def ask(case: str, session: str = "one", moment: float = NO_TIME) -> Outcome:
        tickets = sessions.setdefault(session, {})
        monkeypatch.setattr(explaining.session, "tickets", lambda: tickets)
        monkeypatch.setattr(explaining.session, "id_", lambda: session)
        monkeypatch.setattr(explaining.session, "carry", lambda asked: None)
        monkeypatch.setattr(explaining, "MOMENT", moment)
        return explaining.explain(View(case=case), problem, problem.case(case))

    return ask


def test_of_four_quick_clicks_only_the_last_is_computed(
    jobs: Jobs, gate: threading.Event, ask: Callable[..., Outcome], problem: Problem
) -> None:
    clicked = catalogue.cases(View(), problem)[:4]
    pending = [ask(case).pending for case in clicked]
    assert all(pending)
    counts = jobs.counts()
    assert counts.cancelled == 3
    assert all(ticket.is_lost for ticket in pending[:3])
    assert not pending[3].is_done
    gate.set()
    shown = ask(clicked[3], moment=PATIENCE)
    assert shown.explanation is not None
    assert shown.explanation.counterfactual.case == clicked[3]
    counts = jobs.counts()
    assert (counts.finished, counts.kept, counts.queued) == (2, 2, 0)  # what was found, and what was read off it


def test_two_sessions_share_one_search(
    jobs: Jobs, gate: threading.Event, ask: Callable[..., Outcome], problem: Problem
) -> None:
    case = catalogue.cases(View(), problem)[0]
    assert ask(case, "one").pending
    assert ask(case, "two").pending
    gate.set()
    first, second = (ask(case, name, PATIENCE) for name in ("one", "two"))
    assert first.explanation is not None
    assert first.explanation is second.explanation
    assert jobs.counts().started == 2


def test_going_back_computes_nothing_again(jobs: Jobs, ask: Callable[..., Outcome], problem: Problem) -> None:
    one, other = catalogue.cases(View(), problem)[:2]
    before = ask(one, moment=PATIENCE)
    ask(other, moment=PATIENCE)
    started = jobs.counts().started
    assert ask(one, moment=PATIENCE).explanation is before.explanation
    assert jobs.counts().started == started == 4


def test_leaving_a_slow_case_gives_it_up(
    jobs: Jobs, gate: threading.Event, ask: Callable[..., Outcome], problem: Problem
) -> None:
    slow, other = catalogue.cases(View(), problem)[:2]
    ticket = ask(slow).pending
    ask(other)
    assert ticket is not None
    assert ticket.is_lost
    gate.set()
    assert ask(slow, moment=PATIENCE).explanation is not None
