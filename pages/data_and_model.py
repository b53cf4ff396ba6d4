"""What is being explained?"""

import streamlit as st

from components import catalogue
from components.data_card import columns_table, data_card, model_card
from components.method_form import decision_form
from components.state import session
from components.style import current_palette

view = session.view()
palette = current_palette()
problem = catalogue.problem_of(view)
case = catalogue.case_of(view, problem)

main, side = st.columns([0.78, 0.22], gap="medium")
with main:
    data_card(view.data, palette)
    model_card(problem, palette)
    columns_table(problem)
with side, st.container(key="side"):
    decision_form(problem, problem.target(case) if case else None)
