"""One session's own state: its view, kept in step with the address."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.state import url
from components.state.view import View

P = ParamSpec("P")

OWN = "own"
VIEW, ADDRESS, ID, TICKETS, CARRIED = "view", "address", "session id", "tickets", "carried"
SAID, BROUGHT = "said", "brought"


def of_data(callback: Callable[P, None]) -> Callable[P, None]:
    """An act on what is shown now: void once the person has gone on to other data.

    Until the widgets of those are there, the ones before can still be used.
    """
    return bound(callback, lambda drawn: drawn.data)


def of_case(callback: Callable[P, None]) -> Callable[P, None]:
    """An act on what is shown now: void once the person has gone on to another case."""
    return bound(callback, lambda drawn: (drawn.data, drawn.case))


def bound(callback: Callable[P, None], what: Callable[[View], object]) -> Callable[P, None]:
    """An act that is void once `what` is another than when its widget was drawn."""
    drawn = what(view())

    @wraps(callback)
    def while_shown(*args: P.args, **kwargs: P.kwargs) -> None:
        if what(view()) == drawn:
            callback(*args, **kwargs)

    return while_shown


def own() -> dict[str, Any]:
    """What this session remembers apart from its widgets."""
    remembered: dict[str, Any] = st.session_state.setdefault(OWN, {})
    return remembered


def begin() -> View:
    """The view at the top of a run: what the address says where the person came by it, else the session's own.

    A person comes by an address when the session begins, and by Back and Forward. Any other
    address is one that the browser sent along, and that may lag behind what was written.

    Raises
    ------
    AddressError
        If the address can't be read.
    """
    context, remembered = get_script_run_ctx(), own()
    has_gone_back = context is not None and context.is_history_navigation
    if VIEW not in remembered or has_gone_back:
        address = _address()
        remembered[VIEW] = url.read(address)
        # what was written just before Back may reach the browser after it: then this has to be written again
        remembered[ADDRESS] = None if has_gone_back else address
    return view()


def end() -> None:
    """Write the session's view into the address, if it is not there yet.

    Where the browser sent along an older address, that is not the one it shows by now.
    """
    address = parameters()
    if address != _address() or address != own().get(ADDRESS):
        st.query_params.from_dict(address)
    own()[ADDRESS] = address


def view() -> View:
    """The session's view."""
    current: View = own()[VIEW]
    return current


def show(new: View) -> None:
    """Look at something else from now on."""
    own()[VIEW] = new


def forget_address() -> None:
    """Leave an address that can't be read."""
    own()[VIEW] = View()


def id_() -> str:
    """A name for this session, the same as long as it lives."""
    name: str = own().setdefault(ID, uuid.uuid4().hex)
    return name


def tickets() -> dict[str, Any]:
    """The session's claims on slow work, by slot."""
    claims: dict[str, Any] = own().setdefault(TICKETS, {})
    return claims


def carry(what: Any) -> None:
    """Hand something from the frame to the page of this run."""
    own()[CARRIED] = what


def carried() -> Any:
    """What the frame handed over."""
    return own()[CARRIED]


def say(sentence: str, code: str = "") -> None:
    """Tell the person something when the page is next drawn, such as why an act came to nothing."""
    own()[SAID] = (sentence, code)


def said() -> tuple[str, str]:
    """What is to be told, once."""
    told: tuple[str, str] = own().pop(SAID, ("", ""))
    return told


def note_brought(data: str) -> None:
    """Remember what this person brought last, so that there is a way back to it."""
    own()[BROUGHT] = data


def last_brought() -> str:
    """What this person brought last, if anything."""
    data: str = own().get(BROUGHT, "")
    return data


def parameters() -> dict[str, list[str]]:
    """The view as parameters of an address."""
    return url.write(view())


def address_text() -> str:
    """The whole address of what is shown, to be copied."""
    here = urlsplit(st.context.url or "")
    return urlunsplit(here._replace(path=here.path or "/", query=urlencode(parameters(), doseq=True), fragment=""))


def _address() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}
