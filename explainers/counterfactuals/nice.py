"""NICE: walk from the case towards a real case on the desired side, and stop once it flips.

Brughmans, Leyman and Martens, "NICE: an algorithm for nearest instance counterfactual
explanations", 2021. Added here: locks, ranges and directions, missing values, any
decision, several neighbours walked side by side.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explainers.constraints import Constraints
from explainers.counterfactuals.assembly import Candidate, assemble
from explainers.counterfactuals.neighbours import nearest_desired, why_none
from explainers.counterfactuals.plausibility import Autoencoder, fit_autoencoder
from explainers.counterfactuals.reduction import reduced_row
from explainers.counterfactuals.walk import Reward, Walk, walk_side_by_side
from explainers.decision import Target
from explainers.distances import heom, value_ranges
from explainers.importance.coalitions import changed_features
from explainers.method import Options, choice, origin, switch, whole
from explainers.problem import Case, Problem
from explainers.results import Counterfactuals, NoneFound
from explainers.run import Run, Stopped
from explainers.schema import Rows, Schema

REWARDS = {
    "sparsity": "few changes",
    "proximity": "small changes",
    "plausibility": "usual values",
    "none": "the real case itself",
}


@dataclass(frozen=True)
class NiceOptions(Options):
    """What a person may set on NICE."""

    reward: str = choice(
        "sparsity",
        label="Look for",
        help="What each step of the walk is chosen for: the largest gain in score (few changes), the largest gain "
        "for the distance moved (small changes), or the gain times how much more usual the row becomes. "
        "The real case itself takes over all its values.",
        choices=REWARDS,
    )
    neighbours: int = whole(
        3,
        label="Real cases to start from",
        help="The walk goes towards so many of the nearest real cases on the wanted side; each may give a "
        "counterfactual of its own, and one of them may need fewer changes than those before.",
        low=1,
        high=20,
    )
    reduce: bool = switch(
        False,
        label="Always keep only what is enough",
        help="Drops every change that is not needed to flip. Off, the counterfactual is shown as it was found.",
    )


@dataclass(frozen=True, eq=False)
class Prepared:
    """What serves every case of a problem alike.

    Attributes
    ----------
    ranges : array of shape (n_features,)
        Of all training rows, the scale of HEOM.
    autoencoder : Autoencoder, optional
        Only for the plausibility reward.
    """

    ranges: Rows
    autoencoder: Autoencoder | None


@dataclass(frozen=True)
class Nice:
    """Nearest instance counterfactual explanations."""

    name: ClassVar[str] = "nice"
    title: ClassVar[str] = "NICE"
    question: ClassVar[str] = "Which real case on the wanted side is nearest, and how few of its values are needed?"
    options_type: ClassVar[type[NiceOptions]] = NiceOptions

    def unfit(self, problem: Problem) -> str | None:
        if not problem.training.any():
            return "NICE looks for the nearest training case, and this table has no training rows."
        return None

    def prepared_key(self, problem: Problem, constraints: Constraints, options: NiceOptions) -> Hashable:
        """The rows, and whether an autoencoder is wanted."""
        return problem.content_key, options.reward == "plausibility"

    def prepare(self, problem: Problem, constraints: Constraints, options: NiceOptions, run: Run) -> Prepared:
        """Scale of the distance and, for the plausibility reward, the autoencoder."""
        rows = problem.rows[problem.training]
        run.check()
        needs_autoencoder = options.reward == "plausibility"
        return Prepared(
            value_ranges(rows), fit_autoencoder(problem.schema, rows, run.seed) if needs_autoencoder else None
        )

    def explain(
        self,
        problem: Problem,
        case: Case,
        constraints: Constraints | None = None,
        options: NiceOptions | None = None,
        run: Run | None = None,
        prepared: Prepared | None = None,
    ) -> Counterfactuals:
        """Counterfactuals of a case from its nearest neighbours, fewest changes first.

        Of those with as few changes the nearest comes first; those that change a set of
        features which none before them changes come before the others. A run that ends
        early gives what was found so far.

        Raises
        ------
        ValueError
            If the options or constraints can't be; the message says which and why.
        Stopped
            If the run had ended before the search began.
        """
        constraints = Constraints.default(problem.schema) if constraints is None else constraints
        options, run = options or NiceOptions(), run or Run()
        if wrong := (*options.check(), *constraints.check(problem.schema)):
            raise ValueError(" ".join(wrong))
        outputs = problem.case_outputs(case, run)
        target = problem.decision.target(outputs)
        factual_score = float(target.drawn(outputs[None])[0])
        how = origin(self, problem, options, run)
        if target.is_reached:
            run.progress(1.0)
            return Counterfactuals(case.id, target, factual_score, (), NoneFound("reached"), True, how)
        prepared = prepared or self.prepare(problem, constraints, options, run)
        candidates: list[Candidate] = []
        none_found, is_complete = None, True
        try:
            none_found = _search(problem, case, outputs, constraints, options, target, prepared, run, candidates)
        except Stopped as stopped:
            none_found, is_complete = NoneFound("stopped", detail=str(stopped)), False
        ranked = _ranked(problem.schema, prepared.ranges, case.row, candidates)
        # A run that has ended may still ask once, so that what it found is shown as checked.
        checking = Run(seed=run.seed)
        found = assemble(problem, case, constraints, target, factual_score, ranked, prepared.ranges, how, checking)
        run.progress(1.0)
        return Counterfactuals(case.id, target, factual_score, found, None if found else none_found, is_complete, how)


def _search(
    problem: Problem,
    case: Case,
    outputs: NDArray[np.float64],
    constraints: Constraints,
    options: NiceOptions,
    target: Target,
    prepared: Prepared,
    run: Run,
    candidates: list[Candidate],
) -> NoneFound | None:
    """Walk, and put what flips into `candidates` even if the run ends early."""
    neighbours = nearest_desired(problem, case, constraints, target, prepared.ranges, options.neighbours, run)
    if not neighbours:
        return why_none(problem, case, constraints, target, run)
    closeness = float(target.closeness(outputs[None])[0])
    reward = _reward(options.reward, problem.schema, case.row, prepared)
    walks = [Walk(case.row, closeness, neighbour, reward) for neighbour in neighbours]
    try:
        if options.reward == "none":
            for walk in walks:
                walk.jump()
        walk_side_by_side(walks, problem.model, target, run)
    finally:
        candidates += [Candidate(walk.row, walk.score, walk.neighbour.id) for walk in walks if walk.is_done]
    if options.reduce:
        for place, candidate in enumerate(candidates):
            row, score = reduced_row(problem.model, target, case.row, candidate.row, candidate.score, run)
            candidates[place] = Candidate(row, score, candidate.neighbour)
    return None


def _reward(name: str, schema: Schema, case: Rows, prepared: Prepared) -> Reward:
    """The reward of a step: its gain in closeness, weighed as the person asked."""

    def proximity(gains: NDArray[np.float64], before: Rows, after: Rows) -> NDArray[np.float64]:
        # A step changes one feature, which had the case's value: the increase is that feature's part.
        # The difference of two sums would lose it where it is small.
        return np.asarray(gains / heom(schema, prepared.ranges, before, after))

    def plausibility(gains: NDArray[np.float64], before: Rows, after: Rows) -> NDArray[np.float64]:
        assert prepared.autoencoder is not None
        errors = prepared.autoencoder.errors(np.vstack([before, after]))
        return np.asarray(gains * (errors[0] - errors[1:]))

    def sparsity(gains: NDArray[np.float64], before: Rows, after: Rows) -> NDArray[np.float64]:
        return gains

    return {"proximity": proximity, "plausibility": plausibility}.get(name, sparsity)


def _ranked(schema: Schema, ranges: Rows, case: Rows, candidates: Iterable[Candidate]) -> Sequence[Candidate]:
    """Different rows, fewest changes first, then nearest; other sets of features before repeated ones."""
    distinct = list({candidate.row.tobytes(): candidate for candidate in candidates}.values())
    if not distinct:
        return ()
    distances = heom(schema, ranges, case, np.stack([candidate.row for candidate in distinct]))
    sets = [changed_features(case, candidate.row) for candidate in distinct]
    order = sorted(range(len(distinct)), key=lambda i: (len(sets[i]), distances[i], i))
    firsts = [i for at, i in enumerate(order) if sets[i] not in [sets[j] for j in order[:at]]]
    return [distinct[i] for i in (*firsts, *(i for i in order if i not in firsts))]
