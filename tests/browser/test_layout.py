"""Nothing stands on or beyond anything else, on screens wide and narrow."""

from __future__ import annotations

from collections.abc import Callable

import known_cases
import pytest

from benchmarks.browser import Tab

Opened = Callable[..., Tab]

WIDER_THAN_THE_SCREEN = """() => [document.documentElement, ...document.querySelectorAll('[data-testid=stMain]')]
    .map(e => e.scrollWidth - e.clientWidth)"""
CUT_TEXTS = """() => [...document.querySelectorAll('.js-plotly-plot')].flatMap(plot => {
    const frame = plot.querySelector('.main-svg').getBoundingClientRect()
    return [...plot.querySelectorAll('svg text')].filter(text => text.textContent.trim()).filter(text => {
        const box = text.getBoundingClientRect()
        return box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1
            || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
    }).map(text => text.textContent)
})"""
CUT_FIELDS = """() => [...document.querySelectorAll('.st-key-features input')]
    .filter(field => field.scrollWidth > field.clientWidth + 1).map(field => field.value)"""
SPREAD_FIELDS = """() => [...document.querySelectorAll('.whole')].map(text => {
    const [inner, outer] = [text, text.closest('.stElementContainer').previousElementSibling
        .querySelector('[role=group]')].map(e => e.getBoundingClientRect())
    return text.scrollHeight <= text.clientHeight && inner.left >= outer.left && inner.right <= outer.right
        && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
})"""
TEXTS = "() => document.querySelectorAll('.js-plotly-plot svg text').length"
SMALL_TEXTS = """() => [...document.querySelectorAll('.js-plotly-plot svg text')]
    .filter(text => text.textContent.trim() && parseFloat(getComputedStyle(text).fontSize) < 12)
    .map(text => text.textContent)"""
OVERLAPS = """selector => {
    const boxes = [...document.querySelectorAll(selector)].map(e => [e, e.getBoundingClientRect()])
        .filter(([_, box]) => box.width > 0 && box.height > 0)
    return [boxes.length, boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([other, b]) =>
        !one.contains(other) && !other.contains(one) &&
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
    ).map(([other]) => `${one.className} and ${other.className}`))]
}"""
COLUMNS = ".st-key-columns > div > .stHorizontalBlock > .stColumn, .st-key-columns > .stHorizontalBlock > .stColumn"
CASE_BAR = ".st-key-casebar > *"

WIDTHS = (1920, 1280, 1000)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("data", ["german_credit", "breast_cancer"])
@pytest.mark.parametrize("reward", ["sparsity", "none"])
def test_nothing_overlaps_and_no_text_is_cut(open_tab: Opened, width: int, data: str, reward: str) -> None:
    case = known_cases.beginning(data)
    tab = open_tab(size=(width, 1200), data=data, case=case, **{"nice.reward": reward}).wait_for_charts("greedy")
    evaluate = tab.page.evaluate
    assert evaluate(WIDER_THAN_THE_SCREEN) == [0, 0]
    assert evaluate(TEXTS) > 10
    assert evaluate(CUT_TEXTS) == []
    assert evaluate(SMALL_TEXTS) == []
    n_columns, overlaps = evaluate(OVERLAPS, COLUMNS)
    assert (n_columns, overlaps) == (3, [])
    n_parts, overlaps = evaluate(OVERLAPS, CASE_BAR)
    assert n_parts >= 7
    assert overlaps == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_fields_of_a_case_fit(open_tab: Opened, width: int) -> None:
    case = known_cases.beginning()
    tab = open_tab(size=(width, 1200), case=case, **{"what-if": "open"}).wait_for_charts("greedy")
    assert tab.page.evaluate(WIDER_THAN_THE_SCREEN) == [0, 0]
    assert set(tab.page.evaluate(CUT_FIELDS)) <= set(tab.texts(".whole"))
    spread = tab.page.evaluate(SPREAD_FIELDS)
    assert spread and all(spread), "what has no room in a line of its field stands in the field in several"
    n_rows, overlaps = tab.page.evaluate(OVERLAPS, ".st-key-features [class*=st-key-row_], .st-key-tried")
    assert n_rows > 10
    assert overlaps == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_data_page_fits(open_tab: Opened, width: int) -> None:
    tab = open_tab("/data_and_model", size=(width, 1200), case=known_cases.beginning())
    tab.page.wait_for_selector(".st-key-card_model")
    tab.settle()
    assert tab.page.evaluate(WIDER_THAN_THE_SCREEN) == [0, 0]
    assert tab.page.evaluate(OVERLAPS, ".stColumn")[1] == []


def test_the_case_bar_holds_a_narrow_range_with_long_names(open_tab: Opened) -> None:
    case = known_cases.beginning("auto_mpg")
    tab = open_tab("/cases", size=(1280, 900), data="auto_mpg", case=case, low="22", high="22.5")
    tab.page.locator(".track .above").nth(1).wait_for()
    assert tab.page.evaluate(OVERLAPS, ".track .below, .track .above") == [4, []]
    bar, link = (tab.page.locator(css).bounding_box() for css in (".st-key-casebar", ".st-key-link"))
    assert bar and link and link["x"] + link["width"] <= bar["x"] + bar["width"] + 1
