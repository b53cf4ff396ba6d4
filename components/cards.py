"""The three cards that answer a question with a chart each, or with the table behind it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components import explaining
from components.card_parts import card, chart, headed, table
from components.charts.axis import shared_score_range
from components.charts.combinations import left_out
from components.charts.constellation import constellation_chart
from components.charts.countershapley import countershapley_chart
from components.charts.greedy import greedy_chart
from components.html import empty, heading, sentence_html
from components.palette import Palette
from components.state import picks, session, widgets
from components.state.session import of_case
from explainers import how_to_read, sentences, wording
from explainers.explanation import Explanation
from explainers.importance.countershapley import CounterShapley
from explainers.importance.greedy import Greedy
from explainers.parts import change_shares
from explainers.results import Importance
from explainers.wording import Span

MOST_BY_HEIGHT = 6
ARRANGEMENT = "arrangement"
ARRANGEMENTS = {"size": "by number of changes", "height": "by height"}


def countershapley_card(explanation: Explanation, palette: Palette) -> None:
    """How much does each change count?"""
    importance = explanation.countershapley
    with card("countershapley"):
        if importance is None:
            heading(CounterShapley.question, CounterShapley.title, "", palette)
            empty(sentences.not_valued(len(explanation.counterfactual)), palette)
            _draw_again()
            return
        about = wording.plain(sentences.about_countershapley(importance))
        help_ = how_to_read.of_countershapley(importance)
        if headed("countershapley", CounterShapley.question, CounterShapley.title, about, palette, help_):
            table(_with_shares(importance), "countershapley", importance.counterfactual.target)
            return
        figure = countershapley_chart(importance, palette, selected=frozenset(session.view().selection))
        chart("countershapley", figure, wording.plain(sentences.alt_importance(importance)), picks.pick_change)


def greedy_card(explanation: Explanation, palette: Palette) -> None:
    """Which change comes first, and where does it flip?"""
    importance = explanation.greedy
    with card("greedy"):
        about = wording.plain(sentences.about_greedy(importance))
        help_ = how_to_read.of_greedy(importance, explanation.countershapley)
        if headed("greedy", Greedy.question, Greedy.title, about, palette, help_):
            table(importance.to_frame(), "greedy", importance.counterfactual.target)
            return
        figure = greedy_chart(
            importance, palette,
            selected=frozenset(session.view().selection), score_range=_range(explanation),
        )  # fmt: skip
        chart("greedy", figure, wording.plain(sentences.alt_importance(importance)), picks.pick_change)


def constellation_card(explanation: Explanation, palette: Palette) -> None:
    """Which combinations are enough?"""
    question, importance = "Which combinations are enough?", explanation.countershapley or explanation.greedy
    coalitions = explanation.combinations
    with card("constellation"):
        n_changes = len(explanation.counterfactual)
        if n_changes == 1:
            heading(question, "Constellation", "", palette)
            empty((Span("Only one change, so there is nothing to combine."),), palette)
            return
        is_arranged = explanation.coalitions is not None and n_changes > MOST_BY_HEIGHT
        by_size = widgets.chosen(ARRANGEMENT, "size") == "size" if is_arranged else explanation.coalitions is None
        about = wording.plain(sentences.about_constellation(coalitions, left_out(coalitions), by_size))
        help_ = how_to_read.of_constellation(coalitions, left_out(coalitions), by_size)
        if headed("constellation", question, "Constellation", about, palette, help_):
            table(coalitions.to_frame(), "constellation", coalitions.counterfactual.target)
            return
        if is_arranged:
            _arrangement()
        _read_out(explanation, palette)
        figure = constellation_chart(
            coalitions, importance, palette, selected=frozenset(session.view().selection),
            arrangement="size" if by_size else "height", score_range=_range(explanation),
        )  # fmt: skip
        alt = wording.plain(sentences.alt_constellation(coalitions))
        chart("constellation", figure, alt, lambda name: picks.pick_combination(name, coalitions))


def _with_shares(importance: Importance) -> pd.DataFrame:
    frame, shares = importance.to_frame(), change_shares(importance)
    told = [shares[place] for place in importance.order]
    frame.insert(list(frame).index("importance") + 1, "share", told)
    return frame


def _draw_again() -> None:
    st.button(
        "Draw again", key="again", on_click=explaining.again,
        help="Draws random orders of the changes anew, until it is known how much each change counts.",
    )  # fmt: skip


def _range(explanation: Explanation) -> tuple[float, float]:
    """The score range that Greedy and Constellation share."""
    return shared_score_range(explanation.combinations, explanation.greedy)


def _arrangement() -> None:
    key = widgets.seed(ARRANGEMENT, widgets.chosen(ARRANGEMENT, "size"))
    st.segmented_control(
        "Arranged", list(ARRANGEMENTS), key=key, format_func=ARRANGEMENTS.__getitem__, required=True,
        label_visibility="collapsed", help="By height, a combination stands at the mean height of its changes.",
        on_change=widgets.take, args=(ARRANGEMENT, key),
    )  # fmt: skip


def _read_out(explanation: Explanation, palette: Palette) -> None:
    """What is selected, in words, and what can be done with it; as high with a selection as without."""
    selected, coalitions = session.view().selection, explanation.combinations
    sentence = sentences.selection(coalitions, explanation.countershapley, selected)
    st.html(f'<div class="readout">{sentence_html(sentence, palette, 15)}</div>')
    id_ = coalitions.find(selected)
    is_part = bool(id_) and id_ != len(coalitions.scores) - 1
    label = "This is the counterfactual" if id_ and not is_part else "Make this the counterfactual"
    with st.container(horizontal=True, gap="small"):
        st.button(
            label, key="adopt", on_click=of_case(widgets.change),
            kwargs={"kept": coalitions.names(id_ or 0)}, disabled=not (is_part and coalitions.flips[id_]),
            help="Shows only the selected changes from now on, if they flip the case; all charts follow.",
        )  # fmt: skip
        st.button(
            "Clear", key="clear", type="tertiary", on_click=picks.clear_selection, disabled=id_ == 0,
            help="Marks nothing.",
        )  # fmt: skip
