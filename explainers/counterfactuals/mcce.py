"""MCCE: sample rows like those on the desired side, and take those that cost the case least.

Redelmeier, Jullum, Aas and Løland, "MCCE: Monte Carlo sampling of valid and realistic
counterfactual explanations for tabular data", 2021. Added here: ranges and directions,
missing values, any decision, several counterfactuals that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from explainers.constraints import FREE, Constraints
from explainers.counterfactuals.assembly import Candidate
from explainers.counterfactuals.candidates import Candidates, Pool, SampledCounterfactuals, asked_in_order
from explainers.counterfactuals.sampling import Prepared, desired_rows, draw
from explainers.counterfactuals.searching import Search, Searcher
from explainers.decision import Outputs
from explainers.distances import value_ranges
from explainers.method import Options, choice, real, switch, whole
from explainers.metrics import TrainingRows
from explainers.problem import Problem
from explainers.results import Counterfactuals, NoneFound
from explainers.run import Run
from explainers.schema import Rows

WAYS = {
    "front": "few changes or a short way",
    "fewest": "the fewest changes",
    "diverse": "changes of different features",
}
ORDERS = {"column": "as in the table", "correlation": "most correlated first"}
DRAWN, ASKED, TOGETHER = 0.6, 0.9, 0.95
"""Shares of the progress at which rows are sampled, the model was asked about them, and each rule was freed alone."""


@dataclass(frozen=True)
class McceOptions(Options):
    """What a person may set on MCCE."""

    samples: int = whole(
        1000,
        label="Rows to sample",
        help="So many rows like those on the wanted side are sampled for the case (K in the paper). More of them "
        "find ways with fewer and smaller changes, and take longer.",
        low=100,
        high=25_000,
    )
    most: int = whole(
        20,
        label="Candidates to show",
        help="So many of the rows that flip are shown, fewest changes first, then the shortest way.",
        low=1,
        high=100,
    )
    prefer: str = choice(
        "front",
        label="Prefer",
        help="Which rows are shown where more flip: first those that no other beats both in the number of changes "
        "and in distance, simply those with the fewest changes, or one for each set of features that can change.",
        choices=WAYS,
    )
    most_changes: int | None = whole(
        None,
        label="Changes at most",
        help="Only candidates with so many changes or fewer (L0); empty for no bound.",
        low=1,
        high=1000,
    )
    most_distance: float | None = real(
        None,
        label="Distance at most",
        help="Only candidates no further away than this (L1): each change counts by its share of the feature's range, "
        "another category as 1. Empty for no bound.",
        low=0.0,
        high=1000.0,
    )
    no_copies: bool = switch(
        False,
        label="Leave out copies",
        help="Drops candidates that are equal to a row of the training data, so that nobody's data is given away.",
    )
    visits: str = choice(
        "column",
        label="Order of sampling",
        help="In which order features are sampled, each given those before it: as their columns stand, or those that "
        "go most with the others first.",
        choices=ORDERS,
    )


@dataclass(frozen=True, eq=False)
class SampledSearch(Search):
    """A search that keeps all that flips, not only what is shown.

    Attributes
    ----------
    candidates : list of Candidates
        None or one.
    """

    candidates: list[Candidates] = field(default_factory=list)


class Mcce(Searcher):
    """Monte Carlo sampling of counterfactual explanations."""

    name = "mcce"
    title = "MCCE"
    question = "Whom could this case become, among rows that could be real?"
    options_type = McceOptions
    search_type = SampledSearch

    def prepare(self, problem: Problem, constraints: Constraints, options: McceOptions, run: Run) -> Prepared:
        """The training rows and their ranges; trees are fitted as they are needed, and then kept."""
        run.check()
        rows = problem.rows[problem.training]
        ids = tuple(problem.ids[i] for i in np.flatnonzero(problem.training))
        return Prepared(value_ranges(rows), rows, ids, TrainingRows.of(rows))

    def seek(self, search: SampledSearch, options: McceOptions, prepared: Prepared) -> None:
        """Sample, ask about what was sampled, and choose among what flips."""
        if not desired_rows(search).any():
            return
        drawn = draw(_part(search, 0.0, DRAWN), prepared, options.samples, options.visits)
        within = drawn.pool.only(_is_within(drawn.pool, options))
        outputs: list[Outputs] = []
        try:
            for part in asked_in_order(search.problem.model, within, _part(search, DRAWN, ASKED).run):
                outputs.append(part)
        finally:
            kept = Candidates.of(search.case.row, search.target, within, outputs, drawn, options.prefer, options.most)
            search.candidates.append(kept)
            search.found.extend(
                Candidate(kept.rows[i], float(kept.scores[i]), kept.copies[i]) for i in kept.chosen.tolist()
            )

    def ranked(self, search: Search, options: McceOptions, prepared: Prepared) -> Sequence[Candidate]:
        """What was chosen, in order of cost."""
        return search.found

    def told(self, search: SampledSearch, result: Counterfactuals) -> Counterfactuals:
        """The result together with all candidates."""
        if not result.found:
            return result
        known = {item.name: getattr(result, item.name) for item in fields(result)}
        return SampledCounterfactuals(**known, candidates=search.candidates[0])

    def why_not(self, search: SampledSearch, options: McceOptions, prepared: Prepared) -> NoneFound:
        """Which bounds or rules leave nothing, and which are enough to free: alone, the nearest first, or together."""
        desired, constraints = desired_rows(search), search.constraints
        if not desired.any():
            return NoneFound("unseen")
        pool = draw(search.under(constraints), prepared, options.samples, options.visits).pool
        if nearest := _nearest(search, pool.only(~_is_within(pool, options))):
            return NoneFound("bounded", nearest=nearest)
        costs: dict[str, tuple[int, float]] = {}
        for place, (name, _) in enumerate(constraints.rules):
            if cost := _cost_without(search, (name,), options, prepared):
                costs[name] = cost
            search.run.progress(ASKED + (TOGETHER - ASKED) * (place + 1) / len(constraints.rules))
        none = _constrained(search, prepared.rows[desired], costs)
        if costs or none.reason != "constrained":
            return none
        return replace(none, together=_enough_together(search, prepared.rows[desired], options, prepared))


def _part(search: SampledSearch, start: float, end: float) -> SampledSearch:
    """The same search for a part of the work, whose progress goes from `start` to `end`."""
    return replace(search, run=search.run.part(start, end))


def _is_within(pool: Pool, options: McceOptions) -> NDArray[np.bool_]:
    """Which rows of a pool keep the bounds on their cost, and are no copies if none are wanted."""
    is_within = np.ones(len(pool.rows), dtype=bool)
    if options.most_changes is not None:
        is_within &= pool.n_changes <= options.most_changes
    if options.most_distance is not None:
        is_within &= pool.distances <= options.most_distance
    return is_within & ~pool.is_copy if options.no_copies else is_within


def _nearest(search: Search, pool: Pool) -> tuple[int, float] | None:
    """Number of changes and distance of the cheapest row that flips, if one does."""
    start = 0
    for outputs in asked_in_order(search.problem.model, pool, search.under(search.constraints).run):
        for place in np.flatnonzero(search.target.flips(outputs))[:1] + start:
            return int(pool.n_changes[place]), float(pool.distances[place])
        start += len(outputs)
    return None


def _cost_without(
    search: Search, names: Sequence[str], options: McceOptions, prepared: Prepared
) -> tuple[int, float] | None:
    """What the cheapest row that flips costs once some features' rules are freed, if one does."""
    constraints = search.constraints
    for name in names:
        constraints = constraints.with_rule(name, FREE)
    pool = draw(search.under(constraints), prepared, options.samples, options.visits).pool
    return _nearest(search, pool.only(_is_within(pool, options)))


