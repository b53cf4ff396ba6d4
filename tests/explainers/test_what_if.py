"""What a case would be as another row: its score, how far it is from the line, and what speaks against it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from explainers import standing, wording
from explainers.constraints import Constraints, Rule
from explainers.decision import BinaryDecision, ClassDecision, IntervalDecision
from explainers.intake.refusal import Refused
from explainers.intake.rows import row_of_values
from explainers.model import Model
from explainers.problem import Case, Problem
from explainers.run import Run, Stopped
from explainers.schema import Direction, Rows, Schema
from explainers.what_if import WhatIf, proposed_row, what_if
from tests.explainers.tables import posed

TABLE = pd.DataFrame(
    {
        "age": [20, 40, 60],
        "income": [1.0, 2.0, np.nan],
        "job": pd.Categorical(["none", "clerk", "none"], ["none", "clerk", "pilot"]),
    }
)
FREE = Constraints()


def problem(threshold: float = 0.5, wanted: str | None = None) -> Problem:
    """A hundredth of the age, and a quarter more for any job."""
    return posed(
        TABLE, lambda rows: rows[:, 0] / 100 + (rows[:, 2] > 0) / 4, BinaryDecision(("0", "1"), threshold, wanted)
    )


def tried(asked: Problem, constraints: Constraints = FREE, **values: object) -> WhatIf:
    case = asked.case("0")
    row = proposed_row(asked, case, row_of_values(asked.schema, values, "It"))
    return what_if(asked, case, [row], constraints)[0]


def said(one: WhatIf) -> str:
    return wording.plain(standing.as_it_might_be(one))


def test_a_row_is_scored_and_seen_from_the_case() -> None:
    one = tried(problem(), age=30, job="clerk")
    assert (one.factual_score, one.score, one.side, one.flips) == (0.2, 0.55, "1", True)
    assert one.changed == (0, 2)
    assert one.is_counterfactual
    assert said(one) == "Scores 0.55 now: 1, 0.05 over the threshold of 0.50."


def test_what_does_not_flip_says_what_is_missing() -> None:
    one = tried(problem(), age=31)
    assert not one.is_counterfactual
    assert said(one) == "Scores 0.31 now: 0, 0.19 under the threshold of 0.50."
    assert standing.why_no_counterfactual(one, "Row 2") == (
        "Row 2 does not flip: it scores 0.31, 0.19 under the threshold of 0.50."
    )


@pytest.mark.parametrize(
    ("threshold", "words"),
    [
        (0.204, "0.20 now: 0, 0.004 under the threshold of 0.204."),
        (0.2, "0.20 now: 1, exactly the threshold of 0.20."),
        (0.19999, "0.20 now: 1, 0.00001 over the threshold of 0.19999."),
    ],
)
def test_score_and_threshold_as_printed_are_as_far_apart_as_is_said(threshold: float, words: str) -> None:
    asked = problem(threshold, wanted="1")
    one = what_if(asked, asked.case("1"), [asked.rows[0]])[0]
    assert said(one) == f"Scores {words}"


def test_the_case_as_it_is_is_no_counterfactual() -> None:
    one = tried(problem())
    assert one.changed == ()
    assert standing.why_no_counterfactual(one) == "It is the case as it is; nothing differs."


def test_a_case_that_is_where_it_should_be_has_no_counterfactual() -> None:
    assert not tried(problem(wanted="0"), age=10).is_counterfactual


@pytest.mark.parametrize(
    ("rule", "values", "sentence"),
    [
        (Rule(locked=True), {"age": 55}, "age is locked."),
        (Rule(direction=Direction.DOWN), {"age": 55}, "age may only fall."),
        (Rule(direction=Direction.UP), {"age": 19}, "age may only rise."),
        (Rule(low=30, high=50), {"age": 55}, "age may change to at least 30 and at most 50 only."),
        (Rule(high=50), {"age": 55}, "age may change to at most 50 only."),
        (Rule(categories=frozenset({"none"})), {"job": "clerk"}, "job may change to none only."),
        (Rule(categories=frozenset()), {"job": "clerk"}, "job may not change."),
    ],
)
def test_a_broken_rule_is_said(rule: Rule, values: dict[str, object], sentence: str) -> None:
    (name,) = values
    one = tried(problem(), FREE.with_rule(name, rule), **values)
    assert [remark.sentence for remark in one.remarks if remark.breaks_rule] == [sentence]
    assert one.broken == (name,)
    assert not one.is_counterfactual
    if one.flips:
        assert standing.why_no_counterfactual(one) == f"It flips, but breaks what was set: {sentence}"


def test_what_no_row_has_is_said_and_allowed() -> None:
    one = tried(problem(), age=70, job="pilot")
    assert [(remark.feature, remark.sentence) for remark in one.remarks] == [
        ("age", "Beyond all rows of the table: 20 to 60."),
        ("job", "No row that the model may have learnt from has job pilot."),
    ]
    assert one.is_counterfactual


def test_a_value_within_the_table_is_not_remarked_on() -> None:
    assert tried(problem(), age=60, income=2, job="clerk").remarks == ()


def test_what_every_row_has_can_not_be_missing() -> None:
    asked = problem()
    with pytest.raises(Refused, match="job is known in every row of the table"):
        proposed_row(asked, asked.case("0"), row_of_values(asked.schema, {"job": None}, "It"))
    assert np.isnan(proposed_row(asked, asked.case("0"), row_of_values(asked.schema, {"income": None}, "It"))[1])


def test_the_case_is_not_written_to() -> None:
    asked = problem()
    case = asked.case("0")
    before = case.row.copy()
    row = proposed_row(asked, case, row_of_values(asked.schema, {"age": 33}, "It"))
    what_if(asked, case, [row])
    assert np.array_equal(case.row, before)
    assert row[0] == 33


def test_many_rows_are_one_question() -> None:
    asked = problem()
    calls: list[int] = []

    def predict(table: pd.DataFrame) -> object:
        calls.append(len(table))
        return asked.model.predict(table)

    counted = replace(asked, model=replace(asked.model, predict=predict)).with_outputs(asked.outputs)
    what_if(counted, counted.case("0"), list(asked.rows))
    assert calls == [3]


def test_a_run_that_has_ended_asks_nothing() -> None:
    asked = problem()
    with pytest.raises(Stopped):
        what_if(asked, asked.case("0"), [asked.rows[1]], run=Run(cancelled=lambda: True))


def classes() -> Problem:
    schema = Schema.infer(TABLE[["age"]])

    def predict(table: pd.DataFrame) -> Rows:
        age = table["age"].to_numpy(dtype=float) / 100
        return np.column_stack([1 - age, age * 0.75, age * 0.25])

    model = Model(predict, schema, ("age",), ("A", "B", "C"), "a formula", "a formula")
    return Problem(model, schema.encode(TABLE), ("0", "1", "2"), np.ones(3, dtype=bool), ClassDecision(("A", "B", "C")))


def test_a_class_is_seen_against_the_best_other_one() -> None:
    one = tried(classes(), age=50)
    assert said(one) == "Scores now: 0.38 for B, behind A with 0.50."
    assert standing.why_no_counterfactual(one) == "It does not flip: it scores 0.38 for B, behind A with 0.50."
    assert said(tried(classes(), age=60)) == "Scores now: 0.45 for B, ahead of A with 0.40."


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (31, "Scores 31.0 now: outside the range, 4.0 £ below the wanted 35.0 to 50.0 £."),
        (52.5, "Scores 52.5 now: outside the range, 2.5 £ above the wanted 35.0 to 50.0 £."),
        (40, "Scores 40.0 now: in the range, within the wanted 35.0 to 50.0 £."),
    ],
)
def test_a_number_is_seen_against_its_range(age: float, words: str) -> None:
    table = TABLE.astype({"age": float})
    decision = IntervalDecision("price", (10.0, 30.0, 50.0), 35.0, 50.0, "£")
    asked = posed(table, lambda rows: rows[:, 0], decision)
    assert said(tried(asked, age=age)) == words


def test_a_case_of_one_s_own_can_be_asked_about() -> None:
    asked = problem()
    case = Case("mine", np.array([35.0, 1.0, 0.0]))
    assert what_if(asked, case, [np.array([55.0, 1.0, 0.0])])[0].factual_score == 0.35
