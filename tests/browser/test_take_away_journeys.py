"""What people take away, opened where there is no network; and help that is read where it stands."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import known_cases
from playwright.sync_api import expect

from benchmarks.browser import CHARTS, Tab
from explainers import archive, sentences, wording
from explainers.explanation import Explanation
from tests.contract.asking import assert_equal

Opened = Callable[..., Tab]


def opened(open_tab: Opened, **query: Any) -> Tab:
    """A tab in which "Take it away" is open."""
    tab = open_tab(**query).wait_for_charts(*CHARTS)
    assert tab.page.locator(".st-key-taken").count() == 0
    tab.button("take away").click()
    tab.page.wait_for_selector(".st-key-taken")
    return tab.settle()


def test_the_report_opens_where_there_is_no_network(open_tab: Opened, browser: Any, tmp_path: Path) -> None:
    known = known_cases.explanation(known_cases.beginning())
    download = opened(open_tab).take("Report")
    assert download.suggested_filename == f"flipside-German-credit-case-{known_cases.beginning()}.html"
    download.save_as(tmp_path / "report.html")
    context = browser.new_context(offline=True)
    page, asked, complaints = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((tmp_path / "report.html").as_uri())
    for chart in CHARTS:
        page.wait_for_selector(f"#chart-{chart} .main-svg")
    assert asked == [(tmp_path / "report.html").as_uri()] and complaints == []
    assert " ".join(page.locator(".sentence").inner_text().split()) == " ".join(
        wording.plain(sentences.answer(known)).split()
    )
    data = "document.getElementById('chart-greedy').data"
    drawn = page.evaluate(f"{data}.flatMap(trace => [...(trace.customdata ?? [])])")
    assert {name for name in drawn if name} == known_cases.names(known.counterfactual)
    fonts = page.evaluate("[...document.fonts].filter(font => font.status === 'loaded').map(font => font.family)")
    assert [name.strip('"') for name in fonts] == ["Source Sans"]
    wide = "[...document.querySelectorAll('.chart')].filter(own => own.scrollWidth > own.clientWidth)"
    assert page.evaluate(f"{wide}.length") == 0
    page.locator("#greedy").locator("xpath=../..").get_by_text("Table", exact=True).click()
    expect(page.get_by_role("cell", name=known.counterfactual.changes[0].title, exact=True).last).to_be_visible()
    context.close()


def test_the_report_prints_its_tables_and_its_help(open_tab: Opened, browser: Any, tmp_path: Path) -> None:
    opened(open_tab).take("Report").save_as(tmp_path / "report.html")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    page.wait_for_selector("#chart-constellation .main-svg")
    states = "[...document.querySelectorAll('details')].map(own => own.open)"
    page.evaluate(f"addEventListener('beforeprint', () => {{ window.seen = {states} }})")
    assert not any(page.evaluate(states))
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert page.evaluate("window.seen") == [True] * 6
    assert not any(page.evaluate(states))
    context.close()


def without_seconds(known: Explanation) -> Explanation:
    """What the clock said is no two times the same."""
    timeless = {
        name: replace(value, cost=replace(value.cost, seconds=0.0))
        for name in ("greedy", "countershapley")
        if (value := getattr(known, name)) is not None and value.cost is not None
    }
    return replace(known, **timeless)


def test_numbers_and_results_are_those_on_the_screen(open_tab: Opened, tmp_path: Path) -> None:
    known = known_cases.explanation(known_cases.beginning())
    tab = opened(open_tab)
    for label in ("All results", "Importances", "Python"):
        tab.take(label).save_as(tmp_path / label)
    read = archive.from_json((tmp_path / "All results").read_bytes())
    assert_equal(without_seconds(read.explanation), without_seconds(known))
    with (tmp_path / "Importances").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert known.countershapley is not None
    values = known.countershapley.values[list(known.countershapley.order)].tolist()
    assert [float(row["importance"]) for row in rows if row["method"] == "CounterShapley"] == values
    assert f'problem.case("{known_cases.beginning()}")' in (tmp_path / "Python").read_text(encoding="utf-8")
    address = " ".join(tab.page.locator("[class*=st-key-linkbox-to] code").inner_text().split())
    assert address == tab.page.url


def test_charts_are_drawn_as_images_beside_the_page(open_tab: Opened, tmp_path: Path) -> None:
    tab = opened(open_tab)
    tab.button("draw images").click()
    tab.page.locator(".st-key-taken").get_by_role("button", name="Charts, drawn").first.wait_for()
    tab.take("Charts, drawn").save_as(tmp_path / "charts.zip")
    with zipfile.ZipFile(tmp_path / "charts.zip") as images:
        assert set(images.namelist()) == {f"{name}.{ending}" for name in CHARTS for ending in ("png", "svg")}
        assert images.testzip() is None
    tab.wait_for_charts(*CHARTS)


def test_help_is_opened_by_keyboard_and_stays_open(open_tab: Opened) -> None:
    known = known_cases.explanation(known_cases.beginning())
    assert known.countershapley is not None
    tab = open_tab().wait_for_charts(*CHARTS)
    card = tab.page.locator(".st-key-card_countershapley")
    summary = card.get_by_text("How to read this", exact=True)
    runs = json.dumps(tab.address)
    summary.focus()
    tab.press("Enter")
    help_ = card.locator("details.help")
    expect(help_).to_have_attribute("open", "")
    first = known.counterfactual.changes[known.countershapley.order[0]]
    said = " ".join(help_.inner_text().split())
    assert f"{first.title} ({first.old_text} → {first.new_text}) counts +".replace("\u00a0", " ") in said
    assert json.dumps(tab.address) == runs
    tab.pick("greedy", first.feature)
    tab.wait_for_address(select=first.feature).wait_for_charts(*CHARTS)
    expect(help_).to_have_attribute("open", "")
    tab.press("ArrowRight")
    tab.wait_for_address(case=known_cases.order()[known_cases.order().index(known_cases.beginning()) + 1])
