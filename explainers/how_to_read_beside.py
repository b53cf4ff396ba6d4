"""How to read what stands beside the charts, in this case's own names and numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from explainers import wording
from explainers.attributions.comparison import Compared, Comparison
from explainers.real_case import RealCase
from explainers.results import Counterfactual
from explainers.schema import Schema, same
from explainers.sentences import listed
from explainers.sentences_beside import comparatives, share
from explainers.sentences_compared import questions
from explainers.usualness import Place, Usualness
from explainers.wording import Role, Sentence, Span, count, number, scores, signed_column

MOST_NAMED = 3


def of_usual(found: Sequence[Usualness]) -> tuple[Sentence, ...]:
    """What bars and marks are, by the first change; and which new value fewest rows come to, of one change or more."""
    first = found[0]
    old, new = (wording.value(first.feature, place.value) for place in (first.old, first.new))
    bars = "the higher a bar, the more rows have a value there"
    if not first.feature.is_number:
        bars = "a piece is as long as the share of rows that have the category"
    drawn = (
        Span(first.feature.title, Role.STRONG),
        Span(f": {bars}. The case stands at "),
        Span(old, Role.FACTUAL),
        Span(f", which {_having(first.old)}, and would stand at "),
        Span(new, Role.DESIRED),
        Span(f", which {_having(first.new)}."),
    )
    return (drawn, _least_usual(found))


def _having(place: Place) -> str:
    return f"{number(place.n_equal, 0)} of {count(place.n_rows, 'row')} {'has' if place.n_equal == 1 else 'have'}"


def _least_usual(found: Sequence[Usualness]) -> Sentence:
    """The new value that fewest rows have or go beyond; the first of equals."""
    beyond = [_beyond(one) for one in found]
    least = min(range(len(found)), key=lambda place: beyond[place][0] / found[place].new.n_rows)
    one, (n_rows, words) = found[least], beyond[least]
    value = f"{one.feature.title} {wording.value(one.feature, one.new.value)}"
    which = value if len(found) == 1 else f"Least usual of the new values is {value}"
    part = f"{number(n_rows, 0)} of {count(one.new.n_rows, 'row')} ({share(n_rows, one.new.n_rows)})"
    return (Span(f"{which}: {part} {words}. The fewer such rows there are, the less the model could learn of them."),)


def _beyond(one: Usualness) -> tuple[int, str]:
    """How many rows have the new value or one further out, on the side where there are fewer, and words for that."""
    place = one.new
    if not one.feature.has_order or math.isnan(place.value):
        return place.n_equal, "have it"
    more, less = comparatives(one.feature)
    if place.n_above <= place.n_below:
        return place.n_equal + place.n_above, f"have it or {more}"
    return place.n_equal + place.n_below, f"have it or {less}"


def of_nearest(schema: Schema, counterfactual: Counterfactual, real: RealCase) -> tuple[Sentence, ...]:
    """What the colours are, of what the distance is made, and what the real case has that is not proposed."""
    changed = ~same(counterfactual.row, counterfactual.factual)
    other = ~same(real.row, counterfactual.factual)
    own = [schema.features[place].title for place in np.flatnonzero(other & ~changed)]
    told: list[Sentence] = [
        (
            Span("In colour", Role.DESIRED),
            Span(f" is what differs from case {counterfactual.case}: {count(len(counterfactual), 'change')} in the"),
            Span(f" counterfactual, {count(real.n_differing, 'feature')} in the real case."),
        ),
        _distance(schema, counterfactual, real),
    ]
    if own:
        named = listed([*own[:MOST_NAMED], *([f"{len(own) - MOST_NAMED} more"] if len(own) > MOST_NAMED else [])])
        told.append(
            (
                Span(f"The real case also differs in {named}, which the counterfactual leaves alone: nobody proposes"),
                Span(" to become it, so no lock or limit binds it. It shows that the decision is given to such cases."),
            )
        )
    return tuple(told)


def _distance(schema: Schema, counterfactual: Counterfactual, real: RealCase) -> Sentence:
    parts = sorted(np.flatnonzero(real.parts).tolist(), key=lambda place: (-real.parts[place], place))
    largest = [f"{schema.features[place].title} {number(float(real.parts[place]), 3)}" for place in parts[:MOST_NAMED]]
    rest = len(parts) - MOST_NAMED
    named = listed([*largest, *([f"{rest} more"] if rest > 0 else [])])
    near, far = (number(distance, 3) for distance in (counterfactual.distance, real.distance))
    return (
        Span("Distance", Role.STRONG),
        Span(" adds up, over the features, 1 for another category and for a number the difference as a share of its"),
        Span(f" range: {far} for the real case ({named}), {near} for the counterfactual."),
    )


def of_compared(comparison: Comparison) -> tuple[Sentence, ...]:
    """What each view asks, what one row says in all of them, and to what SHAP's values add up."""
    target = comparison.target
    most = max(comparison.rows, key=lambda row: abs(row.values[1] or 0.0))
    shap = comparison.told[0]
    factual, mean = scores([comparison.explanation.counterfactual.factual_score, shap.base], target)
    (total,) = signed_column([float(shap.values.sum())], target)
    whole = (Span(f"SHAP's values of all features come to {total}, which leads from {mean} to {factual}."),)
    return (*questions(comparison), _example(comparison, most), whole)


def _example(comparison: Comparison, row: Compared) -> Sentence:
    target = comparison.target
    title = row.feature.title
    said = [
        f"{view} {text}"
        for view, value in zip(comparison.views[1:], row.values[1:], strict=True)
        if value is not None
        for text in signed_column([value], target)
    ]
    side = "for" if comparison.is_for(row.values[1] or 0.0) else "against"
    spans = [
        Span(f"{title} ({row.own})", Role.STRONG),
        Span(f" has the longest bar of SHAP: that it is so counts {listed(said)}, {side} {target.desired} by SHAP."),
    ]
    if row.change is None:
        spans.append(Span(" The counterfactual leaves it, so CounterShapley has no bar there."))
    elif row.values[0] is not None:
        (counts,) = signed_column([row.values[0]], target)
        spans.append(Span(f" That it becomes {row.change.new_text} counts {counts} by CounterShapley."))
    return tuple(spans)
