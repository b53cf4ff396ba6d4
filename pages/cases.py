"""Which case?"""

import streamlit as st

from components import catalogue
from components.case_table import case_filters, case_table
from components.state import session, widgets
from components.style import current_palette

if widgets.has_picked_case():
    st.switch_page("../pages/explain.py", query_params=session.parameters())

problem = catalogue.problem_of(session.view())
cases = catalogue.cases(session.view(), problem)
table, side = st.columns([0.78, 0.22], gap="medium")
with side, st.container(key="side"):
    case_filters(problem, cases)
with table:
    case_table(problem, cases, current_palette())
