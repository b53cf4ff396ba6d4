"""What stands beside the charts, as it leaves the dashboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from components import beside_attributions, beside_nearest, beside_usual
from components.charts.attribution import attribution_chart, shown_rows
from components.charts.distribution import distribution_chart
from components.palette import Palette
from components.take_away.drawn import Card
from explainers import how_to_read_beside, sentences_beside, sentences_compared, wording
from explainers.constraints import Constraints
from explainers.explanation import Explanation
from explainers.problem import Problem
from explainers.real_case import RealCase, real_frame
from explainers.results import Counterfactual
from explainers.schema import Schema
from explainers.shown import Shown, compared, reasons
from explainers.usualness import Usualness, usual_frame
from explainers.wording import Span


def shown(problem: Problem, explanation: Explanation, constraints: Constraints, beside: str, known: Any) -> Shown:
    """The explanation with what its card beside has come to.

    Parameters
    ----------
    problem : Problem
    explanation : Explanation
    constraints : Constraints
    beside : str
        Name of the card; empty for none.
    known : object, optional
        What its work came to; nothing as long as it isn't done, and then nothing stands beside.
    """
    if known is None:
        return Shown(explanation)
    if beside == beside_usual.NAME:
        return Shown(explanation, beside, usual=known)
    if beside == beside_nearest.NAME:
        return Shown(explanation, beside, nearest=known[0])
    told = reasons(problem, compared(problem.schema, explanation, known), constraints) if known.told else ()
    return Shown(explanation, beside, attributions=known, reasons=told)


def beside_charts(
    one: Shown, schema: Schema, palette: Palette, *, selection: Sequence[str] = (), width: int
) -> tuple[Card, ...]:
    """The chart, or the table, of what stands beside an explanation; none where nothing does.

    Parameters
    ----------
    one : Shown
    schema : Schema
    palette : Palette
    selection : sequence of str
        Features that are marked.
    width : int
        In pixels.
    """
    selected = frozenset(selection)
    if one.usual:
        return (_usual(one.usual, palette, selected, width),)
    if one.nearest is not None:
        return (_nearest(schema, one.explanation.counterfactual, one.nearest),)
    if one.attributions is not None and one.attributions.told:
        return (_attributions(one, schema, palette, selected, width),)
    return ()


def left_out(one: Shown) -> tuple[str, ...]:
    """Sentences in the place of what can't stand beside the explanation."""
    if one.attributions is not None:
        return one.attributions.left_out
    if one.beside == beside_nearest.NAME and one.nearest is None:
        return (wording.plain(sentences_beside.no_real_case(one.explanation.counterfactual)),)
    return ()


def _usual(found: tuple[Usualness, ...], palette: Palette, selected: frozenset[str], width: int) -> Card:
    return Card(
        name=beside_usual.NAME,
        question=beside_usual.QUESTION,
        method="",
        about=sentences_beside.about_usual(found),
        alt=sentences_beside.alt_usual(found),
        help_=how_to_read_beside.of_usual(found),
        table=usual_frame(found),
        figure=distribution_chart(found, palette, selected=selected, width=width),
    )


def _nearest(schema: Schema, counterfactual: Counterfactual, real: RealCase) -> Card:
    about = sentences_beside.about_nearest(real, counterfactual)
    return Card(
        name=beside_nearest.NAME,
        question=beside_nearest.QUESTION,
        method=beside_nearest.METHOD,
        about=about,
        alt=about,
        help_=how_to_read_beside.of_nearest(schema, counterfactual, real),
        table=real_frame(schema, counterfactual, real),
    )


def _attributions(one: Shown, schema: Schema, palette: Palette, selected: frozenset[str], width: int) -> Card:
    assert one.attributions is not None, "it is asked only of an explanation with attributions"
    comparison = compared(schema, one.explanation, one.attributions)
    named = [(Span(text),) for text in sentences_compared.explainers_named(comparison)]
    return Card(
        name=beside_attributions.NAME,
        question=beside_attributions.QUESTION,
        method=", ".join(comparison.views[1:]),
        about=sentences_compared.about_compared(comparison),
        alt=sentences_compared.alt_compared(comparison, shown_rows(comparison)),
        help_=how_to_read_beside.of_compared(comparison),
        table=comparison.to_frame(),
        figure=attribution_chart(comparison, palette, selected=selected, width=width),
        notes=(*one.reasons, *named),
    )
