"""The page Cases: which cases there are, in which order, and where picking one leads."""

from __future__ import annotations

import io
import json
from typing import Any

import known_cases
import numpy as np
import pandas as pd
import pytest
from intake_driver import IntakeScreen
from page_driver import Screen

from components import catalogue
from components.state.view import View
from explainers import wording
from explainers.cases import CaseQuery, Filter, Order, select
from explainers.constraints import Rule
from explainers.problem import Problem

NUMBER, CATEGORY = "age_in_years", "purpose"


def ids(problem: Problem, query: CaseQuery) -> list[str]:
    return [problem.ids[position] for position in select(problem, query)]


def table(screen: Screen) -> pd.DataFrame:
    frame: pd.DataFrame = screen.app.dataframe[0].value
    return frame


def columns(screen: Screen) -> dict[str, Any]:
    """How the table is told to print its columns."""
    told: dict[str, Any] = json.loads(screen.app.dataframe[0].proto.columns)
    return told


def count(screen: Screen) -> str:
    return screen.sentence.replace(wording.SPACE, " ")


def pick(screen: Screen, row: int, *, cell: bool = False) -> Screen:
    """Pick a row or a cell of the table, as the browser would tell; once, as the harness goes back to its page."""
    node = screen.app.dataframe[0]
    rows, cells = ([], [[row, "decision"]]) if cell else ([row], [])
    states = screen.app._tree.get_widget_states()
    told = {"selection": {"rows": rows, "columns": [], "cells": cells}}
    states.widgets.add(id=node.proto.id, string_value=json.dumps(told))
    screen.app._run(states)
    assert not screen.app.exception, screen.app.exception[0].message
    assert not screen.app.dataframe, "the page Explain is shown"
    return screen


def test_the_cases_not_seen_come_first_and_are_counted() -> None:
    screen = Screen.at("cases")
    problem = known_cases.problem()
    unseen = ids(problem, CaseQuery(filters=frozenset({Filter.UNSEEN})))
    assert table(screen)["case"].tolist() == unseen
    assert count(screen) == f"{len(unseen)} cases of 1 000. Pick one to explain it."
    assert not table(screen)["seen in training"].any()


@pytest.mark.parametrize(
    ("kind", "key", "value", "query"),
    [
        ("selectbox", "query order", "nearest", {"order": Order.NEAREST}),
        ("selectbox", "query order", "highest", {"order": Order.HIGHEST}),
        ("selectbox", "query side", "bad risk", {"side": "bad risk"}),
        ("multiselect", "query only", ["wrong"], {"filters": frozenset({Filter.WRONG})}),
        ("multiselect", "query only", ["near", "seen"], {"filters": frozenset({Filter.NEAR, Filter.SEEN})}),
        ("multiselect", "query only", [], {"filters": frozenset()}),
        ("text_input", "query text", " used ", {"text": "used"}),
    ],
)
def test_a_filter_holds_and_stands_in_the_address(kind: str, key: str, value: Any, query: dict[str, Any]) -> None:
    screen = Screen.at("cases").set(kind, key, value)
    problem = known_cases.problem()
    wanted = CaseQuery(**({"filters": frozenset({Filter.UNSEEN})} | query))
    assert screen.view.query == wanted
    assert table(screen)["case"].tolist() == ids(problem, wanted)[:500]
    again = Screen.at("cases", **screen.address)
    assert again.view.query == wanted
    pd.testing.assert_frame_equal(table(again), table(screen))
    assert count(again) == count(screen)


