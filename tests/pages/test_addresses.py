"""What an address asks for is shown; what isn't there is one sentence, and no number with it."""

from __future__ import annotations

import re
from typing import Any

import known_cases
import pytest
from page_driver import CHARTS, Screen

from components import catalogue
from components.state.view import View


def test_without_a_case_no_number_is_shown() -> None:
    screen = Screen.at(data="german_credit")
    assert screen.strips == ["Pick a case to see its other side."]
    assert not screen.figures
    assert not screen.html("sides")
    assert not screen.html("track")
    assert not screen.html("sentence")
    assert not screen.changes
    assert screen.widget("selectbox", "case").value is None


def test_from_no_case_one_is_picked() -> None:
    screen = Screen.at(data="german_credit").set("selectbox", "case", known_cases.beginning())
    assert screen.view.case == known_cases.beginning()
    assert set(screen.figures) == set(CHARTS)


def test_from_no_case_next_leads_to_the_first() -> None:
    screen = Screen.at(data="german_credit").click("next")
    assert screen.view.case == known_cases.order()[0]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"case": "99999"}, "There is no case 99999 in this table."),
        ({"case": "<b>&"}, "There is no case <b>& in this table."),
        ({"data": "nothing", "case": "1"}, "no data set 'nothing'"),
        ({"data": ""}, "no data set ''"),
        ({"case": "1", "threshold": "2"}, "between 0 and 1"),
        ({"case": "1", "threshold": "half"}, "not a number"),
        ({"case": "1", "wanted": "rich"}, "no class 'rich'"),
        ({"case": "1", "method": "magic"}, "no method 'magic'"),
        ({"case": "1", "nice.reward": "money"}, "money"),
        ({"case": "1", "nice.neighbours": "0"}, "20, not 0"),
        ({"case": "1", "colour": "red"}, "'colour'"),
        ({"case": ["1", "2"]}, "2 times"),
        ({"case": "1", "lock": "nothing"}, "no feature called 'nothing'"),
        ({"case": "1", "keep": "nothing"}, "no feature called 'nothing'"),
        ({"case": "1", "select": "nothing"}, "no feature called 'nothing'"),
        ({"case": "1", "rise": "purpose"}, "has no order"),
        ({"case": "1", "range": "1:2:purpose"}, "is not a number"),
        ({"case": "1", "range": "5:1:duration_in_month"}, "ends before it begins"),
        ({"case": "1", "among": "yacht:purpose"}, "no category called 'yacht'"),
        ({"case": "1", "shown": "0"}, "counted from 1"),
    ],
)
@pytest.mark.parametrize("page", ["explain", "data_and_model"])
def test_what_is_not_there_is_one_sentence(page: str, query: dict[str, Any], told: str) -> None:
    screen = Screen.at("" if page == "explain" else page, **query)
    assert len(screen.html()) == 1
    assert told in screen.strips[0]
    assert screen.strips[0].endswith(".")
    assert not screen.figures
    assert not screen.app.dataframe
    assert screen.buttons == {"start over"}
    assert re.findall(r"\d+\.\d+", screen.text) == []


def test_starting_over_leads_to_the_first_screen() -> None:
    screen = Screen.at(case="99999").click("start over")
    assert screen.view == View(case=known_cases.beginning())
    assert screen.address == {"data": ["german_credit"], "case": [known_cases.beginning()]}
    assert set(screen.figures) == set(CHARTS)


def test_another_data_set_begins_with_a_case_of_its_own() -> None:
    screen = Screen.at(lock="purpose", threshold="0.4").set("selectbox", "data", "breast_cancer")
    assert screen.view == View(data="breast_cancer", case=catalogue.beginning("breast_cancer"))
    assert set(screen.figures) == set(CHARTS)
    assert screen.html("sides")[0].split() == ["malignant", "→", "benign"]


def test_the_data_that_were_left_are_as_they_were() -> None:
    screen = Screen.at(case="17", lock="purpose", threshold="0.4")
    left = screen.view
    screen.set("selectbox", "data", "breast_cancer").set("selectbox", "data", "german_credit")
    assert screen.view == left
    assert screen.address == {"data": ["german_credit"], "case": ["17"], "lock": ["purpose"], "threshold": ["0.4"]}


def test_a_switch_is_no_way_back_to_an_address_that_lags_behind() -> None:
    """A browser that has not yet heard of the next case sends the address of the one before along."""
    order = known_cases.order()
    screen = Screen.at(case=order[0])
    lagging = screen.address
    screen.click("next").send_along(lagging).set("toggle", "table greedy", True)
    assert screen.view.case == order[1]
    assert screen.address["case"] == [order[1]]


def test_what_a_lagging_browser_sends_along_is_no_choice() -> None:
    order = known_cases.order()
    screen = Screen.at(case=order[0], data="german_credit", **{"what-if": "open"})
    lagging = screen.app._tree.get_widget_states()
    screen.click("next").app._run(lagging)
    assert screen.view.case == order[1]
    assert screen.view.edits == ()
    assert screen.settle().address["case"] == [order[1]]


def test_a_table_that_is_shown_is_shown_again_after_other_pages() -> None:
    screen = Screen.at().set("toggle", "table greedy", True).go_to("cases").go_to("explain")
    assert screen.widget("toggle", "table greedy").value is True
    assert set(screen.figures) == set(CHARTS) - {"greedy"}


def test_an_address_that_lags_behind_leads_nowhere() -> None:
    screen = Screen.at(case=known_cases.order()[0])
    lagging = screen.address
    screen.click("next").send_along(lagging).settle()
    assert screen.address["case"] == [screen.view.case] == [known_cases.order()[1]]
