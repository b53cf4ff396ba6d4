"""From rows that flip to results: what changed, how it prints, and that the print flips too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers import wording
from explainers.constraints import Constraints
from explainers.decision import Target
from explainers.distances import heom
from explainers.importance.coalitions import changed_features
from explainers.problem import Case, Problem
from explainers.results import Counterfactual, FeatureChange, Origin
from explainers.run import Run
from explainers.schema import Feature, Rows, Schema

EXTRA_DECIMALS = (0, 1, 2, 3, 4, 6, 8)


class NotACounterfactual(ValueError):
    """A row does not have the desired decision, so it is not shown as a counterfactual."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A row that flips, before it is made a result.

    Attributes
    ----------
    row : array of shape (n_features,)
    score : float
        Drawn.
    neighbour : str
        Id of the training row it comes from; empty if none.
    route : tuple of str
        Ids of the training rows on the way there, where there is one.
    prototype : str
        Id of the training row that it lies on the way to; empty if none.
    """

    row: Rows
    score: float
    neighbour: str = ""
    route: tuple[str, ...] = ()
    prototype: str = ""


def assemble(
    problem: Problem,
    case: Case,
    constraints: Constraints,
    target: Target,
    factual_score: float,
    candidates: Sequence[Candidate],
    ranges: Rows,
    origin: Origin,
    run: Run,
) -> tuple[Counterfactual, ...]:
    """Make results of candidates that flip and keep every rule; at most one call of the model.

    Raises
    ------
    Stopped
        If the run ended while the printed rows were scored.
    """
    decimals = _printing_decimals(problem, case, constraints, target, candidates, run)
    return tuple(
        Counterfactual(
            case=case.id,
            factual=case.row,
            row=candidate.row,
            changes=changes_between(problem.schema, case.row, candidate.row, places),
            factual_score=factual_score,
            score=candidate.score,
            target=target,
            decimals=places,
            distance=float(heom(problem.schema, ranges, case.row, candidate.row[None])[0]),
            neighbour=candidate.neighbour,
            origin=origin,
            route=candidate.route,
            prototype=candidate.prototype,
        )
        for candidate, places in zip(candidates, decimals, strict=True)
    )


def keep_only(
    problem: Problem,
    case: Case,
    constraints: Constraints,
    counterfactual: Counterfactual,
    features: Sequence[str],
    ranges: Rows,
    run: Run | None = None,
) -> Counterfactual:
    """The counterfactual that makes only the changes of these features.

    Raises
    ------
    NotACounterfactual
        If these changes alone do not flip the case, or are not among its changes.
    """
    run = run or Run()
    unknown = set(features) - {change.feature for change in counterfactual.changes}
    if unknown:
        name = min(unknown)
        title = problem.schema[name].title if name in problem.schema.names else name
        raise NotACounterfactual(f"{title} is not among the changes of this counterfactual.")
    row = case.row.copy()
    positions = [problem.schema.index(name) for name in features]
    row[positions] = counterfactual.row[positions]
    outputs = problem.model.score(row[None], run)
    if not counterfactual.target.flips(outputs)[0]:
        raise NotACounterfactual("These changes alone do not flip the case.")
    target, origin = counterfactual.target, counterfactual.origin
    kept = [Candidate(row, float(target.drawn(outputs)[0]), counterfactual.neighbour)]
    return assemble(problem, case, constraints, target, counterfactual.factual_score, kept, ranges, origin, run)[0]


def changes_between(
    schema: Schema, factual: Rows, row: Rows, decimals: Sequence[int | None]
) -> tuple[FeatureChange, ...]:
    """The features that differ between two rows, each as printed with so many decimals or else as recorded."""
    changes: list[FeatureChange] = []
    for position in changed_features(factual, row):
        feature = schema.features[position]
        old_text, new_text = wording.change(feature, factual[position], row[position], decimals[position])
        changes.append(
            FeatureChange(
                feature=feature.name,
                title=feature.title,
                old=_raw(feature, factual[position]),
                new=_raw(feature, row[position]),
                old_text=old_text,
                new_text=new_text,
            )
        )
    return tuple(changes)


def _raw(feature: Feature, encoded: float) -> float | str | None:
    if np.isnan(encoded):
        return None
    return float(encoded) if feature.is_number else feature.labels[int(encoded)]


def _printing_decimals(
    problem: Problem,
    case: Case,
    constraints: Constraints,
    target: Target,
    candidates: Sequence[Candidate],
    run: Run,
) -> list[tuple[int, ...]]:
    """For each candidate the fewest decimals with which the row as printed is still a counterfactual.

    The case as printed has to stay on its side, too. Recorded numbers print exactly and
    need no call of the model; for computed ones all precisions of all candidates are
    scored together.
    """
    schema = problem.schema
    recorded = tuple(feature.decimals for feature in schema.features)
    tries = [_precisions(recorded, schema.is_number, case.row, candidate.row) for candidate in candidates]
    printed = [
        [schema.displayed(np.stack([case.row, candidate.row]), places) for places in options]
        for candidate, options in zip(candidates, tries, strict=True)
    ]
    asked = [pair for pairs in printed if len(pairs) > 1 for pair in pairs]
    flips = target.flips(problem.model.score(np.concatenate(asked), run)).reshape(-1, 2) if asked else ()
    parted = iter([not case_flips and row_flips for case_flips, row_flips in flips])
    chosen: list[tuple[int, ...]] = []
    for candidate, options, pairs in zip(candidates, tries, printed, strict=True):
        changed = changed_features(case.row, candidate.row)
        fits = [
            (len(pairs) == 1 or next(parted))
            and changed_features(pair[0], pair[1]) == changed
            and bool(constraints.allowed(schema, pair[0], pair[1][None]).all())
            for pair in pairs
        ]
        chosen.append(options[fits.index(True) if True in fits else -1])
    return chosen


def _precisions(
    recorded: tuple[int, ...], is_number: NDArray[np.bool_], factual: Rows, row: Rows
) -> list[tuple[int, ...]]:
    """Precisions to try, coarse to exact; just one where the recorded decimals print exactly."""
    exact = tuple(
        max(places, _exact_decimals(old), _exact_decimals(new)) if number else 0
        for places, number, old, new in zip(recorded, is_number, factual, row, strict=True)
    )
    if all(need <= places for need, places in zip(exact, recorded, strict=True)):
        return [recorded]
    tries = [
        tuple(min(places + extra, need) for places, need in zip(recorded, exact, strict=True))
        for extra in EXTRA_DECIMALS
    ]
    return [*dict.fromkeys(tries), exact]


def _exact_decimals(value: float) -> int:
    """Decimals that print a float so that reading it gives the same float again."""
    if not np.isfinite(value):
        return 0
    text = np.format_float_positional(value, trim="-")
    return len(text.partition(".")[2])
