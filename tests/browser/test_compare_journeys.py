"""What people do on the pages Compare and Prototypes, done in a browser."""

from __future__ import annotations

from collections.abc import Callable

import known_cases
from playwright.sync_api import expect

from benchmarks.browser import CHARTS, Tab
from explainers import sentences, wording
from explainers.constraints import Constraints
from explainers.explanation import explain_changes
from explainers.registry import GENERATORS

Opened = Callable[..., Tab]
FEW = ["nice", "nearest", "face"]


def test_from_all_ways_to_the_one_that_is_explained(open_tab: Opened) -> None:
    case, problem = known_cases.beginning(), known_cases.problem()
    posed, constraints = problem.case(case), Constraints.default(problem.schema)
    tab = open_tab("/compare", data="german_credit", case=case, generator=FEW)
    ways = tab.page.locator(".st-key-card_ways")
    expect(ways.locator(".annotation-text", has_text="FACE")).to_be_visible()
    expect(tab.page.locator(".diverse").first).to_be_visible()
    found = GENERATORS["nearest"].explain(problem, posed, constraints).found[0]
    tab.pick("ways", "nearest")
    tab.wait_for_address(case=case, method="nearest", generator=FEW)
    tab.wait_for_sentence(wording.plain(sentences.answer(explain_changes(problem, posed, found))))
    assert tab.path == "/"
    tab.page.go_back()
    expect(ways.locator(".annotation-text", has_text="FACE")).to_be_visible()


def test_the_presses_that_led_to_a_case_lead_no_further(open_tab: Opened) -> None:
    """What the browser kept of them on Explain comes along when that page is come back to."""
    order = known_cases.order()
    tab = open_tab(case=order[0], generator=["nearest"]).wait_for_charts()
    tab.press("ArrowRight").wait_for_address(case=order[1])
    tab.page.get_by_role("link", name="Compare", exact=True).click()
    tab.button("open nearest").click()
    tab.wait_for_address(case=order[1], method="nearest").wait_for_charts(*CHARTS)
    tab.page.locator(".st-key-card_greedy").get_by_text("Table", exact=True).click()
    tab.page.locator(".st-key-card_greedy").get_by_test_id("stDataFrame").wait_for()
    tab.wait_for_address(case=order[1])
    expect(tab.page.get_by_role("combobox", name="Case", exact=True)).to_have_value(f"Case {order[1]}")
    tab.press("ArrowRight").wait_for_address(case=order[2])


def test_sliding_along_the_path_to_a_prototype(open_tab: Opened) -> None:
    case = known_cases.beginning()
    tab = open_tab("/prototypes", data="german_credit", case=case, along="99")
    for card in ("path", "line"):
        expect(tab.page.locator(f".st-key-card_{card} .main-svg").first).to_be_visible()
    assert tab.sentence.startswith("99 % of the way")
    tab.page.locator(".st-key-along").get_by_role("slider").focus()
    tab.press("ArrowRight")
    tab.wait_for_address(case=case, along="100")
    expect(tab.page.locator(".sentence").first).to_contain_text("100 % of the way")
    here, goal = (tab.texts(f"table.ways tbody td:nth-child({column})") for column in (3, 4))
    assert here == goal
    tab.button("first flip").click()
    tab.wait_for_address(case=case, along=None)
    expect(tab.page.locator(".sentence").first).to_contain_text(", flips.")


def test_a_digit_goes_over_to_its_prototype_and_the_losses_are_stopped(open_tab: Opened) -> None:
    tab = open_tab("/prototypes", data="digits", case=known_cases.beginning("digits"), along="99")
    expect(tab.page.locator(".st-key-card_picture .main-svg").first).to_be_visible()
    assert pixels(tab, 1) != pixels(tab, 0)
    tab.page.locator(".st-key-along").get_by_role("slider").focus()
    tab.press("ArrowRight").wait_for_address(along="100")
    expect(tab.page.locator(".sentence").first).to_contain_text("100 % of the way")
    assert pixels(tab.settle(), 1) == pixels(tab, 2)
    tab.button("compare losses").click()
    tab.button("stop").click()
    expect(tab.page.locator(".st-key-card_pending")).to_have_count(0)
    expect(tab.page.locator(".empty, .st-key-card_losses").first).to_be_visible()


def pixels(tab: Tab, picture: int) -> list[list[float]]:
    return tab.figures()["picture"][picture]["z"]
