"""What does a typical case of the other side look like?"""

import streamlit as st

from components import catalogue, explaining
from components.html import empty
from components.loss_cards import losses_card
from components.method_form import decision_form
from components.pending import pending
from components.prototype_cards import QUESTION, line_card, path_card, path_form, steps_card, tracing, way_card
from components.state import session, widgets
from components.style import current_palette
from explainers.model import ModelError
from explainers.run import Stopped
from explainers.sentences_none_found import none_found
from explainers.wording import Span

if widgets.has_picked_case():
    st.switch_page("../pages/explain.py", query_params=session.parameters())

view = session.view()
palette = current_palette()
problem = catalogue.problem_of(view)
case = catalogue.case_of(view, problem)
main, side = st.columns([0.78, 0.22], gap="medium")

traced = None
with main:
    if case is None:
        empty((Span("Pick a case to see what a typical case of its other side looks like."),), palette)
    else:
        ticket = tracing(view, problem, case)
        if not ticket.wait(explaining.MOMENT):
            pending(ticket, QUESTION)
        else:
            try:
                traced = ticket.result()
            except Stopped:
                empty((Span("It was stopped before there was anything to show."),), palette)
                st.button("Look again", key="again", on_click=explaining.again, help="Starts the search anew.")
            except (ModelError, ValueError) as error:
                empty((Span(str(error)),), palette)
    if traced and traced.none_found:
        empty(none_found(problem.schema, traced.target, traced.factual_score, traced.none_found), palette)
    elif traced and view.prototype >= len(traced.paths):
        told = f"The address asks for prototype {view.prototype + 1}, but there are {len(traced.paths)}."
        empty((Span(told),), palette)
    elif traced:
        way_card(problem, case, traced, palette)
        losses_card(problem, case, palette)
        path_card(problem, traced, palette)
        steps_card(problem, case, traced, palette)
        line_card(problem, case, traced, palette)

with side, st.container(key="side"):
    if traced and view.prototype < len(traced.paths):
        path_form(problem, traced)
    decision_form(problem, problem.target(case) if case else None)
