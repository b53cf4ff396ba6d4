"""A person tries other values on a case, sees what comes of it, and makes it the counterfactual."""

from __future__ import annotations

import known_cases
import pytest
from page_driver import Screen

from explainers import sentences, standing, wording
from explainers.intake.rows import row_of_values
from explainers.intake.typed import write_value
from explainers.results import Counterfactual
from explainers.what_if import proposed_row, what_if

CASE = known_cases.with_changes(2, 4, 0)
WHOLE, CATEGORY = "duration_in_month", "purpose"


def searched() -> Counterfactual:
    return known_cases.search(CASE).found[0]


def all_edits() -> dict[str, str]:
    """The changes of a counterfactual that is known, as edits."""
    schema = known_cases.problem().schema
    return {
        c.feature: write_value(schema[c.feature], searched().row[schema.index(c.feature)]) for c in searched().changes
    }


def told(edits: dict[str, str]) -> str:
    """What the library says of a case with some edits."""
    problem, case = known_cases.problem(), known_cases.problem().case(CASE)
    row = proposed_row(problem, case, row_of_values(problem.schema, edits, ""))
    return wording.plain(standing.as_it_might_be(what_if(problem, case, [row])[0]))


def scored(screen: Screen) -> str:
    (sentence,) = screen.html("tried")
    return sentence


def value(screen: Screen, name: str) -> object:
    kind = "number_input" if known_cases.problem().schema[name].is_number else "selectbox"
    return screen.widget(kind, f"edit {name}").value


def edit(screen: Screen, name: str, typed: object) -> Screen:
    kind = "number_input" if known_cases.problem().schema[name].is_number else "selectbox"
    return screen.set(kind, f"edit {name}", typed)


def opened(**query: str | list[str]) -> Screen:
    return Screen.at(case=CASE, **{"what-if": "open"}, **query)


def edit_all(screen: Screen) -> Screen:
    for name, text in all_edits().items():
        edit(screen, name, float(text) if known_cases.problem().schema[name].is_number else text)
    return screen


def test_fields_are_drawn_once_they_are_asked_for() -> None:
    screen = Screen.at(case=CASE)
    assert not screen.app.number_input
    screen.set("toggle", "what if", True)
    assert screen.address["what-if"] == ["open"]
    assert value(screen, WHOLE) == known_cases.problem().case(CASE).row[1]
    assert scored(screen) == told({})
    assert len(screen.figures) == 3
    screen.set("toggle", "what if", False)
    assert not screen.app.number_input
    assert "what-if" not in screen.address


def test_the_score_follows_an_edit_and_the_address_too() -> None:
    screen = edit(opened(), WHOLE, 7.0)
    assert scored(screen) == told({WHOLE: "7"})
    assert screen.address["set"] == [f"7:{WHOLE}"]
    edit(screen, CATEGORY, "education")
    assert scored(screen) == told({WHOLE: "7", CATEGORY: "education"})
    assert screen.address["set"] == [f"7:{WHOLE}", f"education:{CATEGORY}"]


def test_an_address_with_edits_shows_them_to_anybody() -> None:
    screen = edit(edit(opened(), WHOLE, 7.0), CATEGORY, "education")
    other = Screen.at(**screen.address)
    assert scored(other) == scored(screen)
    assert (value(other, WHOLE), value(other, CATEGORY)) == (7.0, "education")
    assert other.view == screen.view


def test_edits_are_undone_redone_and_reset() -> None:
    screen = edit(edit(opened(), WHOLE, 7.0), CATEGORY, "education")
    first, both = told({WHOLE: "7"}), scored(screen)
    assert scored(screen.click("edits undo")) == first
    assert value(screen, CATEGORY) != "education"
    assert scored(screen.click("edits undo")) == told({})
    assert screen.app.button(key="edits undo").disabled
    screen.click("edits redo").click("edits redo")
    assert scored(screen) == both
    assert screen.app.button(key="edits redo").disabled
    assert scored(screen.click("edits reset")) == told({})
    assert "set" not in screen.address
    assert scored(screen.click("edits undo")) == both


