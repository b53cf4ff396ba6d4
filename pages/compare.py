"""Which way to the other side is best?"""

import streamlit as st

from components import catalogue, comparing
from components.compare_cards import changes_card, diverse_card, measures_card, methods_form
from components.html import empty
from components.method_form import decision_form
from components.pending import pending
from components.state import session, widgets
from components.style import current_palette
from explainers.registry import GENERATORS
from explainers.wording import Span

if widgets.has_picked_case():
    st.switch_page("../pages/explain.py", query_params=session.parameters())

view = session.view()
palette = current_palette()
problem = catalogue.problem_of(view)
case = catalogue.case_of(view, problem)

main, side = st.columns([0.8, 0.2], gap="medium")
with side, st.container(key="side"):
    methods_form()
    decision_form(problem, problem.target(case) if case else None)

with main:
    if case is None:
        empty((Span("Pick a case to compare the ways to its other side."),), palette)
    elif problem.target(case).is_reached:
        empty((Span("This case already has the decision you asked for, so there is no way to compare."),), palette)
    else:
        comparison = comparing.compare(view, problem, case)
        if comparison.pending:
            first, n_more = GENERATORS[comparison.waiting[0]].title, len(comparison.waiting) - 1
            left = f"{first} looks, and what it finds is measured; {n_more} more to come."
            pending(comparison.pending, left)
        if comparison.done or comparison.failures:
            measures_card(problem, case, comparison, palette)
            changes_card(problem, comparison, palette)
            diverse_card(problem, comparison, palette)
