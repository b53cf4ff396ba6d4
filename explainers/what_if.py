"""What if the case were another row? Its score, its side, and what speaks against it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers import wording
from explainers.constraints import Constraints, Rule
from explainers.decision import Target
from explainers.importance.coalitions import changed_features
from explainers.intake.refusal import Refused
from explainers.intake.rows import Proposal
from explainers.problem import Case, Problem
from explainers.run import Run
from explainers.schema import Direction, Feature, Rows, same


@dataclass(frozen=True)
class Remark:
    """What there is to say of one changed value.

    Attributes
    ----------
    feature : str
        Name in the schema.
    sentence : str
    breaks_rule : bool
        Whether a lock, a range or a direction forbids it; else it is only unusual.
    """

    feature: str
    sentence: str
    breaks_rule: bool


@dataclass(frozen=True, eq=False)
class WhatIf:
    """A case as it might be.

    Attributes
    ----------
    case : str
    target : Target
        The decision as seen from the case as it is.
    row : array of shape (n_features,)
        Encoded; read-only.
    changed : tuple of int
        Positions of the features that differ from the case.
    outputs : array of shape (2, n_outputs)
        The model's outputs for the case as it is and as it might be; read-only.
    factual_score, score : float
        Drawn scores of both.
    side : str
        The side of the decision that it would be on.
    flips : bool
        Whether it would have the decision wanted.
    remarks : tuple of Remark
    """

    case: str
    target: Target
    row: Rows
    changed: tuple[int, ...]
    outputs: NDArray[np.float64]
    factual_score: float
    score: float
    side: str
    flips: bool
    remarks: tuple[Remark, ...]

    def __post_init__(self) -> None:
        self.row.setflags(write=False)
        self.outputs.setflags(write=False)

    @property
    def broken(self) -> tuple[str, ...]:
        """Features whose rule it breaks."""
        return tuple(remark.feature for remark in self.remarks if remark.breaks_rule)

    @property
    def is_counterfactual(self) -> bool:
        """Whether it changes something, flips, and keeps every rule."""
        return bool(self.changed) and self.flips and not self.target.is_reached and not self.broken


def proposed_row(problem: Problem, case: Case, proposal: Proposal) -> Rows:
    """The case with the values that a proposal says, shape (n_features,).

    Raises
    ------
    Refused
        If the proposal can't be read, or leaves out what no row of the table does without.
    """
    if proposal.refusal:
        raise Refused(proposal.refusal)
    row = case.row.copy()
    for name, value in proposal.values:
        position = problem.schema.index(name)
        if math.isnan(value) and not problem.has_missing[position]:
            title = problem.schema.features[position].title
            raise Refused(f"{title} is known in every row of the table, so the model can't be asked without it.")
        row[position] = value
    return row


def what_if(
    problem: Problem,
    case: Case,
    rows: Sequence[Rows],
    constraints: Constraints | None = None,
    run: Run | None = None,
) -> tuple[WhatIf, ...]:
    """Ask what the case would score as each of some rows, in one batch.

    Parameters
    ----------
    problem : Problem
    case : Case
    rows : sequence of arrays of shape (n_features,)
    constraints : Constraints, optional
        By default those of the schema.
    run : Run, optional

    Raises
    ------
    Stopped
        If the run ended first.
    ModelError
        If the model fails on a row.
    """
    constraints = Constraints.default(problem.schema) if constraints is None else constraints
    run = run or Run()
    own = problem.case_outputs(case, run)
    target = problem.decision.target(own)
    factual_score = float(target.drawn(own[None])[0])
    if not rows:
        return ()
    outputs = problem.model.score(np.stack(rows), run)
    names = problem.decision.side_names()
    asked = zip(
        rows, outputs, target.drawn(outputs), problem.decision.sides(outputs), target.flips(outputs), strict=True
    )
    return tuple(
        WhatIf(
            case=case.id,
            target=target,
            row=np.array(row),
            changed=changed_features(case.row, row),
            outputs=np.stack([own, answer]),
            factual_score=factual_score,
            score=float(score),
            side=names[int(side)],
            flips=bool(flips),
            remarks=tuple(_remarks(problem, case, constraints, row)),
        )
        for row, answer, score, side, flips in asked
    )


def _remarks(problem: Problem, case: Case, constraints: Constraints, row: Rows) -> Iterator[Remark]:
    """Of each changed value whether its rule is broken, and whether the table knows the like of it."""
    schema = problem.schema
    allowed = constraints.allowed(schema, case.row, row[None])[0]
    for position in changed_features(case.row, row):
        feature, value = schema.features[position], float(row[position])
        if not allowed[position]:
            sentence = broken_rule(feature, constraints[feature.name], float(case.row[position]), value)
            yield Remark(feature.name, sentence, breaks_rule=True)
        if feature.is_number and (value < feature.low or value > feature.high):
            low, high = (wording.value(feature, end, unit=end is feature.high) for end in (feature.low, feature.high))
            yield Remark(feature.name, f"Beyond all rows of the table: {low} to {high}.", breaks_rule=False)
        elif not feature.is_number and not _occurs(problem, position, value):
            sentence = (
                f"No row that the model may have learnt from has {feature.title} {wording.value(feature, value)}."
            )
            yield Remark(feature.name, sentence, breaks_rule=False)


def _occurs(problem: Problem, position: int, value: float) -> bool:
    learnt = problem.rows[problem.training, position]
    return bool(same(learnt, np.full_like(learnt, value)).any())


def broken_rule(feature: Feature, rule: Rule, own: float, value: float) -> str:
    """Which part of its rule a value breaks, as a sentence."""
    if rule.locked:
        return f"{feature.title} is locked."
    if rule.categories is not None:
        allowed = [label for label in feature.labels if label in rule.categories]
        return (
            f"{feature.title} may change to {', '.join(allowed)} only."
            if allowed
            else f"{feature.title} may not change."
        )
    rises, falls = rule.direction is Direction.UP, rule.direction is Direction.DOWN
    if (rises and not value >= own) or (falls and not value <= own):
        return f"{feature.title} may only {'rise' if rises else 'fall'}."
    ends = [
        f"{word} {wording.value(feature, bound)}"
        for word, bound in (("at least", rule.low), ("at most", rule.high))
        if bound is not None
    ]
    return f"{feature.title} may change to {' and '.join(ends)} only."
