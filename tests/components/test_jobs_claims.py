"""Claims on jobs: slots, sessions and leases, and that what nobody holds is cancelled."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from components.jobs import Jobs
from explainers.run import Run, Stopped
from tests.components.gated_work import PATIENCE, Clock, Found, Make, drain, outcome


def test_four_quick_clicks_leave_only_the_last(jobs: Jobs, gated: Make) -> None:
    works = [gated(f"case {number}") for number in range(4)]
    tickets = [jobs.ask("anna", "explanation", "case 0", works[0])]
    run = works[0].wait_until_begun()
    tickets += [jobs.ask("anna", "explanation", work.name, work) for work in works[1:]]
    assert run.cancelled()
    for work in works:
        work.go()
    assert outcome(tickets[-1]).what == "case 3"
    assert [work.calls for work in works] == [1, 0, 0, 1]
    for ticket in tickets[:-1]:
        assert ticket.is_done and ticket.is_lost and not ticket.renew()
        with pytest.raises(Stopped):
            ticket.result()
    counts = jobs.counts()
    assert (counts.started, counts.finished, counts.cancelled, counts.queued) == (2, 1, 3, 0)


def test_a_kept_result_also_takes_the_place_of_what_was_in_the_slot(jobs: Jobs, gated: Make) -> None:
    outcome(jobs.ask("anna", "explanation", "case 1", lambda run: "kept"))
    work = gated()
    jobs.ask("anna", "explanation", "case 2", work)
    run = work.wait_until_begun()
    assert jobs.ask("anna", "explanation", "case 1", lambda run: "anew").result() == "kept"
    assert run.cancelled()


def test_one_session_leaving_does_not_cancel_the_other_ones_run(jobs: Jobs, gated: Make) -> None:
    work = gated()
    jobs.ask("anna", "explanation", "case 1", work)
    bens = jobs.ask("ben", "explanation", "case 1", work)
    run = work.wait_until_begun()
    jobs.release("anna")
    assert not run.cancelled()
    work.go()
    assert outcome(bens).what == "done"


def test_a_released_session_cancels_what_it_alone_held(jobs: Jobs, gated: Make) -> None:
    running, queued = gated(), gated()
    jobs.ask("anna", "explanation", "case 1", running)
    jobs.ask("anna", "importance", "case 1 too", queued)
    run = running.wait_until_begun()
    jobs.release("anna")
    assert run.cancelled()
    assert jobs.counts().queued == 0
    running.go()
    drain(jobs)
    assert queued.calls == 0


def test_a_cancelled_job_is_not_joined_but_begun_anew(jobs: Jobs, gated: Make) -> None:
    old, new = gated("old"), gated("new")
    jobs.ask("anna", "explanation", "case 1", old)
    old.wait_until_begun()
    jobs.release("anna")
    ticket = jobs.ask("anna", "explanation", "case 1", new)
    old.go()
    new.go()
    assert outcome(ticket) == Found("new", True)


def test_one_job_too_many_takes_the_place_of_the_one_renewed_longest_ago(jobs: Jobs, clock: Clock, gated: Make) -> None:
    explanation = jobs.ask("anna", "explanation", "a", gated())
    clock.now = 1.0
    importance = jobs.ask("anna", "importance", "b", gated())
    other_session = jobs.ask("ben", "explanation", "c", gated())
    clock.now = 2.0
    assert explanation.renew()
    equation = jobs.ask("anna", "equation", "d", gated())
    assert importance.is_lost
    assert not explanation.is_lost and not equation.is_lost and not other_session.is_lost


@pytest.mark.parametrize("per_session", [1, 2, 3, 5])
def test_a_session_holds_as_many_jobs_as_it_may(per_session: int, gated: Make) -> None:
    jobs = Jobs(workers=1, per_session=per_session)
    tickets = [jobs.ask("anna", f"slot {number}", number, gated()) for number in range(5)]
    assert [ticket.is_lost for ticket in tickets] == [number < 5 - per_session for number in range(5)]


def test_who_waits_is_told_at_once_when_the_claim_is_lost(jobs: Jobs, gated: Make) -> None:
    work = gated()
    annas = jobs.ask("anna", "explanation", "a", work)
    jobs.ask("ben", "explanation", "a", work)
    work.wait_until_begun()
    waiter = threading.Thread(target=lambda: annas.wait(10 * PATIENCE), daemon=True)
    waiter.start()
    jobs.release("anna")
    waiter.join(PATIENCE)
    assert not waiter.is_alive()


def test_a_job_in_two_slots_survives_losing_one(gated: Make) -> None:
    jobs = Jobs(workers=1, per_session=1)
    work = gated()
    jobs.ask("anna", "explanation", "a", work)
    run = work.wait_until_begun()
    ticket = jobs.ask("anna", "importance", "a", work)
    assert not run.cancelled()
    work.go()
    assert outcome(ticket).what == "done" and work.calls == 1


def test_a_session_with_nothing_running_goes_first(gated: Make) -> None:
    jobs = Jobs(workers=2)
    order: list[str] = []
    annas, dans = gated(), gated()
    jobs.ask("anna", "explanation", "a", annas)
    jobs.ask("dan", "explanation", "d", dans)
    annas.wait_until_begun()
    dans.wait_until_begun()
    later = [
        jobs.ask("anna", "importance", "b", lambda run: order.append("anna")),
        jobs.ask("cleo", "explanation", "c", lambda run: order.append("cleo")),
    ]
    dans.go()
    for ticket in later:
        assert ticket.wait(PATIENCE)
    assert order == ["cleo", "anna"]


def test_a_lease_that_is_not_renewed_ends_the_job(jobs: Jobs, clock: Clock, gated: Make) -> None:
    running, queued = gated(), gated()
    tickets = [jobs.ask("anna", "explanation", "a", running), jobs.ask("ben", "explanation", "b", queued)]
    run = running.wait_until_begun()
    clock.now = 5.0
    assert not run.cancelled()
    clock.now = 5.1
    assert run.cancelled()
    assert [ticket.is_lost for ticket in tickets] == [True, True]
    running.go()
    drain(jobs)
    assert queued.calls == 0
    assert jobs.counts().kept == 1  # the drain alone


def test_renewing_or_asking_again_keeps_the_lease(jobs: Jobs, clock: Clock, gated: Make) -> None:
    work = gated()
    ticket = jobs.ask("anna", "explanation", "a", work)
    run = work.wait_until_begun()
    clock.now = 4.0
    assert ticket.renew()
    clock.now = 8.0
    assert not run.cancelled()
    jobs.ask("anna", "explanation", "a", work)
    clock.now = 12.0
    assert not run.cancelled()
    clock.now = 14.0
    assert run.cancelled()
    assert not ticket.renew()


def test_coming_back_late_is_not_too_late_if_nobody_noticed(jobs: Jobs, clock: Clock, gated: Make) -> None:
    work = gated()
    ticket = jobs.ask("anna", "explanation", "a", work)
    work.wait_until_begun()
    clock.now = 60.0
    assert ticket.renew()
    clock.now = 120.0
    again = jobs.ask("anna", "explanation", "a", work)
    work.go()
    assert outcome(again).what == "done" and work.calls == 1


def test_having_waited_renews_the_lease(jobs: Jobs, clock: Clock, gated: Make) -> None:
    work = gated()
    ticket = jobs.ask("anna", "explanation", "a", work)
    run = work.wait_until_begun()
    clock.now = 100.0
    assert not ticket.wait(0.0)
    assert not run.cancelled()


def test_who_waits_does_not_lose_the_lease(
    jobs: Jobs, clock: Clock, gated: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = gated()
    ticket = jobs.ask("anna", "explanation", "a", work)
    run = work.wait_until_begun()
    results: list[Any] = []
    waiter = threading.Thread(target=lambda: results.append(outcome(ticket)))
    waiting = threading.Event()
    wait_for = jobs._changed.wait_for

    def tell(predicate: Callable[[], bool], timeout: float | None = None) -> bool:
        waiting.set()
        return wait_for(predicate, timeout)

    monkeypatch.setattr(jobs._changed, "wait_for", tell)
    waiter.start()
    assert waiting.wait(PATIENCE)
    clock.now = 100.0
    assert not run.cancelled()
    work.go()
    waiter.join(PATIENCE)
    assert results == [Found("done", True)]


def test_a_finished_job_needs_no_lease(jobs: Jobs, clock: Clock) -> None:
    ticket = jobs.ask("anna", "explanation", "a", lambda run: "done")
    outcome(ticket)
    clock.now = 1000.0
    jobs.counts()
    assert ticket.renew() and ticket.result() == "done"


def test_many_threads_at_once_start_nothing_twice_and_leave_nothing_behind() -> None:
    jobs = Jobs(workers=2, kept=1000, per_session=2)
    calls: list[int] = []
    wrong: list[str] = []
    barrier = threading.Barrier(12)

    def work(key: int) -> Callable[[Run], int]:
        def square(run: Run) -> int:
            run.check()
            calls.append(key)
            return key * key

        return square

    def visitor(number: int) -> None:
        barrier.wait(PATIENCE)
        for step in range(60):
            key = (step * 7 + number % 3) % 40
            ticket = jobs.ask(f"session {number}", f"slot {step % 3}", key, work(key))
            if step % 4 == 0:
                ticket.stop()
            elif step % 4 == 1:
                jobs.release(f"session {number}")
            try:
                if outcome(ticket) != key * key:
                    wrong.append(f"{key}")
            except Stopped:
                if step % 4 > 1:
                    wrong.append(f"stopped {key}")

    threads = [threading.Thread(target=visitor, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    drain(jobs)
    counts = jobs.counts()
    assert wrong == []
    assert counts.queued == 0 and not jobs._holds and not jobs._live
    # Twice the same key can't finish; one that was cancelled as it ended may be kept.
    assert counts.finished <= counts.kept <= 41
