"""The cards of the page Equation as they leave the dashboard."""

from __future__ import annotations

from components.charts.bella import bella_chart
from components.charts.neighbourhoods import agreement_chart, bound_chart
from components.palette import LIGHT
from components.take_away.drawn import Card
from explainers import how_to_read_equation, sentences_equation
from explainers.labelled import LabelledTable
from explainers.surrogates.bella import Bella
from explainers.surrogates.shown import ShownEquations
from explainers.wording import Sentence, Span


def equation_cards(labelled: LabelledTable, shown: ShownEquations, width: int) -> tuple[Card, ...]:
    """What is on the page, `width` pixels wide, in the light palette."""
    cards = (
        _equation(labelled, shown, width),
        _tried(labelled, shown),
        _reference(labelled, shown),
        _reach(shown, width),
        _neighbours(labelled, shown, width),
        _comparison(shown),
    )
    return tuple(card for card in cards if card is not None)


def _equation(labelled: LabelledTable, shown: ShownEquations, width: int) -> Card:
    found, place = shown.found, shown.place
    equation = found.equation(place)
    end_name = sentences_equation.source(labelled)
    return Card(
        name="equation",
        question=Bella.question,
        method=Bella.title,
        about=sentences_equation.about(equation, found.target),
        alt=sentences_equation.alt(found, place),
        help_=how_to_read_equation.of_equation(found, place),
        table=equation.to_frame(),
        figure=bella_chart(found, place, labelled.schema, LIGHT, end_name=end_name, width=width),
        notes=tuple(
            sentences_equation.equation_text(equation, found.target, units) for units in sentences_equation.UNITS
        ),
    )


def _tried(labelled: LabelledTable, shown: ShownEquations) -> Card | None:
    if shown.tried is None:
        return None
    tried, found = shown.tried, shown.found
    edited = tried.edited(found.row, labelled.schema)
    return Card(
        name="tried",
        question=sentences_equation.TRY,
        method=Bella.title,
        about=(),
        alt=(),
        help_=(),
        table=tried.to_frame(found.row, labelled.schema),
        notes=(
            sentences_equation.tried(labelled, tried.value, tried.asked),
            *_sentences(sentences_equation.tried_notes(labelled, found, shown.place, edited, tried.row)),
        ),
    )


def _reference(labelled: LabelledTable, shown: ShownEquations) -> Card | None:
    reference = shown.reference
    if reference is None:
        return None
    told = [sentences_equation.towards(labelled, reference)]
    if reference.towards is not None:
        widened = [sentences_equation.widened(labelled, reference)] if reference.was_widened else []
        told += _sentences((*widened, sentences_equation.searched(reference)))
    return Card(
        "reference", sentences_equation.TOWARDS, Bella.title, (), (), (), reference.to_frame(), notes=tuple(told)
    )


def _reach(shown: ShownEquations, width: int) -> Card:
    found, place = shown.found, shown.place
    about = sentences_equation.about_curve(found)
    return Card(
        name="sizes",
        question=sentences_equation.REACH,
        method=Bella.title,
        about=about,
        alt=about,
        help_=how_to_read_equation.of_reach(found, place),
        table=found.to_frame(),
        figure=bound_chart(found, place, LIGHT, width=width),
        notes=() if place == found.chosen else _sentences((sentences_equation.looked_at(found, place),)),
    )


def _neighbours(labelled: LabelledTable, shown: ShownEquations, width: int) -> Card:
    found, place = shown.found, shown.place
    equation, near = found.equation(place), found.neighbours(place)
    about = sentences_equation.about_neighbours(labelled, found, place)
    ids = [labelled.ids[position] for position in near]
    values, own = equation.values(labelled.rows[near]), (equation.explained, found.label)
    return Card(
        name="neighbours",
        question=sentences_equation.NEAREST,
        method=Bella.title,
        about=about,
        alt=about,
        help_=how_to_read_equation.of_neighbours(labelled, found, place),
        table=found.neighbours_frame(labelled, place),
        figure=agreement_chart(values, labelled.labels[near], ids, own, found.target, LIGHT, width=width),
    )


def _comparison(shown: ShownEquations) -> Card | None:
    if shown.comparison is None:
        return None
    notes = _sentences(sentences_equation.about_comparison(shown.comparison))
    return Card("comparison", sentences_equation.OTHERS, "", (), (), (), shown.comparison.to_frame(), notes=notes)


def _sentences(texts: tuple[str, ...]) -> tuple[Sentence, ...]:
    return tuple((Span(text),) for text in texts)
