"""The page Candidates: what MCCE finds, in a table, a chart and on the way to the page Explain."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import known_cases
import pandas as pd
import pytest
from page_driver import Screen

from explainers import sentences_candidates, wording
from explainers.candidate_frame import candidate_frame
from explainers.constraints import Constraints
from explainers.counterfactuals.candidates import SampledCounterfactuals
from explainers.counterfactuals.mcce import Mcce, McceOptions
from explainers.counterfactuals.realism import alike

CASE = known_cases.order()[0]


@cache
def search(locked: str = "", **options: Any) -> SampledCounterfactuals:
    problem = known_cases.problem()
    constraints = Constraints.default(problem.schema)
    constraints = constraints.with_lock(locked, True) if locked else constraints
    found = Mcce().explain(problem, problem.case(CASE), constraints, McceOptions(**options))
    assert isinstance(found, SampledCounterfactuals)
    return found


def table(screen: Screen) -> pd.DataFrame:
    frame: pd.DataFrame = screen.app.dataframe[0].value
    return frame


def said(found: SampledCounterfactuals) -> list[str]:
    return wording.plain(sentences_candidates.found(found.candidates, found.target)).split()


def pick_row(screen: Screen, row: int, *, cell: str = "") -> Screen:
    """Pick a row or a cell of the table, as the browser would tell."""
    node = screen.app.dataframe[0]
    told = {"selection": {"rows": [] if cell else [row], "columns": [], "cells": [[row, cell]] if cell else []}}
    states = screen.app._tree.get_widget_states()
    states.widgets.add(id=node.proto.id, string_value=json.dumps(told))
    screen.app._run(states)
    assert not screen.app.exception, screen.app.exception[0].message
    return screen


@pytest.fixture(scope="module")
def first() -> Screen:
    return Screen.at("candidates", data="german_credit", case=CASE)


def test_it_shows_what_the_library_finds(first: Screen) -> None:
    known = search()
    assert first.sentence.split() == said(known)
    expected = candidate_frame(known_cases.problem().schema, known)
    pd.testing.assert_frame_equal(table(first).drop(columns="shown"), expected)
    assert table(first)["shown"].tolist() == ["●", *[""] * (len(expected) - 1)]
    changed = {change.title for change in known.found[0].changes}
    assert {title for title in expected if "→" in str(expected[title][0])} == changed


def test_the_other_method_stays_until_somebody_acts(first: Screen) -> None:
    """A look at the candidates doesn't change what Explain shows."""
    assert first.view.method == "nice" and "method" not in first.address


def test_the_chart_has_every_candidate_and_those_of_the_table_can_be_picked(first: Screen) -> None:
    candidates = search().candidates
    figure = first.figures["tradeoff"]
    drawn = [key for trace in figure["data"] for key in trace.get("customdata") or ()]
    assert set(drawn) - {-1} == set(range(len(candidates.chosen)))
    assert drawn.count(-1) == len(candidates) - len(candidates.chosen)
    words = first.words("tradeoff")
    assert sentences_candidates.shown(candidates, 0, search().target) in words.replace("\n", " ")


def test_new_values_stand_among_rows_with_the_locked_ones(first: Screen) -> None:
    problem = known_cases.problem()
    rows = alike(problem, problem.case(CASE), Constraints.default(problem.schema))
    assert (
        wording.plain(sentences_candidates.about_alike(problem.schema, rows)).split()
        == next(text for text in first.html("heading") if "Among the" in text).partition("realistic?")[2].split()
    )
    assert set(rows.shared) | set(rows.left_out) == {f.name for f in problem.schema.features if f.locked}


@pytest.mark.parametrize("how", ["row", "cell", "dot"])
def test_a_picked_candidate_is_shown_and_stands_in_the_address(how: str) -> None:
    screen = Screen.at("candidates", data="german_credit", case=CASE)
    if how == "dot":
        screen.pick("tradeoff", 3)
    else:
        pick_row(screen, 3, cell="score" if how == "cell" else "")
    assert (screen.view.method, screen.view.counterfactual) == ("mcce", 3)
    assert screen.address["shown"] == ["4"] and screen.address["method"] == ["mcce"]
    assert table(screen)["shown"].tolist().index("●") == 3
    assert len(screen.changes) == len(search().found[3])


