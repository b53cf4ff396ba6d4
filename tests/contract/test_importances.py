"""One suite for every importance in the registry, on every kind of problem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest

from explainers.constraints import Constraints
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS, IMPORTANCES
from explainers.results import Counterfactual, Importance
from explainers.run import Run, Stopped
from tests.contract.asking import Watched, assert_equal, moments
from tests.contract.problems import BUILDERS, TREES, cases_of, problem_called

# What reads trees serves problems of trees alone; what becomes of the others is its own test.
PAIRS = [(name, method) for method in IMPORTANCES for name in (TREES if method == "tree_shap" else BUILDERS)]
pytestmark = pytest.mark.parametrize(("name", "method"), PAIRS)


def found(problem: Problem) -> Iterator[tuple[Case, Counterfactual]]:
    """Counterfactuals of any number of changes: real cases taken whole, and what NICE keeps of them."""
    generator = GENERATORS["nice"]
    for case in cases_of(problem)[1:4]:
        for reward in ("none", "sparsity"):
            options = replace(generator.options_type(), reward=reward)  # type: ignore[call-arg]
            for counterfactual in generator.explain(problem, case, Constraints(), options).found[:2]:
                yield case, counterfactual


def explained(name: str, method: str) -> Iterator[tuple[Problem, Case, Importance]]:
    problem = problem_called(name)
    for case, counterfactual in found(problem):
        yield problem, case, IMPORTANCES[method].explain(problem, case, counterfactual)


def test_values_sum_to_the_move_of_the_score(name: str, method: str) -> None:
    sizes = set()
    for _, _, importance in explained(name, method):
        counterfactual = importance.counterfactual
        move = counterfactual.score - counterfactual.factual_score
        np.testing.assert_allclose(importance.values.sum(), move, atol=1e-9)
        sizes.add(len(importance.values))
    assert len(sizes) > 1


def test_the_path_leads_from_the_case_to_the_counterfactual(name: str, method: str) -> None:
    for _, _, importance in explained(name, method):
        counterfactual = importance.counterfactual
        assert sorted(importance.order) == list(range(len(counterfactual)))
        assert not importance.path_flips[0] and importance.path_flips[-1]
        np.testing.assert_allclose(importance.path[0], counterfactual.factual_score, atol=1e-9)
        np.testing.assert_allclose(importance.path[-1], counterfactual.score, atol=1e-9)
        np.testing.assert_allclose(np.diff(importance.path), importance.values[list(importance.order)], atol=1e-9)
        frame = importance.to_frame()
        np.testing.assert_array_equal(frame["importance"], importance.values[list(importance.order)])


def test_same_seed_same_result(name: str, method: str) -> None:
    for problem, case, importance in explained(name, method):
        again = IMPORTANCES[method].explain(replace(problem), case, importance.counterfactual, run=Run(seed=0))
        assert_equal(without_cost(again), without_cost(importance))


def without_cost(importance: Importance) -> Importance:
    """How many calls it takes, and how long, is the clock's."""
    return replace(importance, cost=None)


def test_after_cancelling_the_model_is_not_asked_again(name: str, method: str) -> None:
    problem = problem_called(name)
    case, counterfactual = max(found(problem), key=lambda pair: len(pair[1]))
    whole = Watched.of(problem)
    IMPORTANCES[method].explain(whole.problem, case, counterfactual)
    assert whole.calls
    for after in moments(whole.calls - 1):
        watched = Watched.of(problem)
        run = Run(cancelled=lambda w=watched, n=after: w.calls >= n)  # type: ignore[misc]
        if (part := part_of(method, watched, case, counterfactual, run)) is not None:
            assert not part.is_complete and part.orders, "what there is must say that it is a part"
        assert watched.calls == after


def part_of(method: str, watched: Watched, case: Case, found: Counterfactual, run: Run) -> Importance | None:
    """What a run that ends early comes to: a part of the result, or nothing and a sentence."""
    try:
        return IMPORTANCES[method].explain(watched.problem, case, found, run=run)
    except Stopped as told:
        said = str(told)
    assert said.endswith(".")
    return None


def test_progress_only_rises_and_ends_at_one(name: str, method: str) -> None:
    problem = problem_called(name)
    for case, counterfactual in found(problem):
        told: list[float] = []
        IMPORTANCES[method].explain(problem, case, counterfactual, run=Run(progress=told.append))
        assert told == sorted(told) and told[0] >= 0 and told[-1] == 1.0


def test_what_it_cost_is_counted(name: str, method: str) -> None:
    problem = problem_called(name)
    case, counterfactual = max(found(problem), key=lambda pair: len(pair[1]))
    watched = Watched.of(problem)
    cost = IMPORTANCES[method].explain(watched.problem, case, counterfactual).cost
    assert cost is not None and cost.seconds > 0
    assert (cost.calls, cost.rows) == (watched.calls, watched.rows)


def test_results_are_frozen_and_say_how_they_came_about(name: str, method: str) -> None:
    problem, _, importance = next(explained(name, method))
    assert importance.origin.method == method and importance.origin.problem == problem.key
    for item in fields(importance):
        with pytest.raises(FrozenInstanceError):
            setattr(importance, item.name, None)
    for array in (importance.values, importance.path, importance.path_flips):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
