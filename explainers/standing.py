"""Where a case stands and what is wanted of it, in the terms of each kind of decision."""

from __future__ import annotations

import math

import numpy as np

from explainers.decision import (
    BinaryTarget,
    IntervalDecision,
    IntervalTarget,
    LeadTarget,
    OtherClassTarget,
    Outputs,
    Target,
)
from explainers.problem import Problem
from explainers.results import Counterfactual
from explainers.what_if import WhatIf
from explainers.wording import Role, Sentence, Span, count, gap, number, rivals, score, scores, threshold, wanted


def side_counts(problem: Problem) -> str:
    """How many rows of the table the model puts on each side."""
    names = problem.decision.side_names()
    counts = np.bincount(problem.decision.sides(problem.outputs), minlength=len(names))
    counted = (f"{number(int(n), 0)} {name}" for n, name in zip(counts, names, strict=True))
    return f"Of {count(len(problem.rows), 'row')}: {', '.join(counted)}."


def default_interval(decision: IntervalDecision) -> str:
    """Which numbers are wanted as long as no bound is set."""
    first, _, third = (number(quartile, decision.decimals) for quartile in decision.quartiles)
    unit = f" {decision.unit}" if decision.unit else ""
    return (
        f"With no bound set, a case is to go to the quarter of scores with more room: {third}{unit} or more,"
        f" or {first}{unit} or less."
    )


def ends(counterfactual: Counterfactual, outputs: Outputs) -> tuple[list[Span], list[Span]]:
    """What the case scores and against what, and what it would score."""
    target = counterfactual.target
    if isinstance(target, LeadTarget):
        return _against_rival(target, outputs[0], Role.FACTUAL), _against_rival(target, outputs[1], Role.DESIRED)
    factual, reached = scores([counterfactual.factual_score, counterfactual.score], target)
    then = [Span(", so "), Span(target.desired, Role.DESIRED)] if isinstance(target, BinaryTarget) else []
    return stands(target, counterfactual.factual_score, factual), [Span(reached, Role.DESIRED), *then]


def stands(target: Target, value: float, text: str) -> list[Span]:
    """A case's score, as printed, against what is wanted, and what that makes it.

    For example: 0.21 for good risk, under the threshold of 0.50, so bad risk.
    """
    shown = Span(text, Role.DESIRED if target.is_reached else Role.FACTUAL)
    relation = Span(f", {against_wanted(target, value)}")
    if not isinstance(target, BinaryTarget) or target.is_reached:
        return [shown, relation]
    decided = [Span(", so "), Span(target.factual, Role.FACTUAL)] if value != target.low else []
    return [shown, Span(f" for {target.desired}"), relation, *decided]


def against_wanted(target: Target, value: float) -> str:
    """A case's score against what is wanted: under the threshold of 0.50."""
    if target.is_reached:
        return f"which meets the decision asked for ({wanted(target)})"
    if isinstance(target, LeadTarget):
        if value == 0:
            return "a tie that another class wins"
        if isinstance(target, OtherClassTarget):
            return f"with the best other class behind {target.factual}"
        return f"behind the best other class, {target.factual}"
    if isinstance(target, IntervalTarget):
        side = "below" if target.direction(value) > 0 else "above"
        return f"{side} the wanted {wanted(target)}"
    if value == target.low:
        return f"exactly the threshold of {threshold(target.low, target)}, which still counts as {target.factual}"
    return f"under the threshold of {threshold(target.low, target)}"


def once_reached(target: Target, value: float) -> str:
    """A score that has the decision wanted, and what was wanted."""
    shown = score(value, target)
    if isinstance(target, LeadTarget):
        return f"it leads by {shown}"
    return f"{shown}, wanted {wanted(target)}" if isinstance(target, IntervalTarget) else f"{shown}, {wanted(target)}"


def as_it_might_be(tried: WhatIf) -> Sentence:
    """What a case would score, on which side that is, and how far from the line."""
    role = Role.DESIRED if tried.flips else Role.FACTUAL
    if isinstance(tried.target, LeadTarget):
        return (Span("Scores now: "), *_against_rival(tried.target, tried.outputs[1], role), Span("."))
    shown = Span(score(tried.score, tried.target), role)
    return (Span("Scores "), shown, Span(" now: "), Span(tried.side, role), Span(f", {_from_line(tried)}."))


def why_no_counterfactual(tried: WhatIf, name: str = "It") -> str:
    """Why a row that was given is none: what it scores and what is missing, or which rules it breaks."""
    if not tried.changed:
        return f"{name} is the case as it is; nothing differs."
    if not tried.flips:
        if isinstance(tried.target, LeadTarget):
            against = "".join(span.text for span in _against_rival(tried.target, tried.outputs[1], Role.FACTUAL))
            return f"{name} does not flip: it scores {against}."
        return f"{name} does not flip: it scores {score(tried.score, tried.target)}, {_from_line(tried)}."
    broken = " ".join(remark.sentence for remark in tried.remarks if remark.breaks_rule)
    return f"{name} flips, but breaks what was set: {broken}"


def _from_line(tried: WhatIf) -> str:
    """How far a score is from the decision wanted, in the decimals in which the score is printed."""
    target, value = tried.target, tried.score
    is_number = isinstance(target, IntervalTarget)
    if is_number and tried.flips:
        return f"within the wanted {wanted(target)}"
    line = target.high if value > target.high else target.low if math.isfinite(target.low) else target.high
    if value == line:
        return f"exactly the threshold of {threshold(line, target)}"
    left = gap(value, line, target)
    if is_number:
        unit = f" {target.unit}" if target.unit else ""
        return f"{left}{unit} {'above' if value > line else 'below'} the wanted {wanted(target)}"
    return f"{left} {'over' if value > line else 'under'} the threshold of {threshold(line, target)}"


def as_desired(target: Target) -> str:
    """As what a row on the desired side is known."""
    if isinstance(target, IntervalTarget):
        return f"to be in the range wanted ({wanted(target)})"
    return f"as {target.desired}"


def comes_from(counterfactual: Counterfactual) -> str:
    """Which real cases a counterfactual has its values from, or leads through or towards; empty for none."""
    told = ""
    if counterfactual.neighbour:
        told += f" Its values are those of the real case {counterfactual.neighbour}."
    if counterfactual.route:
        told += f" The way there leads through the real cases {', then '.join(counterfactual.route)}."
    if counterfactual.prototype:
        told += f" It lies on the way to the real case {counterfactual.prototype}."
    return told


def _against_rival(target: LeadTarget, outputs: Outputs, role: Role) -> list[Span]:
    """One class's probability against another's: 0.35 for Adelie, behind Gentoo with 0.50."""
    ahead, behind = target.contenders(outputs)
    own, other = float(outputs[ahead]), float(outputs[behind])
    own_text, other_text = rivals(own, other)
    name = target.classes[behind]
    if own == other:
        first = target.classes[min(ahead, behind)]
        relation = f"level with {name}; the class listed first, {first}, then wins"
    else:
        relation = f"{'ahead of' if own > other else 'behind'} {name} with {other_text}"
    return [Span(own_text, role), Span(f" for {target.classes[ahead]}, {relation}")]
