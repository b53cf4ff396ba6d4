"""The cards of an explanation as they leave the dashboard: each with its chart, its words and its table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from components.charts.axis import shared_score_range
from components.charts.combinations import Arrangement, default_arrangement, left_out
from components.charts.constellation import constellation_chart
from components.charts.countershapley import countershapley_chart
from components.charts.greedy import greedy_chart
from components.palette import Palette
from explainers import how_to_read, sentences, wording
from explainers.combinations import Combinations
from explainers.explanation import Explanation
from explainers.importance.countershapley import CounterShapley
from explainers.importance.greedy import Greedy
from explainers.results import Counterfactual, Importance
from explainers.schema import Rows, Schema
from explainers.wording import Sentence

COMBINATIONS = "Which combinations are enough?"


@dataclass(frozen=True, eq=False)
class Card:
    """A chart, or a table where nothing is drawn, with all that is said beside it.

    Attributes
    ----------
    name, question, method : str
    about, alt : Sentence
        What it shows, and what it shows those who can't see it.
    help_ : tuple of Sentence
        How to read it.
    table : DataFrame
        The numbers behind it.
    figure : Figure, optional
        Absent where the table is all.
    notes : tuple of Sentence
        What is said below it.
    """

    name: str
    question: str
    method: str
    about: Sentence
    alt: Sentence
    help_: tuple[Sentence, ...]
    table: pd.DataFrame
    figure: go.Figure | None = None
    notes: tuple[Sentence, ...] = ()


def changes_card(counterfactual: Counterfactual) -> Card:
    """What changes, from which value to which."""
    return Card("changes", "What changes", "", (), (), (), counterfactual.to_frame())


def values_card(name: str, question: str, schema: Schema, row: Rows, left_out: Collection[str] = ()) -> Card:
    """The values of a row as a person reads them, but for some features."""
    listed = [
        (feature.title, wording.value(feature, float(own)))
        for feature, own in zip(schema.features, row, strict=True)
        if feature.name not in left_out
    ]
    return Card(name, question, "", (), (), (), pd.DataFrame(listed, columns=["feature", "value"]))


def charts(
    explanation: Explanation,
    palette: Palette,
    *,
    selection: Sequence[str] = (),
    arrangement: Arrangement | None = None,
    width: int,
) -> tuple[Card, ...]:
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
    drawn: list[Card] = []
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


def _countershapley(importance: Importance, palette: Palette, selected: frozenset[str], width: int) -> Card:
    return Card(
        name="countershapley",
        question=CounterShapley.question,
        method=CounterShapley.title,
        about=sentences.about_countershapley(importance),
        alt=sentences.alt_importance(importance),
        help_=how_to_read.of_countershapley(importance),
        table=importance.to_frame(),
        figure=countershapley_chart(importance, palette, selected=selected, width=width),
    )


def _greedy(
    explanation: Explanation,
    palette: Palette,
    selected: frozenset[str],
    score_range: tuple[float, float] | None,
    width: int,
) -> Card:
    importance = explanation.greedy
    return Card(
        name="greedy",
        question=Greedy.question,
        method=Greedy.title,
        about=sentences.about_greedy(importance),
        alt=sentences.alt_importance(importance),
        help_=how_to_read.of_greedy(importance, explanation.countershapley),
        table=importance.to_frame(),
        figure=greedy_chart(importance, palette, selected=selected, score_range=score_range, width=width),
    )


def _constellation(coalitions: Combinations, figure: go.Figure, by_size: bool) -> Card:
    n_left_out = left_out(coalitions)
    return Card(
        name="constellation",
        question=COMBINATIONS,
        method="Constellation",
        about=sentences.about_constellation(coalitions, n_left_out, by_size),
        alt=sentences.alt_constellation(coalitions),
        help_=how_to_read.of_constellation(coalitions, n_left_out, by_size),
        table=coalitions.to_frame(),
        figure=figure,
    )
