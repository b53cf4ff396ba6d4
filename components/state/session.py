"""One session's own state: its view, kept in step with the address."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from components.state import url
from components.state.view import View

VIEW, ADDRESS, ID, TICKETS, CARRIED = "view", "address", "session id", "tickets", "carried"
SAID, BROUGHT, ACTED = "said", "brought", "acted"


def begin() -> View:
    """The view at the top of a run: what the address says if somebody changed it, else the session's own.

    A browser sends along the address it shows, and that may lag behind what this session
    has written. So where a person's act has led to this run, the act counts.

    Raises
    ------
    AddressError
        If the address can't be read.
    """
    address, has_acted = _address(), st.session_state.pop(ACTED, False)
    if VIEW not in st.session_state or (address != st.session_state.get(ADDRESS) and not has_acted):
        st.session_state[VIEW] = url.read(address)
        st.session_state[ADDRESS] = address
    return view()


def end() -> None:
    """Write the session's view into the address, if it is not there yet.

    Where the browser sent along an older address, that is not the one it shows by now.
    """
    address = parameters()
    if address != _address() or address != st.session_state.get(ADDRESS):
        st.query_params.from_dict(address)
    st.session_state[ADDRESS] = address


def view() -> View:
    """The session's view."""
    current: View = st.session_state[VIEW]
    return current


def show(new: View) -> None:
    """Look at something else from now on, because the person says so."""
    settle(new)
    st.session_state[ACTED] = True


def settle(new: View) -> None:
    """Fill in what the view left open."""
    st.session_state[VIEW] = new


def forget_address() -> None:
    """Leave an address that can't be read."""
    st.session_state[VIEW] = View()
    st.session_state[ADDRESS] = _address()


def id_() -> str:
    """A name for this session, the same as long as it lives."""
    if ID not in st.session_state:
        st.session_state[ID] = uuid.uuid4().hex
    name: str = st.session_state[ID]
    return name


def tickets() -> dict[str, Any]:
    """The session's claims on slow work, by slot."""
    held: dict[str, Any] = st.session_state.setdefault(TICKETS, {})
    return held


def carry(what: Any) -> None:
    """Hand something from the frame to the page of this run."""
    st.session_state[CARRIED] = what


def carried() -> Any:
    """What the frame handed over."""
    return st.session_state[CARRIED]


def say(sentence: str, code: str = "") -> None:
    """Tell the person something when the page is next drawn, such as why an act came to nothing."""
    st.session_state[SAID] = (sentence, code)


def said() -> tuple[str, str]:
    """What is to be told, once."""
    told: tuple[str, str] = st.session_state.pop(SAID, ("", ""))
    return told


def note_brought(data: str) -> None:
    """Remember what this person brought last, so that there is a way back to it."""
    st.session_state[BROUGHT] = data


def last_brought() -> str:
    """What this person brought last, if anything."""
    data: str = st.session_state.get(BROUGHT, "")
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
