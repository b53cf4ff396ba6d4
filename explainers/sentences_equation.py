"""What equations say, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explainers.decision import Target
from explainers.labelled import LabelledTable
from explainers.schema import Rows, Schema
from explainers.sentences import listed
from explainers.surrogates.comparison import Comparison
from explainers.surrogates.equation import Equation, LocalEquations, Term
from explainers.surrogates.reference_value import ReferenceValue
from explainers.wording import (
    MINUS,
    MISSING,
    SPACE,
    Role,
    Sentence,
    Span,
    change,
    count,
    number,
    score,
    scores,
    signed_column,
    significant,
    value,
)

NEAREST = "Which cases does it hold for?"
TRY = "What does the rule say of other values?"
TOWARDS = "What would make it another number?"
OTHERS = "What do SHAP, LIME and MAPLE say of this case?"
REACH = "How far does the rule reach?"
UNITS = {"standardised": "in standardised units", "own": "in their own units"}


def with_unit(text: str, target: Target) -> str:
    """A number as printed, with the label's unit unless the unit is what the label is called."""
    return f"{text}{SPACE}{target.unit}" if target.unit and target.unit != target.quantity else text


def source(labelled: LabelledTable) -> str:
    """Who says the number: the model's value, or the observed value."""
    return "observed value" if labelled.ask is None else "model's value"


def answer(labelled: LabelledTable, found: LocalEquations, place: int) -> Sentence:
    """The whole answer: the number, what the equation makes of it, and for how many it holds."""
    equation = found.equation(place)
    target = found.target
    label, explained = scores([found.label, equation.explained], target)
    sentence = [
        Span(f"{_capital(target.quantity)} is "),
        Span(with_unit(label, target), Role.STRONG),
        Span("." if labelled.ask is None else ", says the model."),
    ]
    others = count(equation.size - 1, "other")
    if not equation.terms:
        return (
            *sentence,
            Span(" No feature counts around here: the best that can be said is the mean of this case and "),
            Span(f"{others} like it", Role.STRONG),
            Span(f", {with_unit(explained, target)}."),
        )
    n_features = len({term.feature for term in equation.terms})
    return (
        *sentence,
        Span(f" A rule of {count(n_features, 'feature')} says "),
        Span(with_unit(explained, target), Role.STRONG),
        Span(", and it holds for this case and "),
        Span(f"{others} like it", Role.STRONG),
        Span(f", {share(found.generality(place))} of the rows."),
    )


def share(part: float) -> str:
    """A share in whole percents; less than one is said to be so."""
    percent = 100.0 * part
    return f"under 1{SPACE}%" if 0 < percent < 1 else f"{percent:.0f}{SPACE}%"


def about(equation: Equation, target: Target) -> Sentence:
    """What the bars are."""
    unit = f" in {target.unit}" if target.unit and target.unit != target.quantity else ""
    bound = f"{equation.bound:.2f}"
    return (
        Span(
            f"{_capital(target.quantity)}{unit}: each bar is a coefficient times the case's standardised value. The"
            f" equation holds at least {bound} better than chance (lower bound of R, 1 is exact)."
        ),
    )


def term_title(term: Term) -> str:
    """How a person calls the column of a term."""
    return f"{term.title} = {term.category}" if term.category else term.title


def term_value(term: Term, found: LocalEquations, schema: Schema | None = None) -> str:
    """The case's value in a term: printed with its unit if the schema is given, and against the mean."""
    if term.category:
        return "yes" if term.standardised else "no"
    if math.isnan(term.raw):
        return f"{MISSING}, counts as the mean"
    side = "above" if term.standardised > 0 else "below" if term.standardised < 0 else "at"
    distance = f"{number(abs(term.standardised), 2)} deviations {side} the mean"
    return distance if schema is None else f"{value(schema[term.feature], term.raw)}, {distance}"


def side_of_mean(term: Term) -> str:
    """Where the case's value lies, shortly."""
    if term.category:
        return ""
    if math.isnan(term.raw):
        return "counts as mean"
    return "above mean" if term.standardised > 0 else "below mean" if term.standardised < 0 else "at the mean"


def hover(term: Term, found: LocalEquations, schema: Schema) -> tuple[str, ...]:
    """Raw value, standardised value, coefficient and contribution, one a line."""
    own = value(schema[term.feature], term.raw)
    (part,) = signed_column([term.contribution], found.target)
    standardised = () if term.category else (f"standardised {_signed(term.standardised)}",)
    return (own, *standardised, f"coefficient {_signed(term.coefficient)}", f"counts {part}")


