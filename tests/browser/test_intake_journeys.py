"""A person's own files in a real browser: uploaded, explained, sent on, edited, expired."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from intake_driver import TABLE_NAME, model_file, table_file

from benchmarks.browser import Server, Tab
from components.store import Store

Opened = Callable[..., Tab]
GONE = "This link's data has expired or never was here; upload it again."


def choose(tab: Tab, which: str, file: tuple[str, bytes]) -> None:
    """Give a file to an uploader and wait until it is there."""
    box = tab.page.locator(f"[class*=st-key-{which}-file]")
    name, content = file
    box.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    )
    box.get_by_text(name, exact=True).wait_for()


def bring(tab: Tab, table: tuple[str, bytes] | None, model: tuple[str, bytes] | None = None) -> str:
    """Upload files and use them; the token that the address then has."""
    before = tab.address.get("data", [""])[0]
    for which, file in (("table", table), ("model", model)):
        if file:
            choose(tab, which, file)
    tab.page.get_by_role("button", name="Use these files", exact=True).click()
    tab.page.wait_for_function(
        "data => (new URLSearchParams(location.search).get('data') ?? data) !== data", arg=before
    )
    tab.settle()
    return tab.address["data"][0]


def explain_first(tab: Tab) -> Tab:
    tab.page.get_by_role("button", name="Explain the first case", exact=True).click()
    tab.page.locator(".sentence").first.wait_for()
    return tab.wait_for_charts("greedy")


def test_both_files_are_uploaded_and_explained(open_tab: Opened) -> None:
    tab = open_tab("/data_and_model")
    token = bring(tab, table_file(), model_file())
    assert len(token) == 22
    tab.page.locator(".st-key-card_columns canvas").first.wait_for()
    tab.page.locator("[data-testid=stVegaLiteChart] svg").first.wait_for()
    explain_first(tab)
    assert tab.path == "/"
    assert tab.sentence.startswith("Scored 0.")
    assert tab.page.get_by_role("combobox", name="Data", exact=True).input_value() == TABLE_NAME


def test_the_link_shows_the_same_elsewhere_and_after_a_restart(
    open_tab: Opened, start_server: Callable[[], Server]
) -> None:
    tab = open_tab("/data_and_model")
    bring(tab, table_file(), model_file())
    explain_first(tab)
    query: dict[str, Any] = tab.address
    other = open_tab(**query).wait_for_sentence(tab.sentence).wait_for_charts("greedy")
    assert other.figures() == tab.figures()
    restarted = open_tab(on=start_server(), **query).wait_for_sentence(tab.sentence).wait_for_charts("greedy")
    assert restarted.figures() == tab.figures()
    tab.page.reload()
    tab.wait_for_sentence(other.sentence)


def test_a_model_is_trained_here(open_tab: Opened) -> None:
    tab = open_tab("/data_and_model")
    bring(tab, table_file())
    tab.page.get_by_text("Right on rows not seen", exact=True).wait_for()
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="Download this model", exact=True).click()
    assert download.value.suggested_filename == "model.skops"
    content = download.value.path().read_bytes()
    bring(tab, None, ("trained.skops", content))
    tab.page.get_by_text("not known: any of these rows may have been among them", exact=True).wait_for()
    explain_first(tab)


def test_the_example_pair_can_be_uploaded(open_tab: Opened) -> None:
    tab = open_tab("/data_and_model")
    files = []
    for name in ("Table", "Model"):
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name=name, exact=True).click()
        files.append((download.value.suggested_filename, download.value.path().read_bytes()))
    bring(tab, *files)
    explain_first(tab)


def test_an_edit_holds_and_back_takes_it_back(open_tab: Opened) -> None:
    tab = open_tab("/data_and_model")
    token = bring(tab, table_file())
    tab.page.get_by_role("button", name="Categories", exact=True).click()
    tab.page.get_by_text("They have an order", exact=True).click()
    tab.page.wait_for_function("data => new URLSearchParams(location.search).get('data') !== data", arg=token)
    tab.settle()
    tab.page.go_back()
    tab.wait_for_address(data=token)
    tab.page.go_forward()
    tab.page.wait_for_function("data => new URLSearchParams(location.search).get('data') !== data", arg=token)
    tab.settle()


def test_an_expired_link_is_one_sentence(open_tab: Opened, store_folder: Any) -> None:
    tab = open_tab("/data_and_model")
    token = bring(tab, table_file())
    store = Store(store_folder)
    store.delete(token)
    store.close()
    for path in ("/", "/cases", "/data_and_model"):
        other = open_tab(path, data=token)
        other.page.locator(".empty").wait_for()
        assert other.texts(".empty") == [GONE]


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_1280(open_tab: Opened, dark: bool) -> None:
    tab = open_tab("/data_and_model", size=(1280, 900), dark=dark)
    tab.page.locator("[data-testid=stVegaLiteChart] svg").first.wait_for()
    assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tab.page.evaluate(
        """() => [...document.querySelectorAll('[class*=st-key-card_]')].every(
            card => card.scrollWidth <= card.clientWidth + 1)"""
    )
    boxes = [tab.page.locator(f".st-key-card_columns {what}").first.bounding_box() for what in ("canvas", "svg.marks")]
    (editor, profiles) = [box for box in boxes if box]
    assert editor["x"] + editor["width"] <= profiles["x"] and profiles["y"] < editor["y"] + editor["height"]
