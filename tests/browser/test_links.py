"""The address is what is seen: on a fresh server, back and forward, reloaded, sent to a colleague."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import known_cases
import pytest
from playwright.sync_api import expect

import samples
from benchmarks.browser import CHARTS, Server, Tab
from explainers import sentences, wording

Opened = Callable[..., Tab]


def answer(case: str) -> str:
    known = known_cases.explanation(case)
    return wording.plain(sentences.answer(known))


@pytest.fixture(scope="module")
def fresh_server(start_server: Callable[[], Server]) -> Server:
    """A server that nobody has asked anything before the first test here."""
    return start_server()


def test_the_first_request_to_a_fresh_server_may_be_a_deep_link(open_tab: Opened, fresh_server: Server) -> None:
    """Streamlit would run the page alone, without the frame, if it knew pages in its own way."""
    case = known_cases.with_changes(3, 6, 1)
    tab = open_tab("/data_and_model", on=fresh_server, data="german_credit", case=case)
    tab.page.wait_for_selector(".st-key-card_data")
    tab.settle()
    assert samples.get("german_credit").card.licence in " ".join(tab.texts(".facts"))
    tab.page.locator(".st-key-navigation").get_by_role("link", name="Data & model", exact=True).wait_for()
    tab.page.get_by_role("link", name="Explain", exact=True).click()
    tab.wait_for_sentence(answer(case)).wait_for_charts(*CHARTS)
    assert tab.path == "/"
    assert tab.address == {"data": ["german_credit"], "case": [case]}


def test_back_and_forward_show_what_was_there(open_tab: Opened) -> None:
    first = known_cases.with_changes(3, 6, 0)
    tab = open_tab(case=first).wait_for_sentence(answer(first)).wait_for_charts()
    before = tab.figures()
    feature = known_cases.search(first).found[0].changes[0].feature
    tab.pick("greedy", feature)
    tab.wait_for_address(select=feature).wait_for_charts()
    marked = tab.figures()
    order = known_cases.order()
    after = order[order.index(first) + 1]
    tab.press("ArrowRight")
    tab.wait_for_sentence(answer(after)).wait_for_charts()
    tab.page.go_back()
    tab.wait_for_address(case=first, select=feature).wait_for_sentence(answer(first)).wait_for_charts()
    assert tab.figures() == marked
    tab.page.go_back()
    tab.wait_for_address(case=first, select=None).wait_for_charts()
    tab.page.wait_for_function("() => !document.querySelector('.change').textContent.includes('●')")
    assert tab.wait_for_charts().figures() == before
    tab.page.go_forward()
    tab.page.go_forward()
    tab.wait_for_address(case=after, select=None).wait_for_sentence(answer(after))


def test_back_leads_from_page_to_page(open_tab: Opened) -> None:
    case = known_cases.with_changes(3, 6, 1)
    tab = open_tab(case=case).wait_for_sentence(answer(case))
    tab.page.get_by_role("link", name="Data & model", exact=True).click()
    tab.page.wait_for_selector(".st-key-card_data")
    tab.settle()
    assert (tab.path, tab.address["case"]) == ("/data_and_model", [case])
    tab.page.go_back()
    tab.wait_for_sentence(answer(case)).wait_for_charts(*CHARTS)
    assert tab.path == "/"


def test_a_reload_shows_the_same(open_tab: Opened) -> None:
    case = known_cases.reducible()
    asked = {"case": case, "nice.reward": "proximity", "threshold": "0.45", "lock": ["telephone", "job"]}
    tab = open_tab(**asked).wait_for_charts()
    sentence, figures, changes = tab.sentence, tab.figures(), tab.texts(".change")
    tab.page.reload()
    tab.page.wait_for_selector(".sentence")
    tab.wait_for_sentence(sentence).wait_for_charts()
    assert figures
    assert tab.figures() == figures
    assert tab.texts(".change") == changes


def test_a_copied_link_shows_the_same_on_another_server(open_tab: Opened, fresh_server: Server) -> None:
    case = known_cases.reducible()
    coalitions = known_cases.explanation(case, reward="proximity").coalitions
    assert coalitions is not None
    enough = coalitions.names(coalitions.minimal[0])
    tab = open_tab(case=case, keep=list(enough), select=enough[0], **{"nice.reward": "proximity"})
    figures = tab.wait_for_charts(*CHARTS).figures()
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.button("link").click()
    code = tab.page.get_by_test_id("stCode").locator("code")
    code.wait_for()
    tab.page.wait_for_selector("html[data-copied=link]", state="attached")
    copied = urlsplit(tab.page.evaluate("navigator.clipboard.readText()"))
    assert parse_qs(urlsplit(code.inner_text()).query) == parse_qs(copied.query) == tab.address
    assert (copied.netloc, copied.path) == (tab.server.host, "/")
    other = open_tab(f"/?{copied.query}", on=fresh_server).wait_for_sentence(tab.sentence).wait_for_charts(*CHARTS)
    assert other.figures() == figures
    assert other.texts(".change") == tab.texts(".change")


def test_sessions_do_not_see_each_other(open_tab: Opened) -> None:
    changes = known_cases.search(known_cases.beginning()).found[0].changes
    one, two = open_tab().wait_for_charts(*CHARTS), open_tab().wait_for_charts(*CHARTS)
    unmarked = two.figures()
    one.pick("greedy", changes[0].feature)
    one.wait_for_address(select=changes[0].feature)
    two.pick("greedy", changes[1].feature)
    two.wait_for_address(select=changes[1].feature).wait_for_charts(*CHARTS)
    assert [text.startswith("●") for text in two.texts(".change")] == [place == 1 for place in range(len(changes))]
    one.button("clear").click()
    one.wait_for_address(select=None)
    two.pick("greedy", changes[1].feature)
    two.wait_for_address(select=None).wait_for_charts(*CHARTS)
    assert two.figures() == unmarked
    assert one.address == two.address == {"data": ["german_credit"], "case": [known_cases.beginning()]}


def test_after_quick_clicks_all_shows_one_case(open_tab: Opened) -> None:
    """Each click counts, and nothing old may stand beside the case that they lead to."""
    order = known_cases.order()
    tab = open_tab(case=order[0]).wait_for_charts()
    for _ in range(4):
        tab.button("next").click(no_wait_after=True)
    # what is asked last is answered last: with the table there, all clicks were heard
    tab.page.locator(".st-key-card_greedy").get_by_text("Table", exact=True).click()
    tab.page.locator(".st-key-card_greedy").get_by_test_id("stDataFrame").wait_for()
    case = order[4]
    tab.wait_for_address(case=case).wait_for_sentence(answer(case)).wait_for_charts()
    changed = {change.feature for change in known_cases.search(case).found[0].changes}
    expect(tab.page.get_by_role("combobox", name="Case", exact=True)).to_have_value(f"Case {case}")
    assert tab.marks("countershapley") == changed
    assert len(tab.texts(".change")) == len(changed)