def test_the_case_s_own_value_is_no_edit() -> None:
    screen = edit(opened(), WHOLE, 7.0)
    edit(screen, WHOLE, float(known_cases.problem().case(CASE).row[1]))
    assert screen.view.edits == ()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (7.5, "duration takes whole numbers only, not 7.5."),
        (None, "duration can't be missing; its column has no place"),
    ],
)
def test_what_a_number_can_not_be_is_said_beside_its_field(typed: float | None, sentence: str) -> None:
    screen = edit(opened(), WHOLE, typed)
    assert [note for note in screen.notes if note.startswith(sentence)]
    assert value(screen, WHOLE) == known_cases.problem().case(CASE).row[1]
    assert screen.view.edits == ()
    edit(screen, WHOLE, 7.0)
    assert screen.notes == []


def test_a_value_beyond_the_table_is_said_and_scored() -> None:
    screen = edit(opened(), "age_in_years", 90.0)
    assert screen.notes == ["Beyond all rows of the table: 19 to 75\u00a0years."]
    assert scored(screen) == told({"age_in_years": "90"})


def test_a_broken_lock_is_said_and_can_be_freed() -> None:
    first = next(iter(all_edits()))
    screen = edit_all(opened(lock=[first]))
    title = known_cases.problem().schema[first].title
    assert f"{title} is locked." in screen.notes
    assert f"It flips, but breaks what was set: {title} is locked." in screen.notes
    assert screen.app.button(key="adopt edits").disabled
    screen.click(f"free edited {first}")
    assert screen.notes == []
    assert not screen.app.button(key="adopt edits").disabled


def test_edits_that_flip_become_the_counterfactual() -> None:
    screen = edit_all(opened())
    screen.click("adopt edits")
    assert screen.address["given"] == ["edits"]
    assert set(screen.marks("greedy")) - {""} == set(all_edits())
    assert len(screen.figures) == 3
    assert screen.sentence == wording.plain(sentences.answer(known_cases.explanation(CASE)))
    other = Screen.at(**screen.address)
    assert (other.sentence, other.figures) == (screen.sentence, screen.figures)


def test_an_edited_case_that_does_not_flip_is_never_shown_as_a_counterfactual() -> None:
    screen = edit_all(opened()).click("adopt edits")
    screen.click("edits reset")
    assert screen.figures == {}
    assert screen.strips == ["The edited case is the case as it is; nothing differs."]
    edit(screen, WHOLE, 60.0)
    assert screen.figures == {}
    (strip,) = screen.strips
    assert strip.startswith("The edited case does not flip: it scores ")
    assert strip.endswith("under the threshold of 0.50.")
    screen.click("search instead")
    assert len(screen.figures) == 3
    assert "given" not in screen.address


def test_another_method_takes_the_place_of_the_edits() -> None:
    screen = edit_all(opened()).click("adopt edits")
    screen.set("selectbox", "option reward", "proximity")
    assert screen.view.given == ""
    assert screen.view.edits


def test_another_case_begins_without_edits() -> None:
    screen = edit(opened(), WHOLE, 7.0).click("next")
    assert screen.view.edits == ()
    assert screen.app.button(key="edits undo").disabled


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("yacht:purpose", "purpose has no category called 'yacht'"),
        ("1:size", "There is no feature called 'size'."),
        ("soon:age_in_years", "age should be a number"),
    ],
)
def test_an_address_with_impossible_edits_is_one_sentence(parameters: str, sentence: str) -> None:
    screen = opened(set=parameters)
    (strip,) = screen.strips
    assert strip.startswith(sentence)
    assert screen.figures == {}


def test_missing_can_be_chosen_where_some_row_lacks_the_value() -> None:
    screen = Screen.at(data="penguins", case=known_cases.beginning("penguins"), **{"what-if": "open"})
    lacking = screen.widget("selectbox", "edit sex")
    assert lacking.options[-1] == "missing"
    screen.set("selectbox", "edit sex", "missing")
    assert screen.address["set"] == ["missing:sex"]
    assert Screen.at(**screen.address).html("tried") == screen.html("tried")
    assert "missing" not in screen.widget("selectbox", "edit island").options
