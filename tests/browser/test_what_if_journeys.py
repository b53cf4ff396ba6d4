"""A person tries other values, and brings counterfactuals, in a browser."""

from __future__ import annotations

from collections.abc import Callable

import known_cases
from playwright.sync_api import expect

from benchmarks.browser import CHARTS, Tab
from explainers import sentences, standing, wording
from explainers.intake.rows import row_of_values
from explainers.intake.typed import write_value
from explainers.what_if import proposed_row, what_if

Opened = Callable[..., Tab]
CASE = known_cases.with_changes(2, 4, 0)


def edits() -> dict[str, str]:
    """The changes of a counterfactual that is known."""
    schema, found = known_cases.problem().schema, known_cases.search(CASE).found[0]
    values = {change.feature: float(found.row[schema.index(change.feature)]) for change in found.changes}
    return {name: write_value(schema[name], value) for name, value in values.items()}


def told(values: dict[str, str]) -> str:
    """What the library says of the case with these values."""
    problem, case = known_cases.problem(), known_cases.problem().case(CASE)
    row = proposed_row(problem, case, row_of_values(problem.schema, values, ""))
    return wording.plain(standing.as_it_might_be(what_if(problem, case, [row])[0]))


def type_in(tab: Tab, name: str, text: str) -> None:
    """Type a value into a feature's field, as somebody with a keyboard does."""
    field = tab.page.locator(f".st-key-edit-{name}").locator("input").first
    field.click()
    field.press("Control+a")
    field.press_sequentially(text)
    field.press("Enter")
    tab.settle()


def expect_score(tab: Tab, values: dict[str, str]) -> None:
    expect(tab.page.locator(".tried")).to_have_text(told(values).replace("\u00a0", " "))


def test_a_person_asks_what_if_and_makes_it_the_counterfactual(open_tab: Opened) -> None:
    answer = wording.plain(sentences.answer(known_cases.explanation(CASE)))
    tab = open_tab(case=CASE).wait_for_charts(*CHARTS)
    tab.page.get_by_text("What if…", exact=True).click()
    tab.wait_for_address(**{"what-if": "open"})
    expect_score(tab, {})
    type_in(tab, "age_in_years", "90")
    expect_score(tab, {"age_in_years": "90"})
    assert tab.texts(".caveat") == ["Beyond all rows of the table: 19 to 75 years."]
    type_in(tab, "purpose", "yacht")
    expect(tab.page.locator(".caveat").first).to_contain_text("purpose has no category called 'yacht'")
    tab.button("edits undo").click()
    tab.wait_for_address(set=None)
    expect_score(tab, {})
    wanted: dict[str, str] = {}
    for name, text in edits().items():
        type_in(tab, name, text)
        wanted[name] = text
        expect_score(tab, wanted)
    assert tab.address["set"] == [f"{text}:{name}" for name, text in sorted(wanted.items())]
    tab.button("adopt edits").click()
    tab.wait_for_address(given="edits").wait_for_charts(*CHARTS)
    assert tab.marks("greedy") == set(wanted)
    tab.wait_for_sentence(answer)
    tab.page.reload()
    tab.wait_for_sentence(answer).wait_for_charts(*CHARTS)
    expect_score(tab, wanted)


def test_a_person_brings_counterfactuals(open_tab: Opened) -> None:
    names = list(edits())
    text = "\n".join([";".join(names), ";".join(edits().values()), ";".join("" for _ in names)]) + "\n"
    tab = open_tab(case=CASE).wait_for_charts(*CHARTS)
    tab.button("bring rows").click()
    tab.page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(
        {"name": "mine.csv", "mimeType": "text/csv", "buffer": text.encode()}
    )
    tab.page.get_by_role("button", name="Check and show", exact=True).click()
    expect(tab.page.locator(".caveat")).to_have_text("Row 2 is the case as it is; nothing differs.")
    tab.wait_for_charts(*CHARTS)
    assert tab.marks("greedy") == set(names)
    assert len(tab.address["given"][0]) == 22
    tab.page.reload()
    tab.wait_for_charts(*CHARTS)
    assert tab.marks("greedy") == set(names)
    tab.button("search instead").click()
    tab.wait_for_address(given=None).wait_for_charts(*CHARTS)