def test_cases_are_asked_for_by_range_and_category() -> None:
    problem = known_cases.problem()
    number, category = problem.schema[NUMBER], problem.schema[CATEGORY]
    screen = Screen.at("cases", only="any", data="german_credit")
    screen.set("multiselect", "query where", [NUMBER, CATEGORY])
    assert count(screen).startswith("1 000 cases of 1 000.")
    screen.set("number_input", f"where low {NUMBER}", 30.0).set("number_input", f"where high {NUMBER}", 35.0)
    screen.set("multiselect", f"where {CATEGORY}", [category.labels[0]])
    rules = ((NUMBER, Rule(low=30.0, high=35.0)), (CATEGORY, Rule(categories=frozenset({category.labels[0]}))))
    wanted = CaseQuery(where=tuple(sorted(rules, key=lambda rule: rule[0])))
    assert screen.view.query == wanted
    assert table(screen)["case"].tolist() == ids(problem, wanted)
    assert table(screen)[number.title].between(30, 35).all()
    assert Screen.at("cases", **screen.address).view.query == wanted
    screen.set("number_input", f"where low {NUMBER}", None)
    assert screen.view.query.where[0][1] == Rule(high=35.0)
    screen.set("number_input", f"where high {NUMBER}", None)
    assert [name for name, _ in screen.view.query.where] == [CATEGORY]


def test_ends_given_the_wrong_way_round_are_turned() -> None:
    screen = Screen.at("cases", **{"data": "german_credit", "where.range": f"30:35:{NUMBER}"})
    screen.set("number_input", f"where low {NUMBER}", 40.0)
    assert screen.view.query.where == ((NUMBER, Rule(low=35.0, high=40.0)),)


def test_a_page_holds_so_many_and_another_question_begins_at_the_first() -> None:
    screen = Screen.at("cases", data="german_credit", only="any")
    every = ids(known_cases.problem(), CaseQuery())
    assert table(screen)["case"].tolist() == every[:500]
    screen.set("selectbox", "page", 2)
    assert table(screen)["case"].tolist() == every[500:]
    screen.set("selectbox", "query order", "lowest")
    assert screen.widget("selectbox", "page").value == 1
    screen.set("selectbox", "page", 2).set("text_input", "query text", "used")
    assert len(table(screen)) and "page" not in {box.key for box in screen.app.selectbox}


@pytest.mark.parametrize("cell", [False, True])
def test_what_is_picked_on_a_page_is_explained(cell: bool) -> None:
    screen = Screen.at("cases", data="german_credit", only="any", order="nearest").set("selectbox", "page", 2)
    wanted = table(screen)["case"].tolist()[3]
    pick(screen, 3, cell=cell)
    assert screen.view.case == wanted
    assert screen.address["case"] == [wanted] and screen.address["order"] == ["nearest"]
    assert set(screen.go_to("explain").figures), "the case is explained"
    assert len(table(screen.go_to("cases"))), "the table has forgotten its row"


def test_the_first_column_picks_nothing_as_the_browser_picks_it_by_itself() -> None:
    screen = Screen.at("cases", data="german_credit")
    node = screen.app.dataframe[0]
    states = screen.app._tree.get_widget_states()
    told = {"selection": {"rows": [], "columns": [], "cells": [[0, table(screen).columns[0]]]}}
    states.widgets.add(id=node.proto.id, string_value=json.dumps(told))
    screen.app._run(states)
    assert screen.view.case == "" and screen.app.dataframe


def test_previous_and_next_follow_what_was_asked_for() -> None:
    query = {"only": ["wrong"], "order": "nearest", "side": "good risk"}
    order = ids(known_cases.problem(), CaseQuery(Order.NEAREST, frozenset({Filter.WRONG}), "good risk"))
    screen = pick(Screen.at("cases", data="german_credit", **query), 0)
    seen = [screen.view.case]
    for _ in range(3):
        seen.append(screen.click("next").view.case)
    assert seen == order[:4]
    assert f"4 of {len(order)} chosen cases" in screen.text.replace(wording.SPACE, " ")
    assert screen.click("previous").view.case == order[2]
    assert screen.widget("selectbox", "case").options[:2] == [f"Case {id_}" for id_ in order[:2]]


def test_a_random_case_is_one_of_those_asked_for() -> None:
    order = ids(known_cases.problem(), CaseQuery(filters=frozenset({Filter.WRONG, Filter.NEAR})))
    screen = Screen.at("cases", data="german_credit", only=["wrong", "near"])
    screen.app.button(key="random").click().run()
    assert screen.view.case in order
    assert not screen.app.dataframe, "the page Explain is shown"


