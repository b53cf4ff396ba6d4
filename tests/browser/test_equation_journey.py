"""What people do on the Equation page, done in a browser: pick, slide, follow a neighbour, ask for a number."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from benchmarks.browser import Tab
from components import catalogue
from components.state.view import View
from explainers import sentences_equation, wording
from explainers.labelled import LabelledTable
from explainers.surrogates.bella import Bella
from explainers.surrogates.equation import LocalEquations

Opened = Callable[..., Tab]


def known(case: str) -> tuple[LabelledTable, LocalEquations, str]:
    """The equations around a case, and the sentence above the cards."""
    problem = catalogue.sample_problem("auto_mpg")
    table = LabelledTable.of_model(problem, problem.target(problem.case(case)))
    found = Bella().explain(table, table.case(case))
    return table, found, wording.plain(sentences_equation.answer(table, found, found.chosen))


def test_pick_slide_follow_a_neighbour_and_ask_for_a_number(open_tab: Opened) -> None:
    case = catalogue.cases(View(data="auto_mpg"), catalogue.sample_problem("auto_mpg"))[0]
    table, found, sentence = known(case)
    tab = open_tab("/cases", size=(1440, 2600), data="auto_mpg").settle()
    tab.page.get_by_role("link", name="Equation", exact=True).click()
    tab.settle().button("next").click()
    tab.wait_for_address(case=case).wait_for_sentence(sentence)
    assert tab.path == "/equation"
    for name in ("equation", "reach", "neighbours"):
        tab.page.locator(f".st-key-card_{name} .js-plotly-plot .main-svg").first.wait_for()
    assert tab.marks("reach") == {str(size) for size in found.sizes}

    # Slide to the other end, and the equation and the model say other numbers.
    said = tab.page.locator(".st-key-card_try .sentence")
    before = said.inner_text()
    numbers = [term for term in found.best.terms if not term.category]
    name = max(numbers, key=lambda term: abs(term.coefficient)).feature
    feature, own = table.schema[name], float(found.row[table.schema.index(name)])
    slider = tab.page.locator(f'[class*="st-key-try-{name}"]').get_by_role("slider")
    slider.press("End" if feature.high - own > own - feature.low else "Home")
    expect(said).not_to_have_text(before)
    tab.settle()
    assert tab.address["set"][0].endswith(f":{name}")
    tab.button("forget trials").click()
    expect(said).to_have_text(before)

    # Another size, and back to the best.
    tab.pick("reach", int(found.sizes[0]))
    tab.wait_for_address(size=str(int(found.sizes[0])))
    tab.button("best size").click()
    tab.wait_for_address(size=None)

    # Follow a neighbour.
    near = found.neighbours(found.chosen)
    neighbour = table.ids[near[int(table.labels[near].argmax())]]  # whose dot stands alone
    tab.settle().pick("neighbours", neighbour)
    tab.wait_for_address(case=neighbour).wait_for_sentence(known(neighbour)[2])

    # Ask for a number, and see the same after F5.
    tab.page.locator(".st-key-card_reference").get_by_role("slider").first.press("End")
    answer = tab.page.locator(".st-key-card_reference .sentence")
    answer.wait_for()
    said = answer.inner_text()
    assert "reference" in tab.address
    tab.page.reload()
    expect(answer).to_have_text(said)
