"""The page Equation: the model's number, a score, an observed column, and what a person does with them."""

from __future__ import annotations

import re

import known_cases
import numpy as np
import pandas as pd
import pytest
from intake_driver import IntakeScreen
from page_driver import Screen

from components import catalogue
from explainers.intake.roles import Way
from explainers.labelled import LabelledTable
from explainers.surrogates.bella import Bella, BellaOptions
from explainers.surrogates.equation import LocalEquations
from explainers.wording import MINUS, SPACE, scores

CARDS = {"equation", "reach", "neighbours"}


def known(case: str, step: str = "10") -> tuple[LabelledTable, LocalEquations]:
    problem = catalogue.sample_problem("auto_mpg")
    table = LabelledTable.of_model(problem, problem.target(problem.case(case)))
    return table, Bella().explain(table, table.case(case), BellaOptions(step))


@pytest.fixture(scope="module")
def case() -> str:
    return known_cases.beginning("auto_mpg")


def opened(case: str, **query: str) -> Screen:
    return Screen.at("equation", data="auto_mpg", case=case, **query)


def said(screen: Screen) -> str:
    return screen.text.replace(SPACE, " ")


def test_the_rule_around_a_case_is_said_drawn_and_written_in_both_units(case: str) -> None:
    _, found = known(case)
    screen = opened(case)
    label, explained = scores([found.label, found.best.explained], found.target)
    features = len({term.feature for term in found.best.terms})
    assert screen.sentence.replace(SPACE, " ") == (
        f"Miles per gallon is {label}, says the model. A rule of {features} features says {explained}, and it holds"
        f" for this case and {found.best.size - 1} others like it, {100 * found.generality(found.chosen):.0f} % of the"
        " rows."
    )
    assert set(screen.figures) == CARDS
    assert set(screen.marks("reach")) == set(found.sizes.tolist())
    texts = [text.replace(SPACE, " ") for text in screen.html("equation")]
    assert len(texts) == 2 and "(in standardised units)" in texts[0] and "(in their own units)" in texts[1]
    # As printed, in its own units, the equation gives the explained value.
    numbers = re.match(r"miles per gallon ≈ (\S+)", texts[1])
    assert numbers
    total = float(numbers[1].replace(MINUS, "-").replace(" ", ""))
    for term in found.best.terms:
        total += term.raw_coefficient * (term.standardised if term.category else term.raw)
    assert total == pytest.approx(found.best.explained, abs=1.0)


def test_without_a_case_no_number_is_shown() -> None:
    screen = Screen.at("equation", data="auto_mpg")
    assert screen.strips == ["Pick a case to see the rule around it."]
    assert not screen.figures and not screen.html("sentence")


def test_a_slider_moves_the_equation_and_the_model(case: str) -> None:
    table, found = known(case)
    screen = opened(case)
    name = next(term.feature for term in found.best.terms if not term.category)
    feature = table.schema[name]
    row = table.case(case).row.copy()
    row[table.schema.index(name)] = feature.high
    screen.set("slider", f"try {name}", feature.high)
    value, asked = float(found.best.values(row[None])[0]), float(table.ask(row[None], None)[0])  # type: ignore[misc]
    texts = scores([value, asked], table.target)
    assert f"The equation says {texts[0]}, the model {texts[1]}." in said(screen)
    assert screen.address["set"] == [f"{feature.high:g}:{name}"]
    near = table.rows[found.neighbours(found.chosen), table.schema.index(name)]
    assert ("where the rule holds" in said(screen)) == (
        feature.high > max(near.max(), found.row[table.schema.index(name)])
    )
    again = Screen.at("equation", **screen.address)
    assert again.sentence == screen.sentence and f"The equation says {texts[0]}" in said(again)
    screen.click("forget trials")
    assert "set" not in screen.address
    used = {term.feature for term in found.best.terms}
    other = next(one for one in table.schema.features if one.name not in used and one.is_number)
    besides = opened(case, set=f"{other.high:g}:{other.name}")
    assert f"Also tried: {other.title} " in said(besides) and "which the rule is without." in said(besides)


def test_a_size_is_looked_at_and_left_again(case: str) -> None:
    _, found = known(case)
    size = int(found.sizes[0])
    assert size != found.best.size
    screen = opened(case).pick("reach", size)
    assert screen.address["size"] == [str(size)]
    assert f"this case and {size - 1} others like it" in screen.sentence.replace(SPACE, " ")
    assert f"You look at the neighbourhood of {size} rows." in said(screen)
    screen.click("best size")
    assert "size" not in screen.address
    assert opened(case, size="3").strips[0].startswith("The address asks for a neighbourhood of 3 rows; tried were")


