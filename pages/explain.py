"""What would flip this case, and what counts?"""

import streamlit as st

from components import catalogue, explaining
from components.beside import beside
from components.cards import constellation_card, countershapley_card, greedy_card
from components.feature_list import feature_list
from components.given_rows import bring_rows, rejected
from components.html import empty, sentence_html
from components.method_form import decision_form, method_form
from components.outcome_parts import actions, alternatives, checked_list, failed, none_found_strip
from components.pending import pending
from components.picture_card import changed_picture
from components.state import session
from components.style import current_palette
from components.take_away.popover import take_away
from explainers import sentences
from explainers.importance.countershapley import CounterShapley
from explainers.wording import Span

view = session.view()
palette = current_palette()
problem = catalogue.problem_of(view)
case = catalogue.case_of(view, problem)

with st.container(key="columns"):
    left, middle, right = st.columns([0.232, 0.565, 0.203], gap="medium")

if case is None:
    with middle:
        empty((Span("Pick a case to see its other side."),), palette)
    with right, st.container(key="side"):
        method_form(problem)
        decision_form(problem, None)
    st.stop()

outcome = explaining.current()
explanation, found = outcome.explanation, outcome.found
counterfactual = explanation.counterfactual if explanation else None

# The charts first: they are what the browser takes longest to draw.
with middle:
    if outcome.pending:
        pending(outcome.pending, CounterShapley.question)
    elif outcome.failure:
        failed(outcome.failure, palette)
    elif found and found.none_found:
        none_found_strip(problem, found, palette)
        rejected(problem, found, palette)
    elif explanation:
        st.html(sentence_html(sentences.answer(explanation), palette))
        actions(explanation)
        alternatives(found)
        rejected(problem, found, palette)
        changed_picture(problem, explanation.counterfactual, palette)
        countershapley_card(explanation, palette)
        greedy_card(explanation, palette)
        constellation_card(explanation, palette)
        beside(problem, case, explanation, palette)

with left:
    feature_list(problem, case, counterfactual, palette)

with right, st.container(key="side"):
    if explanation:
        take_away(problem, case, explanation)
    method_form(problem)
    bring_rows(problem, case, palette)
    decision_form(problem, problem.target(case))
    if explanation:
        checked_list(explanation, palette)
