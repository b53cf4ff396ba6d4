"""What can be set on the page Equation, and what it says where there is no number to explain."""

from __future__ import annotations

import streamlit as st

from components.equation_subject import EquationSubject
from components.html import empty
from components.palette import Palette
from components.state import equation_acts, session, widgets
from components.state.session import of_data
from components.state.widgets import seed
from explainers import sentences_equation
from explainers.surrogates.bella import STEPS, Bella, BellaOptions


def settings(subject: EquationSubject) -> None:
    """Which number is explained, and by which steps its neighbourhoods grow."""
    view = session.view()
    st.caption(f"{Bella.title}: {Bella.question}")
    texts = dict(subject.choices)
    key = seed("number", view.number)
    st.selectbox(
        "Number to explain", list(texts), key=key, format_func=texts.__getitem__, disabled=len(texts) < 2,
        on_change=of_data(equation_acts.choose_number), args=(key,),
        help="The model's own number, its score, or the column that was observed, which needs no model.",
    )  # fmt: skip
    about = BellaOptions.__dataclass_fields__["step"].metadata
    key = seed("step", view.step)
    st.selectbox(
        about["label"], list(STEPS), key=key, format_func=STEPS.__getitem__, help=about["help"],
        on_change=of_data(widgets.choose), args=("step", key),
    )  # fmt: skip


def for_classes(subject: EquationSubject, palette: Palette) -> None:
    """Why classes aren't explained here, and the score in their place."""
    if subject.problem is None or subject.case is None:
        return
    empty(sentences_equation.for_classes(subject.problem.target(subject.case).quantity), palette)
    st.button(
        "Explain the score", key="explain score", type="primary",
        on_click=of_data(widgets.change), kwargs={"number": "score"},
        help="Takes the model's score of the side wanted as the number.",
    )  # fmt: skip
