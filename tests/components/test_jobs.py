"""The pool: each job once, for whoever asks, and what is kept of it."""

from __future__ import annotations

import threading

import pytest

from components.jobs import Jobs, shared_jobs
from explainers.run import Run, Stopped
from tests.components.gated_work import Found, Make, drain, outcome


def test_work_runs_once_for_all_who_ask_while_it_runs(jobs: Jobs, gated: Make) -> None:
    work = gated()
    first = jobs.ask("anna", "explanation", "case 1", work)
    work.wait_until_begun()
    others = [jobs.ask("anna", "explanation", "case 1", work), jobs.ask("ben", "explanation", "case 1", work)]
    assert not first.is_done
    work.go()
    assert [outcome(ticket).what for ticket in (first, *others)] == ["done"] * 3
    assert work.calls == 1


def test_a_finished_result_is_there_at_once_in_any_session_and_slot(jobs: Jobs) -> None:
    result = outcome(jobs.ask("anna", "explanation", "case 1", lambda run: [1, 2]))
    again = jobs.ask("ben", "importance", "case 1", lambda run: [3])
    assert again.is_done and again.is_complete and again.progress == 1.0
    assert again.result() is result
    assert jobs.counts().started == 1


def test_another_seed_is_another_job(jobs: Jobs) -> None:
    assert [outcome(jobs.ask("anna", "e", "case 1", lambda run: run.seed, seed=seed)) for seed in (1, 2, 1)] == [
        1,
        2,
        1,
    ]
    assert jobs.counts().started == 2


def test_waiting_in_vain_says_so_and_a_result_asked_too_early_is_an_error(jobs: Jobs, gated: Make) -> None:
    ticket = jobs.ask("anna", "explanation", "a", gated())
    assert not ticket.wait(0.0)
    with pytest.raises(RuntimeError, match="isn't done"):
        ticket.result()


def test_stop_gives_its_holder_the_part_but_asking_again_starts_anew(jobs: Jobs, gated: Make) -> None:
    work, again = gated(), gated("whole")
    ticket = jobs.ask("anna", "explanation", "a", work)
    run = work.wait_until_begun()
    ticket.stop()
    assert run.cancelled() and not ticket.is_done
    work.go()
    assert outcome(ticket) == Found("part", False)
    assert not ticket.is_complete and not ticket.is_lost and ticket.was_stopped
    again.go()
    assert outcome(jobs.ask("anna", "explanation", "a", again)) == Found("whole", True)
    assert outcome(ticket) == Found("part", False)


def test_a_result_that_cannot_say_is_not_kept_after_a_stop(jobs: Jobs, gated: Make) -> None:
    work = gated()
    ticket = jobs.ask("anna", "explanation", "a", lambda run: work(run).what)
    work.wait_until_begun()
    ticket.stop()
    work.go()
    assert outcome(ticket) == "part"
    assert outcome(jobs.ask("anna", "explanation", "a", lambda run: "anew")) == "anew"


def test_a_result_that_says_it_is_whole_is_kept_though_the_stop_came(jobs: Jobs, gated: Make) -> None:
    work = gated()

    def finish_anyway(run: Run) -> Found:
        work(run)
        return Found("whole", True)

    ticket = jobs.ask("anna", "explanation", "a", finish_anyway)
    work.wait_until_begun()
    ticket.stop()
    work.go()
    assert outcome(ticket).what == "whole" and not ticket.was_stopped
    assert jobs.ask("ben", "explanation", "a", finish_anyway).result().what == "whole"


def test_stopping_what_waits_its_turn_means_it_never_starts(jobs: Jobs, gated: Make) -> None:
    running, queued = gated(), gated()
    jobs.ask("anna", "explanation", "a", running)
    running.wait_until_begun()
    ticket = jobs.ask("anna", "importance", "b", queued)
    assert not ticket.is_running
    ticket.stop()
    assert ticket.is_done
    with pytest.raises(Stopped):
        ticket.result()
    running.go()
    drain(jobs)
    assert queued.calls == 0


def test_stop_leaves_the_run_of_another_session_alone(jobs: Jobs, gated: Make) -> None:
    work = gated()
    annas = jobs.ask("anna", "explanation", "a", work)
    bens = jobs.ask("ben", "explanation", "a", work)
    run = work.wait_until_begun()
    annas.stop()
    assert annas.is_done and not run.cancelled()
    with pytest.raises(Stopped):
        annas.result()
    bens.stop()
    assert run.cancelled()
    work.go()
    assert outcome(bens) == Found("part", False)


