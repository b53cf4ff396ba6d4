"""How to read the charts of an equation, in this case's own names and numbers."""

from __future__ import annotations

import numpy as np

from explainers.labelled import LabelledTable
from explainers.sentences_equation import coefficient_words, share, term_title, term_value
from explainers.surrogates.equation import LocalEquations
from explainers.wording import Role, Sentence, Span, count, scores, signed_column, significant


def of_equation(found: LocalEquations, place: int) -> tuple[Sentence, ...]:
    """What base value and bars say here."""
    equation, target = found.equation(place), found.target
    base, explained = scores([equation.intercept, equation.explained], target)
    told: list[Sentence] = [
        (Span(f"Where all numbers are at their means and no category of the rule holds, it says {base}."),),
    ]
    if equation.terms:
        largest = max(equation.terms, key=lambda term: abs(term.contribution))
        (text,) = signed_column([largest.contribution], target)
        told.append(
            (
                Span(term_title(largest), Role.STRONG),
                Span(f" moves it most, by {text}: "),
                Span(f"{term_value(largest, found)}, {coefficient_words(largest, target)}."),
            )
        )
        told.append((Span(f"All bars together lead from {base} to {explained}, the explained value."),))
    return tuple(told)


def of_reach(found: LocalEquations, place: int) -> tuple[Sentence, ...]:
    """What a point of the curve is here, and what its ends come to."""
    equation, first, last = found.equation(place), found.equation(0), found.equation(len(found.sizes) - 1)
    point = (
        Span("Each point is a neighbourhood: this case and the rows nearest to it. With "),
        Span(count(equation.size, "row"), Role.STRONG),
        Span(f", {share(found.generality(place))} of them, the equation has {count(len(equation.terms), 'term')} and"),
        Span(f" is at least {significant(equation.bound, 3)} better than chance there."),
    )
    ends = (
        Span("A small neighbourhood has little to go by, in a large one the rows are less alike: the smallest, of"),
        Span(f" {count(first.size, 'row')}, comes to {significant(first.bound, 3)}, the largest, of"),
        Span(f" {count(last.size, 'row')}, to {significant(last.bound, 3)}."),
    )
    return (point, ends) if len(found.sizes) > 1 else (point,)


def of_neighbours(labelled: LabelledTable, found: LocalEquations, place: int) -> tuple[Sentence, ...]:
    """What a point is here, by the neighbour of which the equation is furthest off; nothing where there are none."""
    near, target = found.neighbours(place), found.target
    if not len(near):
        return ()
    values, labels = found.equation(place).values(labelled.rows[near]), labelled.labels[near]
    worst = int(np.argmax(np.abs(values - labels)))
    says, number = scores([float(values[worst]), float(labels[worst])], target)
    drawn = (
        Span("Each point is a case: the further right, the larger what the equation says of it; the further up, the"),
        Span(" larger its own number. On the dotted line the two are the same."),
    )
    furthest = (
        Span(f"Case {labelled.ids[int(near[worst])]}", Role.STRONG),
        Span(f" is furthest from it: its number is {number}, and the equation says {says}."),
    )
    return (drawn, furthest)
