"""What SHAP and LIME say beside the counterfactual, and why they may disagree, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from explainers import wording
from explainers.attributions.attribution import Attribution
from explainers.attributions.comparison import (
    ActTogether,
    AlreadyGood,
    Compared,
    Comparison,
    Disagreement,
    GoTogether,
    LeftAsItIs,
    Opposed,
    OtherFirst,
)
from explainers.decision import Target
from explainers.wording import SPACE, Role, Sentence, Span, count, number, signed_column

MOST_NAMED = 3


def questions(comparison: Comparison) -> tuple[Sentence, ...]:
    """What each view asks, one sentence a view."""
    counterfactual = comparison.explanation.counterfactual
    target = counterfactual.target
    shap = comparison.told[0]
    factual, reached, mean = wording.scores([counterfactual.factual_score, counterfactual.score, shap.base], target)
    told = [
        (
            Span("CounterShapley", Role.STRONG),
            Span(f": what does each change add on the way from {factual} to {reached}?"),
        ),
        (
            Span("SHAP", Role.STRONG),
            Span(
                f": how does each of the case's own values move its score from {mean}, the mean of"
                f" {number(shap.n_reference, 0)} training rows, to {factual}?"
            ),
        ),
    ]
    for lime in comparison.told[1:]:
        told.append(
            (
                Span("LIME", Role.STRONG),
                Span(
                    f": which of its values go with the score among {number(lime.n_reference, 0)} rows drawn around it?"
                ),
            )
        )
    return tuple(told)


def explainers_named(comparison: Comparison) -> tuple[str, ...]:
    """Which explainer answered, set against what, and what that took, one sentence each for SHAP and LIME."""
    return tuple(f"{title}: {_way(told)}" for title, told in zip(comparison.views[1:], comparison.told, strict=True))


def about_compared(comparison: Comparison) -> Sentence:
    """How the bars are to be read."""
    target = comparison.target
    way = "right" if comparison.direction > 0 else "left"
    return (
        Span(
            f"Bars to the {way} are for {target.desired}, the others against it, all on one scale."
            f" Score = {target.quantity}."
        ),
    )


def disagreement(one: Disagreement, comparison: Comparison) -> Sentence:
    """One way in which the views part, in the case's own numbers, and why it may be so."""
    target = comparison.target
    if isinstance(one, LeftAsItIs):
        text = signed_column([one.shap], target)[0]
        why = "it is locked" if one.is_locked else "flipping does not take it"
        return _told(
            "Another question.",
            f" By SHAP {_is(one.row)} counts most against {target.desired} ({text}), yet the counterfactual leaves it"
            f" as it is: {why}. Why the score is as it is, and what would flip it, are two things.",
        )
    if isinstance(one, AlreadyGood):
        shap, change = signed_column([one.shap, one.countershapley], target)
        return _told(
            "Background or counterfactual.",
            f" By SHAP {_is(one.row)} already speaks for {target.desired} ({shap}), yet changing it to {_new(one.row)}"
            f" adds {change}. SHAP sets it against the background ({_usual(one)}), CounterShapley against"
            f" {_new(one.row)}.",
        )
    if isinstance(one, OtherFirst):
        change, value = signed_column([one.countershapley, one.shap], target)
        return _told(
            "Another yardstick.",
            f" Of the changes {one.by_change.feature.title} counts most ({change}); of the values they change,"
            f" {_is(one.by_value)} holds back most by SHAP ({value}). How bad a value is against other rows, and how"
            " far its change leads, need not go together.",
        )
    if isinstance(one, ActTogether):
        alone, last = signed_column([one.alone, one.last], target)
        return _told(
            "Interaction.",
            f" Changing {one.row.feature.title} moves the score by {alone} alone and by {last} after the others."
            " Such joint effects are shared out by CounterShapley among the changes, by SHAP among all features, and"
            " by LIME not at all, as its line has none.",
        )
    if isinstance(one, GoTogether):
        return _told(
            "Correlated features.",
            f" In the background {one.row.feature.title} and {one.other.title} go together (rank correlation"
            f" {wording.signed(one.correlation)}). SHAP and LIME also score rows that have one without the other,"
            " CounterShapley only mixtures of this case and its counterfactual.",
        )
    return _opposed(one, target, comparison.told[1])


def agreement(found: Sequence[Disagreement]) -> Sentence:
    """What is said before reasons alone, where no view contradicts another."""
    reasons = " They may differ in size all the same:" if found else ""
    return (Span("No view contradicts another here.", Role.STRONG), Span(reasons))


def alt_compared(comparison: Comparison, rows: Sequence[Compared]) -> Sentence:
    """The bars for those who can't see them."""
    target = comparison.target
    parts = []
    for row in rows:
        told = [
            f"{view} {signed_column([value], target)[0]}"
            for view, value in zip(comparison.views, row.values, strict=True)
            if value is not None
        ]
        parts.append(f"{row.feature.title} {row.text}: {', '.join(told)}")
    return (Span(f"{'; '.join(parts)}."),)


def _told(kind: str, text: str) -> Sentence:
    return (Span(kind, Role.STRONG), Span(text))


def _opposed(one: Opposed, target: Target, lime: Attribution) -> Sentence:
    shap, weight = signed_column([one.shap, one.lime], target)
    return _told(
        "Near or far.",
        f" Of {_is(one.row)} SHAP says {shap} and LIME {weight}. SHAP sets it against rows from anywhere, LIME against"
        f" rows around the case, by a line that fits them to {_percent(lime.fit)}.",
    )


def _way(told: Attribution) -> str:
    """How the values were found, and how far off they may be."""
    seed = f"drawn with seed {told.origin.seed}"
    scored = f"; {count(told.evaluations, 'row')} scored" if told.evaluations else ""
    if told.fit is not None:
        drawn = f"{count(told.n_reference, 'row')} around the case, {seed}"
        return f"{told.explainer}. {drawn}{scored}; the line explains {_percent(told.fit)} of the differences (R²)."
    background = f"Background: {count(told.n_reference, 'training row')}, {seed}"
    if told.standard_errors is None:
        return f"{told.explainer}. {background}{scored}; no sampling error."
    largest = signed_column([float(told.standard_errors.max())], told.target)[0].removeprefix("+")
    cut = "" if told.is_complete else " It was stopped early."
    return f"{told.explainer}. {background}{scored}; standard error at most {largest}.{cut}"


def _is(row: Compared) -> str:
    """A feature and the case's own value."""
    return f"{row.feature.title} ({row.own})"


def _new(row: Compared) -> str:
    assert row.change is not None
    return row.change.new_text


def _usual(one: AlreadyGood) -> str:
    feature = one.row.feature
    if feature.is_number:
        return f"mean {wording.value(feature, one.usual, feature.decimals + (not feature.is_date))}"
    return f"{_percent(one.usual)} have it"


def _percent(share: float | None) -> str:
    return f"{max(0, int(100 * (share or 0.0) + 0.5))}{SPACE}%"
