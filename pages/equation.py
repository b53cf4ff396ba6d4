"""Which simple rule holds around this case?"""

import streamlit as st

from components.equation_cards import equation_card, neighbours_card, reach_card
from components.equation_comparison import comparison
from components.equation_side import for_classes, settings
from components.equation_subject import equation_subject
from components.equation_trials import reference_card, try_card
from components.equation_work import equations, place_of
from components.explaining import MOMENT
from components.feature_list import features_and_rules
from components.html import empty, sentence_html
from components.outcome_parts import checked_lines
from components.pending import pending
from components.state import session
from components.style import current_palette
from components.take_away.equation_popover import take_away_equation
from explainers import sentences_equation
from explainers.run import Stopped
from explainers.surrogates.bella import Bella
from explainers.surrogates.shown import ShownEquations
from explainers.wording import Span

view = session.view()
palette = current_palette()

with st.container(key="columns"):
    left, middle, right = st.columns([0.232, 0.565, 0.203], gap="medium")

try:
    subject = equation_subject(view)
except ValueError as error:
    with middle:
        empty((Span(str(error)),), palette)
    st.stop()

case, labelled = subject.case, subject.labelled
with right, st.container(key="side"):
    taken = st.container()
    settings(subject)

found, place = None, None
with middle:
    if case is None:
        empty((Span("Pick a case to see the rule around it."),), palette)
    elif labelled is None:
        for_classes(subject, palette)
    else:
        ticket = equations(view, labelled, case)
        try:
            if ticket.wait(MOMENT):
                found = ticket.result()
                place = place_of(view, found)
            else:
                pending(ticket, Bella.question)
        except Stopped:
            empty((Span("It was stopped before there was anything to show."),), palette)
        except ValueError as error:
            empty((Span(str(error)),), palette)
    if found is not None and place is None:
        empty((Span(sentences_equation.no_such_size(found, view.size or 0)),), palette)

answer = None
if found is not None and place is not None and case is not None and labelled is not None:
    with middle:
        st.html(sentence_html(sentences_equation.answer(labelled, found, place), palette))
        equation_card(labelled, found, place, palette)
        tried = try_card(labelled, case, found, place, palette)
        answer = reference_card(labelled, case, found, palette)
        reach_card(found, place, palette)
        neighbours_card(labelled, found, place, palette)
        compared = comparison(subject, found, place, palette)
        shown = ShownEquations(found, place, tried if view.edits else None, answer, compared)
    with taken:
        take_away_equation(subject, shown)
    with right, st.container(key="side checked"):
        checked_lines(sentences_equation.checked(labelled, found), palette)

if case is not None and labelled is not None:
    with left:
        changes = answer.towards.changes if answer and answer.towards else None
        features_and_rules(labelled.schema, case, changes, palette)
