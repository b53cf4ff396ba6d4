"""CounterShapley of trees for any number of changes, where TreeSHAP gives it exactly.

Interventional TreeSHAP (Lundberg et al., "From local explanations to global understanding with
explainable AI for trees", 2020, Algorithm 3) with the case as the only background row shares
the move of a sum of trees out among columns, over every order of them. That is CounterShapley
if two things hold, and a right sum proves neither:

- the drawn score is such a sum: see `_leaf_scores`;
- each change is one column of the trees, and no other changes with it: see `_columns`.

The algorithm is written out here because shap's keeps thresholds and weights in single
precision and counts nodes in 16 bits: values come out wrong where the model itself compares in
double precision, or a tree is large.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import comb

from explainers.decision import LeadTarget, Outputs
from explainers.importance.coalitions import changed_features
from explainers.importance.ensembles import Ensemble, inputs, read_ensemble, reads_columns_apart
from explainers.importance.shares import Ends, Meter, shared_out
from explainers.method import Options
from explainers.problem import Case, Problem
from explainers.results import Counterfactual, Importance
from explainers.run import Run
from explainers.schema import same

ROUNDING = 1e-12
MOST_AT_ONCE = 2**25
"""Nodes times changes that are looked at together."""


class NotExact(ValueError):
    """TreeSHAP would not give the exact values; the message says why, as a part of a sentence."""


@dataclass(frozen=True, eq=False)
class Game:
    """Trees whose sum is the drawn score, but for a constant, and the rows between which they move.

    Attributes
    ----------
    ensemble : Ensemble
    ends : array of shape (2, n_columns)
        The case and its counterfactual as the trees see them.
    changes : array of shape (n_columns,)
        The change behind each column that differs; -1 for the others.
    scores : array of shape (n_nodes,)
        What each leaf adds to the drawn score.
    outputs : array of shape (2, n_outputs)
        The model's own for the case and its counterfactual.
    """

    ensemble: Ensemble
    ends: NDArray[np.floating[Any]]
    changes: NDArray[np.intp]
    scores: NDArray[np.float64]
    outputs: Outputs


@dataclass(frozen=True, eq=False)
class Leaves:
    """The leaves that a mixture of case and counterfactual may fall into.

    Attributes
    ----------
    nodes, trees : array of shape (n_leaves,)
        Their positions in the ensemble, and which tree each belongs to.
    new, old : array of bool of shape (n_leaves, n_changes)
        The changes that must be made, and those that must not be made, to get there.
    """

    nodes: NDArray[np.intp]
    trees: NDArray[np.intp]
    new: NDArray[np.bool_]
    old: NDArray[np.bool_]


@dataclass(frozen=True)
class TreeShap:
    """Each change's mean effect over every order, read off the trees themselves."""

    name: ClassVar[str] = "tree_shap"
    title: ClassVar[str] = "CounterShapley by TreeSHAP"
    question: ClassVar[str] = "How much does each change count?"
    options_type: ClassVar[type[Options]] = Options

    def unfit(self, problem: Problem) -> str | None:
        """Why no case of this problem can be served; `game` may refuse single ones."""
        try:
            _ensemble(problem)
        except NotExact as error:
            return f"TreeSHAP is left, as {error}."
        return None

    def explain(
        self,
        problem: Problem,
        case: Case,
        counterfactual: Counterfactual,
        options: Options | None = None,
        run: Run | None = None,
    ) -> Importance:
        """Read the values off the trees.

        Raises
        ------
        NotExact
            If they would not be those of CounterShapley.
        Stopped
            If the run ended first.
        """
        meter = Meter(run or Run())
        ends = Ends.asked(problem, counterfactual, meter.run)
        return self.of_game(problem, counterfactual, game(problem, counterfactual, ends.outputs), meter)

    def of_game(self, problem: Problem, counterfactual: Counterfactual, trees: Game, meter: Meter) -> Importance:
        """Read the values off trees that are known to be exact for the counterfactual; see `game`."""
        values = shares_of(trees, len(counterfactual))
        meter.run.progress(1.0)
        ends = Ends.of(counterfactual, trees.outputs)
        return shared_out(self, problem, counterfactual, ends, values, meter.run, cost=meter.cost)


def game(problem: Problem, counterfactual: Counterfactual, outputs: Outputs) -> Game:
    """The trees behind a counterfactual's changes.

    Parameters
    ----------
    problem : Problem
    counterfactual : Counterfactual
    outputs : array of shape (2, n_outputs)
        The model's outputs for the case and its counterfactual.

    Raises
    ------
    NotExact
        If their sum, column by column, is not the drawn score.
    """
    ensemble = _ensemble(problem)
    changes, ends = _columns(problem, counterfactual, ensemble)
    scores = _leaf_scores(ensemble, counterfactual, ends, changes, outputs[0])
    return Game(ensemble, ends, changes, scores, outputs)


def shares_of(game: Game, n_changes: int) -> NDArray[np.float64]:
    """The value of each change in a game of trees, shape (n_changes,).

    A leaf that is reached once a changes are made and b others are not, whatever the rest,
    gives each of the a its score times (a - 1)! b! / (a + b)!, and takes from each of the b
    its score times a! (b - 1)! / (a + b)!.
    """
    values = np.zeros(n_changes)
    for leaves in leaves_in_reach(game.ensemble, game.ends, game.changes, n_changes):
        n_new, n_old = leaves.new.sum(axis=1), leaves.old.sum(axis=1)
        scores = game.scores[leaves.nodes] / comb(n_new + n_old, n_new)
        values += (scores / np.maximum(n_new, 1)) @ leaves.new
        values -= (scores / np.maximum(n_old, 1)) @ leaves.old
    return values


