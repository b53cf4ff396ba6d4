"""Views side by side, and each way in which they part on a model made to part them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from explainers import sentences_compared, wording
from explainers.attributions.attribution import Attribution
from explainers.attributions.comparison import (
    CONTRADICTIONS,
    ActTogether,
    AlreadyGood,
    Comparison,
    GoTogether,
    LeftAsItIs,
    Opposed,
    OtherFirst,
    compare,
    disagreements,
)
from explainers.decision import BinaryDecision, IntervalDecision
from explainers.explanation import explain_changes
from explainers.results import Origin
from explainers.schema import Rows, Schema
from tests.explainers.tables import counterfactual, posed

TITLES = ("SHAP", "LIME")


def compared(
    score: Callable[[np.ndarray], np.ndarray], shap: list[float], lime: list[float] | None = None, low: bool = False
) -> tuple[Comparison, Rows]:
    """Three whole numbers from all at 0 to 1, 1, 0; what SHAP and LIME say is given."""
    table = pd.DataFrame([[0, 0, 0], [1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0]], columns=["age", "debt", "income"])
    decision = IntervalDecision("price", (0.0, 0.5, 1.0), high=0.5) if low else BinaryDecision(("no", "yes"), 0.5)
    problem = posed(table, score, decision)
    case = problem.case("0")
    explanation = explain_changes(problem, case, counterfactual(problem, case, problem.rows[1]))
    target, own = explanation.counterfactual.target, explanation.counterfactual.factual_score
    how = Origin("hand", (), 0, "")
    told = [
        Attribution("0", problem.schema.names, np.array(values), 0.4, own, target, "hand", 5, how, fit=fit)
        for values, fit in ((shap, None), (lime, 0.25))
        if values is not None
    ]
    return compare(problem.schema, explanation, told, TITLES[: len(told)]), problem.rows


def found(comparison: Comparison, rows: Rows, *locked: str) -> dict[type, object]:
    place_of = comparison.told[0].features.index
    features = sorted((row.feature for row in comparison.rows), key=lambda feature: place_of(feature.name))
    return {type(one): one for one in disagreements(comparison, Schema(tuple(features)), rows, frozenset(locked))}


def said(one: object, comparison: Comparison) -> str:
    return wording.plain(sentences_compared.disagreement(one, comparison)).replace(wording.SPACE, " ")  # type: ignore[arg-type]


def additive(rows: np.ndarray) -> np.ndarray:
    return 0.2 + 0.3 * rows[:, 0] + 0.2 * rows[:, 1]


def test_what_changes_comes_first_and_the_rest_by_what_shap_says() -> None:
    comparison, _ = compared(additive, [-0.1, -0.05, 0.02], [-0.2, -0.1, 0.01])
    assert [row.feature.name for row in comparison.rows] == ["age", "debt", "income"]
    assert comparison.views == ("CounterShapley", "SHAP", "LIME")
    np.testing.assert_allclose(comparison.rows[0].values, (0.3, -0.1, -0.2))
    assert comparison.rows[2].values[0] is None and comparison.rows[2].text == "0"
    frame = comparison.to_frame()
    assert frame["value"].tolist() == ["0 → 1", "0 → 1", "0"]
    np.testing.assert_allclose(frame["CounterShapley"], [0.3, 0.2, np.nan])
    assert frame["LIME"].tolist() == [-0.2, -0.1, 0.01]


def test_where_all_point_the_same_way_there_is_no_contradiction() -> None:
    comparison, rows = compared(additive, [-0.1, -0.05, 0.02], [-0.2, -0.1, 0.01])
    told = found(comparison, rows)
    assert not any(issubclass(kind, CONTRADICTIONS) for kind in told)
    assert set(told) == {GoTogether}
    assert "rank correlation +1.00" in said(told[GoTogether], comparison)


def test_the_value_that_holds_back_most_may_be_left_as_it_is() -> None:
    comparison, rows = compared(additive, [-0.02, -0.01, -0.3])
    told = found(comparison, rows)[LeftAsItIs]
    assert isinstance(told, LeftAsItIs) and told.row.feature.name == "income" and told.shap == -0.3
    assert "income (0) counts most against yes (−0.30)" in said(told, comparison)
    assert "it is locked" not in said(told, comparison)
    assert "it is locked" in said(found(comparison, rows, "income")[LeftAsItIs], comparison)


def test_a_value_in_favour_may_be_changed_all_the_same() -> None:
    comparison, rows = compared(additive, [0.08, -0.05, 0.0])
    told = found(comparison, rows)[AlreadyGood]
    assert isinstance(told, AlreadyGood) and told.row.feature.name == "age"
    assert told.usual == rows[:, 0].mean()
    text = said(told, comparison)
    assert "age (0) already speaks for yes (+0.08)" in text and "adds +0.30" in text and "mean 0.4" in text


def test_the_change_and_the_value_that_count_most_may_be_two() -> None:
    comparison, rows = compared(additive, [-0.03, -0.2, 0.0])
    told = found(comparison, rows)[OtherFirst]
    assert isinstance(told, OtherFirst)
    assert (told.by_change.feature.name, told.by_value.feature.name) == ("age", "debt")
    text = said(told, comparison)
    assert "age counts most (+0.30)" in text and "debt (0) holds back most by SHAP (−0.20)" in text


def test_changes_may_act_together() -> None:
    comparison, rows = compared(lambda r: 0.1 + 0.1 * r[:, 0] + 0.7 * r[:, 0] * r[:, 1], [-0.3, -0.2, 0.0])
    told = found(comparison, rows)[ActTogether]
    assert isinstance(told, ActTogether)
    assert told.row.feature.name == "age" and (told.alone, told.last) == pytest.approx((0.1, 0.8))
    assert "by +0.10 alone and by +0.80 after the others" in said(told, comparison)
    assert ActTogether not in found(*compared(additive, [-0.1, -0.05, 0.0]))


def test_shap_and_lime_may_be_on_different_sides() -> None:
    comparison, rows = compared(additive, [-0.1, -0.05, 0.04], [-0.2, -0.1, -0.05])
    told = found(comparison, rows)[Opposed]
    assert isinstance(told, Opposed) and told.row.feature.name == "income"
    assert "SHAP says +0.04 and LIME −0.05" in said(told, comparison)
    assert "fits them to 25 %" in said(told, comparison)


def test_what_is_small_or_unsure_is_no_contradiction() -> None:
    comparison, rows = compared(additive, [-0.1, -0.05, 0.004], [-0.2, -0.1, -0.01])
    assert Opposed not in found(comparison, rows)


def test_where_less_is_wanted_the_sides_are_turned() -> None:
    comparison, rows = compared(lambda r: 1.0 - 0.4 * r[:, 0] - 0.3 * r[:, 1], [0.2, 0.1, 0.3], low=True)
    assert comparison.direction == -1 and comparison.is_for(-0.1) and not comparison.is_for(0.1)
    assert set(found(comparison, rows)) & set(CONTRADICTIONS) == {LeftAsItIs}
    assert "Bars to the left are for" in wording.plain(sentences_compared.about_compared(comparison))


def test_each_view_s_question_is_told_with_the_case_s_own_numbers() -> None:
    comparison, _ = compared(additive, [-0.1, -0.05, 0.02], [-0.2, -0.1, 0.01])
    one, two, three = (wording.plain(s).replace(wording.SPACE, " ") for s in sentences_compared.questions(comparison))
    assert "from 0.20 to 0.70" in one
    assert "from 0.40, the mean of 5 training rows, to 0.20" in two
    assert "among 5 rows drawn around it" in three
    shap, lime = (text.replace(wording.SPACE, " ") for text in sentences_compared.explainers_named(comparison))
    assert shap == "SHAP: hand. Background: 5 training rows, drawn with seed 0; no sampling error."
    assert "explains 25 % of the differences" in lime
