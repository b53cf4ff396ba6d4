"""SHAP and LIME beside CounterShapley: the card that compares them feature by feature."""

from __future__ import annotations

import streamlit as st

from components.beside_work import worked
from components.card_parts import card, chart, headed, table
from components.charts.attribution import attribution_chart, shown_rows
from components.html import empty, notes, sentence_html
from components.palette import Palette
from components.state import picks, session
from explainers import how_to_read_beside, wording
from explainers import sentences_compared as sentences
from explainers.attributions.together import Attributions, attribute
from explainers.explanation import Explanation
from explainers.problem import Case, Problem
from explainers.run import Run
from explainers.shown import compared, reasons
from explainers.wording import Span

NAME = "attributions"
QUESTION = "What do SHAP and LIME say of this case?"


def attributions_card(problem: Problem, case: Case, explanation: Explanation, palette: Palette) -> None:
    """Draw the card."""

    def work(run: Run) -> Attributions:
        return attribute(problem, case, run)

    found = worked(QUESTION, (NAME, problem.key, case.id, case.row.tobytes()), work, palette)
    if found is None:
        return
    if not found.told:
        empty((Span(" ".join(found.left_out)),), palette)
        return
    comparison = compared(problem.schema, explanation, found)
    constraints = session.view().constraints(problem.schema)
    with card(NAME):
        about, titles = wording.plain(sentences.about_compared(comparison)), ", ".join(comparison.views[1:])
        if headed(NAME, QUESTION, titles, about, palette, how_to_read_beside.of_compared(comparison)):
            table(comparison.to_frame(), NAME, comparison.target)
        else:
            figure = attribution_chart(comparison, palette, selected=frozenset(session.view().selection))
            alt = wording.plain(sentences.alt_compared(comparison, shown_rows(comparison)))
            chart(NAME, figure, alt, picks.pick_change)
        for sentence in reasons(problem, comparison, constraints):
            st.html(sentence_html(sentence, palette, 15))
        notes(sentences.explainers_named(comparison), palette)
        for sentence in found.left_out:
            empty((Span(sentence),), palette)
        if not found.is_complete:
            st.caption("It was stopped early; what is shown was known by then.")
