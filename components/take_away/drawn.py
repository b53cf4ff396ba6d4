"""The charts of an explanation as they leave the dashboard: each with its words and its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from components.charts.axis import shared_score_range
from components.charts.combinations import Arrangement, default_arrangement, left_out
from components.charts.constellation import constellation_chart
from components.charts.countershapley import countershapley_chart
from components.charts.greedy import greedy_chart
from components.palette import Palette
from explainers import how_to_read, sentences
from explainers.combinations import Combinations
from explainers.explanation import Explanation
from explainers.importance.countershapley import CounterShapley
from explainers.importance.greedy import Greedy
from explainers.results import Importance
from explainers.wording import Sentence

COMBINATIONS = "Which combinations are enough?"


@dataclass(frozen=True, eq=False)
class Chart:
    """A chart with all that is said beside it.

    Attributes
    ----------
    name, question, method : str
    about, alt : Sentence
        What it shows, and what it shows those who can't see it.
    help_ : tuple of Sentence
        How to read it.
    figure : Figure
    table : DataFrame
        The numbers behind it.
    """

    name: str
    question: str
    method: str
    about: Sentence
    alt: Sentence
    help_: tuple[Sentence, ...]
    figure: go.Figure
    table: pd.DataFrame


def charts(
    explanation: Explanation,
    palette: Palette,
    *,
    selection: Sequence[str] = (),
    arrangement: Arrangement | None = None,
    width: int,
) -> tuple[Chart, ...]:
    """The charts that there are for an explanation, as the cards show them.

    Parameters
    ----------
    explanation : Explanation
    palette : Palette
    selection : sequence of str
        Features that are marked.
    arrangement : {"height", "size"}, optional
        Of the combinations; see `constellation_chart`.
    width : int
        In pixels.
    """
    selected, coalitions, shapley = frozenset(selection), explanation.combinations, explanation.countershapley
    score_range = shared_score_range(coalitions, explanation.greedy)
    arrangement = arrangement or default_arrangement(len(explanation.counterfactual))
    drawn: list[Chart] = []
    if shapley is not None:
        drawn.append(_countershapley(shapley, palette, selected, width))
    drawn.append(_greedy(explanation, palette, selected, score_range, width))
    if len(explanation.counterfactual) > 1:
        figure = constellation_chart(
            coalitions, shapley or explanation.greedy, palette, selected=selected, arrangement=arrangement,
            score_range=score_range, width=width,
        )  # fmt: skip
        drawn.append(_constellation(coalitions, figure, by_size=arrangement == "size"))
    return tuple(drawn)


def _countershapley(importance: Importance, palette: Palette, selected: frozenset[str], width: int) -> Chart:
    return Chart(
        name="countershapley",
        question=CounterShapley.question,
        method=CounterShapley.title,
        about=sentences.about_countershapley(importance),
        alt=sentences.alt_importance(importance),
        help_=how_to_read.of_countershapley(importance),
        figure=countershapley_chart(importance, palette, selected=selected, width=width),
        table=importance.to_frame(),
    )


def _greedy(
    explanation: Explanation,
    palette: Palette,
    selected: frozenset[str],
    score_range: tuple[float, float] | None,
    width: int,
) -> Chart:
    importance = explanation.greedy
    return Chart(
        name="greedy",
        question=Greedy.question,
        method=Greedy.title,
        about=sentences.about_greedy(importance),
        alt=sentences.alt_importance(importance),
        help_=how_to_read.of_greedy(importance, explanation.countershapley),
        figure=greedy_chart(importance, palette, selected=selected, score_range=score_range, width=width),
        table=importance.to_frame(),
    )


def _constellation(coalitions: Combinations, figure: go.Figure, by_size: bool) -> Chart:
    n_left_out = left_out(coalitions)
    return Chart(
        name="constellation",
        question=COMBINATIONS,
        method="Constellation",
        about=sentences.about_constellation(coalitions, n_left_out, by_size),
        alt=sentences.alt_constellation(coalitions),
        help_=how_to_read.of_constellation(coalitions, n_left_out, by_size),
        figure=figure,
        table=coalitions.to_frame(),
    )
