"""What is being explained?"""

import streamlit as st

from components import catalogue
from components.data_card import data_card
from components.method_form import decision_form
from components.schema_editor import columns_section
from components.state import session
from components.style import current_palette
from components.subject import subject_of
from components.trainer_form import model_section
from components.uploader import data_section

view = session.view()
palette = current_palette()
subject = subject_of(view)

main, side = st.columns([0.78, 0.22], gap="medium")
with side, st.container(key="side"):
    if subject.problem is not None:
        if st.button(
            "Explain the first case", key="explain first", type="primary", width="stretch",
            help="Goes to a case that needs a few changes, which explains itself best.",
        ):  # fmt: skip
            session.show(view.changed(case=catalogue.beginning(view.data)))
            st.switch_page("../pages/explain.py", query_params=session.parameters())
        case = catalogue.case_of(view, subject.problem)
        decision_form(subject.problem, subject.problem.target(case) if case else None)
with main:
    data_section(subject, palette)
    model_section(subject, palette)
columns_section(subject, palette)
if subject.is_sample:
    data_card(view.data, palette)