def equation_text(equation: Equation, target: Target, units: str) -> Sentence:
    """The equation, each term in the colour of its effect here.

    Parameters
    ----------
    equation : Equation
    target : Target
    units : {"standardised", "own"}
    """
    is_own = units == "own"
    base = equation.raw_intercept if is_own else equation.intercept
    spans = [Span(f"{target.quantity} ≈ {significant(base)}")]
    for term in equation.terms:
        weight = term.raw_coefficient if is_own else term.coefficient
        sign = MINUS if weight < 0 else "+"
        text = f" {sign}{SPACE}{significant(abs(weight))}{SPACE}·{SPACE}{_bracketed(term)}"
        spans.append(Span(text, role_of(term, target)))
    return (*spans, Span(f"   ({UNITS[units]})", Role.QUIET))


def role_of(term: Term, target: Target) -> Role:
    """Whether a term moves the value towards where it is wanted here."""
    if term.contribution == 0:
        return Role.QUIET
    return Role.DESIRED if is_towards(term.contribution, target) else Role.FACTUAL


def is_towards(contribution: float, target: Target) -> bool:
    """Whether a contribution pushes to where the number is wanted; upwards where nothing is."""
    upwards = not math.isinf(target.low) or math.isinf(target.high)
    return (contribution > 0) == upwards


def alt(found: LocalEquations, place: int) -> Sentence:
    """The bars for those who can't see them."""
    equation = found.equation(place)
    base, explained, label = scores([equation.intercept, equation.explained, found.label], found.target)
    parts = signed_column([term.contribution for term in equation.terms], found.target)
    told = "; ".join(f"{term_title(term)}: {part}" for term, part in zip(equation.terms, parts, strict=True))
    return (Span(f"From {base} to {explained}, where the value is {label}. {told or 'No feature counts'}."),)


def about_curve(found: LocalEquations) -> Sentence:
    """What the curve is, and where it is highest."""
    best = found.best
    return (
        Span(
            f"The lower bound of R against the rows in the neighbourhood; it is highest with"
            f" {count(best.size, 'row')} ({best.bound:.3f}). Pick a size to see its equation."
        ),
    )


def looked_at(found: LocalEquations, place: int) -> str:
    """Which neighbourhood is looked at, where it isn't the best one."""
    size, best = int(found.sizes[place]), found.best
    return (
        f"You look at the neighbourhood of {count(size, 'row')}. The equation holds best in that of"
        f" {count(best.size, 'row')}."
    )


def no_such_size(found: LocalEquations, size: int) -> str:
    """Why a size can't be looked at."""
    tried = ", ".join(number(int(each), 0) for each in found.sizes[:8])
    more = f" and {count(len(found.sizes) - 8, 'more')}" if len(found.sizes) > 8 else ""
    return f"The address asks for a neighbourhood of {number(size, 0)} rows; tried were {tried}{more}."


def tried_notes(
    labelled: LabelledTable, found: LocalEquations, place: int, edited: Sequence[str], row: Rows
) -> tuple[str, ...]:
    """What is to be known of values that are tried: where the equation need not hold, and what it is without."""
    besides = _tried_besides(labelled, found.equation(place), edited, row)
    return (*_outside(labelled, found, place, row), *besides)


def _outside(labelled: LabelledTable, found: LocalEquations, place: int, row: Rows) -> tuple[str, ...]:
    """For each value of the equation that no row of the neighbourhood reaches, a sentence."""
    rows = labelled.rows[found.neighbours(place)]
    told: list[str] = []
    for name in dict.fromkeys(term.feature for term in found.equation(place).terms):
        at = labelled.schema.index(name)
        feature, own = labelled.schema.features[at], float(row[at])
        seen = [*rows[:, at].tolist(), float(found.row[at])]
        known = [each for each in seen if not math.isnan(each)]
        if math.isnan(own) or own == float(found.row[at]):
            continue
        if feature.is_number and known and not min(known) <= own <= max(known):
            ends = change(feature, min(known), max(known))
            told.append(
                f"{feature.title} {value(feature, own)} is outside {ends[0]} to {ends[1]}, where the rule holds."
            )
        elif not feature.is_number and own not in known:
            told.append(f"No case around here has {feature.title} {value(feature, own)}, so the rule need not hold.")
    return tuple(told)


def tried(labelled: LabelledTable, value_: float, asked: float | None) -> Sentence:
    """What the equation says of the values tried, beside the model."""
    target = labelled.target
    texts = scores([value_] if asked is None else [value_, asked], target)
    spans = [Span("The equation says "), Span(with_unit(texts[0], target), Role.STRONG)]
    if asked is None:
        return (*spans, Span("; there is no model to ask."))
    return (*spans, Span(", the model "), Span(with_unit(texts[1], target), Role.STRONG), Span("."))