def leaves_in_reach(
    ensemble: Ensemble, ends: NDArray[np.floating[Any]], changes: NDArray[np.intp], n_changes: int
) -> Iterator[Leaves]:
    """The leaves of all trees that some mixture falls into, a few trees at a time; see `Game`."""
    sizes = np.diff([*ensemble.roots, len(ensemble.left)])
    blocks = np.cumsum(sizes) * n_changes // MOST_AT_ONCE
    for block in np.unique(blocks):
        trees = np.flatnonzero(blocks == block)
        yield _leaves(ensemble, ends, changes, trees, n_changes)


def _leaves(
    ensemble: Ensemble,
    ends: NDArray[np.floating[Any]],
    changes: NDArray[np.intp],
    trees: NDArray[np.intp],
    n_changes: int,
) -> Leaves:
    """Go down all trees at once; where case and counterfactual part, and neither is decided for yet, go both ways."""
    nodes = ensemble.roots[trees]
    new = np.zeros((len(nodes), n_changes), dtype=bool)
    old = new.copy()
    found: list[Leaves] = []
    while nodes.size:
        is_leaf = ensemble.left[nodes] < 0
        found.append(Leaves(nodes[is_leaf], trees[is_leaf], new[is_leaf], old[is_leaf]))
        nodes, trees, new, old = nodes[~is_leaf], trees[~is_leaf], new[~is_leaf], old[~is_leaf]
        as_old, as_new = (ensemble.follow(nodes, row) for row in ends)
        change, every = changes[ensemble.column[nodes]], np.arange(len(nodes))
        parts = as_old != as_new
        to_old, to_new = ~(parts & new[every, change]), parts & ~old[every, change]
        new_there = new[to_new]
        new_there[np.arange(len(new_there)), change[to_new]] = True
        old_there = old[to_old]
        old_there[np.arange(len(old_there)), change[to_old]] |= parts[to_old]
        nodes = np.concatenate([as_old[to_old], as_new[to_new]])
        trees = np.concatenate([trees[to_old], trees[to_new]])
        new, old = np.concatenate([new[to_old], new_there]), np.concatenate([old_there, old[to_new]])
    return Leaves(*(np.concatenate([getattr(part, item.name) for part in found]) for item in fields(Leaves)))


def _ensemble(problem: Problem) -> Ensemble:
    estimator = problem.model.estimator
    ensemble = None if estimator is None else read_ensemble(estimator)
    if ensemble is None:
        raise NotExact("the model is no tree, forest or boosted regressor of scikit-learn")
    if not reads_columns_apart(estimator):
        raise NotExact("what stands before the model's trees mixes columns")
    return ensemble


def _columns(
    problem: Problem, counterfactual: Counterfactual, ensemble: Ensemble
) -> tuple[NDArray[np.intp], NDArray[np.floating[Any]]]:
    """The change behind each of the trees' columns, and the case and its counterfactual as the trees see them."""
    factual, row = counterfactual.factual, counterfactual.row
    changed = list(changed_features(factual, row))
    alone = np.repeat(factual[None], len(changed), axis=0)
    alone[np.arange(len(changed)), changed] = row[changed]
    table = problem.schema.decode(np.concatenate([factual[None], row[None], alone]))
    seen = inputs(problem.model.estimator, table[list(problem.model.columns)]).astype(ensemble.dtype)
    differs = ~same(seen[2:], seen[:1])
    counts = differs.sum(axis=1)
    if counts.max(initial=0) > 1:
        title = counterfactual.changes[int(counts.argmax())].title
        raise NotExact(f"{title} is spread over {counts.max()} columns of the model")
    if differs.sum(axis=0).max(initial=0) > 1:
        raise NotExact("two changes meet in one column of the model")
    return np.where(differs.any(axis=0), differs.argmax(axis=0), -1), seen[:2]


def _leaf_scores(
    ensemble: Ensemble,
    counterfactual: Counterfactual,
    ends: NDArray[np.floating[Any]],
    changes: NDArray[np.intp],
    of_case: NDArray[np.float64],
) -> NDArray[np.float64]:
    """What each leaf adds to the drawn score.

    A probability or a number is a sum over the trees. The lead of one of several classes over
    the best other one is not, as other classes may take turns as the best; it is for a single
    tree, whose leaf decides all, and where it can be shown that whichever changes are made the
    same other class stays the best: where no leaves in reach, one a tree, put a third before it.
    """
    target, outputs = counterfactual.target, ensemble.outputs
    if not isinstance(target, LeadTarget) or len(ensemble.roots) == 1 or len(target.classes) == 2:
        return target.drawn(outputs)
    (ahead, behind), changing = target.contenders(of_case), target.changing(of_case)
    for third in set(range(len(target.classes))) - {ahead, behind}:
        before = np.full(len(ensemble.roots), np.inf)
        for leaves in leaves_in_reach(ensemble, ends, changes, len(counterfactual)):
            np.minimum.at(before, leaves.trees, outputs[leaves.nodes, changing] - outputs[leaves.nodes, third])
        if before.sum() < -ROUNDING:
            raise NotExact("which other class comes nearest may change with the changes made")
    return np.asarray(outputs[:, ahead] - outputs[:, behind])
