"""SHAP against the definition, and against the package that bears its name."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from explainers.attributions import shap_values
from explainers.attributions.background import BACKGROUND_ROWS, background_rows
from explainers.attributions.shap_values import Shap, standard_errors
from explainers.decision import IntervalDecision
from explainers.model import Model
from explainers.problem import Problem
from explainers.run import Run, Stopped
from explainers.schema import Schema
from tests.contract.problems import cases_of, problem_called
from tests.explainers.tables import numeric_table, posed

NUMBER = IntervalDecision("price", (0.0, 0.5, 1.0), 100.0)


def by_definition(problem: Problem, row: np.ndarray, drawn: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """The mean over every order of the features, of the mean over the background, one step after the other."""
    background = background_rows(problem, Run())
    n = len(row)

    def worth(made: tuple[int, ...]) -> float:
        rows = background.copy()
        rows[:, list(made)] = row[list(made)]
        return float(drawn(problem.model.score(rows)).mean())

    known = {made: worth(made) for size in range(n + 1) for made in itertools.combinations(range(n), size)}
    values = np.zeros(n)
    for order in itertools.permutations(range(n)):
        for place, i in enumerate(order):
            before = tuple(sorted(order[:place]))
            values[i] += known[tuple(sorted((*before, i)))] - known[before]
    return values / math.factorial(n)


def number_problem(score: Callable[[np.ndarray], np.ndarray], n_columns: int = 4, seed: int = 0) -> Problem:
    return posed(numeric_table(30, n_columns, seed), score, NUMBER)


@pytest.fixture
def sampling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws orders though there are few features."""
    monkeypatch.setattr(shap_values, "EXACT_ROWS", 0)
    monkeypatch.setattr(shap_values, "MOST_ROWS", 2**12)
    monkeypatch.setattr(shap_values, "ROWS_A_CALL", 1)


def test_few_features_are_scored_in_every_set() -> None:
    table = np.random.default_rng(0).normal(size=4**4)
    problem = number_problem(lambda rows: table[(rows @ [1, 4, 16, 64]).astype(int)])
    case = problem.case("3")
    told = Shap().explain(problem, case)
    assert told.explainer == "interventional SHAP, Flipside's own, exact over all 16 sets of features"
    assert told.standard_errors is None and told.evaluations > 0
    np.testing.assert_allclose(told.values, by_definition(problem, case.row, told.target.drawn), atol=1e-9)


@pytest.mark.usefixtures("sampling")
def test_sampling_is_exact_where_at_most_two_features_act_together() -> None:
    problem = number_problem(lambda rows: rows[:, 0] * rows[:, 1] - 3 * rows[:, 2] + np.sin(rows[:, 3]) * rows[:, 0])
    case = problem.case("3")
    told = Shap().explain(problem, case)
    assert told.standard_errors is not None and told.standard_errors.max() < 1e-12
    np.testing.assert_allclose(told.values, by_definition(problem, case.row, told.target.drawn), atol=1e-9)


@pytest.mark.usefixtures("sampling")
def test_of_random_games_nearly_all_values_lie_within_four_standard_errors() -> None:
    random = np.random.default_rng(0)
    off: list[float] = []
    for seed in range(40):
        table = random.normal(size=4**4)
        problem = number_problem(lambda rows, t=table: t[(rows @ [1, 4, 16, 64]).astype(int)], seed=seed)  # type: ignore[misc]
        case = problem.case("0")
        told = Shap().explain(problem, case)
        assert told.standard_errors is not None
        exact = by_definition(problem, case.row, told.target.drawn)
        off += (np.abs(told.values - exact) / np.maximum(told.standard_errors, 1e-12)).tolist()
    assert np.mean(np.array(off) <= 4) > 0.99
    assert 0.5 < np.sqrt(np.mean(np.square(off))) < 1.5, "the errors are neither too small nor too large"


@pytest.mark.parametrize("name", ["one-hot by hand", "categories"])
def test_the_features_are_the_schema_s_own(name: str) -> None:
    problem = problem_called(name)
    case = cases_of(problem)[0]
    told = Shap().explain(problem, case)
    np.testing.assert_allclose(told.values, by_definition(problem, case.row, told.target.drawn), atol=1e-9)