def test_stopping_what_is_done_changes_nothing(jobs: Jobs) -> None:
    ticket = jobs.ask("anna", "explanation", "a", lambda run: "done")
    outcome(ticket)
    ticket.stop()
    assert ticket.result() == "done" and jobs.counts().cancelled == 0


@pytest.mark.parametrize("raised", [ValueError("no such case"), Stopped("It was stopped."), SystemExit(3)])
def test_an_error_reaches_all_holders_and_is_not_kept(
    jobs: Jobs, gated: Make, raised: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    work = gated()

    def fail(run: Run) -> str:
        work(run)
        raise raised

    tickets = [jobs.ask(session, "explanation", "a", fail) for session in ("anna", "ben")]
    work.go()
    expected = type(raised) if isinstance(raised, Exception) else RuntimeError
    for ticket in tickets:
        for _ in range(3):
            with pytest.raises(expected):
                outcome(ticket)
        assert not ticket.is_complete
    assert outcome(jobs.ask("anna", "explanation", "a", lambda run: "better")) == "better"
    assert capsys.readouterr().out == ""


def test_asking_for_an_error_again_and_again_does_not_make_it_grow(jobs: Jobs) -> None:
    ticket = jobs.ask("anna", "explanation", "a", lambda run: 1 / 0)
    lengths = []
    for _ in range(3):
        with pytest.raises(ZeroDivisionError) as caught:
            outcome(ticket)
        lengths.append(len(caught.traceback))
    assert len(set(lengths)) == 1


def test_time_runs_out_for_the_run_and_the_result_is_not_kept(jobs: Jobs) -> None:
    def obedient(run: Run) -> None:
        run.check()

    ticket = jobs.ask("anna", "explanation", "a", obedient, seconds=0.0)
    with pytest.raises(Stopped, match="time"):
        outcome(ticket)
    part = jobs.ask("anna", "explanation", "b", lambda run: "part", seconds=0.0)
    assert outcome(part) == "part" and not part.is_complete and not part.was_stopped
    assert outcome(jobs.ask("anna", "explanation", "b", lambda run: "whole")) == "whole"


def test_progress_goes_forward_only_and_ends_at_one(jobs: Jobs, gated: Make) -> None:
    work = gated()
    ticket = jobs.ask("anna", "explanation", "a", work)
    run = work.wait_until_begun()
    seen = [ticket.progress]
    for share in (0.5, 0.25, float("nan"), 7.0):
        run.progress(share)
        seen.append(ticket.progress)
    assert seen == [0.0, 0.5, 0.5, 0.5, 1.0]
    work.go()
    outcome(ticket)
    quiet = jobs.ask("anna", "explanation", "b", lambda run: None)
    assert outcome(quiet) is None and quiet.progress == 1.0


def test_only_so_many_results_are_kept_and_the_one_asked_for_longest_ago_goes(jobs: Jobs) -> None:
    def ask(key: str) -> bool:
        before = jobs.counts().started
        outcome(jobs.ask("anna", "explanation", key, lambda run: key))
        return jobs.counts().started > before

    assert all([ask("a"), ask("b"), ask("c")])
    assert not ask("a")
    assert ask("d")
    assert jobs.counts().kept == 3
    assert not ask("a") and not ask("c")
    assert ask("b")


def test_no_more_jobs_run_at_a_time_than_there_are_workers(gated: Make) -> None:
    jobs = Jobs(workers=2)
    works = [gated(str(number)) for number in range(3)]
    tickets = [jobs.ask(work.name, "explanation", work.name, work) for work in works]
    works[0].wait_until_begun()
    works[1].wait_until_begun()
    counts = jobs.counts()
    assert (counts.running, counts.queued, works[2].calls) == (2, 1, 0)
    works[2].go()
    works[0].go()
    assert outcome(tickets[2]).what == "2"
    assert not tickets[1].is_done
    works[1].go()
    outcome(tickets[1])


def test_work_may_ask_the_pool_itself(jobs: Jobs) -> None:
    """The lock isn't held while working."""
    assert outcome(jobs.ask("anna", "explanation", "a", lambda run: jobs.counts().running)) == 1


def test_workers_do_not_keep_the_server_from_stopping(jobs: Jobs) -> None:
    assert outcome(jobs.ask("anna", "explanation", "a", lambda run: threading.current_thread().daemon)) is True


def test_the_process_has_one_pool() -> None:
    assert shared_jobs() is shared_jobs()
