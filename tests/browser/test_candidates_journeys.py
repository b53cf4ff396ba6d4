"""Choosing among candidates in a real browser: lock, search again, pick, read."""

from __future__ import annotations

from collections.abc import Callable

import known_cases
from playwright.sync_api import expect

from benchmarks.browser import Tab
from explainers import sentences_candidates, wording
from explainers.constraints import Constraints
from explainers.counterfactuals.candidates import SampledCounterfactuals
from explainers.counterfactuals.mcce import Mcce

Opened = Callable[..., Tab]
CASE = known_cases.order()[0]
HEADER, ROW, SCORE = 17, 35, 330
"""Where the middle of the table's header is, how high a row, and where the column of scores stands, in pixels."""


def search(*locked: str) -> SampledCounterfactuals:
    problem = known_cases.problem()
    constraints = Constraints.default(problem.schema)
    for name in locked:
        constraints = constraints.with_lock(name, True)
    found = Mcce().explain(problem, problem.case(CASE), constraints)
    assert isinstance(found, SampledCounterfactuals)
    return found


def said(found: SampledCounterfactuals) -> str:
    return wording.plain(sentences_candidates.found(found.candidates, found.target))


def pick_row(tab: Tab, row: int) -> None:
    canvas = tab.page.get_by_test_id("data-grid-canvas").first
    canvas.wait_for()
    tab.settle()
    box = canvas.bounding_box()
    assert box is not None
    place = box["x"] + SCORE, box["y"] + HEADER + (row + 1) * ROW
    tab.page.mouse.move(*place, steps=8)
    # The table hears a click only once it knows that the pointer is over it.
    tab.page.get_by_test_id("stElementToolbar").first.wait_for()
    tab.settle()
    tab.page.mouse.click(*place)


def test_a_feature_is_locked_a_candidate_picked_and_its_chart_read(open_tab: Opened) -> None:
    tab = open_tab("/candidates", data="german_credit", case=CASE)
    before = search()
    tab.wait_for_sentence(said(before)).wait_for_charts("tradeoff", "realistic")
    locked = before.found[0].changes[0].feature
    title = known_cases.problem().schema[locked].title
    tab.page.get_by_role("button", name=f"Lock {title}", exact=True).click()
    after = search(locked)
    tab.wait_for_sentence(said(after)).wait_for_address(lock=locked)
    pick_row(tab, 2)
    tab.wait_for_address(method="mcce", shown="3", lock=locked).wait_for_charts("tradeoff")
    expected = sentences_candidates.shown(after.candidates, 2, after.target)
    assert (
        expected.split()
        == tab.drawn_text("tradeoff").replace("\u00a0", " ").partition("shown ")[2].split()[: len(expected.split())]
    )
    tab.page.get_by_role("button", name="Read this candidate", exact=True).click()
    tab.page.locator(".st-key-card_greedy").wait_for()
    tab.wait_for_charts("greedy").wait_for_address(method="mcce", shown="3", lock=locked)
    assert tab.path == "/"
    assert tab.marks("greedy") == {change.feature for change in after.found[2].changes}
    tab.page.reload()
    tab.wait_for_charts("greedy")
    assert tab.marks("greedy") == {change.feature for change in after.found[2].changes}


def test_a_dot_is_picked_and_the_table_is_downloaded(open_tab: Opened) -> None:
    known = search()
    tab = open_tab("/candidates", data="german_credit", case=CASE)
    tab.wait_for_sentence(said(known)).wait_for_charts("tradeoff")
    tab.pick("tradeoff", 1)
    tab.wait_for_address(method="mcce", shown="2")
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="CSV", exact=True).click()
    lines = download.value.path().read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 1 + len(known.found)
    assert lines[0].startswith("#,changes,distance,score,margin,")
    expect(tab.page.get_by_role("button", name="Read this candidate", exact=True)).to_be_visible()