def test_another_order_stands_in_the_address_and_its_rows_are_picked() -> None:
    screen = Screen.at("candidates", data="german_credit", case=CASE).set("selectbox", "sort", "score")
    assert screen.address["sort"] == ["score"]
    expected = candidate_frame(known_cases.problem().schema, search())
    expected = expected.sort_values("score", ascending=False, kind="stable")
    assert table(screen)["#"].tolist() == expected["#"].tolist() != sorted(expected["#"])
    assert pick_row(screen, 2).view.counterfactual == expected["#"].iloc[2] - 1
    assert table(screen)["shown"].tolist().index("●") == 2
    assert table(Screen.at("candidates", **screen.address))["#"].tolist() == expected["#"].tolist()


def test_a_dot_that_is_not_in_the_table_and_the_first_column_pick_nothing() -> None:
    screen = Screen.at("candidates", data="german_credit", case=CASE)
    assert pick_row(screen, 3, cell="#").view.counterfactual == 0
    assert screen.pick("tradeoff", -1).view.counterfactual == 0


def test_the_picked_candidate_is_read_on_explain_without_another_search() -> None:
    from components.jobs import shared_jobs

    screen = Screen.at("candidates", data="german_credit", case=CASE, method="mcce", shown="2")
    started = shared_jobs().counts().started
    screen.app.button(key="read candidate").click()
    screen.app.run()  # once, as the harness goes back to its page
    assert set(screen.figures) >= {"greedy"}
    assert screen.view.counterfactual == 1
    assert len(screen.changes) == len(search().found[1])
    assert shared_jobs().counts().started == started


def test_a_lock_searches_again_at_once() -> None:
    known = search()
    locked = known.found[0].changes[0].feature
    screen = Screen.at("candidates", data="german_credit", case=CASE).click(f"lock {locked}")
    again = search(locked)
    assert screen.sentence.split() == said(again)
    title = known_cases.problem().schema[locked].title
    assert title not in table(screen).columns


@pytest.mark.parametrize(
    ("kind", "name", "value", "text"),
    [
        ("slider", "samples", 300, "300"),
        ("slider", "most", 5, "5"),
        ("selectbox", "prefer", "diverse", "diverse"),
        ("number_input", "most_changes", 9, "9"),
        ("number_input", "most_distance", 5.5, "5.5"),
        ("toggle", "no_copies", True, "true"),
        ("selectbox", "visits", "correlation", "correlation"),
    ],
)
def test_every_option_acts_and_stands_in_the_address(kind: str, name: str, value: Any, text: str) -> None:
    screen = Screen.at("candidates", data="german_credit", case=CASE).set(kind, f"option {name}", value)
    assert screen.address[f"mcce.{name}"] == [text]
    assert screen.sentence.split() == said(search(**{name: value}))
    again = Screen.at("candidates", **screen.address)
    assert again.sentence == screen.sentence
    pd.testing.assert_frame_equal(table(again), table(screen))


def test_bounds_that_leave_nothing_say_what_would_be_enough() -> None:
    screen = Screen.at("candidates", data="german_credit", case=CASE, method="mcce", mcce__most_distance="0.01")
    fewest, distance = search().candidates.n_changes[0], search().candidates.distances[0]
    assert f"{fewest} changes at a distance of {distance:.2f}" in screen.strips[0].replace(wording.SPACE, " ")
    assert not screen.app.dataframe and not screen.figures
    assert screen.click("reset options").sentence.split() == said(search())


@pytest.mark.parametrize("name", ["correlations", "apart"])
def test_realism_is_asked_on_demand_and_put_away(name: str) -> None:
    screen = Screen.at("candidates", data="german_credit", case=CASE)
    assert "correlations" not in screen.figures
    screen.click(f"realism {name}")
    assert screen.address["realism"] == [name]
    shown = " ".join(screen.html())
    assert ("A random forest tells" in shown) == (name == "apart")
    assert ("correlations" in screen.figures) == (name == "correlations")
    assert "realism" not in screen.click(f"realism {name}").address


@pytest.mark.parametrize("data", ["penguins", "auto_mpg"])
def test_other_kinds_of_decisions_have_candidates_too(data: str) -> None:
    screen = Screen.at("candidates", data=data, case=known_cases.beginning(data))
    assert len(table(screen)) >= 1 and "tradeoff" in screen.figures


def test_without_a_case_there_is_no_number() -> None:
    screen = Screen.at("candidates", data="german_credit")
    assert screen.strips == ["Pick a case to see whom it could become."]
    assert not screen.app.dataframe and not screen.figures