def _tried_besides(labelled: LabelledTable, equation: Equation, edited: Sequence[str], row: Rows) -> tuple[str, ...]:
    """What else was tried, which the model sees and the equation doesn't, as a sentence."""
    used = {term.feature for term in equation.terms}
    others = [labelled.schema.index(name) for name in edited if name not in used]
    if not others:
        return ()
    features = labelled.schema.features
    told = listed([f"{features[place].title} {value(features[place], float(row[place]))}" for place in others])
    return (f"Also tried: {told}, which the rule is without.",)


def towards(labelled: LabelledTable, found: ReferenceValue) -> Sentence:
    """What would bring the case near the reference, or why nothing would."""
    target = labelled.target
    label, reference = scores([found.label, found.reference], target)
    if found.is_reached:
        return (Span(f"This case is at {label} already, which is near enough to {reference}."),)
    if found.towards is None:
        held = f" with {listed([labelled.schema[name].title for name in found.held])} held as set" if found.held else ""
        return (Span(f"No real case nearer to {reference} than this one shows a way there{held}."),)
    near = found.towards
    neighbour_label, said = scores([near.neighbour_label, near.value], target)
    spans = [
        Span("With "),
        Span(count(len(near.changes), "change"), Role.STRONG),
        Span(f" taken from case {near.neighbour} ({neighbour_label}), the rule around it says "),
        Span(with_unit(said, target), Role.DESIRED),
    ]
    if near.asked is not None:
        spans += [Span(", and the model "), Span(with_unit(score(near.asked, target), target), Role.STRONG)]
    return (*spans, Span("."))


def widened(labelled: LabelledTable, found: ReferenceValue) -> str:
    """That the tolerance was not enough."""
    at_first, at_last = (significant(each, 2) for each in (found.asked_tolerance, found.tolerance))
    return (
        f"Within {at_first} of {score(found.reference, labelled.target)} no real case serves, so those within"
        f" {at_last} were taken."
    )


def missed(labelled: LabelledTable, found: ReferenceValue) -> str:
    """That the model comes less near to the reference than real cases had to be; empty where it comes so near."""
    asked = found.towards.asked if found.towards else None
    if asked is None or abs(asked - found.reference) <= found.tolerance:
        return ""
    away, near = (significant(each, 2) for each in (abs(asked - found.reference), found.tolerance))
    return (
        f"The model itself stays {away} away from {score(found.reference, labelled.target)}, where real cases had to be"
        f" within {near}: the rule promises more than the model gives."
    )


def searched(found: ReferenceValue) -> str:
    """How many real cases were looked at."""
    return (
        f"{count(found.n_near, 'real case')} near enough, of which the nearest {number(found.n_explained, 0)} had to be"
        " explained: no other can be better."
    )


def checked(labelled: LabelledTable, found: LocalEquations) -> tuple[str, ...]:
    """What was tried, and how."""
    learnt = count(len(found.others) + 1, "row")
    return (
        f"{count(len(found.sizes), 'size')} of neighbourhood tried, among {learnt}.",
        "Deterministic: nothing is drawn at random.",
        "No model is asked for the equation." if labelled.ask else "There is no model: the column was observed.",
    )


def for_classes(quantity: str) -> Sentence:
    """Why classes aren't explained here, and what can be."""
    return (Span(f"BELLA explains numbers, and this model gives classes. Its score can be explained: the {quantity}."),)


def coefficient_words(term: Term, target: Target) -> str:
    """What a term's coefficient is counted by."""
    unit = f"{SPACE}{target.unit}" if target.unit else ""
    if term.category:
        return f"which counts {_signed(term.coefficient)}{unit}"
    return f"times {_signed(term.coefficient)}{unit} a deviation"


def _bracketed(term: Term) -> str:
    return f"({term.title} is {term.category})" if term.category else term.title


def _signed(amount: float) -> str:
    return f"{MINUS if amount < 0 else '+'}{significant(abs(amount))}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def titles(terms: Sequence[Term]) -> str:
    """Names of terms, listed."""
    return listed([term_title(term) for term in terms])


def about_neighbours(labelled: LabelledTable, found: LocalEquations, place: int) -> Sentence:
    """What is drawn of the neighbours, and how near the equation comes to them."""
    near = found.neighbours(place)
    gaps = [abs(gap) for gap in (found.equation(place).values(labelled.rows[near]) - labelled.labels[near]).tolist()]
    off = significant(sum(gaps) / len(gaps), 3) if gaps else "0"
    return (
        Span(
            f"The {count(len(near), 'nearest case')}: over them the equation is off by {off} on average."
            " Pick one to go there."
        ),
    )


def about_comparison(compared: Comparison) -> tuple[str, ...]:
    """What the numbers of each method mean, and why some have none."""
    told = [
        "SHAP adds up to the case's own number by construction and holds for no other row; LIME holds for the rows in"
        f" the same quartiles; MAPLE for those it gives weight, of {count(compared.n_maple, 'row')} that it was given."
    ]
    return (*told, *(row.why_not for row in compared.rows if row.why_not))