def _enough_together(search: Search, desired: Rows, options: McceOptions, prepared: Prepared) -> tuple[str, ...]:
    """Rules that are enough to free together and none of which can be spared; empty where not even all are enough.

    All are freed, and one after the other is taken back where something is found all the
    same: first those that most rows with the desired decision keep, then as features stand.
    """
    names = [name for name, _ in search.constraints.rules]
    kept = search.constraints.allowed(search.schema, search.case.row, desired).mean(axis=0)
    freed = sorted(names, key=lambda name: (-kept[search.schema.index(name)], search.schema.index(name)))
    if not _cost_without(search, freed, options, prepared):
        return ()
    for place, name in enumerate(tuple(freed)):
        fewer = [other for other in freed if other != name]
        if _cost_without(search, fewer, options, prepared):
            freed = fewer
        search.run.progress(TOGETHER + (1.0 - TOGETHER) * (place + 1) / len(names))
    return tuple(sorted(freed, key=search.schema.index))


def _constrained(search: Search, desired: Rows, costs: dict[str, tuple[int, float]]) -> NoneFound:
    """What stands in the way where freeing some rules, each on its own, has these costs."""
    names, own, constraints = search.schema.names, search.case.row, search.constraints
    broken = {*constraints.binding(search.schema, own, desired), *costs}
    if not broken:
        return NoneFound("unsampled")
    is_kept = np.asarray(constraints.allowed(search.schema, own, desired).any(axis=0))
    return NoneFound(
        "constrained",
        binding=tuple(name for name in names if name in broken),
        relaxing=tuple(sorted(costs, key=lambda name: (costs[name], names.index(name)))),
        emptying=tuple(name for name, some in zip(names, is_kept, strict=True) if not some),
    )
