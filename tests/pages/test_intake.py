"""A person's own table and model, from the upload to the explanation."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.io
from intake_driver import TABLE_NAME, IntakeScreen, loans, model_file, pickled_model, table_file
from page_driver import Screen

from components import arrival, projects
from explainers import wording
from explainers.constraints import Rule
from explainers.intake import posing
from explainers.intake.roles import Way
from explainers.training import train

PAGE = "data_and_model"
GONE = "This link's data has expired or never was here; upload it again."


def opened() -> IntakeScreen:
    screen = IntakeScreen.at(PAGE)
    assert isinstance(screen, IntakeScreen)
    return screen


@pytest.fixture(scope="module")
def with_both() -> str:
    """The address of both files, used by the tests that only look."""
    return opened().bring(table_file(), model_file()).view.data


@pytest.fixture(scope="module")
def with_table() -> str:
    return opened().bring(table_file()).view.data


def at(data: str, page: str = PAGE, **query: str) -> IntakeScreen:
    screen = IntakeScreen.at(page, data=data, **query)
    assert isinstance(screen, IntakeScreen)
    return screen


def test_both_files_are_brought_and_explained() -> None:
    screen = opened().bring(table_file(), model_file())
    assert projects.is_token(screen.view.data)
    assert not screen.strips
    assert "'paid' is taken as what was observed" in screen.text
    assert "not known: any of these rows" in screen.text
    screen.click("explain first")
    assert "→" in screen.html("sides")[0]
    assert screen.sentence.startswith("Scored 0.")
    assert {"countershapley", "greedy"} <= set(screen.figures)
    estimator = skops.io.loads(model_file()[1], trusted=["sklearn.tree._tree.Tree", "numpy.dtype"])
    case = loans().set_index("loan").loc[[screen.view.case]]
    (probabilities,) = estimator.predict_proba(case[["age", "income", "housing", "visits"]])
    assert f"Scored {probabilities.min():.2f}" in screen.sentence


def test_the_list_of_data_names_the_file(with_both: str) -> None:
    screen = at(with_both)
    box = screen.widget("selectbox", "data")
    assert box.options[-1] == TABLE_NAME
    screen.set("selectbox", "data", "penguins")
    assert screen.view.data == "penguins"
    assert screen.widget("selectbox", "data").options[-1] == TABLE_NAME
    assert screen.set("selectbox", "data", with_both).view.data == with_both


def test_the_address_alone_shows_the_same(with_both: str) -> None:
    one, other = at(with_both, "", case="L007"), at(with_both, "", case="L007")
    assert one.sentence == other.sentence
    assert one.address == {"data": [with_both], "case": ["L007"]}


def test_cases_tell_that_training_is_unknown(with_both: str) -> None:
    screen = at(with_both, "cases")
    assert "seen in training" not in " ".join(screen.widget("multiselect", "query only").options)
    table = screen.app.dataframe[0].value
    assert set(table["seen in training"]) == {"unknown"}
    assert len(table) == len(loans())
    assert list(table["observed"]) == list(loans()["paid"])


def test_a_link_that_has_expired_says_so(with_table: str) -> None:
    data = opened().bring(table_file()).view.data
    projects.store().delete(data)
    for page in ("", "cases", PAGE):
        assert Screen.at(page, data=data).strips == [GONE]
    assert Screen.at(data="A" * 22).strips == [GONE]


def test_a_table_that_has_expired_says_so() -> None:
    data = opened().bring(table_file()).view.data
    table = projects.of(data).table
    projects.store().delete(table)
    projects._noted.clear()
    assert Screen.at(data=data).strips == [GONE]


class TestBadFiles:
    @pytest.mark.parametrize(
        ("content", "sentence"),
        [
            (b"", "is empty"),
            (b"%PDF-1.7 ...", "is a PDF"),
            (b"a\n1\n2\n", "has only one column"),
            (b"a,b\n", "has a header but no rows"),
        ],
    )
    def test_a_table_that_can_t_be_read(self, content: bytes, sentence: str) -> None:
        screen = opened().bring(("t.csv", content))
        assert len(screen.strips) == 1 and sentence in screen.strips[0]
        explain = screen.go_to("explain")
        assert sentence in explain.strips[0] and not explain.figures
        assert not opened().bring(table_file()).strips

    def test_a_model_that_is_none(self) -> None:
        screen = opened().bring(table_file(), ("m.skops", b"no model"))
        assert screen.strips == [
            "m.skops is not a model file that is known here; save the scikit-learn pipeline with skops, or convert the"
            " model to ONNX."
        ]
        assert screen.go_to("cases").strips == screen.strips

    def test_a_model_that_wants_another_column(self) -> None:
        table = loans().drop(columns="age").to_csv(index=False).encode()
        screen = opened().bring(("t.csv", table), model_file())
        assert len(screen.strips) == 1 and "'age'" in screen.strips[0]
        assert "income" in screen.columns.index

    def test_a_pickle_is_refused_with_the_lines_that_convert_it(self) -> None:
        screen = opened().bring(table_file(), pickled_model())
        assert "is a pickle" in screen.strips[0]
        assert "income" in screen.columns.index
        assert "skops.io.dump(joblib.load('model.pkl'), 'model.skops')" in screen.app.code[-1].value

    def test_a_pickle_is_taken_where_the_operator_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(arrival.ALLOW_PICKLE, "1")
        screen = opened().bring(("t.csv", b"x,y\n0,0\n1,1\n0,0\n1,1\n"), pickled_model())
        assert not screen.strips, screen.strips

    def test_another_sheet_of_a_workbook_may_hold_the_table(self) -> None:
        book = io.BytesIO()
        with pd.ExcelWriter(book) as writer:
            pd.DataFrame({"About": ["these loans"]}).to_excel(writer, sheet_name="about", index=False)
            loans().to_excel(writer, sheet_name="loans", index=False)
        screen = opened().bring(("book.xlsx", book.getvalue()))
        assert "has only one column" in screen.strips[0]
        screen.set("selectbox", "sheet", "loans")
        assert not screen.strips
        assert projects.of(screen.view.data).sheet == "loans"
        assert "income" in screen.columns.index

    def test_no_file_at_all(self) -> None:
        screen = opened().bring()
        assert screen.strips == ["No file is chosen; choose a table, a model or both."]
        assert screen.view.data == "german_credit"


class TestTraining:
    def test_a_table_alone_gets_a_model(self, with_table: str) -> None:
        screen = at(with_table)
        assert "'paid' is taken as the target" in screen.text
        assert "105" in screen.text and "45" in screen.text
        assert screen.widget("selectbox", "trainer").value == "forest"
        screen.click("explain first")
        assert screen.figures

    def test_another_trainer_seed_and_target(self, with_table: str) -> None:
        screen = at(with_table).set("selectbox", "trainer", "logistic_regression")
        assert "Logistic regression" in screen.text
        screen.set("number_input", "training seed", 5)
        plan = projects.of(screen.view.data).plan
        assert (plan.trainer, plan.seed) == ("logistic_regression", 5)
        screen.set("selectbox", "target", "income")
        assert "R²" in screen.text
        assert screen.widget("selectbox", "trainer").value == "forest_of_numbers"

    def test_reruns_words_and_locks_train_nothing_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        trained = []

        def counting(*args: Any, **options: Any) -> Any:
            trained.append(args)
            return train(*args, **options)

        monkeypatch.setattr(posing, "train", counting)
        screen = opened().bring(table_file())
        screen.settle().settle()
        screen.edit(0, title="years", locked=True)
        screen.set("text_input", "class names", "bad; good")
        assert len(trained) == 1
        screen.set("number_input", "training seed", 1)
        assert len(trained) == 2

    def test_classes_get_names(self, with_table: str) -> None:
        screen = at(with_table).set("text_input", "class names", "default; repaid")
        assert " default, " in screen.html("counts")[0] and " repaid" in screen.html("counts")[0]
        screen.set("text_input", "class names", "only one")
        assert "There are 2 classes" in screen.strips[0]

    def test_a_model_trained_here_comes_back_as_a_file(self, with_table: str) -> None:
        content = arrival.trained_file(projects.of(with_table))
        screen = at(with_table).bring(model=("mine.skops", content))
        assert not screen.strips, screen.strips
        assert projects.of(screen.view.data).plan.way is Way.FILE

    def test_without_a_model_a_column_is_kept(self, with_table: str) -> None:
        screen = at(with_table).set("segmented_control", "way", Way.OBSERVED.value)
        assert projects.of(screen.view.data).plan.way is Way.OBSERVED
        assert "income is what the page Equation explains" in screen.text
        assert "explain first" not in screen.buttons
        assert "without one there is no decision to flip" in screen.go_to("explain").strips[0]

    def test_a_sample_may_be_trained_anew(self) -> None:
        screen = opened().set("selectbox", "trainer", "boosting")
        project = projects.of(screen.view.data)
        assert (project.sample, project.plan.trainer) == ("german_credit", "boosting")
        assert "Gradient boosting" in screen.text
        assert screen.widget("selectbox", "data").options[-1] == "German credit*"


class TestColumns:
    def test_a_lock_holds_in_the_explanation(self, with_table: str) -> None:
        explain = at(with_table, "")
        first = at(with_table).click("explain first")
        case = str(first.view.case)
        changed = explain.app.session_state["own"]["view"].data
        assert changed == with_table
        name = next(name for name in ("income", "age", "housing", "visits") if any(name in c for c in first.changes))
        screen = at(with_table, case=case)
        row = list(screen.columns.index).index(name)
        screen.edit(row, locked=True)
        assert screen.view.data != with_table and screen.view.case == case
        assert bool(screen.columns.loc[name, "locked"])
        explained = screen.go_to("explain")
        assert not any(name in change for change in explained.changes)
        assert at(with_table).columns.loc[name, "locked"] in (False, np.False_)

    def test_words_kinds_and_codes(self, with_table: str) -> None:
        screen = at(with_table)
        names = list(screen.columns.index)
        screen.edit(names.index("income"), title="pay", unit="EUR", at_least="1000", description="A month's.")
        screen.edit(names.index("visits"), missing="-9")
        screen.edit(names.index("age"), kind="category")
        told = screen.columns
        assert tuple(told.loc["income", ["title", "unit", "at_least", "description"]]) == (
            "pay",
            "EUR",
            "1000",
            "A month's.",
        )
        problem = arrival.brought(screen.view.data).posed.problem
        assert problem is not None
        assert np.isnan(problem.rows[0, problem.schema.index("visits")])
        assert not problem.schema["age"].is_number
        assert problem.schema["income"].allowed_low == 1000.0

    def test_a_column_is_left_out_and_taken_back(self, with_table: str) -> None:
        screen = at(with_table)
        screen.edit(list(screen.columns.index).index("housing"), use=False)
        assert not screen.columns.loc["housing", "use"]
        screen.edit(list(screen.columns.index).index("housing"), use=True)
        assert screen.columns.loc["housing", "use"]

    def test_what_can_t_be_is_told_and_nothing_changes(self, with_table: str) -> None:
        screen = at(with_table)
        screen.edit(list(screen.columns.index).index("housing"), direction="only rise")
        assert screen.view.data == with_table
        assert "has no order" in screen.strips[0]
        screen.edit(list(screen.columns.index).index("age"), at_least="old")
        assert screen.strips == ["'old' is no bound for age; type a number, or nothing."]

    def test_a_model_from_a_file_takes_its_own_columns(self, with_both: str) -> None:
        screen = at(with_both)
        screen.edit(list(screen.columns.index).index("age"), use=False)
        assert screen.view.data == with_both
        assert screen.strips == ["The model takes 'age', so it can't be left out; lock it to keep it as it is."]
        screen.edit(list(screen.columns.index).index("age"), title="years", at_most="60")
        assert screen.view.data != with_both
        assert screen.columns.loc["age", "title"] == "years"

    def test_dates_are_dates(self) -> None:
        dates = [f"2024-{1 + place % 12:02d}-{1 + place % 28:02d}" for place in range(len(loans()))]
        table = loans().assign(since=dates)[["age", "since", "income", "paid"]]
        screen = opened().bring(("t.csv", table.to_csv(index=False).encode()))
        screen.edit(1, at_least="2024-02-30")
        assert "type a date as year-month-day" in screen.strips[0]
        screen.edit(1, at_least="2024-02-28")
        assert screen.columns.loc["since", "at_least"] == "2024-02-28"
        explain = at(screen.view.data, "", case="1")
        assert any("2024-01-01" in text for text in explain.html("row") + explain.changes)

    def test_categories_get_an_order(self, with_table: str) -> None:
        screen = at(with_table).set("selectbox", "which categories", "housing")
        screen.set("toggle", f"ordered housing {screen.view.data}", True)
        screen.edit_categories(2, place=1, label="rented")
        problem = arrival.brought(screen.view.data).posed.problem
        assert problem is not None and problem.schema["housing"].ordered
        assert problem.schema["housing"].labels == ("rented", "free & <b>easy</b>", "own")

    def test_the_rules_of_the_view_yield_to_what_is_said_last(self, with_table: str) -> None:
        screen = at(with_table, case="L007", lock="age", rise="income")
        screen.edit(list(screen.columns.index).index("age"), title="years")
        assert dict(screen.view.rules) == {"income": Rule(direction="up")}

    def test_a_schema_is_loaded(self, with_table: str) -> None:
        content = json.dumps({"flipside_schema": 1, "features": {"age": {"title": "years", "locked": True}}}).encode()
        screen = at(with_table)
        screen.app.file_uploader(key=f"schema file {with_table}").upload("c.json", content, "application/json")
        screen.settle()
        assert screen.columns.loc["age", "title"] == "years"
        screen.click("forget edits")
        assert screen.columns.loc["age", "title"] == "age"

    def test_numbers_become_a_picture_and_numbers_again(self) -> None:
        table = loans().assign(ink=[place % 7 * 1.5 for place in range(len(loans()))])[
            ["age", "income", "visits", "ink", "paid"]
        ]
        screen = opened().bring(("t.csv", table.to_csv(index=False).encode()))
        screen.app.number_input(key="width of picture").set_value(3)
        screen.click("picture")
        assert screen.strips == ["4 numbers can't be cut into rows of 3 pixels; choose another width."]
        screen.app.number_input(key="width of picture").set_value(2)
        screen.click("picture")
        problem = arrival.brought(screen.view.data).posed.problem
        assert problem is not None and problem.schema.picture == (("age", "income"), ("visits", "ink"))
        screen.click("no picture")
        assert projects.of(screen.view.data).plan.edits.picture == ()

    def test_a_schema_of_another_table_is_refused(self, with_table: str) -> None:
        content = json.dumps({"flipside_schema": 1, "features": {"weight": {"locked": True}}}).encode()
        screen = at(with_table)
        screen.app.file_uploader(key=f"schema file {with_table}").upload("c.json", content, "application/json")
        screen.settle()
        assert screen.view.data == with_table
        assert "no column 'weight'" in screen.strips[0]


def test_markup_in_names_and_values_is_text(with_table: str) -> None:
    name = '<b>sum</b> & "total"'
    table = loans().rename(columns={"income": name}).to_csv(index=False).encode()
    screen = opened().bring(("<i>t</i>.csv", table))
    assert name in screen.columns.index
    assert not any("<b>" in node.proto.body for node in screen.app.get("html") if "caveat" in node.proto.body)
    assert wording.count(150, "row") in screen.text
