"""Whom could this case become?"""

import streamlit as st

from components import catalogue, explaining
from components.candidate_cards import realism_asks, realistic_card, tradeoff_card
from components.candidate_table import QUESTION, candidate_table
from components.feature_list import feature_list
from components.html import empty, sentence_html
from components.method_form import decision_form, options_form
from components.outcome_parts import failed, none_found_strip
from components.pending import pending
from components.state import session, widgets
from components.state.session import of_case
from components.style import current_palette
from explainers import sentences_candidates
from explainers.counterfactuals.candidates import SampledCounterfactuals
from explainers.counterfactuals.mcce import Mcce
from explainers.wording import Span

view = session.view().asking(Mcce.name)
palette = current_palette()
problem = catalogue.problem_of(view)
case = catalogue.case_of(view, problem)
unfit = Mcce().unfit(problem)

with st.container(key="columns"):
    left, middle, right = st.columns([0.232, 0.565, 0.203], gap="medium")

if case is None or unfit:
    with middle:
        empty((Span(unfit or "Pick a case to see whom it could become."),), palette)
    st.stop()

outcome = explaining.current()
explanation, found = outcome.explanation, outcome.found
counterfactual = explanation.counterfactual if explanation else None

with middle:
    if outcome.pending:
        pending(outcome.pending, QUESTION)
    elif outcome.failure:
        failed(outcome.failure, palette)
    elif found and found.none_found:
        none_found_strip(problem, found, palette)
    elif isinstance(found, SampledCounterfactuals) and counterfactual:
        st.html(sentence_html(sentences_candidates.found(found.candidates, found.target), palette))
        candidate_table(problem.schema, found, view.method, view.counterfactual, palette)
        tradeoff_card(found, view.method, view.counterfactual, palette)
        realistic_card(problem, case, counterfactual, view, palette)
        realism_asks(problem, case, view, palette)

with left:
    feature_list(problem, case, counterfactual, palette)

with right, st.container(key="side"):
    if counterfactual and st.button(
        "Read this candidate", key="read candidate", type="primary", width="stretch",
        on_click=of_case(widgets.pick_candidate), args=(view.method, view.counterfactual),
        help="Goes to the charts of the page Explain: how much each of its changes counts, and which are enough.",
    ):  # fmt: skip
        st.switch_page("../pages/explain.py", query_params=session.parameters())
    options_form(view)
    if isinstance(found, SampledCounterfactuals):
        st.html(sentence_html(sentences_candidates.cost(found.candidates, outcome.seconds), palette, 14))
    decision_form(problem, problem.target(case))
