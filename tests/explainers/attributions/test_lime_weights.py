"""LIME on models whose line is known, and what is said where it can't serve."""

from __future__ import annotations

import importlib.util

import numpy as np
import pandas as pd
import pytest

from explainers.attributions import lime_weights
from explainers.attributions.lime_weights import Lime
from explainers.decision import IntervalDecision
from explainers.problem import Case, Problem
from explainers.run import Run
from explainers.schema import Schema
from tests.explainers.tables import posed

NUMBER = IntervalDecision("price", (0.0, 0.5, 1.0), 100.0)
N = 300


def table() -> pd.DataFrame:
    random = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "whole": random.integers(0, 40, N),
            "real": random.normal(size=N),
            "colour": pd.Series(random.choice(["red", "green", None], N), dtype="str"),
            "idle": random.normal(size=N),
        }
    )


def problem(made: pd.DataFrame | None = None) -> Problem:
    made = table() if made is None else made
    schema = Schema.infer(made)
    red = schema["colour"].code("red")
    return posed(made, lambda rows: (rows[:, 0] > 30) * 2.0 + (rows[:, 2] == red) - np.isnan(rows[:, 2]), NUMBER)


def test_what_moves_the_score_has_weight_and_the_rest_has_none() -> None:
    posed_ = problem()
    case = Case("typed", np.array([39.0, 0.0, posed_.schema["colour"].code("red"), 0.0]))
    told = Lime().explain(posed_, case)
    assert told.of("whole") > 1.0 and told.of("colour") > 0.5
    assert abs(told.of("real")) < 0.1 and abs(told.of("idle")) < 0.1
    assert told.fit is not None and 0.5 < told.fit <= 1.0
    assert told.score == 3.0


def test_a_missing_category_is_one_more_category() -> None:
    posed_ = problem()
    told = Lime().explain(posed_, Case("typed", np.array([0.0, 0.0, np.nan, 0.0])))
    assert told.of("colour") < -0.5 and told.score == -1.0


def test_whole_numbers_are_asked_as_whole_numbers() -> None:
    seen: list[np.ndarray] = []
    made = table()
    schema = Schema.infer(made)

    def score(rows: np.ndarray) -> np.ndarray:
        seen.append(rows.copy())
        return rows[:, 1]

    posed_ = posed(made, score, NUMBER, schema)
    Lime().explain(posed_, posed_.case("0"))
    asked = np.concatenate(seen)
    assert len(asked) >= 4000
    whole = asked[:, 0]
    low, high = made["whole"].min(), made["whole"].max()
    assert whole.min() >= low and whole.max() <= high and len(set(whole)) > 20


def test_rows_with_missing_numbers_are_left_out_and_counted() -> None:
    made = table()
    made.loc[:9, "real"] = np.nan
    posed_ = problem(made)
    told = Lime().explain(posed_, posed_.case("50"))
    assert "10\u00a0training rows with missing numbers left out" in told.explainer
    with pytest.raises(ValueError, match="the case has one"):
        Lime().explain(posed_, posed_.case("3"))
    made["real"] = np.nan
    assert "every training row" in str(Lime().unfit(problem(made)))


def test_the_seed_and_the_case_decide() -> None:
    posed_ = problem()
    one, again, other = (Lime().explain(posed_, posed_.case("5"), run=Run(seed=seed)) for seed in (0, 0, 1))
    assert one.values.tolist() == again.values.tolist() != other.values.tolist()


def test_without_the_package_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lime_weights.missing() is None
    found = importlib.util.find_spec
    monkeypatch.setattr(lime_weights, "find_spec", lambda name: None if name == "lime" else found(name))
    posed_ = problem()
    why = Lime().unfit(posed_)
    assert why == "LIME needs the package lime here; install it with pip install lime==0.2.0.1."
    with pytest.raises(ValueError, match="pip install lime"):
        Lime().explain(posed_, posed_.case("0"))


def test_the_install_line_is_the_pinned_one() -> None:
    from pathlib import Path

    root = Path(__file__).parents[3]
    pin = "lime==0.2.0.1"
    assert pin in (root / "requirements-dev.txt").read_text(encoding="utf-8")
    assert f'lime = ["{pin}"]' in (root / "pyproject.toml").read_text(encoding="utf-8")
