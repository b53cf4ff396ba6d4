"""Which way is taken, and that it can be said."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from explainers.decision import BinaryDecision
from explainers.explanation import Explanation, explain_changes
from explainers.importance.coalitions import MOST_CHANGES
from explainers.importance.policy import way
from explainers.importance.tree_shap import NotExact, TreeShap
from explainers.model import Model
from explainers.problem import Problem
from explainers.run import Run
from explainers.schema import Schema
from tests.contract.asking import Watched
from tests.explainers.tables import counterfactual, posed

MANY = 20


def table(n_columns: int = MANY) -> pd.DataFrame:
    values = np.random.default_rng(0).normal(size=(120, n_columns))
    return pd.DataFrame(values, columns=[f"f{i}" for i in range(n_columns)])


def of_trees(n_columns: int = MANY) -> Problem:
    from sklearn.ensemble import RandomForestClassifier

    rows = table(n_columns)
    estimator = RandomForestClassifier(10, random_state=0).fit(rows, rows["f0"] + rows["f1"] > 0)
    model = Model.of(estimator, Schema.infer(rows))
    decision = BinaryDecision(("0", "1"), 0.5)
    return Problem(model, rows.to_numpy(), tuple(map(str, rows.index)), np.ones(len(rows), dtype=bool), decision)


def of_a_formula(n_columns: int = MANY) -> Problem:
    return posed(table(n_columns), lambda rows: 1 / (1 + np.exp(-rows[:, :5].sum(axis=1) - rows[:, 0] * rows[:, 1])))


def explained(problem: Problem, run: Run | None = None) -> Explanation:
    target = problem.target(problem.case(0))
    there = np.flatnonzero(target.flips(problem.outputs))[0]
    found = counterfactual(problem, problem.case(0), problem.rows[there])
    return explain_changes(problem, problem.case(0), found, run)


@pytest.mark.parametrize(
    ("problem", "n_changes", "method", "words"),
    [
        (of_trees, MOST_CHANGES, "countershapley", "Every combination"),
        (of_a_formula, MOST_CHANGES, "countershapley", "Every combination"),
        (of_trees, MOST_CHANGES + 1, "tree_shap", "one column of the model's trees"),
        (of_a_formula, MOST_CHANGES + 1, "sampled", "no tree, forest or boosted regressor"),
    ],
)
def test_the_first_that_can_be_taken_is(problem: object, n_changes: int, method: str, words: str) -> None:
    posed_ = problem(n_changes)  # type: ignore[operator]
    explanation = explained(posed_)
    assert explanation.countershapley is not None and explanation.countershapley.origin.method == method
    assert words in explanation.way and explanation.way.endswith(".") and explanation.way.count(".") == 1
    taken = way(posed_, explanation.counterfactual, explanation.outputs)
    assert (taken.method.name, taken.reason) == (method, explanation.way)
    assert (explanation.countershapley.standard_errors is not None) == (method == "sampled")


def test_trees_and_samples_agree() -> None:
    """More changes than can be combined: two ways that share nothing come to the same."""
    from explainers.importance.sampled import Sampled

    problem = of_trees()
    explanation = explained(problem)
    drawn = Sampled().explain(problem, problem.case(0), explanation.counterfactual)
    assert explanation.countershapley is not None and drawn.standard_errors is not None
    assert (np.abs(drawn.values - explanation.countershapley.values) <= 4 * drawn.standard_errors + 1e-12).all()


def test_some_combinations_are_scored_as_they_are() -> None:
    problem = of_a_formula()
    some = explained(problem).some
    assert some is not None
    found, target = some.counterfactual, some.counterfactual.target
    rows = np.where(some.made, found.row, found.factual)
    np.testing.assert_allclose(some.scores, target.drawn(problem.model.score(rows)), rtol=1e-12)
    np.testing.assert_array_equal(some.flips, target.flips(problem.model.score(rows)))
    assert len(np.unique(some.made, axis=0)) == len(some.made) == 1 + 3 * MANY - 3 + 1
    assert not some.made[0].any() and some.made[-1].all()


def test_the_walk_among_them_is_greedy_s() -> None:
    explanation = explained(of_a_formula())
    some, greedy = explanation.some, explanation.greedy
    assert some is not None
    np.testing.assert_allclose(some.scores[list(some.walk)], greedy.path, rtol=1e-12)
    assert [some.size(id_) for id_ in some.walk] == list(range(MANY + 1))
    for step, id_ in enumerate(some.walk):
        assert set(some.members(id_)) == set(greedy.order[:step])


def _both(rows: pd.DataFrame, score: object) -> tuple:
    problem = posed(rows, score)  # type: ignore[arg-type]
    case = problem.case(0)
    return problem, case, counterfactual(problem, case, problem.rows[1])


@pytest.mark.parametrize(
    ("score", "minimal", "enough", "needs_each"),
    [
        (lambda rows: 0.1 + 0.3 * rows[:, 3] + 0.25 * rows[:, 4], [("f3", "f4")], ("f3", "f4"), False),
        (lambda rows: 0.1 + 0.5 * rows[:, 7], [("f7",)], ("f7",), False),
        (lambda rows: 0.1 + 0.5 * rows[:, :3].all(axis=1), [], ("f0", "f1", "f2"), False),
        (lambda rows: 0.1 + 0.5 * rows.all(axis=1), [], tuple(f"f{i}" for i in range(MANY)), True),
    ],
    ids=["a pair", "one alone", "three", "all"],
)
def test_what_is_enough_is_known_as_far_as_it_was_scored(
    score: object, minimal: list, enough: tuple, needs_each: bool
) -> None:
    rows = pd.DataFrame(np.array([[0] * MANY, [1] * MANY]), columns=[f"f{i}" for i in range(MANY)])
    some = explain_changes(*_both(rows, score)).some
    assert some is not None
    assert [some.names(id_) for id_ in some.minimal] == minimal
    assert some.names(some.enough) == enough and some.flips[some.enough]
    assert some.needs_each == needs_each


def test_combinations_are_found_by_their_features() -> None:
    some = explained(of_a_formula()).some
    assert some is not None
    for id_ in range(len(some.scores)):
        assert some.find((*some.names(id_), "nobody")) == id_
    assert some.find(("f0", "f1", "f2", "f9")) in (None, *some.walk)
    frame = some.to_frame()
    assert frame["changes"].tolist() == [some.size(id_) for id_ in range(len(frame))]


def test_stopped_while_sampling_what_is_known_is_kept() -> None:
    """Greedy and the combinations stay; the values are there as soon as enough orders were drawn."""
    problem = of_a_formula()
    case, found = problem.case(0), explained(problem).counterfactual
    whole = Watched.of(problem)
    explain_changes(whole.problem, case, found)
    results = []
    for after in range(MANY + 1, whole.calls):
        watched = Watched.of(problem)
        run = Run(cancelled=lambda w=watched, n=after: w.calls >= n)  # type: ignore[misc]
        results.append(explain_changes(watched.problem, case, found, run))
    assert results[0].countershapley is None and results[0].some is not None
    assert all(not result.is_complete for result in results)
    last = results[-1].countershapley
    assert last is not None and last.orders


def test_progress_only_rises() -> None:
    told: list[float] = []
    explained(of_a_formula(), Run(progress=told.append))
    assert told == sorted(told) and told[-1] == 1.0


def test_a_case_that_trees_can_t_serve_is_sampled_and_the_reason_said() -> None:
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    rows = table(MANY - 1)
    rows["colour"] = np.random.default_rng(1).choice(["red", "green"], len(rows))
    encoder = make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough")
    estimator = make_pipeline(encoder, RandomForestClassifier(10, random_state=0)).fit(rows, rows["f0"] > 0)
    schema = Schema.infer(rows)
    problem = Problem(
        Model.of(estimator, schema), schema.encode(rows), tuple(map(str, rows.index)),
        np.ones(len(rows), dtype=bool), BinaryDecision(("0", "1"), 0.5),
    )  # fmt: skip
    case = problem.case(0)
    other = schema.index("colour")
    there = np.flatnonzero(problem.target(case).flips(problem.outputs) & (problem.rows[:, other] != case.row[other]))[0]
    found = counterfactual(problem, case, problem.rows[there])
    explanation = explain_changes(problem, case, found)
    assert explanation.countershapley is not None and explanation.countershapley.orders
    assert "colour is spread over 2 columns of the model" in explanation.way
    with pytest.raises(NotExact):
        TreeShap().explain(problem, case, found)
