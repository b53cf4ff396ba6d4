"""SHAP and LIME beside CounterShapley: the card that compares them feature by feature."""

from __future__ import annotations

import streamlit as st

from components.beside_work import worked
from components.card_parts import card, chart, headed, table
from components.charts.attribution import attribution_chart, shown_rows
from components.html import empty, sentence_html
from components.palette import Palette
from components.state import session, widgets
from explainers import sentences_compared as sentences
from explainers import wording
from explainers.attributions.background import background_rows
from explainers.attributions.comparison import CONTRADICTIONS, Comparison, compare, disagreements
from explainers.attributions.together import Attributions, attribute
from explainers.explanation import Explanation
from explainers.problem import Case, Problem
from explainers.registry import ATTRIBUTIONS
from explainers.run import Run
from explainers.schema import Rows
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
    titles = [ATTRIBUTIONS[one.origin.method].title for one in found.told]
    comparison = compare(problem.schema, explanation, found.told, titles)
    with card(NAME):
        about = wording.plain(sentences.about_compared(comparison))
        if headed(NAME, QUESTION, ", ".join(titles), about, palette, sentences.questions(comparison)):
            table(comparison.to_frame(), NAME)
        else:
            figure = attribution_chart(comparison, palette, selected=frozenset(session.view().selection))
            alt = wording.plain(sentences.alt_compared(comparison, shown_rows(comparison)))
            chart(NAME, figure, alt, widgets.pick_change)
        _reasons(comparison, problem, palette)
        for sentence in found.left_out:
            empty((Span(sentence),), palette)
        if not found.is_complete:
            st.caption("It was stopped early; what is shown was known by then.")


def _reasons(comparison: Comparison, problem: Problem, palette: Palette) -> None:
    """Where the views part, and why they may."""
    view = session.view()
    constraints = view.constraints(problem.schema)
    locked = frozenset(name for name in problem.schema.names if constraints[name].locked)
    found = disagreements(comparison, problem.schema, _background(problem), locked)
    if not any(isinstance(one, CONTRADICTIONS) for one in found):
        st.html(sentence_html(sentences.agreement(found), palette, 15))
    for one in found:
        st.html(sentence_html(sentences.disagreement(one, comparison), palette, 15))


def _background(problem: Problem) -> Rows:
    """The rows of a run as the pool makes it: they depend on its seed alone."""
    return background_rows(problem, Run())
