"""Finding a case in a real browser: the table is a canvas, so it is clicked by place."""

from __future__ import annotations

from collections.abc import Callable

import known_cases

from benchmarks.browser import Server, Tab
from explainers.cases import CaseQuery, Filter, Order, select

Opened = Callable[..., Tab]
HEADER, ROW = 17, 35
"""Where the middle of the header and how high a row is, in pixels."""
CASE, DURATION = 2, 590
"""Which column holds the case's id, and where another one's header is."""
WRONG = {"data": "german_credit", "only": "wrong", "order": "nearest", "side": "good risk"}


def order(query: CaseQuery) -> list[str]:
    problem = known_cases.problem()
    return [problem.ids[position] for position in select(problem, query)]


def wrong() -> list[str]:
    return order(CaseQuery(Order.NEAREST, frozenset({Filter.WRONG}), "good risk"))


def click(tab: Tab, row: int, x: float = 170) -> None:
    """Click a cell: the row counted from 0, the header being -1."""
    canvas = tab.page.get_by_test_id("data-grid-canvas")
    canvas.wait_for()
    tab.settle()
    box = canvas.bounding_box()
    assert box is not None
    tab.page.mouse.click(box["x"] + x, box["y"] + HEADER + (row + 1) * ROW)


def expect_explained(tab: Tab, case: str) -> None:
    """Wait until this case is explained; on a slow machine the address follows the charts."""
    tab.page.locator(".st-key-card_greedy").wait_for()
    tab.wait_for_address(case=case).wait_for_charts("greedy")
    assert tab.path == "/"


def read(tab: Tab, row: int, column: int) -> str:
    """A cell as told to those who can't see the canvas; rows count from 0, columns from 0 with the box to tick."""
    cell = tab.page.get_by_test_id(f"glide-cell-{column}-{row}")
    cell.wait_for(state="attached")
    return cell.text_content() or ""


def test_wrong_cases_are_found_and_clicked_through(open_tab: Opened) -> None:
    expected = wrong()
    tab = open_tab("/cases", **WRONG)
    tab.wait_for_sentence(f"{len(expected)} cases of 1 000. Pick one to explain it.")
    click(tab, 2)
    expect_explained(tab, expected[2])
    tab.wait_for_address(**WRONG)
    for case in (expected[3], expected[4]):
        tab.press("ArrowRight")
        tab.wait_for_address(case=case).wait_for_charts("greedy")
    tab.press("ArrowLeft")
    tab.wait_for_address(case=expected[3]).wait_for_charts("greedy")
    tab.page.get_by_role("link", name="Cases", exact=True).click()
    tab.wait_for_sentence(f"{len(expected)} cases of 1 000. Pick one to explain it.")
    click(tab, 0)
    expect_explained(tab, expected[0])


def test_after_a_sort_in_the_header_the_case_clicked_is_explained(open_tab: Opened) -> None:
    tab = open_tab("/cases", **WRONG)
    first = read(tab, 0, CASE)
    assert first == wrong()[0]
    click(tab, -1, x=DURATION)
    tab.page.wait_for_function(
        """([id, before]) => document.querySelector(`[data-testid=${id}]`)?.textContent?.match(/\\S/)
            && document.querySelector(`[data-testid=${id}]`).textContent !== before""",
        arg=[f"glide-cell-{CASE}-0", first],
    )
    tab.settle()
    assert tab.path == "/cases", "a sort picks nothing"
    sorted_ = read(tab, 3, CASE)
    assert sorted_ != wrong()[3], "the sort moved this row"
    click(tab, 3)
    expect_explained(tab, sorted_)


def test_the_question_outlives_reload_back_and_another_browser(open_tab: Opened, server: Server) -> None:
    expected = wrong()
    sentence = f"{len(expected)} cases of 1 000. Pick one to explain it."
    tab = open_tab("/cases", data="german_credit")
    before = tab.sentence
    tab.page.get_by_role("combobox", name="Order", exact=True).click()
    tab.page.get_by_role("option", name="nearest to another decision first", exact=True).click()
    tab.wait_for_address(order="nearest")
    tab.page.get_by_role("combobox", name="Decision", exact=True).click()
    tab.page.get_by_role("option", name="good risk", exact=True).click()
    tab.wait_for_address(order="nearest", side="good risk")
    asked = tab.sentence
    assert asked != before
    tab.page.reload()
    tab.wait_for_sentence(asked).wait_for_address(order="nearest", side="good risk")
    assert open_tab("/cases", **tab.address).wait_for_sentence(asked).sentence == asked
    tab.page.go_back()
    tab.wait_for_address(order="nearest", side=None)
    tab.page.go_back()
    tab.wait_for_address(order=None).wait_for_sentence(before)
    tab.page.goto(server.url("/cases", **WRONG))
    tab.wait_for_sentence(sentence)


def test_nothing_found_has_a_way_out(open_tab: Opened) -> None:
    tab = open_tab("/cases", data="german_credit", text="no such thing")
    tab.page.wait_for_selector(".empty")
    assert tab.texts(".empty") == ["No case is like that. Take a filter off, or see all cases."]
    tab.button("all cases").click()
    tab.wait_for_sentence("1 000 cases of 1 000. Pick one to explain it.").wait_for_address(only="any", text=None)


def test_a_random_case_is_one_of_those_shown(open_tab: Opened) -> None:
    tab = open_tab("/cases", **WRONG)
    tab.button("random").click()
    tab.page.wait_for_function("new URLSearchParams(location.search).get('case')")
    (case,) = tab.address["case"]
    assert case in wrong()
    expect_explained(tab, case)


def test_the_page_fits_1280(open_tab: Opened) -> None:
    for dark in (False, True):
        tab = open_tab("/cases", size=(1280, 900), dark=dark, **WRONG)
        tab.page.get_by_test_id("data-grid-canvas").wait_for()
        assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