def test_a_neighbour_is_followed(case: str) -> None:
    table, found = known(case)
    neighbour = table.ids[found.others[0]]
    screen = opened(case).pick("neighbours", neighbour)
    assert screen.view.case == neighbour
    label = scores([known(neighbour)[1].label], table.target)[0]
    assert screen.sentence.replace(SPACE, " ").startswith(f"Miles per gallon is {label}, says the model.")


def test_a_reference_is_asked_for_and_its_values_are_tried(case: str) -> None:
    table, _ = known(case)
    screen = opened(case).set("slider", "reference", 30.000000000000009)
    assert screen.address["reference"] == ["30"]
    slider = screen.widget("slider", "reference")
    assert (slider.min, slider.max) == (round(slider.min, 1), round(slider.max, 1)), (
        "steps are whole from the beginning"
    )
    assert (
        "taken from case" in said(screen)
        and "the rule around it says" in said(screen)
        and ", and the model" in said(screen)
    )
    assert screen.changes, "what changes stands in the list"
    assert "had to be explained" in said(screen)
    screen.click("try reference")
    assert len(screen.address["set"]) == len(screen.changes)
    locked = Screen.at("equation", data="auto_mpg", case=case, reference="30", lock=list(table.schema.names))
    assert "No real case nearer to 30.0 than this one shows a way there with" in said(locked)
    assert not locked.changes


def test_finer_steps_and_the_observed_number(case: str) -> None:
    screen = opened(case).set("selectbox", "step", "1")
    assert screen.address["step"] == ["1"]
    assert set(screen.marks("reach")) == set(known(case, "1")[1].sizes.tolist())
    problem = catalogue.sample_problem("auto_mpg")
    observed = LabelledTable.of_observed(problem)
    screen.set("selectbox", "number", "observed")
    label = scores([observed.label(observed.case(case))], observed.target)[0]
    assert screen.sentence.replace(SPACE, " ").startswith(f"Miles per gallon is {label}.")
    assert "there is no model to ask" in said(screen) and "observed value" in screen.words("equation")


def test_classes_are_told_why_and_offered_their_score() -> None:
    case = known_cases.beginning()
    screen = Screen.at("equation", data="german_credit", case=case)
    (strip,) = screen.strips
    assert strip.startswith("BELLA explains numbers, and this model gives classes.")
    assert strip.endswith("the probability of good risk.")
    assert not screen.figures
    screen.click("explain score")
    assert screen.address["number"] == ["score"] and set(screen.figures) == CARDS
    assert screen.sentence.replace(SPACE, " ").startswith("Probability of good risk is 0.")
    no_such = Screen.at("equation", data="german_credit", case=case, number="observed")
    assert no_such.strips == ["Classes were observed here, and BELLA explains numbers; its score can be explained."]


def test_a_table_without_a_model_is_explained() -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"rooms": random.integers(1, 9, 120), "age": random.uniform(0, 90, 120).round(1)})
    frame["garden"] = random.choice(["yes", "no"], 120)
    frame["price"] = (40 * frame["rooms"] - frame["age"] + 25 * (frame["garden"] == "yes") + 100).round(2)
    screen = IntakeScreen.at("data_and_model", data="german_credit", case="96")
    screen.bring(("houses.csv", frame.to_csv(index=False).encode()))
    screen.set("button_group", "way", Way.OBSERVED)
    screen.go_to("equation")
    assert set(screen.figures) == CARDS
    own = int(screen.view.case or 0)
    assert screen.sentence.replace(SPACE, " ").startswith(f"Price is {frame['price'][own - 1]:.0f}.")
    assert "there is no model to ask" in said(screen)
    screen.click("next")
    assert screen.view.case == str(own % len(frame) + 1)
    data = screen.view.data
    assert "no case 999" in Screen.at("equation", data=data, case="999").strips[0]


def test_other_explanations_stand_beside_once_they_are_asked_for(case: str) -> None:
    screen = opened(case)
    assert not [frame for frame in screen.app.dataframe if "method" in frame.value.columns]
    screen.click("comparison")
    assert screen.address["compare"] == ["open"]
    (frame,) = [frame.value for frame in screen.app.dataframe if "method" in frame.value.columns]
    assert frame["method"].tolist() == ["BELLA", "SHAP", "LIME", "MAPLE"]
    _, found = known(case)
    assert frame["says"][0] == pytest.approx(found.best.explained)
    assert frame["off by"][1] == pytest.approx(0.0, abs=1e-6)
    screen.click("comparison")
    assert "compare" not in screen.address
    assert "comparison" not in opened(case, number="observed").buttons, "there is no model that they could ask"
