"""The Data & model page says what is being explained, and under which terms it came."""

from __future__ import annotations

import known_cases
import pytest
from page_driver import Screen

import samples
from components import catalogue
from components.state.view import View
from explainers.training import held_out


@pytest.mark.parametrize("data", list(samples.SAMPLES))
def test_the_data_card_is_shown_whole(data: str) -> None:
    card = samples.get(data).card
    screen = Screen.at("data_and_model", data=data, case=catalogue.beginning(data))
    for text in (card.title, card.summary, card.origin, card.licence, card.citation, *card.caveats):
        assert text in screen.text
    others = [sample.card for name, sample in samples.SAMPLES.items() if name != data]
    assert not any(other.origin in screen.text for other in others)


@pytest.mark.parametrize("data", list(samples.SAMPLES))
def test_the_model_is_described(data: str) -> None:
    problem = catalogue.sample_problem(data)
    screen = Screen.at("data_and_model", data=data, case=catalogue.beginning(data))
    assert problem.model.name in screen.text
    measures = {measure.name: measure.value for measure in held_out(problem)}
    if problem.model.classes:
        assert 0.5 < measures["accuracy"] <= 1
        assert f"{100 * measures['accuracy']:.1f}" in screen.text
    else:
        assert 0.8 < measures["R²"] < 1
        assert (
            f"R² {measures['R²']:.2f}; mean absolute error {measures['mean absolute error']:.1f} miles" in screen.text
        )


def test_every_feature_is_in_the_table() -> None:
    schema = known_cases.problem().schema
    table = Screen.at("data_and_model").app.dataframe[0].value
    assert list(table["column"]) == list(schema.names)
    assert list(table["title"]) == [feature.title for feature in schema.features]
    assert list(table["locked"]) == [feature.locked for feature in schema.features]
    assert set(table.loc[table["column"] == "age_in_years", "direction"]) == {"only rise"}


def test_the_case_is_carried_along_and_back() -> None:
    case = known_cases.with_changes(3, 6, 1)
    explain = Screen.at(case=case)
    sentence = explain.sentence
    page = explain.go_to("data_and_model")
    assert page.view == View(case=case)
    assert page.address["case"] == [case]
    assert not page.figures
    assert page.html("sides")
    assert page.go_to("explain").sentence == sentence


def test_the_threshold_set_here_holds_everywhere() -> None:
    case = known_cases.with_changes(3, 6, 0)
    page = Screen.at("data_and_model", case=case).set("slider", "threshold", 0.6)
    assert page.view == View(case=case, threshold=0.6)
    assert "threshold of 0.60" in page.go_to("explain").sentence


def test_without_a_case_the_page_still_tells_all() -> None:
    screen = Screen.at("data_and_model", data="german_credit")
    assert samples.get("german_credit").card.licence in screen.text
    assert not screen.html("sides")
    assert screen.widget("slider", "threshold").value == 0.5
