"""What is done in quick succession counts: the next thing takes away nothing of the one before."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import known_cases
import pytest
from page_driver import Screen
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from streamlit.runtime.state import SafeSessionState

from components import catalogue
from components.state.view import View


def pressed(screen: Screen, key: str) -> WidgetStates:
    """What the browser tells when a button is pressed."""
    button = screen.app.button(key=key).click()
    states = screen.app._tree.get_widget_states()
    button.set_value(False)
    return states


def just_before(monkeypatch: pytest.MonkeyPatch, of: type, method: str, states: WidgetStates) -> None:
    """Let the browser tell something else just before a method is called."""
    own: Callable[..., Any] = getattr(of, method)

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        monkeypatch.setattr(of, method, own)
        context.script_requests.request_rerun(RerunData(widget_states=states))
        return own(self, *args, **kwargs)

    monkeypatch.setattr(of, method, call)


@pytest.mark.parametrize("moment", [(SafeSessionState, "on_script_will_rerun"), (View, "with_rule")])
def test_a_lock_holds_although_next_is_pressed_at_once(
    moment: tuple[type, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before Streamlit has called what the lock does, or while that is under way."""
    order = known_cases.order()
    screen = Screen.at(case=order[0])
    just_before(monkeypatch, *moment, pressed(screen, "next"))
    screen.click("lock purpose")
    assert screen.view.case == order[1]
    assert screen.address["lock"] == ["purpose"]
    assert screen.app.button(key="lock purpose").label.startswith("Unlock")


def walked(screen: Screen, *told: int) -> str:
    """Tell since when presses are counted, how many, and their sum; the case that this leads to."""
    states = screen.app._tree.get_widget_states()
    (counter,) = screen.app.get("bidi_component")
    states.widgets.add(id=counter.proto.id, json_value=json.dumps({"walk": told}))
    screen.app._run(states)
    assert screen.view.case is not None
    return screen.view.case


def test_each_press_counts_once_however_many_reach_a_run_together() -> None:
    order = known_cases.order()
    screen = Screen.at(case=order[0])
    assert walked(screen, 1, 3, 3) == order[3]
    assert walked(screen, 1, 3, 3) == order[3]
    assert walked(screen, 1, 5, 1) == order[1]
    assert walked(screen, 1, 7, -1) == order[-1]
    assert walked(screen, 2, 2, 2) == order[1], "another count begins at nothing"


@pytest.mark.parametrize("elsewhere", [False, True])
def test_presses_that_were_answered_count_no_more_when_a_page_is_come_back_to(elsewhere: bool) -> None:
    """The browser still holds what it told on that page, and the server has forgotten it."""
    order = known_cases.order()
    screen = Screen.at(case=order[0], generator=["nearest"])
    assert walked(screen, 1, 2, 2) == order[2]
    screen.app.switch_page("../pages/compare.py").run()
    if elsewhere:
        assert walked(screen, 1, 3, 3) == order[3]
    screen.app.switch_page("../pages/explain.py").run()
    assert walked(screen, 1, 2, 2) == order[3 if elsewhere else 2]
    assert walked(screen, 1, 4, 4) == order[4]


def test_a_value_typed_just_before_next_is_left_behind() -> None:
    order = known_cases.order()
    screen = Screen.at(case=order[0], **{"what-if": "open"})
    screen.widget("number_input", "edit duration_in_month").set_value(6)
    screen.click("next")
    assert screen.view.case == order[1]
    assert screen.view.edits == ()
    assert screen.widget("number_input", "edit duration_in_month").value != 6


@pytest.mark.parametrize("key", ["next", "lock purpose"])
def test_what_is_pressed_just_after_other_data_were_chosen_does_not_land_on_them(key: str) -> None:
    screen = Screen.at()
    screen.widget("selectbox", "data").set_value("breast_cancer")
    screen.click(key)
    assert screen.view == View(data="breast_cancer", case=catalogue.beginning("breast_cancer"))
