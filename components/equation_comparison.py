"""Other local explanations beside the equation, once they are asked for."""

from __future__ import annotations

import streamlit as st

from components.beside_work import worked
from components.card_parts import card
from components.equation_subject import EquationSubject
from components.html import heading, notes
from components.palette import Palette
from components.state import session, widgets
from explainers import sentences_equation
from explainers.run import Run
from explainers.surrogates.comparison import Comparison, compare
from explainers.surrogates.equation import LocalEquations


def comparison(subject: EquationSubject, found: LocalEquations, place: int, palette: Palette) -> Comparison | None:
    """The button and, once it was pressed, the table, which it gives; they need a model."""
    problem, case, labelled = subject.problem, subject.case, subject.labelled
    if problem is None or case is None or labelled is None or labelled.ask is None:
        return None
    is_open = session.view().compares
    st.button(
        "Put the comparison away" if is_open else "Compare with SHAP, LIME and MAPLE", key="comparison",
        on_click=widgets.change, kwargs={"compares": not is_open},
        help="How near they come to the number, for how many rows they hold, and how many features they need.",
    )  # fmt: skip
    if not is_open:
        return None
    key = (problem.key, case.id, found.origin.options, place)
    compared: Comparison | None = worked(
        sentences_equation.OTHERS, key, lambda run: _compare(subject, found, place, run), palette
    )
    if compared is None:
        return None
    with card("comparison"):
        heading(
            sentences_equation.OTHERS,
            "",
            "How near each comes to the number, for how many rows it holds, and its size.",
            palette,
        )
        st.dataframe(compared.to_frame(), hide_index=True, key="frame comparison", column_config={
            "says": st.column_config.NumberColumn(format="%.4g"),
            "off by": st.column_config.NumberColumn(format="%.3g"),
            "holds for, % of rows": st.column_config.NumberColumn(format="%.1f"),
        })  # fmt: skip
        notes(sentences_equation.about_comparison(compared), palette)
    return compared


def _compare(subject: EquationSubject, found: LocalEquations, place: int, run: Run) -> Comparison:
    assert subject.problem is not None and subject.case is not None
    return compare(subject.problem, subject.case, found, place, run)
