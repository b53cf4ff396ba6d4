"""Measures of counterfactuals: against literal readings, and on real rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import samples
from explainers.comparison import Yardstick, compared, comparison_frame
from explainers.constraints import Constraints
from explainers.distances import heom
from explainers.interpretability import TINY, Interpretability
from explainers.problem import Problem
from explainers.registry import GENERATORS
from explainers.retraining import retrained_models
from explainers.run import Run, Stopped
from explainers.training import heeding
from tests.contract.problems import cases_of, problem_called


@pytest.fixture(scope="module")
def cancer() -> Problem:
    return samples.get("breast_cancer").load()


def test_im1_and_im2_are_the_paper_s_equations(cancer: Problem) -> None:
    case = cancer.case("20")
    im = Interpretability.of(cancer, case, cancer.target(case), Run())
    assert im is not None
    rows = cancer.rows[:7]
    points = im.space.points(rows)
    lost, other = points - im.desired.rebuilt(points), points - im.factual.rebuilt(points)
    np.testing.assert_allclose(im.im1(rows), (lost**2).sum(axis=1) / ((other**2).sum(axis=1) + TINY))
    gap = ((im.desired.rebuilt(points) - im.everybody.rebuilt(points)) ** 2).sum(axis=1)
    np.testing.assert_allclose(im.im2(rows), gap / (np.abs(points).sum(axis=1) + TINY))


def test_rows_of_either_side_look_like_it(cancer: Problem) -> None:
    case = cancer.case("20")
    target = cancer.target(case)
    im = Interpretability.of(cancer, case, target, Run())
    assert im is not None
    unseen = ~cancer.training
    desired = unseen & target.flips(cancer.outputs)
    assert np.median(im.im1(cancer.rows[desired])) < 1 < np.median(im.im1(cancer.rows[unseen & ~desired]))
    assert im.real_im1 < 1


def test_a_side_of_a_few_rows_has_no_autoencoder() -> None:
    problem = problem_called("mixed")
    case = cases_of(problem)[0]
    few = problem.training & (np.cumsum(problem.training) < 25)
    assert Interpretability.of(replace(problem, training=few), case, problem.target(case)) is None


def test_models_fitted_again_differ_a_little(cancer: Problem) -> None:
    models = retrained_models(cancer, Run(), 2)
    unseen = cancer.rows[~cancer.training]
    for model in models:
        outputs = model.score(unseen)
        assert not np.array_equal(outputs, cancer.outputs[~cancer.training])
        agree = cancer.decision.sides(outputs) == cancer.decision.sides(cancer.outputs[~cancer.training])
        assert agree.mean() > 0.9


def test_what_can_not_be_fitted_again_is_not() -> None:
    assert retrained_models(problem_called("numbers")) == ()  # nobody knows how its cases turned out


def test_every_measure_of_a_real_case_is_what_it_says(cancer: Problem) -> None:
    case = cancer.case("20")
    yard = Yardstick.of(cancer, case)
    result = GENERATORS["nearest"].explain(cancer, case, Constraints())
    row = compared("nearest", cancer, Constraints(), result, 0.5, lambda: yard)
    for measures, found in zip(row.measures, result.found, strict=True):
        assert measures.is_valid and measures.violations == 0 and measures.to_real == 0
        assert measures.changes == len(found)
        assert measures.distance == pytest.approx(heom(cancer.schema, yard.ranges, case.row, found.row[None])[0])
        assert measures.robustness in (0, 0.2, 0.4, 0.6, 0.8, 1.0)
    frame = comparison_frame({"nearest": "Nearest real case"}, [row])
    assert frame["found"].tolist() == [len(result.found)] and frame["seconds"].tolist() == [0.5]


def test_it_ends_with_the_run(cancer: Problem) -> None:
    with pytest.raises(Stopped):
        Yardstick.of(cancer, cancer.case("20"), Run(cancelled=lambda: True))


def test_models_are_fitted_again_no_longer_than_the_run_lasts(cancer: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heeding, "LOOK_EVERY", 0.0)
    asked = []
    with pytest.raises(Stopped):
        retrained_models(cancer, Run(cancelled=lambda: bool(asked.append(None)) or len(asked) == 50))  # type: ignore[func-returns-value]
    assert len(asked) == 50


def test_what_needs_no_fitting_is_measured_all_the_same(cancer: Problem) -> None:
    case = cancer.case("20")
    result = GENERATORS["nearest"].explain(cancer, case, Constraints())
    whole, cut = (
        compared("nearest", cancer, Constraints(), result, 0.5, lambda yard=yard: yard)  # type: ignore[misc]
        for yard in (Yardstick.of(cancer, case), Yardstick.unfitted(cancer, case))
    )
    assert whole.is_complete and not cut.is_complete
    for known, left in zip(whole.measures, cut.measures, strict=True):
        assert left == replace(known, im1=None, im2=None, robustness=None)
