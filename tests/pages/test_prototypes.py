"""The page Prototypes shows the path that the library finds, at the place where the person looks."""

from __future__ import annotations

import known_cases
import numpy as np
import pytest
from page_driver import Screen

from components import catalogue
from explainers import wording
from explainers.constraints import Constraints
from explainers.counterfactuals.prototype_figure import options_of
from explainers.counterfactuals.prototype_path import TracedPaths, trace_paths
from explainers.counterfactuals.prototype_space import prepare_space
from explainers.decision import ANY_OTHER
from explainers.embedding import embed_by_outputs
from explainers.run import Run

SAMPLE = "german_credit"


@pytest.fixture(scope="module")
def traced() -> TracedPaths:
    problem = known_cases.problem()
    prepared = prepare_space(problem, Run())
    case = problem.case(known_cases.beginning())
    return trace_paths(problem, case, Constraints.default(problem.schema), prepared)


@pytest.fixture(scope="module")
def screen() -> Screen:
    return Screen.at("prototypes", data=SAMPLE, case=known_cases.beginning())


def test_it_begins_where_the_decision_first_flips(screen: Screen, traced: TracedPaths) -> None:
    path = traced.paths[0]
    text = wording.score(float(path.scores[path.flips.argmax()]), traced.target)
    assert f"score {text}, flips." in screen.sentence


def test_every_step_of_the_path_is_drawn(screen: Screen, traced: TracedPaths) -> None:
    path = traced.paths[0]
    drawn = screen.figures["path"]["data"][0]
    assert drawn["y"] == pytest.approx([traced.factual_score, *path.scores.tolist()])
    assert screen.figures["path"]["data"][1]["y"] == pytest.approx(traced.to_real[0].tolist())


def test_the_table_has_the_case_the_place_and_the_prototype(screen: Screen, traced: TracedPaths) -> None:
    problem = known_cases.problem()
    table = next(html for html in screen.html() if "this case" in html)
    assert f"case {traced.paths[0].prototype.id}" in table
    for place, feature in enumerate(problem.schema.features):
        own, goal = problem.case(known_cases.beginning()).row[place], traced.paths[0].prototype.row[place]
        if own != goal:
            assert wording.value(feature, float(goal)) in table


def test_sliding_to_the_end_shows_the_real_case(traced: TracedPaths) -> None:
    screen = Screen.at("prototypes", data=SAMPLE, case=known_cases.beginning()).set("slider", "along", 100)
    assert screen.address["along"] == ["100"]
    text = wording.score(float(traced.paths[0].scores[-1]), traced.target)
    assert screen.sentence == f"100 % of the way: score {text}, flips."
    assert "along" not in screen.click("first flip").address


def test_at_the_beginning_nothing_has_changed() -> None:
    screen = Screen.at("prototypes", data=SAMPLE, case=known_cases.beginning(), along="0")
    assert screen.sentence.endswith("does not flip.")
    assert "0 changes here" in screen.text.replace(wording.SPACE, " ")


def test_another_prototype_has_another_path(traced: TracedPaths) -> None:
    screen = Screen.at("prototypes", data=SAMPLE, case=known_cases.beginning()).set("selectbox", "prototype", 1)
    assert screen.address["prototype"] == ["2"]
    expected = [traced.factual_score, *traced.paths[1].scores.tolist()]
    assert screen.figures["path"]["data"][0]["y"] == pytest.approx(expected)


def test_the_categories_stand_on_their_line(traced: TracedPaths) -> None:
    screen = Screen.at("prototypes", data=SAMPLE, case=known_cases.beginning()).set("selectbox", "line of", "purpose")
    feature = known_cases.problem().schema.index("purpose")
    places = traced.embedding.places[feature]
    drawn = screen.figures["line"]["data"][0]["x"]
    assert drawn == pytest.approx(sorted(places)) and len(drawn) == len(places)


