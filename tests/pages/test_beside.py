"""What stands beside the charts: nothing until it is asked for, then what the library finds."""

from __future__ import annotations

import known_cases
import pytest
from page_driver import CHARTS, Screen

from explainers import sentences_beside, sentences_compared, wording
from explainers.attributions import lime_weights
from explainers.attributions.background import background_rows
from explainers.attributions.comparison import compare, disagreements
from explainers.attributions.together import attribute
from explainers.real_case import nearest_real_case
from explainers.registry import ATTRIBUTIONS
from explainers.run import Run
from explainers.usualness import usual_frame, usualness

CHOICES = ("usual", "nearest", "attributions")


def beside(screen: Screen) -> set[str]:
    """The charts besides those that are always there."""
    return set(screen.figures) - set(CHARTS)


def test_at_first_nothing_is_shown_or_computed() -> None:
    screen = Screen.at()
    assert {f"beside {name}" for name in CHOICES} <= screen.buttons
    assert not beside(screen) and "beside" not in screen.address
    assert "beside" not in screen.app.session_state["own"]["tickets"]


@pytest.mark.parametrize("choice", CHOICES)
def test_a_choice_is_in_the_address_and_goes_when_it_is_pressed_again(choice: str) -> None:
    screen = Screen.at(case=known_cases.beginning()).click(f"beside {choice}")
    assert screen.address["beside"] == [choice]
    shown = screen.text
    assert Screen.at(case=known_cases.beginning(), beside=choice).text == shown
    screen.click(f"beside {choice}")
    assert "beside" not in screen.address and not beside(screen)


def test_the_new_values_stand_on_the_distribution_of_all_rows() -> None:
    problem, known = known_cases.problem(), known_cases.explanation(known_cases.beginning())
    found = usualness(problem.schema, problem.rows, known.counterfactual)
    screen = Screen.at(case=known_cases.beginning(), beside="usual")
    for one in found:
        for place in (one.old, one.new):
            said = sentences_beside.usual(one.feature, place)
            assert "".join(said.split()) in "".join(screen.words("usual").split())
    assert wording.plain(sentences_beside.about_usual(found)) in screen.text
    screen.set("toggle", "table usual", True)
    assert screen.app.dataframe[0].value.astype(str).equals(usual_frame(found).astype(str))


def test_a_pick_in_a_distribution_is_marked_everywhere() -> None:
    feature = known_cases.explanation(known_cases.beginning()).counterfactual.changes[1].feature
    screen = Screen.at(case=known_cases.beginning(), beside="usual").pick("usual", feature)
    assert screen.view.selection == (feature,)
    title = known_cases.problem().schema[feature].title
    for chart in ("usual", "countershapley", "greedy"):
        assert f"● {title}" in screen.words(chart)
    assert screen.pick("usual", feature).view.selection == ()


def test_the_nearest_real_case_is_shown_beside_and_can_be_opened() -> None:
    problem, known = known_cases.problem(), known_cases.explanation(known_cases.beginning())
    counterfactual = known.counterfactual
    real = nearest_real_case(problem, problem.case(counterfactual.case), counterfactual.target)
    assert real is not None
    screen = Screen.at(case=known_cases.beginning(), beside="nearest")
    assert wording.plain(sentences_beside.about_nearest(real, counterfactual)) in screen.text
    (told,) = screen.html("beside")
    for score in wording.scores(
        [counterfactual.factual_score, counterfactual.score, real.score], counterfactual.target
    ):
        assert score in told
    screen.click("open nearest")
    assert screen.view.case == real.id and screen.view.beside == "nearest"
    assert screen.address["case"] == [real.id]


def test_the_three_views_are_compared_feature_by_feature() -> None:
    problem, known = known_cases.problem(), known_cases.explanation(known_cases.beginning())
    case = problem.case(known.counterfactual.case)
    told = attribute(problem, case).told
    comparison = compare(problem.schema, known, told, [ATTRIBUTIONS[one.origin.method].title for one in told])
    screen = Screen.at(case=case.id, beside="attributions")
    assert {change.feature for change in known.counterfactual.changes} <= set(screen.marks("attributions"))
    for sentence in sentences_compared.questions(comparison):
        assert wording.plain(sentence) in screen.text
    for one in disagreements(comparison, problem.schema, background_rows(problem, Run())):
        assert wording.plain(sentences_compared.disagreement(one, comparison)) in screen.text
    screen.set("toggle", "table attributions", True)
    assert screen.app.dataframe[0].value.astype(str).equals(comparison.to_frame().astype(str))


def test_without_lime_shap_is_shown_and_how_to_install_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lime_weights, "missing", lambda: "pip install lime==0.2.0.1")
    case = known_cases.order()[3]
    screen = Screen.at(case=case, beside="attributions")
    assert "SHAP" in screen.words("attributions") and "LIME" not in screen.words("attributions")
    assert screen.strips[-1:] == ["LIME needs the package lime here; install it with pip install lime==0.2.0.1."]


def test_what_stands_beside_stays_from_case_to_case() -> None:
    order = known_cases.order()
    screen = Screen.at(case=order[0], beside="usual").click("next")
    changes = known_cases.explanation(order[1]).counterfactual.changes
    assert set(screen.marks("usual")) == {change.feature for change in changes}


def test_an_address_that_asks_for_something_else_is_refused() -> None:
    assert "beside=everything" in Screen.at(case="1", beside="everything").text