@pytest.mark.usefixtures("sampling")
def test_it_is_what_the_package_shap_finds_exactly_for_a_forest() -> None:
    from shap import TreeExplainer
    from sklearn.ensemble import RandomForestRegressor

    random = np.random.default_rng(1)
    table = pd.DataFrame(random.normal(size=(80, 6)).astype(np.float32).astype(float), columns=list("abcdef"))
    observed = table["a"] * table["b"] * table["c"] + table["d"]
    forest = RandomForestRegressor(20, random_state=0).fit(table, observed)
    schema = Schema.infer(table)
    rows = schema.encode(table)
    problem = Problem(Model.of(forest, schema), rows, tuple(map(str, range(80))), np.ones(80, dtype=bool), NUMBER)
    case = problem.case("7")
    told = Shap().explain(problem, case)
    peer = TreeExplainer(forest, rows, feature_perturbation="interventional")
    exact = peer.shap_values(case.row[None], check_additivity=False)[0]
    assert told.base == pytest.approx(float(np.ravel(peer.expected_value)[0]))
    assert told.standard_errors is not None
    assert (np.abs(told.values - exact) <= 4 * told.standard_errors + 1e-6).all()


def test_a_feature_that_is_the_same_everywhere_counts_nothing() -> None:
    problem = number_problem(lambda rows: rows[:, 0] * 5, 1)
    told = Shap().explain(problem, problem.case("1"))
    np.testing.assert_allclose(told.values, [told.score - told.base])
    table = numeric_table(20, 3)
    table["f1"] = 2.0
    same = posed(table, lambda rows: rows.prod(axis=1), NUMBER)
    assert Shap().explain(same, same.case("4")).of("f1") == 0.0
    alone = posed(table.iloc[:1], lambda rows: rows.sum(axis=1), NUMBER)
    assert not Shap().explain(alone, alone.case("0")).values.any()


def test_the_background_is_a_hundred_training_rows_by_the_seed_alone() -> None:
    problem = problem_called("mixed")
    one, again, other = (background_rows(problem, Run(seed=seed)) for seed in (0, 0, 1))
    assert len(one) == BACKGROUND_ROWS
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()
    training = {row.tobytes() for row in problem.rows[problem.training]}
    assert all(row.tobytes() in training for row in one)
    assert len({row.tobytes() for row in one}) == BACKGROUND_ROWS
    few = number_problem(lambda rows: rows[:, 0])
    np.testing.assert_array_equal(background_rows(few, Run()), few.rows)


@pytest.mark.usefixtures("sampling")
def test_a_run_that_ends_between_rounds_says_what_it_has_and_how_far_off_it_is() -> None:
    table = np.random.default_rng(0).normal(size=4**6)
    problem = number_problem(lambda rows: table[(rows @ 4 ** np.arange(6)).astype(int)], 6)
    case = problem.case("0")
    asked = 0

    def after(calls: int) -> Callable[[], bool]:
        def cancelled() -> bool:
            nonlocal asked
            asked += 1
            return asked > calls

        return cancelled

    whole = Shap().explain(problem, case)
    cut = Shap().explain(problem, case, run=Run(cancelled=after(6)))
    assert whole.is_complete and not cut.is_complete
    assert cut.values.sum() == pytest.approx(cut.score - cut.base)
    assert cut.standard_errors is not None and whole.standard_errors is not None
    assert cut.standard_errors.max() > whole.standard_errors.max()
    asked = 0
    with pytest.raises(Stopped):
        Shap().explain(problem, case, run=Run(cancelled=after(2)))


def test_standard_errors_are_those_of_a_mean_over_given_rows() -> None:
    effects = np.random.default_rng(0).normal(size=(5, 3, 2))
    by_hand = [math.sqrt(sum(np.var(effects[:, b, i], ddof=1) / 5 for b in range(3))) / 3 for i in range(2)]
    np.testing.assert_allclose(standard_errors(effects), by_hand)