def test_pictures_show_the_case_the_place_and_the_prototype() -> None:
    case, problem = known_cases.beginning("digits"), catalogue.sample_problem("digits")
    screen = Screen.at("prototypes", data="digits", case=case, along="100")
    own, here, goal, way = (np.array(trace["z"], dtype=float) for trace in screen.figures["picture"]["data"])
    np.testing.assert_array_equal(own.ravel(), problem.case(case).row)
    np.testing.assert_array_equal(here, goal)
    np.testing.assert_array_equal(way, goal - own)
    assert "picture" not in Screen.at("prototypes", data=SAMPLE, case=known_cases.beginning()).figures


def test_categories_are_alike_by_what_the_model_decides_if_a_person_says_so() -> None:
    screen = Screen.at("prototypes", data=SAMPLE, case=known_cases.beginning())
    screen.set("selectbox", "option likeness", "mvdm").set("selectbox", "line of", "purpose")
    assert screen.address["prototype_path.likeness"] == ["mvdm"]
    problem = known_cases.problem()
    rows = problem.rows[problem.training]
    sides = problem.decision.sides(problem.outputs[problem.training])
    places = embed_by_outputs(problem.schema, rows, sides).places[problem.schema.index("purpose")]
    assert screen.figures["line"]["data"][0]["x"] == pytest.approx(sorted(places))
    assert Screen.at("prototypes", **screen.address).figures["path"] == screen.figures["path"]


def test_where_there_is_no_slope_the_path_is_offered() -> None:
    locked = list(known_cases.without_slope())
    screen = Screen.at(case=known_cases.beginning(), lock=locked, method="prototype_search", prototype_search__loss="A")
    assert "there is no slope to follow" in screen.strips[0]
    assert screen.click("take the path").address["method"] == ["prototype_path"]
    assert screen.address["lock"] == sorted(locked) and not any("loss" in name for name in screen.address)


def test_each_loss_of_the_paper_is_drawn_when_asked_and_opens_in_explain() -> None:
    case, problem = known_cases.beginning("digits"), catalogue.sample_problem("digits")
    screen = Screen.at("prototypes", data="digits", case=case)
    assert "losses" not in screen.figures
    screen.click("compare losses")
    assert screen.address["losses"] == ["open"]
    own, _, *found = (np.array(trace["z"], dtype=float).ravel() for trace in screen.figures["losses"]["data"])
    np.testing.assert_array_equal(own, problem.case(case).row)
    assert problem.target(problem.case(case)).flips(problem.model.score(np.stack(found))).all()
    opening = [button for button in screen.app.button if str(button.key).startswith("open loss")]
    assert len(opening) == len(found)
    opening[-1].click().run(timeout=120)
    assert screen.view.method == "prototype_search"
    assert screen.view.method_options() == options_of(opening[-1].key[-1])


def test_what_can_not_be_is_a_sentence() -> None:
    assert Screen.at("prototypes", data=SAMPLE).strips == [
        "Pick a case to see what a typical case of its other side looks like."
    ]
    case = known_cases.beginning()
    assert "asks for prototype 30" in Screen.at("prototypes", data=SAMPLE, case=case, prototype="30").strips[0]
    assert "it can be open" in Screen.at(data=SAMPLE, case=case, losses="all").strips[0]
    assert "from 0 to 100" in Screen.at(data=SAMPLE, case=case, along="101").strips[0]
    names = list(known_cases.problem().schema.names)
    locked = Screen.at("prototypes", data=SAMPLE, case=case, lock=names)
    assert "No change was found" in locked.strips[0]


def test_of_any_other_class_the_nearest_is_named() -> None:
    case = known_cases.beginning("penguins")
    screen = Screen.at("prototypes", data="penguins", case=case, wanted=ANY_OTHER)
    problem = catalogue.sample_problem("penguins")
    posed = problem.with_decision(problem.decision.adjusted(wanted=ANY_OTHER))
    rules, prepared = Constraints.default(posed.schema), prepare_space(posed, Run())
    nearest = trace_paths(posed, posed.case(case), rules, prepared).paths[0].prototype.id
    side = posed.side_of(nearest)
    assert f"Of the other classes {side} is the nearest, by case {nearest}." in screen.text
    assert screen.widget("selectbox", "prototype").options[0] == f"Case {nearest}, {side}"
    assert "Of the other classes" not in Screen.at("prototypes", data="penguins", case=case).text
