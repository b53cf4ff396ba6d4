"""One suite for every generator in the registry, on every kind of problem."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import numpy as np
import pytest

from explainers.constraints import FREE, Constraints, Rule
from explainers.decision import Decision, IntervalDecision, OneVsRestDecision
from explainers.method import Options
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS
from explainers.results import Counterfactuals
from explainers.run import Run, Stopped
from tests.contract.asking import (
    ASKED,
    DEFAULTS,
    FRUGAL,
    Watched,
    assert_equal,
    calls_of,
    check_counterfactuals,
    check_result,
    explain,
    generator,
    may_find_nothing,
    method_id,
    moments,
    prepared,
)
from tests.contract.problems import BUILDERS, cases_of, problem_called, random_rules

with_every_option = pytest.mark.parametrize(
    ("name", "method"), ASKED, ids=[f"{method_id(method)}-{problem}" for problem, method in ASKED]
)
as_it_comes = pytest.mark.parametrize(
    ("name", "method"),
    [(problem, method) for method in DEFAULTS for problem in BUILDERS],
    ids=[f"{method[0]}-{problem}" for method in DEFAULTS for problem in BUILDERS],
)

with_least_effort = pytest.mark.parametrize(
    ("name", "method"),
    [(problem, method) for method in FRUGAL for problem in BUILDERS],
    ids=[f"{method[0]}-{problem}" for method in FRUGAL for problem in BUILDERS],
)

Method = tuple[str, Options]
RULE_SETS = 2


@with_every_option
def test_without_rules_every_case_is_flipped(name: str, method: Method) -> None:
    problem = problem_called(name)
    for case in cases_of(problem):
        result = explain(name, method, case, Constraints())
        check_result(problem, case, Constraints(), result)
        assert result.is_complete and (result.found or may_find_nothing(method, result))


@with_every_option
def test_every_rule_holds(name: str, method: Method) -> None:
    problem, n_found = problem_called(name), 0
    for at, case in enumerate(cases_of(problem)):
        for seed in range(RULE_SETS if method in DEFAULTS else 1):
            constraints = random_rules(problem, case, 100 * at + seed)
            result = explain(name, method, case, constraints)
            check_result(problem, case, constraints, result)
            n_found += len(result.found) or may_find_nothing(method, result)
    assert n_found


@with_every_option
def test_same_seed_same_result_alone_or_in_a_batch(name: str, method: Method) -> None:
    problem = problem_called(name)
    cases = cases_of(problem)[1::2]
    batch = {case.id: explain(name, method, case, run=Run(seed=0)) for case in reversed(cases)}
    for case in (cases[0], cases[-1]):
        alone = generator(method).explain(replace(problem), case, None, method[1], Run(seed=0))
        assert_equal(alone, batch[case.id])


@as_it_comes
def test_inputs_are_never_written_to(name: str, method: Method) -> None:
    problem = problem_called(name)
    case = cases_of(problem)[0]
    arrays = [a for a in (problem.rows, problem.training, problem.observed, problem.outputs, case.row) if a is not None]
    before = [array.copy() for array in arrays]
    explain(name, method, case, random_rules(problem, case, 1))
    for array, copy in zip(arrays, before, strict=True):
        assert not array.flags.writeable
        np.testing.assert_array_equal(array, copy)


@as_it_comes
def test_a_case_already_there_says_so(name: str, method: Method) -> None:
    problem = problem_called(name)
    problem = problem.with_decision(_wanting(problem.decision, problem.outputs[0]))
    there = np.flatnonzero([problem.decision.target(outputs).is_reached for outputs in problem.outputs])
    result = generator(method).explain(problem, problem.case(problem.ids[there[0]]), Constraints(), method[1])
    assert result.none_found is not None and result.none_found.reason == "reached"
    assert result.is_complete and not result.found


def _wanting(decision: Decision, outputs: np.ndarray) -> Decision:
    """The same decision, where what some row has is wanted of all."""
    if isinstance(decision, OneVsRestDecision):
        return decision
    if isinstance(decision, IntervalDecision):
        return decision.adjusted(low=float(outputs[0]) - 1.0, high=float(outputs[0]) + 1.0)
    return decision.adjusted(decision.side_names()[int(decision.sides(outputs[None])[0])])


@as_it_comes
def test_no_training_row_on_the_other_side_says_so(name: str, method: Method) -> None:
    problem = problem_called(name)
    case = cases_of(problem)[0]
    lacking = replace(problem, training=problem.training & ~problem.target(case).flips(problem.outputs))
    result = generator(method).explain(lacking, case, Constraints(), method[1])
    check_result(lacking, case, Constraints(), result)
    assert result.none_found is not None and result.none_found.reason == "unseen"


@as_it_comes
def test_with_all_locked_every_rule_is_named(name: str, method: Method) -> None:
    problem = problem_called(name)
    constraints = Constraints(tuple((feature.name, Rule(locked=True)) for feature in problem.schema.features))
    result = explain(name, method, cases_of(problem)[0], constraints)
    assert result.none_found is not None and result.none_found.reason == "constrained"
    assert set(result.none_found.binding) == set(problem.schema.names)


@with_least_effort
def test_relaxations_that_are_named_help_and_no_others_do(name: str, method: Method) -> None:
    problem, n_constrained, n_helping = problem_called(name), 0, 0
    for seed, case in enumerate(cases_of(problem)[:4]):
        locks = _locks_but_one(problem, seed)
        none = explain(name, method, case, locks).none_found
        if none is None or none.reason == "bounded":
            continue
        n_constrained += 1
        assert none.reason == "constrained" and set(none.relaxing) <= set(none.binding)
        for feature in problem.schema.names:
            helps = bool(explain(name, method, case, locks.with_rule(feature, FREE)).found)
            assert helps == (feature in none.relaxing), feature
            n_helping += helps
    assert n_constrained


def _locks_but_one(problem: Problem, seed: int) -> Constraints:
    names = problem.schema.names
    return Constraints(tuple((name, Rule(locked=True)) for i, name in enumerate(names) if i != seed % len(names)))


@as_it_comes
def test_after_cancelling_the_model_is_asked_at_most_once_more(name: str, method: Method) -> None:
    problem = problem_called(name)
    for case in (cases_of(problem)[0], cases_of(problem)[-1]):
        total = calls_of(lambda w, case=case: _explain(w, method, case, Run()), problem)
        for after in moments(total):
            watched = Watched.of(problem)
            run = Run(cancelled=lambda w=watched, n=after: w.calls >= n)  # type: ignore[misc]
            _check_stopped(watched, method, case, run, after, total)


@as_it_comes
def test_after_the_deadline_the_model_is_asked_at_most_once_more(
    name: str, method: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = problem_called(name)
    case = cases_of(problem)[0]
    total = calls_of(lambda w: _explain(w, method, case, Run()), problem)
    for after in moments(total):
        watched = Watched.of(problem)
        monkeypatch.setattr("explainers.run.time.monotonic", lambda w=watched: w.calls)
        _check_stopped(watched, method, case, Run(deadline=after), after, total)


def _explain(watched: Watched, method: Method, case: Case, run: Run) -> Counterfactuals:
    return generator(method).explain(watched.problem, case, Constraints(), method[1], run, _ready(watched, method))


def _ready(watched: Watched, method: Method) -> Any:
    return next(prepared(n, *method) for n in BUILDERS if problem_called(n).rows is watched.problem.rows)


def _check_stopped(watched: Watched, method: Method, case: Case, run: Run, after: int, total: int) -> None:
    result: Counterfactuals | None = None
    sentence = ""
    try:
        result = _explain(watched, method, case, run)
    except Stopped as stopped:
        sentence = str(stopped)
    assert result is not None or (sentence.endswith(".") and (after == 0 or not case.id.startswith("case")))
    assert watched.calls <= after + 1
    if result is None:
        return
    assert result.is_complete or after < total
    if not result.found:
        assert result.none_found is not None and result.none_found.reason == "stopped"
        assert result.none_found.detail.endswith(".")
    check_result(watched.problem, case, Constraints(), result)


@as_it_comes
def test_what_was_found_before_the_stop_is_shown(name: str, method: Method) -> None:
    problem, n_shown = problem_called(name), 0
    for case in cases_of(problem):
        asked, watched = Watched.of(problem), Watched.of(problem)
        whole, total = _explain(asked, method, case, Run()), asked.calls
        result = _explain(watched, method, case, Run(cancelled=lambda w=watched, n=total: w.calls >= max(1, n - 1)))
        check_counterfactuals(problem, case, Constraints(), result.found)
        if result.is_complete:
            assert_equal(result, whole)
        n_shown += len(result.found)
    assert n_shown or name == "categories"


@as_it_comes
def test_progress_only_rises_and_ends_at_one(name: str, method: Method) -> None:
    problem = problem_called(name)
    for case in (cases_of(problem)[0], cases_of(problem)[-1]):
        for calls in (1000, 2):
            told: list[float] = []
            watched = Watched.of(problem)
            _explain(
                watched, method, case, Run(progress=told.append, cancelled=lambda w=watched, n=calls: w.calls >= n)
            )
            assert told == sorted(told) and told[0] >= 0 and told[-1] == 1.0


@as_it_comes
def test_odd_options_and_rules_give_a_sentence(name: str, method: Method) -> None:
    problem, options = problem_called(name), method[1]
    case = cases_of(problem)[0]
    for item in fields(options):
        for odd in ("no such", 10**9, -1, 2.5, None, float("nan"), []):
            if (odd is None and item.default is None) or (odd == 2.5 and item.metadata.get("type") is float):
                continue
            wrong = replace(options, **{item.name: odd})
            sentences = wrong.check()
            assert sentences and all(sentence.endswith(".") for sentence in sentences), (item.name, odd)
            with pytest.raises(ValueError, match=r"\.$"):
                GENERATORS[method[0]].explain(problem, case, Constraints(), wrong)
    with pytest.raises(ValueError, match="no feature called 'nobody'"):
        explain(name, method, case, Constraints((("nobody", Rule(locked=True)),)))


@as_it_comes
def test_results_are_frozen(name: str, method: Method) -> None:
    problem = problem_called(name)
    result = explain(name, method, cases_of(problem)[0], Constraints())
    counterfactual = result.found[0]
    for part in (result, counterfactual, counterfactual.changes[0], result.target, result.origin, method[1]):
        for item in fields(part):
            with pytest.raises(FrozenInstanceError):
                setattr(part, item.name, None)
    for array in (counterfactual.row, counterfactual.factual):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


@as_it_comes
def test_results_say_how_they_came_about(name: str, method: Method) -> None:
    problem = problem_called(name)
    result = explain(name, method, cases_of(problem)[0], run=Run(seed=7))
    origin = result.origin
    assert (origin.method, origin.options, origin.seed) == (method[0], method[1].items(), 7)
    assert origin.problem == problem.key
    assert len(result.to_frame()) == len(result.found)
    assert result.found[0].to_frame()["new"].tolist() == [change.new_text for change in result.found[0].changes]
