"""A table, a model and what is said of them become a problem, or one sentence says why not."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from explainers.constraints import Constraints
from explainers.counterfactuals.nice import Nice
from explainers.decision import BinaryDecision, ClassDecision, IntervalDecision
from explainers.intake.estimators import from_estimator
from explainers.intake.loaded import LoadedModel
from explainers.intake.posing import Posed, pose
from explainers.intake.roles import Plan, Way
from explainers.intake.schema_edits import FeatureEdit, SchemaEdits
from explainers.intake.table import Table
from explainers.intake.tables import read_table
from explainers.schema import Kind

RANDOM = np.random.default_rng(0)
ROWS = 120


def frame() -> pd.DataFrame:
    age = RANDOM.integers(18, 80, ROWS)
    income = RANDOM.normal(3000, 800, ROWS).round(2)
    return pd.DataFrame({
        "customer": [f"c{place:03d}" for place in range(ROWS)],
        "age": age,
        "income": income,
        "housing": RANDOM.choice(["rent", "own", "free"], ROWS),
        "since": pd.date_range("2020-01-01", periods=ROWS, freq="7D").strftime("%Y-%m-%d"),
        "notes": [f"a long remark number {place} on this one" for place in range(ROWS)],
        "paid": np.where(income + 20 * age > 3900, "yes", "no"),
    })  # fmt: skip


FRAME = frame()


def table(changed: pd.DataFrame | None = None) -> Table:
    content = (FRAME if changed is None else changed).to_csv(index=False).encode()
    return read_table("bank.csv", content)


@pytest.fixture(scope="module")
def trained() -> Posed:
    return pose(table(), Plan())


def test_a_column_that_is_left_out_is_not_asked_to_be_left_out() -> None:
    useless = table(FRAME.assign(country="NO", empty=None))
    for uses in ({}, {"country": True}):
        edits = SchemaEdits()
        for column, used in uses.items():
            edits = edits.with_use(column, used)
        told = [note for note in (*pose(useless, Plan(edits=edits)).notes, *useless.notes) if "'country'" in note]
        assert "The column 'country' is 'NO' in every row, so it can't explain anything." in told
        assert ["left out" in note for note in told].count(True) == (0 if uses else 1)


@pytest.fixture(scope="module")
def loaded(trained: Posed) -> LoadedModel:
    assert trained.trained is not None
    return from_estimator("bank.skops", "skops", trained.trained.estimator, b"", None)


class TestTraining:
    def test_roles_are_guessed_and_said(self, trained: Posed) -> None:
        assert trained.roles is not None
        assert (trained.roles.target, trained.roles.id) == ("paid", "customer")
        assert trained.roles.features == ("age", "income", "housing", "since")
        assert dict(trained.roles.left_out) == {"notes": "it holds free text"}
        assert any("'paid' is taken as the target" in note for note in trained.notes)
        assert any("'notes' is left out" in note for note in trained.notes)

    def test_the_problem_is_ready_to_be_explained(self, trained: Posed) -> None:
        problem = trained.problem
        assert problem is not None
        assert problem.decision == BinaryDecision(("no", "yes"))
        assert problem.ids[:2] == ("c000", "c001")
        assert problem.knows_training and problem.training.sum() == round(0.7 * ROWS)
        assert (np.array(["no", "yes"])[problem.observed] == FRAME["paid"]).all()
        assert trained.measures[0].value > trained.measures[0].simplest
        unseen = problem.ids[int(np.flatnonzero(problem.unseen)[0])]
        assert Nice().explain(problem, problem.case(unseen)).found

    def test_several_classes_and_numbers(self) -> None:
        several = pose(table(), Plan(target="housing"))
        assert several.problem is not None and isinstance(several.problem.decision, ClassDecision)
        number = pose(table(), Plan(target="income", quantity="income", unit="EUR"))
        assert number.problem is not None and isinstance(number.problem.decision, IntervalDecision)
        assert (number.problem.decision.quantity, number.problem.decision.unit) == ("income", "EUR")
        assert {measure.name for measure in number.measures} == {"R²", "mean absolute error"}

    def test_new_words_train_and_score_nothing_again(self) -> None:
        kept: dict[Hashable, Any] = {}
        made: list[Hashable] = []

        def remember(key: Hashable, make: Callable[[], Any]) -> Any:
            if key not in kept:
                made.append(key)
                kept[key] = make()
            return kept[key]

        one = pose(table(), Plan(trainer="logistic_regression"), remember=remember)
        edits = SchemaEdits().with_feature("age", FeatureEdit(title="Alter", locked=True))
        plan = Plan(trainer="logistic_regression", classes=("bad", "good"), edits=edits)
        other = pose(table(), plan, remember=remember)
        assert len(made) == 2
        assert one.problem is not None and other.problem is not None
        assert other.problem.decision == BinaryDecision(("bad", "good"))
        assert other.problem.model.classes == ("bad", "good")
        assert other.problem.schema["age"].title == "Alter"
        assert Constraints.default(other.problem.schema)["age"].locked
        assert other.problem.outputs is one.problem.outputs
        again = pose(
            table(), Plan(trainer="logistic_regression", edits=edits.with_use("housing", False)), remember=remember
        )
        assert len(made) == 4 and again.roles is not None and "housing" not in again.roles.features

    def test_edits_hold_for_the_rows(self) -> None:
        edits = SchemaEdits().with_feature("age", FeatureEdit(kind=Kind.CATEGORY))
        posed = pose(table(), Plan(edits=edits.with_use("notes", True), trainer="logistic_regression"))
        assert posed.problem is not None
        assert not posed.problem.schema["age"].is_number
        assert "notes" in posed.problem.schema.names

    @pytest.mark.parametrize(
        ("plan", "sentence"),
        [
            (Plan(target="nothing"), "has no column 'nothing' to predict"),
            (Plan(id="nothing"), "has no column 'nothing' to call the rows by"),
            (Plan(target="notes"), "classes may be 50 at most"),
            (Plan(classes=("one",)), "There are 2 classes, but 1 names are given"),
            (Plan(classes=("one", "one")), "Each class needs a name of its own"),
            (Plan(trainer="magic"), "no way to train called 'magic'"),
        ],
    )
    def test_what_can_t_be_is_one_sentence(self, plan: Plan, sentence: str) -> None:
        posed = pose(table(), plan)
        assert posed.problem is None
        assert len(posed.problems) == 1 and sentence in posed.problems[0]

    def test_infinite_values_are_named(self) -> None:
        wrong = FRAME.assign(income=[np.inf, *FRAME["income"][1:]])
        posed = pose(table(wrong), Plan())
        assert "'income' has infinite values" in posed.problems[0]

    def test_ids_that_repeat_are_not_taken(self) -> None:
        posed = pose(table(), Plan(id="housing"))
        assert posed.problem is not None and posed.problem.ids[0] == "1"
        assert any("share their 'housing'" in note for note in posed.notes)


class TestModelFromAFile:
    def test_scores_are_the_model_s_own(self, trained: Posed, loaded: LoadedModel) -> None:
        prepared = FRAME.assign(since=trained.table["since"])
        shuffled = prepared[list(RANDOM.permutation(prepared.columns))]
        posed = pose(table(shuffled), Plan(Way.FILE), loaded)
        assert posed.problem is not None, posed.problems
        assert np.allclose(posed.problem.outputs, trained.problem.outputs)
        assert posed.roles is not None and posed.roles.target == "paid"
        assert (np.array(["no", "yes"])[posed.problem.observed] == FRAME["paid"]).all()

    def test_nobody_knows_what_it_was_trained_on(self, trained: Posed, loaded: LoadedModel) -> None:
        posed = pose(table(FRAME.assign(since=trained.table["since"])), Plan(Way.FILE), loaded)
        assert posed.problem is not None
        assert not posed.problem.knows_training
        assert posed.problem.training.all() and posed.problem.unseen.all()
        assert not posed.measures

    def test_what_is_wrong_is_said_and_the_columns_stay_to_be_edited(self, loaded: LoadedModel) -> None:
        posed = pose(table(FRAME.drop(columns="age")), Plan(Way.FILE), loaded)
        assert posed.problem is None and posed.schema is not None
        assert "'age'" in posed.problems[0]

    def test_dates_where_the_model_wants_numbers(self, loaded: LoadedModel) -> None:
        posed = pose(table(), Plan(Way.FILE), loaded)
        assert "'since'" in posed.problems[0] and "dates" in posed.problems[0]

    def test_a_model_on_arrays_gets_all_but_the_target_and_the_id(self) -> None:
        from sklearn.linear_model import LogisticRegression

        numbers = FRAME[["customer", "age", "income", "paid"]]
        model = LogisticRegression().fit(numbers[["age", "income"]].to_numpy(), numbers["paid"])
        posed = pose(table(numbers), Plan(Way.FILE), from_estimator("m.skops", "skops", model, b"", None))
        assert posed.problem is not None, posed.problems
        assert posed.problem.schema.names == ("age", "income")
        assert posed.problem.ids[0] == "c000"

    def test_a_code_for_missing_goes_back_to_the_model(self) -> None:
        from sklearn.tree import DecisionTreeClassifier

        numbers = FRAME[["age", "income", "paid"]].assign(age=[-9, *FRAME["age"][1:]])
        model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(numbers[["age", "income"]], numbers["paid"])
        edits = SchemaEdits().with_feature("age", FeatureEdit(missing=("-9",)))
        posed = pose(table(numbers), Plan(Way.FILE, edits=edits), from_estimator("m", "skops", model, b"", None))
        assert posed.problem is not None, posed.problems
        assert np.isnan(posed.problem.rows[0, 0])
        assert np.allclose(posed.problem.outputs, model.predict_proba(numbers[["age", "income"]]))

    def test_without_a_file_there_is_no_model(self) -> None:
        assert "no model yet" in pose(table(), Plan(Way.FILE)).problems[0]


class TestNoModel:
    def test_a_column_of_numbers_is_kept(self) -> None:
        posed = pose(table(), Plan(Way.OBSERVED))
        assert posed.problem is None and not posed.problems
        assert posed.roles is not None and posed.roles.target == "income"

    def test_there_must_be_one(self) -> None:
        posed = pose(table(FRAME[["housing", "paid"]]), Plan(Way.OBSERVED))
        assert "no column of numbers" in posed.problems[0]

    def test_it_must_hold_numbers(self) -> None:
        assert "no number" in pose(table(), Plan(Way.OBSERVED, target="housing")).problems[0]
