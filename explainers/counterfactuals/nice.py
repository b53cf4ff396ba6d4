"""NICE: walk from the case towards a real case on the desired side, and stop once it flips.

Brughmans, Leyman and Martens, "NICE: an algorithm for nearest instance counterfactual
explanations", 2021. Added here: locks, ranges and directions, missing values, any
decision, several neighbours walked side by side.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.constraints import Constraints
from explainers.counterfactuals.assembly import Candidate
from explainers.counterfactuals.plausibility import Autoencoder, fit_autoencoder
from explainers.counterfactuals.reduction import reduced_row
from explainers.counterfactuals.searching import Prepared, Search, Searcher
from explainers.counterfactuals.walk import Reward, Walk, walk_side_by_side
from explainers.distances import heom, value_ranges
from explainers.method import Options, choice, switch, whole
from explainers.problem import Problem
from explainers.run import Run
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
class NicePrepared(Prepared):
    """What serves every case of a problem alike.

    Attributes
    ----------
    autoencoder : Autoencoder, optional
        Only for the plausibility reward.
    """

    autoencoder: Autoencoder | None


class Nice(Searcher):
    """Nearest instance counterfactual explanations."""

    name = "nice"
    title = "NICE"
    question = "Which real case on the wanted side is nearest, and how few of its values are needed?"
    options_type = NiceOptions

    def prepared_key(self, problem: Problem, constraints: Constraints, options: NiceOptions) -> Hashable:
        """The rows, and whether an autoencoder is wanted."""
        return problem.content_key, options.reward == "plausibility"

    def prepare(self, problem: Problem, constraints: Constraints, options: NiceOptions, run: Run) -> NicePrepared:
        """Scale of the distance and, for the plausibility reward, the autoencoder."""
        rows = problem.rows[problem.training]
        run.check()
        needs_autoencoder = options.reward == "plausibility"
        return NicePrepared(
            value_ranges(rows), fit_autoencoder(problem.schema, rows, run.seed) if needs_autoencoder else None
        )

    def seek(self, search: Search, options: NiceOptions, prepared: NicePrepared) -> None:
        """Walk to the nearest neighbours, and drop what isn't needed if the person says so."""
        model, target, case, run = search.problem.model, search.target, search.case.row, search.run
        closeness = float(target.closeness(search.outputs[None])[0])
        reward = _reward(options.reward, search.schema, case, prepared)
        walks = [Walk(case, closeness, neighbour, reward) for neighbour in search.nearest(options.neighbours)]
        try:
            if options.reward == "none":
                for walk in walks:
                    walk.jump()
            walk_side_by_side(walks, model, target, run)
        finally:
            search.found.extend(Candidate(walk.row, walk.score, walk.neighbour.id) for walk in walks if walk.is_done)
        if options.reduce:
            for place, candidate in enumerate(search.found):
                row, score = reduced_row(model, target, case, candidate.row, candidate.score, run)
                search.found[place] = Candidate(row, score, candidate.neighbour)

    def ranked(self, search: Search, options: NiceOptions, prepared: NicePrepared) -> list[Candidate]:
        """All that was found, fewest changes first."""
        return search.fewest_changes_first()


def _reward(name: str, schema: Schema, case: Rows, prepared: NicePrepared) -> Reward:
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