def test_nothing_found_is_a_sentence_with_a_way_out() -> None:
    screen = Screen.at("cases", data="german_credit", text="no such thing", order="lowest")
    assert screen.strips == ["No case is like that. Take a filter off, or see all cases."]
    assert count(screen) == "0 cases of 1 000."
    assert not screen.app.dataframe
    assert screen.app.button(key="random").disabled and screen.app.button(key="next").disabled
    screen.click("all cases")
    assert screen.view.query == CaseQuery(Order.LOWEST)
    assert count(screen).startswith("1 000 cases")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"order": "alphabetical"}, "order=alphabetical; it can be table, nearest, lowest, highest."),
        ({"only": "odd"}, "only=odd; it can be unseen, seen, wrong, near."),
        ({"side": "ugly"}, "There is no side 'ugly' of this decision; there are bad risk, good risk."),
        ({"where.range": "1:2:nothing"}, "There is no feature called 'nothing'."),
        ({"where.none": "nothing"}, "There is no feature called 'nothing'."),
        ({"where.range": f"1:2:{CATEGORY}"}, "is not a number, so it has no range."),
        ({"where.range": f"5:1:{NUMBER}"}, "ends before it begins"),
        ({"where.range": f"::{NUMBER}"}, "without saying for which of its values."),
        ({"where.range": f"a:b:{NUMBER}"}, "not a number"),
        ({"where.among": f"yacht:{CATEGORY}"}, "no category called 'yacht'"),
        ({"where.among": f"1:{NUMBER}"}, "categor"),
        ({"where.lock": NUMBER}, "'where.lock' that means nothing here."),
        ({"text": ["a", "b"]}, "2 times"),
    ],
)
def test_what_an_address_asks_for_in_vain_is_one_sentence(query: dict[str, Any], told: str) -> None:
    screen = Screen.at("cases", data="german_credit", **query)
    (said,) = screen.strips
    assert told in said and said.count(".") - said.count("where.") == 1 and said.endswith(".")
    assert not screen.app.dataframe
    assert "start over" in screen.buttons


@pytest.mark.parametrize("query", [{"where.range": f"-9e99:9e99:{NUMBER}"}, {"where.range": f"500:600:{NUMBER}"}])
def test_a_range_may_reach_beyond_the_table(query: dict[str, str]) -> None:
    screen = Screen.at("cases", data="german_credit", **query)
    assert bool(screen.strips) == ("500" in query["where.range"])


@pytest.mark.parametrize("data", ["penguins", "auto_mpg", "german_credit"])
def test_numbers_are_printed_with_their_decimals(data: str) -> None:
    problem = catalogue.sample_problem(data)
    screen = Screen.at("cases", data=data, only="any")
    told = columns(screen)
    for feature in problem.schema.features:
        if feature.is_number:
            assert told[feature.title]["type_config"]["format"] == f"%.{feature.decimals}f"
    if not problem.model.classes:
        assert told["score"]["type_config"]["format"] == "%.1f"


def test_a_probability_reads_in_the_table_as_in_the_case_s_own_sentence() -> None:
    """And is on its side of a threshold that it nearly reaches."""
    problem = catalogue.sample_problem("german_credit")
    good = problem.outputs[:, 1]
    near = next(place for place, score in enumerate(good.tolist()) if abs(score - round(score, 2)) > 1e-3)
    threshold = wording.as_printed(float(good[near]), 2)
    screen = Screen.at("cases", data="german_credit", only="any", threshold=str(threshold), wanted="good risk")
    target = problem.decision.adjusted("good risk", threshold).target(problem.outputs[0])
    shown = table(screen)
    positions = [problem.ids.index(id_) for id_ in shown["case"]]
    assert shown["score"].tolist() == list(wording.scores(good[positions], target))
    assert len(shown["score"][positions.index(near)]) > len("0.00")
    for text, score in zip(shown["score"], good[positions], strict=True):
        assert (float(text) >= threshold) == (score >= threshold)


