"""What each loss of the paper makes of a case, as pictures beside the prototype that an encoder gives."""

from __future__ import annotations

import streamlit as st

from components import catalogue, explaining
from components.card_parts import CONFIG, card
from components.charts.pictures import Picture, pictures_chart, width_of
from components.html import empty, heading
from components.jobs import Ticket
from components.palette import Palette
from components.pending import pending
from components.state import session, widgets
from components.state.session import of_case
from explainers import sentences_picture, wording
from explainers.counterfactuals.prototype_figure import LossesCompared, compare_losses, options_of
from explainers.counterfactuals.prototype_search import LOSSES, PrototypeSearch
from explainers.model import ModelError
from explainers.problem import Case, Problem
from explainers.run import Run, Stopped
from explainers.wording import Span

QUESTION = "What does each loss make of it?"


def losses_card(problem: Problem, case: Case, palette: Palette) -> None:
    """A button that asks for them and, once asked, the pictures; only where all that the table has are pixels."""
    schema = problem.schema
    if not schema.picture or not schema.is_number.all():
        return
    is_open = session.view().losses
    st.button(
        "Compare the paper's losses", key="compare losses", type="primary" if is_open else "secondary",
        on_click=widgets.change, kwargs={"losses": not is_open},
        help="Puts it away." if is_open else "Searches by each of the six losses, towards an encoder's prototype.",
    )  # fmt: skip
    if not is_open:
        return
    ticket = _comparing(problem, case)
    if not ticket.wait(explaining.MOMENT):
        pending(ticket, QUESTION)
        return
    try:
        _draw(problem, case, ticket.result(), palette)
    except Stopped:
        empty((Span("It was stopped before there was anything to show."),), palette)
        st.button("Look again", key="again", on_click=explaining.again, help="Starts the search anew.")
    except (ModelError, ValueError) as error:
        empty((Span(str(error)),), palette)


def _comparing(problem: Problem, case: Case) -> Ticket[LossesCompared]:
    """The six searches, as a job."""
    view, method, options = session.view(), PrototypeSearch(), options_of("F")
    constraints = view.constraints(problem.schema)

    def work(run: Run) -> LossesCompared:
        prepared = catalogue.prepared(problem, method, constraints, options, run)
        return compare_losses(problem, case, constraints, prepared, run)

    seconds = len(LOSSES) * explaining.SECONDS_AT_MOST
    return explaining.held("losses", (problem.key, view.case, view.rules), work, seconds)


def _draw(problem: Problem, case: Case, compared: LossesCompared, palette: Palette) -> None:
    target = compared.target
    pictures = [Picture("this case", palette.factual, case.row, target.factual)]
    if compared.prototype is not None:
        pictures.append(Picture("prototype", palette.desired, compared.prototype, compared.side))
    found = [(loss, result.found[0]) for loss, result in zip(LOSSES, compared.found, strict=True) if result.found]
    pictures += [Picture(loss, palette.desired, one.row, wording.count(len(one), "change")) for loss, one in found]
    with card("losses"):
        about = (
            "The prototype is what an autoencoder makes of the mean code of the five nearest cases wanted. The losses: "
            f"{'; '.join(LOSSES.values())}."
        )
        heading(QUESTION, PrototypeSearch.title, about, palette)
        alt = sentences_picture.named(problem.schema, [f"{picture.title}: {picture.note}" for picture in pictures])
        st.plotly_chart(
            pictures_chart(problem.schema, pictures, palette), width=width_of(len(pictures)), theme=None, key="losses",
            alt=alt, config=CONFIG,
        )  # fmt: skip
        if lacking := [loss for loss, result in zip(LOSSES, compared.found, strict=True) if not result.found]:
            empty((Span(f"Nothing flips by {' or '.join(lacking)}."),), palette)
        with st.container(horizontal=True, gap="small"):
            for loss, _ in found:
                st.button(
                    f"Explain {loss}", key=f"open loss {loss}", on_click=of_case(widgets.open_counterfactual),
                    args=(PrototypeSearch.name, 0), kwargs={"loss": loss, "prototype": "encoding"},
                    help="Shows on the page Explain what counts of these changes.",
                )  # fmt: skip
