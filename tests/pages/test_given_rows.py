"""A person brings counterfactuals that something else found, and they are explained like any others."""

from __future__ import annotations

import csv
import io

import known_cases
import pytest
from page_driver import Screen

from explainers import sentences, wording
from explainers.intake.typed import write_value
from explainers.results import Counterfactual

CASE = known_cases.with_changes(2, 4, 0)
BRING = "bring rows"


def searched() -> Counterfactual:
    return known_cases.search(CASE).found[0]


def texts(counterfactual: Counterfactual) -> dict[str, str]:
    schema = known_cases.problem().schema
    values = {c.feature: counterfactual.row[schema.index(c.feature)] for c in counterfactual.changes}
    return {name: write_value(schema[name], value) for name, value in values.items()}


def as_csv(*rows: dict[str, str]) -> bytes:
    text = io.StringIO(newline="")
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = csv.DictWriter(text, names, restval="")
    lines.writeheader()
    lines.writerows(rows)
    return text.getvalue().encode()


def bring(screen: Screen, content: bytes, name: str = "mine.csv") -> Screen:
    screen.app.session_state[BRING] = True  # the harness can't open a popover
    screen.settle()
    (uploader,) = [node for node in screen.app.file_uploader if node.key.startswith("rows ")]
    uploader.upload(name, content, "text/csv")
    return screen.click("use rows")


def brought(*rows: dict[str, str]) -> Screen:
    return bring(Screen.at(case=CASE), as_csv(*rows))


def test_one_partial_row_is_explained_as_if_it_were_found() -> None:
    screen = brought(texts(searched()))
    assert len(screen.figures) == 3
    assert screen.sentence == wording.plain(sentences.answer(known_cases.explanation(CASE)))
    assert screen.view.given
    assert any("It was given, not searched for." in text for text in screen.html())


def test_the_link_shows_the_same_to_anybody() -> None:
    screen = brought(texts(searched()))
    other = Screen.at(**screen.address)
    assert (other.sentence, other.figures) == (screen.sentence, screen.figures)


def test_of_many_rows_those_that_flip_are_chosen_between_and_the_others_say_why() -> None:
    found = known_cases.search(CASE).found
    screen = brought(texts(found[0]), {"duration_in_month": "60"}, {"purpose": "yacht"}, texts(found[-1]))
    ways = [button.label.strip("*● ") for button in screen.app.button if button.key.startswith("shown ")]
    assert [way.split("\\:")[0].split(":")[0] for way in ways] == ["Row 1", "Row 4"]
    told = screen.notes
    assert any(note.startswith("Row 2 does not flip: it scores ") for note in told)
    assert any(note.startswith("Row 3: purpose has no category called 'yacht'; it has ") for note in told)
    screen.click("shown 1")
    assert screen.address["shown"] == ["2"]
    assert set(screen.marks("greedy")) - {""} == {change.feature for change in found[-1].changes}


def test_a_combination_of_a_row_s_changes_is_kept_like_any_other() -> None:
    schema = known_cases.problem().schema
    own = known_cases.problem().case(CASE).row[schema.index("telephone")]
    other = next(label for code, label in enumerate(schema["telephone"].labels) if code != own)
    screen = brought({**texts(searched()), "telephone": other})
    assert "telephone" in screen.marks("greedy")
    if "reduce" in screen.buttons:
        screen.click("reduce")
        assert screen.view.kept
        assert screen.view.given
        assert set(screen.marks("greedy")) - {""} == set(screen.view.kept)


def test_rows_that_are_none_are_listed_without_a_chart() -> None:
    screen = brought({"duration_in_month": "60"}, {"duration_in_month": "59"})
    assert screen.figures == {}
    assert screen.strips == ["None of the rows that were given is a counterfactual of this case."]
    assert [note.split(":")[0] for note in screen.notes] == ["Row 1 does not flip", "Row 2 does not flip"]


def test_a_row_that_breaks_a_lock_is_freed_in_one_act() -> None:
    first = searched().changes[0].feature
    screen = bring(Screen.at(case=CASE, lock=[first]), as_csv(texts(searched())))
    assert screen.figures == {}
    (strip,) = screen.strips
    assert strip.startswith("Row 1 flips, but breaks what was set: ")
    screen.click(f"relax {first}")
    assert len(screen.figures) == 3


def test_what_is_no_feature_is_said() -> None:
    screen = brought({**texts(searched()), "outcome": "good"})
    assert screen.notes == ["Of mine.csv, 'outcome' is no feature of this data and left out."]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"outcome\ngood\n", "mine.csv names no feature of this data; its first line should have names such as "),
        (b"", "mine.csv is empty; its first line should name features, and each line below be a row."),
        (b"purpose,age_in_years\neducation\n", "Row 1 of mine.csv has 1 value where the header has 2; fill it up."),
    ],
)
def test_a_file_that_can_not_be_read_is_said_where_it_is_brought(content: bytes, sentence: str) -> None:
    screen = bring(Screen.at(case=CASE), content)
    assert screen.strips[0].startswith(sentence)
    assert screen.view.given == ""
    assert len(screen.figures) == 3


def test_no_file_is_no_rows() -> None:
    screen = Screen.at(case=CASE)
    screen.app.session_state[BRING] = True
    screen.settle().click("use rows")
    assert screen.strips == ["No file is chosen; choose one whose first line names features."]


def test_a_link_whose_rows_have_expired_is_one_sentence() -> None:
    screen = Screen.at(case=CASE, given="A" * 22)
    assert screen.strips == ["This link's data has expired or never was here; upload it again."]
    assert len(screen.click("found").figures) == 3
    assert screen.view.given == ""


def test_there_is_a_way_back_to_what_is_searched_for() -> None:
    screen = brought(texts(known_cases.search(CASE).found[-1])).click("search instead")
    assert screen.sentence == wording.plain(sentences.answer(known_cases.explanation(CASE)))
    assert "given" not in screen.address
