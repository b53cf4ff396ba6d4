"""Other local explanations of the same row: what each comes to, and that they say why they can't serve."""

from __future__ import annotations

import numpy as np
import pytest

from explainers.labelled import LabelledTable
from explainers.run import Run, Stopped
from explainers.surrogates.bella import Bella
from explainers.surrogates.comparison import Comparison, compare
from tests.contract.problems import cases_of, problem_called


def compared(name: str) -> tuple[Comparison, float]:
    problem = problem_called(name)
    case = cases_of(problem)[0]
    found = Bella().explain(LabelledTable.of_model(problem, problem.target(case)), case)
    state = np.random.get_state()[1].tolist()
    result = compare(problem, case, found, found.chosen)
    assert np.random.get_state()[1].tolist() == state, "the generator that all share is left as it was"
    return result, found.label


def test_all_four_of_a_number() -> None:
    result, label = compared("quartile")
    by = {row.method: row for row in result.rows}
    assert list(by) == ["BELLA", "SHAP", "LIME", "MAPLE"]
    for row in result.rows:
        if not row.why_not:
            assert (
                row.error == pytest.approx(abs(row.value - label), abs=1e-6)
                and 0 <= row.generality <= 1
                and row.size > 0
            )
    assert by["SHAP"].error == 0.0 and by["SHAP"].generality == 0.0
    assert by["MAPLE"].error < 0.5, "the model is linear, and so is MAPLE"
    assert by["BELLA"].size <= by["SHAP"].size
    frame = result.to_frame()
    assert frame["method"].tolist() == list(by) and frame["off by"].notna().sum() >= 3


def test_the_same_again_to_the_last_bit() -> None:
    assert compared("quartile")[0].rows == compared("quartile")[0].rows


def test_what_can_not_serve_says_why() -> None:
    result, _ = compared("less is wanted")
    by = {row.method: row for row in result.rows}
    for row in result.rows:
        assert np.isfinite(row.value) == (row.why_not == "")
        assert row.why_not == "" or row.why_not.endswith(".")
    assert by["MAPLE"].why_not == "", "what is missing counts as the mean there, as for BELLA"


def test_it_stops_when_told() -> None:
    problem = problem_called("quartile")
    case = cases_of(problem)[0]
    found = Bella().explain(LabelledTable.of_model(problem, problem.target(case)), case)
    with pytest.raises(Stopped):
        compare(problem, case, found, found.chosen, Run(cancelled=lambda: True))
