"""The page Compare shows what each generator finds, by measures that can be told again, and leads to Explain."""

from __future__ import annotations

from threading import Event
from typing import Any

import known_cases
import pytest
from page_driver import Screen

from components.compare_cards import TITLES
from explainers.comparison import Yardstick
from explainers.constraints import Constraints
from explainers.counterfactuals.nearest_case import NearestCase
from explainers.registry import GENERATORS
from explainers.run import Run, Stopped
from explainers.sentences import listed

FEW = ["nice", "nearest", "random"]


@pytest.fixture(scope="module")
def screen() -> Screen:
    return Screen.at("compare", data="german_credit", case=known_cases.beginning(), generator=FEW)


def found(method: str) -> tuple:
    problem = known_cases.problem()
    case = problem.case(known_cases.beginning())
    return GENERATORS[method].explain(problem, case, Constraints.default(problem.schema), run=Run()).found


def test_each_chosen_method_has_a_row_with_its_own_numbers(screen: Screen) -> None:
    frame = screen.app.dataframe[0].value
    assert frame["method"].tolist() == [TITLES[name] for name in FEW]
    for name, (_, row) in zip(FEW, frame.iterrows(), strict=True):
        assert row["found"] == len(found(name))
        assert row["changes"] == len(found(name)[0])
        assert row["distance"] == pytest.approx(found(name)[0].distance)
        assert row["valid"] and row["violations"] == 0
        assert 0 <= row["robustness"] <= 1 and row["IM1"] > 0 and row["IM2"] > 0
    assert frame["to real"].iloc[1] < min(frame["to real"].iloc[[0, 2]])
    assert "Real cases of the wanted side have an IM1 of" in screen.text
    least = min(len(found(name)[0]) for name in FEW)
    by = [TITLES[name] for name in FEW if len(found(name)[0]) == least]
    assert (
        f"Fewest changes: {least}, by {'all of them' if by == list(map(TITLES.get, FEW)) else listed(by)}."
        in screen.text
    )


def test_each_new_value_is_drawn_for_its_method_and_stands_in_its_column(screen: Screen) -> None:
    drawn = screen.words("ways")
    for name in FEW:
        for change in found(name)[0].changes:
            assert change.title in drawn and change.new_text.split()[0] in drawn
    marks = [what for trace in screen.figures["ways"]["data"] for what in trace["customdata"]]
    assert {name: marks.count(name) for name in FEW} == {name: len(found(name)[0]) for name in FEW}
    screen.set("toggle", "table ways", True)
    frame = screen.app.dataframe[1].value.set_index("feature")
    assert "ways" not in screen.figures
    for name in FEW:
        changes = {change.title: change.new_text for change in found(name)[0].changes}
        column = frame[TITLES[name]].drop("score")
        assert dict(column[column != ""]) == changes
    screen.set("toggle", "table ways", False)


def test_a_few_that_differ_are_chosen_from_all(screen: Screen) -> None:
    chosen = screen.html("diverse")
    assert 2 <= len(chosen) <= 4 and len(set(chosen)) == len(chosen)


def test_the_methods_chosen_are_in_the_address() -> None:
    screen = Screen.at("compare", data="german_credit", case=known_cases.beginning(), generator=["nearest"])
    screen.set("button_group", "compared", ["nearest", "face"])
    assert screen.address["generator"] == ["nearest", "face"]
    assert screen.app.dataframe[0].value["method"].tolist() == ["Nearest real case", "FACE"]


def test_opening_one_explains_it() -> None:
    screen = Screen.at("compare", data="german_credit", case=known_cases.beginning(), generator=FEW)
    screen.click("open nearest")
    assert screen.view.method == "nearest"
    # the harness follows no switch of pages, so Explain is opened with the same address
    explained = Screen.at(**screen.address)
    assert len(explained.changes) == len(found("nearest")[0])


def test_picking_a_mark_opens_its_method() -> None:
    screen = Screen.at("compare", data="german_credit", case=known_cases.beginning(), generator=FEW)
    screen.pick("ways", "random")
    assert screen.view.method == "random" and screen.view.counterfactual == 0


def test_stop_ends_the_comparison_and_it_can_be_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, explain, asked = Event(), NearestCase.explain, []

    def held_up(*args: Any) -> Any:
        asked.append(args[5])
        while len(asked) == 1 and not args[5].cancelled():
            looks.wait(0.01)
        return explain(*args)

    monkeypatch.setattr(NearestCase, "explain", held_up)
    view = {"case": known_cases.beginning(), "threshold": "0.51"}  # nobody has asked for its nearest case yet
    screen = Screen.at(data="german_credit", generator=["nearest", "random"], **view)
    screen.app.switch_page("../pages/compare.py")
    while not asked:
        screen.app.run()
    screen.click("stop")
    assert len(asked) == 1 and "so Random (DiCE) was not asked." in screen.text
    assert screen.app.dataframe[0].value["found"].tolist() == [0]
    screen.click("again")
    assert screen.app.dataframe[0].value["method"].tolist() == ["Nearest real case", "Random (DiCE)"]
    assert "not asked" not in screen.text and "again" not in screen.buttons


def test_what_there_was_no_time_to_fit_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def too_slow(*args: Any) -> Yardstick:
        tried.append(args)
        raise Stopped("Its time was up.")

    monkeypatch.setattr(Yardstick, "of", too_slow)
    screen = Screen.at("compare", data="german_credit", case=known_cases.order()[7], generator=FEW)
    assert len(tried) == 1
    assert screen.app.dataframe[0].value["valid"].all()
    assert screen.text.count("Measuring it ended early") == len(FEW)
    screen.click("again")
    assert len(tried) == 2, "only who asks to go on has it tried anew"


def test_with_no_case_there_is_no_number() -> None:
    screen = Screen.at("compare", data="german_credit")
    assert screen.strips == ["Pick a case to compare the ways to its other side."]
    assert not screen.app.dataframe


def test_a_method_that_is_not_there_is_a_sentence() -> None:
    screen = Screen.at(data="german_credit", generator=["magic"])
    assert "generator=magic" in screen.strips[0]


def test_with_all_locked_each_method_says_why_there_is_nothing() -> None:
    names = known_cases.problem().schema.names
    two, case = ["nearest", "random"], known_cases.beginning()
    screen = Screen.at("compare", data="german_credit", case=case, generator=two, lock=list(names))
    assert screen.app.dataframe[0].value["found"].tolist() == [0, 0]
    assert screen.text.count("No change was found that flips this case") == 2
    assert screen.strips == ["None of the methods found a way to the other side; why is said above for each."]
    assert not screen.figures
