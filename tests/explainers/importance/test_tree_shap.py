"""TreeSHAP gives what scoring every combination gives, wherever it is taken; elsewhere it is not taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from explainers.decision import BinaryDecision, ClassDecision, Decision, IntervalDecision, OneVsRestDecision
from explainers.importance import tree_shap
from explainers.importance.countershapley import CounterShapley
from explainers.importance.tree_shap import NotExact, TreeShap, game
from explainers.model import Model
from explainers.problem import Case, Problem
from explainers.results import Counterfactual
from explainers.schema import Schema
from tests.explainers.tables import counterfactual

N, WIDTH = 240, 8
NEAR = 1e-12
THREE = ("a", "b", "c")


def numbers(gaps: float = 0.0) -> np.ndarray:
    """Values of which many lie between two neighbours in float32, so that it matters how they are compared."""
    random = np.random.default_rng(3)
    values = random.normal(size=(N, WIDTH)).round(1) + random.choice([0.0, 1e-9, -1e-9], (N, WIDTH))
    values[random.random((N, WIDTH)) < gaps] = np.nan
    return values


def labels(values: np.ndarray, n_classes: int = 2) -> np.ndarray:
    known = np.nan_to_num(values)
    score = known[:, 0] + known[:, 1] * known[:, 2] - known[:, 3] + 0.5 * known[:, 4] * (known[:, 5] > 0)
    return np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))


def posed(estimator: Any, values: np.ndarray, observed: np.ndarray, decision: Decision) -> Problem:
    table = pd.DataFrame(values, columns=[f"f{i}" for i in range(values.shape[1])])
    return of_table(estimator.fit(table, observed), table, decision)


def of_table(estimator: Any, table: pd.DataFrame, decision: Decision) -> Problem:
    schema = Schema.infer(table)
    names = tuple(map(str, range(len(table))))
    model = Model.of(estimator, schema, fingerprint="trees")
    return Problem(model, schema.encode(table), names, np.ones(len(table), dtype=bool), decision)


def pairs(problem: Problem, most: int = 12) -> Iterator[tuple[Case, Counterfactual]]:
    """Cases and rows that have what they are to have, all values taken over."""
    for start in range(most):
        case = problem.case(start)
        target = problem.target(case)
        there = np.flatnonzero(target.flips(problem.outputs))
        if not target.is_reached and there.size:
            yield case, counterfactual(problem, case, problem.rows[there[start % len(there)]])


def furthest(problem: Problem) -> float:
    """Largest difference between the values read off the trees and those from every combination."""
    differences = [
        np.abs(
            TreeShap().explain(problem, case, found).values - CounterShapley().explain(problem, case, found).values
        ).max()
        for case, found in pairs(problem)
    ]
    assert differences
    return max(differences)


BINARY = BinaryDecision(("0", "1"), 0.45)


def classifiers() -> dict[str, Callable[[], Any]]:
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

    return {
        "forest": lambda: RandomForestClassifier(15, random_state=0),
        "extra trees": lambda: ExtraTreesClassifier(15, random_state=0),
        "tree": lambda: DecisionTreeClassifier(random_state=0),
        "extra tree": lambda: ExtraTreeClassifier(random_state=0),
    }


def regressors() -> dict[str, Callable[[], Any]]:
    from sklearn import ensemble, tree

    return {
        "forest": lambda: ensemble.RandomForestRegressor(15, random_state=0),
        "extra trees": lambda: ensemble.ExtraTreesRegressor(15, random_state=0),
        "tree": lambda: tree.DecisionTreeRegressor(random_state=0),
        "extra tree": lambda: tree.ExtraTreeRegressor(random_state=0),
        "boosted": lambda: ensemble.GradientBoostingRegressor(n_estimators=15, random_state=0),
        "boosted absolute": lambda: ensemble.GradientBoostingRegressor(n_estimators=9, loss="absolute_error"),
        "histograms": lambda: ensemble.HistGradientBoostingRegressor(max_iter=15, random_state=0),
    }


@pytest.mark.parametrize("name", classifiers())
@pytest.mark.parametrize("gaps", [0.0, 0.2], ids=["whole", "missing values"])
def test_of_two_classes(name: str, gaps: float) -> None:
    values = numbers(gaps)
    problem = posed(classifiers()[name](), values, labels(values), BINARY)
    assert TreeShap().unfit(problem) is None
    assert furthest(problem) < NEAR


@pytest.mark.parametrize("name", regressors())
@pytest.mark.parametrize("gaps", [0.0, 0.2], ids=["whole", "missing values"])
def test_of_a_number(name: str, gaps: float) -> None:
    if gaps and name.startswith("boosted"):
        pytest.skip("these take no missing values")
    values = numbers(gaps)
    observed = np.nan_to_num(values[:, 0] + values[:, 1] * values[:, 2])
    problem = posed(regressors()[name](), values, observed, IntervalDecision("price", (-0.5, 0.0, 0.5)))
    assert furthest(problem) < NEAR * np.abs(problem.outputs).max()


@pytest.mark.parametrize("name", ["forest", "extra trees", "tree"])
def test_of_one_class_against_the_rest(name: str) -> None:
    values = numbers()
    problem = posed(classifiers()[name](), values, labels(values, 3), OneVsRestDecision(THREE, "b", 0.4))
    assert furthest(problem) < NEAR


@pytest.mark.parametrize("name", ["tree", "extra tree"])
def test_of_a_lead_that_one_leaf_decides(name: str) -> None:
    """The lead over the best other class is no sum of probabilities, but a leaf has one."""
    values = numbers(0.1)
    problem = posed(classifiers()[name](), values, labels(values, 4), ClassDecision(("a", "b", "c", "d")))
    assert furthest(problem) < NEAR


def test_of_a_lead_over_a_class_that_always_comes_second() -> None:
    """Every tree first asks for the first column; where that is low, no leaf in reach knows the third class."""
    from sklearn.ensemble import RandomForestClassifier

    values = numbers()
    values[:, 0] += np.where(values[:, 0] > 0.0, 3.0, -3.0)
    observed = np.where(values[:, 0] > 0.0, 2, labels(values[:, 1:]))
    forest = RandomForestClassifier(15, max_features=None, max_depth=5, random_state=0)
    problem = posed(forest, values, observed, ClassDecision(THREE, "b"))
    low = [(case, found) for case, found in pairs(problem, N) if max(case.row[0], found.row[0]) < 0]
    assert low
    for case, found in low[:8]:
        taken = TreeShap().explain(problem, case, found).values
        np.testing.assert_allclose(taken, CounterShapley().explain(problem, case, found).values, atol=NEAR)


def test_a_lead_over_classes_that_take_turns_is_refused() -> None:
    """Whatever the difference would be: it is not zero where it is refused most often."""
    values = numbers()
    problem = posed(classifiers()["forest"](), values, labels(values, 4), ClassDecision(("a", "b", "c", "d")))
    with pytest.raises(NotExact, match="which other class comes nearest"):
        furthest(problem)


def one_hot(handle: str = "ignore") -> Any:
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    encoder = make_column_transformer((OneHotEncoder(handle_unknown=handle), ["colour"]), remainder="passthrough")
    return make_pipeline(encoder, RandomForestClassifier(15, random_state=0))


def coloured() -> tuple[pd.DataFrame, np.ndarray]:
    values = numbers()
    table = pd.DataFrame(values[:, :4], columns=[f"f{i}" for i in range(4)])
    table["colour"] = np.random.default_rng(0).choice(["red", "green", "blue"], N)
    return table, labels(values) ^ (table["colour"] == "red").to_numpy()


def test_a_category_over_many_columns_is_refused() -> None:
    """One change would be two columns that the trees take for two changes."""
    table, observed = coloured()
    problem = of_table(one_hot().fit(table, observed), table, BINARY)
    spread = [found for _, found in pairs(problem, 30) if "colour" in {change.feature for change in found.changes}]
    assert spread
    for found in spread:
        with pytest.raises(NotExact, match="colour is spread over 2 columns of the model"):
            TreeShap().explain(problem, problem.case(found.case), found)


def test_categories_as_codes_and_imputed_numbers_are_read() -> None:
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder, StandardScaler

    table, observed = coloured()
    table.loc[::7, "f1"] = np.nan
    scaled = make_pipeline(SimpleImputer(), StandardScaler())
    coded = make_column_transformer((OrdinalEncoder(), ["colour"]), (scaled, ["f1", "f0"]), remainder="passthrough")
    model = make_pipeline(coded, RandomForestClassifier(15, random_state=0)).fit(table, observed)
    assert furthest(of_table(model, table, BINARY)) < NEAR


def others() -> dict[str, Any]:
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.decomposition import PCA
    from sklearn.ensemble import (
        AdaBoostRegressor,
        GradientBoostingClassifier,
        GradientBoostingRegressor,
        HistGradientBoostingClassifier,
        HistGradientBoostingRegressor,
        RandomForestClassifier,
        RandomForestRegressor,
    )
    from sklearn.linear_model import LinearRegression, LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, Normalizer, PolynomialFeatures

    class Squared(RandomForestRegressor):
        def predict(self, X: Any) -> Any:
            return super().predict(X) ** 2

    forest = RandomForestClassifier(3, random_state=0)
    return {
        "linear": LogisticRegression(),
        "boosted classes": GradientBoostingClassifier(n_estimators=3),
        "boosted histograms of classes": HistGradientBoostingClassifier(max_iter=3),
        "boosted logarithms": HistGradientBoostingRegressor(max_iter=3, loss="poisson"),
        "boosted from a model": GradientBoostingRegressor(n_estimators=3, init=LinearRegression()),
        "weighted medians": AdaBoostRegressor(n_estimators=3),
        "a subclass": Squared(3),
        "another scale": TransformedTargetRegressor(RandomForestRegressor(3), func=np.log1p, inverse_func=np.expm1),
        "mixed columns": make_pipeline(PCA(3), forest),
        "products": make_pipeline(PolynomialFeatures(), forest),
        "rows to length one": make_pipeline(Normalizer(), forest),
        "any function": make_pipeline(FunctionTransformer(lambda x: x[:, ::-1].cumsum(axis=1)), forest),
    }


@pytest.mark.parametrize("name", others())
def test_other_models_are_refused_in_a_sentence(name: str) -> None:
    values = numbers()
    estimator, observed = others()[name], labels(values)
    is_class = hasattr(estimator, "predict_proba")
    decision: Decision = BINARY if is_class else IntervalDecision("price", (0.2, 0.5, 0.8))
    schema = Schema.infer(pd.DataFrame(values, columns=[f"f{i}" for i in range(WIDTH)]))
    model = Model.of(estimator.fit(values, observed), schema, fingerprint="another")
    problem = Problem(model, values, tuple(map(str, range(N))), np.ones(N, dtype=bool), decision)
    reason = TreeShap().unfit(problem)
    assert reason is not None and reason.startswith("TreeSHAP is left") and reason.endswith(".")
    case = problem.case(0)
    with pytest.raises(NotExact):
        game(problem, counterfactual(problem, case, problem.rows[1]), problem.outputs[:2])


def test_shap_agrees_as_far_as_its_digits_go() -> None:
    """For 200 changes, of which nobody can score every combination."""
    from shap import TreeExplainer
    from sklearn.ensemble import RandomForestRegressor

    values = np.random.default_rng(0).normal(size=(300, 200)).astype(np.float32).astype(float)
    forest = RandomForestRegressor(20, random_state=0)
    problem = posed(forest, values, values[:, :20].sum(axis=1), IntervalDecision("price", (-3.0, 0.0, 3.0)))
    case, found = next(pairs(problem))
    assert len(found) == 200
    explainer = TreeExplainer(forest, case.row[None], feature_perturbation="interventional")
    theirs = explainer.shap_values(found.row[None], check_additivity=False)[0]
    importance = TreeShap().explain(problem, case, found)
    np.testing.assert_allclose(importance.values, theirs, atol=1e-5)
    np.testing.assert_allclose(importance.values.sum(), found.score - found.factual_score, atol=1e-9)


def test_few_trees_at_a_time_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    values = numbers(0.1)
    problem = posed(classifiers()["forest"](), values, labels(values), BINARY)
    case, found = next(pairs(problem))
    whole = TreeShap().explain(problem, case, found).values
    monkeypatch.setattr(tree_shap, "MOST_AT_ONCE", 500)
    np.testing.assert_allclose(TreeShap().explain(problem, case, found).values, whole, atol=NEAR)


def test_a_model_of_unknown_insides_is_refused() -> None:
    values = numbers()
    schema = Schema.infer(pd.DataFrame(values))
    model = Model(lambda table: table.to_numpy()[:, 0], schema, schema.columns, (), "a formula", "a formula")
    decision = IntervalDecision("price", (0.2, 0.5, 0.8))
    problem = Problem(model, values, tuple(map(str, range(N))), np.ones(N, dtype=bool), decision)
    assert TreeShap().unfit(problem) is not None
