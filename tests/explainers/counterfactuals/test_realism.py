"""Whether sampled rows look real, asked of data where the answer is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from explainers.constraints import Constraints, Rule
from explainers.counterfactuals.mcce import Mcce, McceOptions
from explainers.counterfactuals.realism import alike, correlations, told_apart
from explainers.metrics import associations
from explainers.problem import Problem
from explainers.run import Run, Stopped
from tests.explainers.tables import posed

LOCK = Constraints((("kind", Rule(locked=True)), ("x", Rule(locked=True))))


def problem() -> Problem:
    random = np.random.default_rng(0)
    x = random.normal(size=600)
    table = pd.DataFrame({"kind": random.choice(["a", "b"], 600), "x": x, "y": x + random.normal(size=600) / 4})
    return posed(table, lambda rows: (rows[:, 2] > 0).astype(float))


def asked(run: Run | None = None) -> tuple[object, ...]:
    of = problem()
    case = of.case(of.ids[int(np.flatnonzero(of.outputs[:, 1] == 0)[0])])
    prepared = Mcce().prepare(of, Constraints(), McceOptions(), Run())
    return of, of.target(case), Constraints(), prepared, "column", run or Run()


def test_rows_like_a_case_share_its_locked_values_as_far_as_enough_do() -> None:
    of = problem()
    case = of.case("3")
    found = alike(of, case, LOCK)
    assert (found.shared, found.left_out) == (("kind",), ("x",))
    np.testing.assert_array_equal(found.rows, of.rows[of.rows[:, 0] == case.row[0]])
    assert alike(of, case, LOCK, fewest=1).shared == ("kind", "x")
    assert len(alike(of, case, Constraints()).rows) == 600


def test_what_goes_together_among_real_rows_does_among_sampled_ones() -> None:
    of = problem()
    compared = correlations(*asked())  # type: ignore[arg-type]
    desired = of.rows[of.outputs[:, 1] > 0.5]
    np.testing.assert_allclose(compared.real, associations(of.schema, desired))
    assert compared.real[1, 2] > 0.8 and abs(compared.sampled[1, 2] - compared.real[1, 2]) < 0.1
    frame = compared.to_frame()
    assert len(frame) == 3 and frame["difference"].abs().is_monotonic_decreasing
    assert frame["difference"].tolist() == pytest.approx((frame["sampled"] - frame["real"]).tolist())


def test_a_forest_hardly_tells_them_apart_and_the_same_run_says_the_same() -> None:
    told = told_apart(*asked())  # type: ignore[arg-type]
    assert 0.35 < told.accuracy < 0.65 and 0.35 < told.chance < 0.65
    assert told_apart(*asked()) == told  # type: ignore[arg-type]


def test_too_few_rows_are_said_to_be_too_few() -> None:
    of, *others = asked()
    assert isinstance(of, Problem)
    scarce = posed(of.schema.decode(of.rows), lambda rows: (rows[:, 2] > np.sort(of.rows[:, 2])[-9]).astype(float))
    with pytest.raises(ValueError, match="Only 8 rows have the decision wanted"):
        told_apart(scarce, *others)  # type: ignore[arg-type]


def test_a_single_feature_goes_with_nothing() -> None:
    of, *others = asked()
    assert isinstance(of, Problem)
    alone = posed(of.schema.decode(of.rows)[["y"]], lambda rows: (rows[:, 0] > 0).astype(float))
    with pytest.raises(ValueError, match="a single feature"):
        correlations(alone, *others)  # type: ignore[arg-type]


@pytest.mark.parametrize("ask", [correlations, told_apart])
def test_they_end_when_stopped(ask: object) -> None:
    with pytest.raises(Stopped):
        ask(*asked(Run(cancelled=lambda: True)))  # type: ignore[operator]
