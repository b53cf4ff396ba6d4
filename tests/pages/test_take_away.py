"""What can be taken away is offered when it is asked for, and not before."""

from __future__ import annotations

import known_cases
import pytest
from page_driver import CHARTS, Screen

from components.take_away import images

FILES = ("html", "changes.csv", "importances.csv", "combinations.csv", "json", "py")


def offered(screen: Screen) -> list[str]:
    """Endings of the files on offer."""
    buttons = screen.app.get("download_button")
    keys = [button.proto.id.split("take flipside-", 1)[1] for button in buttons if "take flipside-" in button.proto.id]
    return sorted(key.split(f"case-{screen.view.case}", 1)[1].lstrip("-.") for key in keys)


def opened(screen: Screen) -> Screen:
    screen.app.session_state["take away"] = True
    return screen.settle()


def test_nothing_is_on_offer_before_it_is_opened() -> None:
    screen = Screen.at(case=known_cases.beginning())
    assert offered(screen) == [] and "draw images" not in screen.buttons
    assert offered(opened(screen)) == sorted(FILES)
    assert "draw images" in screen.buttons
    assert set(screen.figures) == set(CHARTS)


def test_without_a_case_or_a_counterfactual_there_is_nothing_to_take() -> None:
    case = known_cases.beginning()
    screen = opened(Screen.at(case=case, wanted="bad risk"))
    assert screen.strips and offered(screen) == []


def test_where_no_browser_draws_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(images, "browser", lambda: None)
    screen = opened(Screen.at(case=known_cases.beginning()))
    assert images.WANTED in screen.text and "draw images" not in screen.buttons
    assert offered(screen) == sorted(FILES)


def test_each_chart_says_how_it_is_read_in_its_own_block() -> None:
    screen = Screen.at(case=known_cases.beginning())
    blocks = [block for block in screen.html("heading") if "How to read this" in block]
    assert len(blocks) == len(CHARTS)
    known = known_cases.explanation(known_cases.beginning())
    for change in known.counterfactual.changes:
        assert any(change.title in block for block in blocks)
