"""The Explain page for one of several classes, and for a number."""

from __future__ import annotations

import re

import known_cases
import numpy as np
import pytest
from page_driver import CHARTS, Screen

from components import catalogue
from explainers.counterfactuals.nice import Nice
from explainers.decision import ANY_OTHER
from explainers.wording import SPACE


def opened(data: str, **query: str) -> Screen:
    return Screen.at(data=data, case=known_cases.beginning(data), **query)


def sentence(screen: Screen) -> str:
    return screen.sentence.replace(SPACE, " ")


@pytest.mark.parametrize("data", ["penguins", "auto_mpg"])
def test_the_first_case_is_explained_whole(data: str) -> None:
    screen = opened(data)
    assert set(screen.figures) == set(CHARTS)
    assert screen.html("track") and screen.html("sides")
    problem = catalogue.sample_problem(data)
    sides = problem.decision.sides(problem.outputs).tolist()
    counts = ", ".join(f"{sides.count(i)} {name}" for i, name in enumerate(problem.decision.side_names()))
    assert [text.replace(SPACE, " ") for text in screen.html("counts")] == [f"Of {len(sides)} rows: {counts}."]


def test_pixels_are_drawn_as_pictures_with_the_real_case_they_come_from() -> None:
    screen = opened("digits")
    problem, case = catalogue.sample_problem("digits"), known_cases.beginning("digits")
    found = Nice().explain(problem, problem.case(case)).found[0]
    assert set(screen.figures) == {*CHARTS, "picture"}
    drawn = [np.array(trace["z"], dtype=float).ravel() for trace in screen.figures["picture"]["data"]]
    rows = (problem.case(case).row, found.row, problem.case(found.neighbour).row, found.row - found.factual)
    np.testing.assert_array_equal(drawn, rows)


def test_a_class_is_set_against_the_best_other_one() -> None:
    screen = opened("penguins")
    problem = catalogue.sample_problem("penguins")
    outputs = problem.case_outputs(problem.case(known_cases.beginning("penguins")))
    target = problem.decision.target(outputs)
    own, best = (f"{outputs[problem.model.classes.index(name)]:.2f}" for name in (target.desired, target.factual))
    assert sentence(screen).startswith(f"Scored {own} for {target.desired}, behind {target.factual} with {best}.")
    assert f"for {target.desired}, ahead of " in sentence(screen)
    assert "level" in screen.words("countershapley")
    assert "Score = lead of" in screen.text


@pytest.mark.parametrize("data", ["german_credit", "auto_mpg"])
def test_shares_stand_in_the_table_as_on_the_strip(data: str) -> None:
    screen = opened(data)
    drawn = screen.words("countershapley").replace(SPACE, " ")
    frame = screen.set("toggle", "table countershapley", True).app.dataframe[0].value
    signs = np.sign(frame["importance"]) * np.sign(frame["importance"].sum())
    for told, sign in zip(frame["share"], signs, strict=True):
        assert told.replace(SPACE, " ").lstrip("+−-") in drawn
        assert told.startswith("−") == (sign < 0)


def test_a_number_is_set_against_the_quarter_wanted() -> None:
    screen = opened("auto_mpg")
    assert "below the wanted 28.9 miles per gallon or more. With these" in sentence(screen)
    assert "28.9 or more" in screen.words("countershapley")
    assert screen.html("sides") == ["lowest quarter → highest quarter"]
    problem = catalogue.sample_problem("auto_mpg")
    high = np.flatnonzero(~problem.training & (problem.decision.sides(problem.outputs) == 2))
    down = Screen.at(data="auto_mpg", case=problem.ids[high[0]])
    assert "above the wanted 17.3 miles per gallon or less." in sentence(down)
    assert down.html("sides") == ["highest quarter → lowest quarter"]


