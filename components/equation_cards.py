"""The cards of the page Equation: the bars and the equation, how far it reaches, and how near it comes."""

from __future__ import annotations

import streamlit as st

from components.card_parts import card, chart, headed, table
from components.charts.bella import bella_chart
from components.charts.neighbourhoods import agreement_chart, bound_chart
from components.html import notes, sentence_html
from components.palette import Palette
from components.state import picks, widgets
from components.state.session import of_case
from explainers import how_to_read_equation, sentences_equation, wording
from explainers.labelled import LabelledTable
from explainers.surrogates.bella import Bella
from explainers.surrogates.equation import LocalEquations

MOST_NEIGHBOURS = 200


def equation_card(labelled: LabelledTable, found: LocalEquations, place: int, palette: Palette) -> None:
    """Which simple rule holds around this case?"""
    equation = found.equation(place)
    with card("equation"):
        about = wording.plain(sentences_equation.about(equation, found.target))
        help_ = how_to_read_equation.of_equation(found, place)
        if headed("equation", Bella.question, Bella.title, about, palette, help_):
            table(equation.to_frame(), "equation", found.target)
        else:
            end_name = sentences_equation.source(labelled)
            figure = bella_chart(found, place, labelled.schema, palette, end_name=end_name)
            alt = wording.plain(sentences_equation.alt(found, place))
            chart("equation", figure, alt, picks.pick_change)
        for units in sentences_equation.UNITS:
            sentence = sentences_equation.equation_text(equation, found.target, units)
            st.html(f'<div class="equation">{sentence_html(sentence, palette, 15)}</div>')


def reach_card(found: LocalEquations, place: int, palette: Palette) -> None:
    """How far does the rule reach?"""
    with card("reach"):
        about = wording.plain(sentences_equation.about_curve(found))
        help_ = how_to_read_equation.of_reach(found, place)
        if headed("reach", sentences_equation.REACH, Bella.title, about, palette, help_):
            table(found.to_frame(), "reach")
        else:
            chart("reach", bound_chart(found, place, palette), about, picks.pick_size)
        if place != found.chosen:
            notes([sentences_equation.looked_at(found, place)], palette)
            st.button(
                "Back to the best size", key="best size", on_click=of_case(widgets.change), kwargs={"size": None},
                help="Shows the neighbourhood in which the equation holds best.",
            )  # fmt: skip


def neighbours_card(labelled: LabelledTable, found: LocalEquations, place: int, palette: Palette) -> None:
    """Which cases does it hold for?"""
    equation, near = found.equation(place), found.neighbours(place)
    values, labels = equation.values(labelled.rows[near]), labelled.labels[near]
    ids = [labelled.ids[position] for position in near]
    about = wording.plain(sentences_equation.about_neighbours(labelled, found, place))
    help_ = how_to_read_equation.of_neighbours(labelled, found, place)
    with card("neighbours"):
        if headed("neighbours", sentences_equation.NEAREST, Bella.title, about, palette, help_):
            frame = found.neighbours_frame(labelled, place).head(MOST_NEIGHBOURS)
            key = f"neighbours of {found.case} {equation.size}"
            st.dataframe(
                frame, hide_index=True, key=key, selection_mode="single-row",
                on_select=of_case(lambda: widgets.follow_neighbour(key, ids)),
                column_config={name: st.column_config.NumberColumn(format="%.4g") for name in frame.columns[1:]},
            )  # fmt: skip
            if len(near) > MOST_NEIGHBOURS:
                notes([f"The nearest {MOST_NEIGHBOURS} are listed."], palette)
            return
        own = (equation.explained, found.label)
        figure = agreement_chart(values, labels, ids, own, found.target, palette)
        chart("neighbours", figure, about, picks.pick_neighbour)
