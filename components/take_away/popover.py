"""Where a person takes along what is shown: one quiet button, and behind it the kinds of files."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import streamlit as st

from components import explaining
from components.beside_work import known
from components.cards import ARRANGEMENT
from components.charts.combinations import default_arrangement
from components.link_box import link_box
from components.pending import pending
from components.state import session, widgets
from explainers.explanation import Explanation
from explainers.problem import Case, Problem
from explainers.run import Stopped

SLOT = "images"
TABLES = {
    "changes": "What changes, from which value to which.",
    "importances": "How much each change counts, by each method.",
    "combinations": "The score of every combination, and whether it flips.",
    "usual": "How many rows have the old and the new values, less and more.",
    "nearest": "The case, its counterfactual and the real case, feature by feature.",
    "attributions": "What CounterShapley, SHAP and LIME say of each feature.",
    "reasons": "Where they disagree, and why they may.",
}


def take_away(problem: Problem, case: Case, explanation: Explanation) -> None:
    """Offer files of an explanation."""
    opened_on_demand(lambda: _offers(problem, case, explanation))


def opened_on_demand(list_offers: Callable[[], None]) -> None:
    """Offer files; none is made before it is asked for, nor is the list of them before it is opened."""

    @st.fragment
    def part() -> None:
        opened = st.popover(
            "Take it away", icon=":material/download:", key="take away", type="tertiary", on_change="rerun",
            help="A report, the numbers, the charts, a link, or Python that computes the same.",
        )  # fmt: skip
        if opened.open:
            with opened, st.container(key="taken"):
                list_offers()

    part()


def _offers(problem: Problem, case: Case, explanation: Explanation) -> None:
    from components.take_away.offer import Offer

    view, n_changes = session.view(), len(explanation.counterfactual)
    default = default_arrangement(n_changes)
    arrangement = widgets.chosen(ARRANGEMENT, "size") if default == "size" else default
    offer = Offer(view, problem, case, explanation, arrangement, session.address_text(), known(view.beside))
    offers(offer, TABLES)


def offers(offer: Any, about: Mapping[str, str]) -> None:
    """List what there is to take: every kind of file, images and the link.

    Parameters
    ----------
    offer : Offer or EquationOffer
    about : mapping
        What each table holds, by name.
    """
    download(
        "Report, to read and print (HTML)", offer.report, offer.name("", "html"), "text/html",
        "One page with all charts, their tables and how to read them; it opens without a network.",
    )  # fmt: skip
    with st.container(horizontal=True, gap="small"):
        for name in offer.tables():
            download(f"{name.capitalize()} (CSV)", offer.csv(name), offer.name(name, "csv"), "text/csv", about[name])
    download(
        "All results, to the last bit (JSON)", offer.json, offer.name("", "json"), "application/json",
        "explainers.archive.from_json reads them back.",
    )  # fmt: skip
    download(
        "Python that computes the same", offer.python, offer.name("", "py"), "text/x-python",
        "A script for Flipside's library; what you brought it looks for under the names of your files.",
    )  # fmt: skip
    _images(offer)
    st.caption("The link to what is shown")
    link_box("linkbox to take away")


def download(label: str, make: Any, name: str, mime: str, help_: str) -> None:
    """A file that is made when it is asked for."""
    st.download_button(
        label, make, name, mime, key=f"take {name}", help=help_, on_click="ignore", type="tertiary",
        icon=":material/download:",
    )  # fmt: skip


def _images(offer: Any) -> None:
    """Offer to draw, show how far it is, or hand over what was drawn."""
    from components.take_away import images

    if images.browser() is None:
        st.caption(images.WANTED)
        return
    key = offer.key()
    asked = session.tickets().get(SLOT)
    if asked is None or asked.key != (SLOT, key):
        _draw(offer, key)
        return
    ticket = explaining.held(SLOT, key, offer.images)
    if not ticket.is_done:
        pending(ticket, "Drawing the charts", "drawing")
        return
    try:
        drawn = ticket.result()
    except Stopped:
        _draw(offer, key)
    except ValueError as error:
        st.caption(str(error))
        _draw(offer, key)
    else:
        download("Charts, drawn (ZIP)", drawn, offer.name("charts", "zip"), "application/zip", "PNG and SVG of each.")


def _draw(offer: Any, key: Hashable) -> None:
    def ask() -> None:
        session.tickets().pop(SLOT, None)
        explaining.held(SLOT, key, offer.images)

    st.button(
        "Draw the charts (PNG and SVG)", key="draw images", type="tertiary", icon=":material/image:", on_click=ask,
        help="Chromium draws them on this machine, which takes some seconds.",
    )  # fmt: skip