def test_any_other_class_may_be_wanted_and_the_one_it_becomes_is_named() -> None:
    asked = opened("penguins").set("selectbox", "wanted", ANY_OTHER)
    assert asked.address["wanted"] == [ANY_OTHER]
    problem = catalogue.sample_problem("penguins")
    problem = problem.with_decision(problem.decision.adjusted(wanted=ANY_OTHER))
    case = problem.case(known_cases.beginning("penguins"))
    found = Nice().explain(problem, case).found[0]
    becomes = problem.model.classes[int(problem.model.score(found.row[None]).argmax())]
    assert f"for {becomes}, ahead of {found.target.factual}" in sentence(asked)
    assert f"Score = lead of the best other class over {found.target.factual}" in asked.text
    again = opened("penguins", wanted=ANY_OTHER, method="prototype_search")
    assert again.changes and not again.strips
    assert ANY_OTHER not in opened("german_credit").widget("selectbox", "wanted").options


def test_a_class_is_wanted_from_the_form_and_from_the_address() -> None:
    chosen = opened("penguins").set("selectbox", "wanted", "Gentoo")
    assert chosen.address["wanted"] == ["Gentoo"]
    assert "for Gentoo, behind" in sentence(chosen)
    assert sentence(opened("penguins", wanted="Gentoo")) == sentence(chosen)
    against = chosen.set("number_input", "class threshold", 0.3)
    assert against.view.threshold == 0.3
    assert "under the threshold of 0.30" in sentence(against)
    assert against.html("sides") == ["not Gentoo → Gentoo"]
    back = against.set("selectbox", "wanted", "the runner-up")
    assert (back.view.wanted, back.view.threshold) == (None, None)


def test_a_class_that_the_case_has_is_said() -> None:
    screen = opened("penguins", wanted="Adelie", threshold="0.3")
    assert re.search(r"already has the decision you asked for \(\d\.\d\d, threshold 0\.30\)", screen.strips[0])
    assert set(screen.click("other side").figures) == set(CHARTS)


def test_a_range_is_wanted_from_the_form_and_from_the_address() -> None:
    screen = opened("auto_mpg").set("number_input", "low", 20.0).set("number_input", "high", 23.5)
    assert (screen.view.low, screen.view.high) == (20.0, 23.5)
    assert "below the wanted 20.0 to 23.5 miles per gallon." in sentence(screen)
    assert screen.html("sides") == ["outside the range → in the range"]
    assert sentence(opened("auto_mpg", low="20", high="23.5")) == sentence(screen)
    assert set(screen.figures) == set(CHARTS)
    reached = opened("auto_mpg", high="20")
    assert re.search(r"\(1\d\.\d, wanted 20\.0 miles per gallon or less\)", reached.strips[0])
    assert set(reached.click("other side").figures) == set(CHARTS)


def test_a_filter_by_side_falls_away_with_the_sides() -> None:
    screen = opened("auto_mpg", side="lowest quarter").set("number_input", "low", 20.0)
    assert (screen.view.query.side, screen.view.low) == (None, 20.0)


@pytest.mark.parametrize(
    ("data", "query", "told"),
    [
        ("penguins", {"wanted": "Emperor"}, "no class 'Emperor'"),
        ("penguins", {"threshold": "0.4"}, "say which class is wanted"),
        ("penguins", {"wanted": "Adelie", "threshold": "1.4"}, "between 0 and 1"),
        ("penguins", {"low": "1"}, "a range is for numbers"),
        ("penguins", {"side": "Emperor"}, "no side 'Emperor'"),
        ("auto_mpg", {"wanted": "Japan"}, "gives a number"),
        ("auto_mpg", {"threshold": "0.4"}, "gives a number"),
        ("auto_mpg", {"low": "30", "high": "20"}, "ends before it begins"),
        ("auto_mpg", {"low": "many"}, "not a number"),
        ("auto_mpg", {"low": "20", "side": "middle half"}, "no side 'middle half'"),
        ("german_credit", {"high": "1"}, "a range is for numbers"),
    ],
)
def test_what_can_t_be_wanted_is_one_sentence(data: str, query: dict[str, str], told: str) -> None:
    screen = opened(data, **query)
    assert len(screen.html()) == 1
    assert told in screen.strips[0] and screen.strips[0].endswith(".")
    assert not screen.figures