def test_what_is_missing_is_called_so() -> None:
    screen = Screen.at("cases", data="penguins", only="any")
    assert screen.app.dataframe[0].proto.placeholder == "missing"
    problem = catalogue.sample_problem("penguins")
    gaps = np.isnan(problem.rows)
    shown = table(screen).set_index("case")
    for place, feature in enumerate(problem.schema.features):
        ids_ = [problem.ids[position] for position in np.flatnonzero(gaps[:, place])]
        told = shown.loc[ids_, feature.title]
        assert told.isna().all() if feature.is_number else (told == "missing").all()


@pytest.fixture(scope="module")
def of_dates() -> str:
    """A table with dates, noise in the last digit, an empty column, names with markup, and gaps in the target."""
    random = np.random.default_rng(4)
    n = 120
    frame = pd.DataFrame({"who": [f"p{place:03d}" for place in range(n)]})
    frame["since"] = pd.Timestamp(2020, 1, 1) + pd.to_timedelta(random.integers(0, 900, n), unit="D")
    frame["*rate* <b>&"] = random.integers(1, 9, n) / 10
    frame["town"] = random.choice(["Zürich", "東京"], n)
    frame["paid"] = np.where(frame["*rate* <b>&"] + (frame["town"] == "東京") > 0.9, "yes", "no")
    buffer = io.StringIO()
    frame.to_csv(buffer, index=False)
    screen = IntakeScreen.at("data_and_model")
    assert isinstance(screen, IntakeScreen)
    return screen.bring(("people.csv", buffer.getvalue().encode())).view.data


def test_dates_are_dates_in_the_table_and_in_the_filter(of_dates: str) -> None:
    screen = Screen.at("cases", data=of_dates, only="any")
    assert str(table(screen)["since"].dtype).startswith("datetime64")
    assert columns(screen)["since"]["type_config"]["type"] == "date"
    screen.set("multiselect", "query where", ["since"])
    assert len(table(screen)) == 120
    day = pd.Timestamp(2021, 3, 1)
    screen.set("date_input", "where low since", day.date())
    assert (table(screen)["since"] >= day).all() and 0 < len(table(screen)) < 120
    highest = table(screen)["since"].max()
    screen.set("date_input", "where high since", highest.date())
    assert table(screen)["since"].max() == highest
    assert Screen.at("cases", **screen.address).view.query == screen.view.query


def test_names_and_values_of_any_kind_are_asked_for(of_dates: str) -> None:
    screen = Screen.at("cases", data=of_dates, only="any", text="東京")
    assert set(table(screen)["town"]) == {"東京"}
    screen = Screen.at("cases", data=of_dates, only="any", text="P007")
    assert table(screen)["case"].tolist() == ["p007"]
    screen.set("text_input", "query text", "").set("multiselect", "query where", ["*rate* <b>&"])
    screen.set("number_input", "where high *rate* <b>&", 0.3)
    assert table(screen)["*rate* <b>&"].max() == pytest.approx(0.3)
    assert Screen.at("cases", **screen.address).view.query == screen.view.query


def test_cases_with_a_missing_value_are_asked_for() -> None:
    screen = Screen.at("cases", data="penguins", only="any")
    title, name = "bill length", "bill_length_mm"
    screen.set("multiselect", "query gaps", [(name, True)])
    assert table(screen)[title].isna().all() and len(table(screen))
    assert Screen.at("cases", **screen.address).view.query == screen.view.query
    screen.set("multiselect", "query gaps", [(name, False)])
    assert table(screen)[title].notna().all() and len(table(screen))
    assert not [box for box in Screen.at("cases", data="german_credit").app.multiselect if box.label == "Only where"]


def test_the_order_is_looked_for_once() -> None:
    problem = known_cases.problem()
    view = View(query=CaseQuery(Order.NEAREST))
    assert catalogue.cases(view, problem) is catalogue.cases(view, problem)
