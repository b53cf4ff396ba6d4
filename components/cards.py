"""The three cards that answer a question with a chart each, or with the table behind it."""

from __future__ import annotations

import streamlit as st

from components.card_parts import card, chart, headed, table
from components.charts.axis import shared_score_range
from components.charts.combinations import left_out
from components.charts.constellation import constellation_chart
from components.charts.countershapley import countershapley_chart
from components.charts.greedy import greedy_chart
from components.html import empty, heading, sentence_html
from components.palette import Palette
from components.state import session, widgets
from explainers import how_to_read, sentences, wording
from explainers.explanation import Explanation
from explainers.importance.countershapley import CounterShapley
from explainers.importance.greedy import Greedy
from explainers.results import CoalitionScores
from explainers.wording import Span

MOST_BY_HEIGHT = 6
ARRANGEMENTS = {"size": "by number of changes", "height": "by height"}


def countershapley_card(explanation: Explanation, palette: Palette) -> None:
    """How much does each change count?"""
    importance = explanation.countershapley
    with card("countershapley"):
        if importance is None:
            heading(CounterShapley.question, CounterShapley.title, "", palette)
            empty(sentences.too_many(len(explanation.counterfactual)), palette)
            return
        about = wording.plain(sentences.about_countershapley(importance))
        help_ = how_to_read.of_countershapley(importance)
        if headed("countershapley", CounterShapley.question, CounterShapley.title, about, palette, help_):
            table(importance.to_frame(), "countershapley")
            return
        figure = countershapley_chart(importance, palette, selected=frozenset(session.view().selection))
        chart("countershapley", figure, wording.plain(sentences.alt_importance(importance)), widgets.pick_change)


def greedy_card(explanation: Explanation, palette: Palette) -> None:
    """Which change comes first, and where does it flip?"""
    importance = explanation.greedy
    with card("greedy"):
        about = wording.plain(sentences.about_greedy(importance))
        help_ = how_to_read.of_greedy(importance, explanation.countershapley)
        if headed("greedy", Greedy.question, Greedy.title, about, palette, help_):
            table(importance.to_frame(), "greedy")
            return
        figure = greedy_chart(
            importance, palette,
            selected=frozenset(session.view().selection), score_range=_range(explanation),
        )  # fmt: skip
        chart("greedy", figure, wording.plain(sentences.alt_importance(importance)), widgets.pick_change)


def constellation_card(explanation: Explanation, palette: Palette) -> None:
    """Which combinations are enough?"""
    question, coalitions, importance = (
        "Which combinations are enough?",
        explanation.coalitions,
        explanation.countershapley,
    )
    with card("constellation"):
        n_changes = len(explanation.counterfactual)
        if coalitions is None or importance is None:
            heading(question, "Constellation", "", palette)
            empty(sentences.too_many(n_changes), palette)
            return
        if n_changes == 1:
            heading(question, "Constellation", "", palette)
            empty((Span("Only one change, so there is nothing to combine."),), palette)
            return
        by_size = n_changes > MOST_BY_HEIGHT and widgets.chosen("arrangement", "size") == "size"
        about = wording.plain(sentences.about_constellation(coalitions, left_out(coalitions), by_size))
        help_ = how_to_read.of_constellation(coalitions, left_out(coalitions), by_size)
        if headed("constellation", question, "Constellation", about, palette, help_):
            table(coalitions.to_frame(), "constellation")
            return
        if n_changes > MOST_BY_HEIGHT:
            _arrangement()
        _read_out(explanation, coalitions, palette)
        figure = constellation_chart(
            coalitions, importance, palette, selected=frozenset(session.view().selection),
            arrangement="size" if by_size else "height", score_range=_range(explanation),
        )  # fmt: skip
        alt = wording.plain(sentences.alt_constellation(coalitions))
        chart("constellation", figure, alt, lambda name: widgets.pick_combination(name, coalitions))


def _range(explanation: Explanation) -> tuple[float, float] | None:
    """The score range that Greedy and Constellation share."""
    if explanation.coalitions is None:
        return None
    return shared_score_range(explanation.coalitions, explanation.greedy)


def _arrangement() -> None:
    st.segmented_control(
        "Arranged", list(ARRANGEMENTS), key="arrangement", format_func=ARRANGEMENTS.__getitem__, required=True,
        label_visibility="collapsed", help="By height, a combination stands at the mean height of its changes.",
    )  # fmt: skip


def _read_out(explanation: Explanation, coalitions: CoalitionScores, palette: Palette) -> None:
    """What is selected, in words, and what can be done with it; as high with a selection as without."""
    selected = session.view().selection
    sentence = sentences.selection(coalitions, explanation.countershapley, selected)
    st.html(f'<div class="readout">{sentence_html(sentence, palette, 15)}</div>')
    mask = coalitions.find(selected)
    is_part = bool(mask) and mask != len(coalitions.scores) - 1
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Make this the counterfactual", key="adopt", on_click=widgets.change,
            kwargs={"kept": coalitions.names(mask)}, disabled=not (is_part and coalitions.flips[mask]),
            help="Shows only the selected changes from now on, if they flip the case; all charts follow.",
        )  # fmt: skip
        st.button(
            "Clear", key="clear", type="tertiary", on_click=widgets.clear_selection, disabled=not mask,
            help="Marks nothing.",
        )  # fmt: skip
