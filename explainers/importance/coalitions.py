"""Every coalition of a counterfactual's changes, scored in one go.

The paper's Algorithm 2, and the subsets of its Section 6.5.2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explainers.combinations import SomeCoalitions
from explainers.decision import Outputs
from explainers.problem import Problem
from explainers.results import CoalitionScores, Counterfactual
from explainers.run import Run
from explainers.schema import Rows, same

MOST_CHANGES = 16
"""Beyond so many changes not every coalition is scored: 2**16 rows are asked already."""


class TooManyChanges(ValueError):
    """A counterfactual has more changes than can be combined exactly."""


def coalition_rows(factual: Rows, row: Rows, masks: NDArray[np.int64], changed: Sequence[int]) -> Rows:
    """The rows in which only the changes of each coalition are made.

    Parameters
    ----------
    factual, row : array of shape (n_features,)
    masks : array of shape (n_coalitions,)
        Bit i is set when the feature ``changed[i]`` takes its new value.
    changed : sequence of int
        Positions of the features that differ.

    Returns
    -------
    array of shape (n_coalitions, n_features)
    """
    rows = np.repeat(factual[None], len(masks), axis=0)
    for bit, position in enumerate(changed):
        rows[masks >> bit & 1 == 1, position] = row[position]
    return rows


def changed_features(factual: Rows, row: Rows) -> tuple[int, ...]:
    """Positions at which two encoded rows differ."""
    return tuple(int(position) for position in np.flatnonzero(~same(factual, row)))


def score_coalitions(problem: Problem, counterfactual: Counterfactual, run: Run | None = None) -> CoalitionScores:
    """Score all coalitions of a counterfactual's changes (Algorithm 2); see `ask_coalitions`."""
    return coalitions_of(counterfactual, ask_coalitions(problem, counterfactual, run))


def ask_coalitions(problem: Problem, counterfactual: Counterfactual, run: Run | None = None) -> Outputs:
    """The model's outputs for all coalitions, shape (2**n_changes, n_outputs).

    Raises
    ------
    TooManyChanges
        If there are more than `MOST_CHANGES`.
    Stopped
        If the run ended first.
    """
    changed = changed_features(counterfactual.factual, counterfactual.row)
    if len(changed) > MOST_CHANGES:
        raise TooManyChanges(
            f"{len(changed)} changes make {2 ** len(changed):,} combinations;"
            f" at most {MOST_CHANGES} changes are combined."
        )
    masks = np.arange(2 ** len(changed))
    rows = coalition_rows(counterfactual.factual, counterfactual.row, masks, changed)
    return problem.model.score(rows, run)


def coalitions_of(counterfactual: Counterfactual, outputs: Outputs) -> CoalitionScores:
    """What the model's outputs for all coalitions come to."""
    target = counterfactual.target
    flips = target.flips(outputs)
    minimal = minimal_flipping(flips, target.closeness(outputs))
    return CoalitionScores(counterfactual, target.drawn(outputs), flips, minimal)


def minimal_flipping(flips: NDArray[np.bool_], closeness: NDArray[np.float64]) -> tuple[int, ...]:
    """The coalitions that flip while no proper part of them does.

    Scores need not rise with every change, so leaving out one change at a time is not
    enough: the parts of the parts count too.

    Parameters
    ----------
    flips : array of bool of shape (2**n_changes,)
    closeness : array of shape (2**n_changes,)
        See `Target.closeness`.

    Returns
    -------
    tuple of int
        Bit masks; fewest changes first, then more closeness, then lower mask.
    """
    n_changes = len(flips).bit_length() - 1
    some_part = flips.copy()
    for bit in range(n_changes):
        pairs = some_part.reshape(-1, 2, 1 << bit)
        pairs[:, 1] |= pairs[:, 0]
    proper_part = np.zeros_like(flips)
    for bit in range(n_changes):
        proper_part.reshape(-1, 2, 1 << bit)[:, 1] |= some_part.reshape(-1, 2, 1 << bit)[:, 0]
    masks = np.flatnonzero(flips & ~proper_part).tolist()
    return tuple(sorted(masks, key=lambda mask: (mask.bit_count(), -closeness[mask], mask)))


def score_some(
    problem: Problem, counterfactual: Counterfactual, walk: Sequence[int], run: Run | None = None
) -> tuple[SomeCoalitions, Outputs]:
    """Score the coalitions that say most of many changes, in one go.

    They are each change alone, all but each one, and a walk from none of the changes to
    all; each once, by number of changes.

    Parameters
    ----------
    problem : Problem
    counterfactual : Counterfactual
        With at least three changes.
    walk : sequence of int
        The changes in the order in which the walk makes them.
    run : Run, optional

    Returns
    -------
    SomeCoalitions
    array of shape (2, n_outputs)
        The model's outputs for the case and its counterfactual.

    Raises
    ------
    Stopped
        If the run ended first.
    """
    n_changes = len(counterfactual)
    one = np.eye(n_changes, dtype=bool)
    by_step = np.zeros((n_changes + 1, n_changes), dtype=bool)
    for step, i in enumerate(walk, 1):
        by_step[step:, i] = True
    made = np.concatenate([by_step[:1], one, by_step[2:-2], ~one, by_step[-1:]])
    factual, row = counterfactual.factual, counterfactual.row
    changed = list(changed_features(factual, row))
    rows = np.tile(factual, (len(made), 1))
    rows[:, changed] = np.where(made, row[changed], factual[changed])
    outputs = problem.model.score(rows, run)
    target = counterfactual.target
    flips, closeness = target.flips(outputs), target.closeness(outputs)
    last = len(made) - 1
    steps = range(n_changes + 1, n_changes + 1 + len(by_step) - 4)
    in_walk = (0, 1 + walk[0], *steps, last - n_changes + walk[-1], last)
    pair = in_walk[2]
    minimal = [1 + i for i in range(n_changes) if flips[1 + i]]
    if flips[pair] and not flips[[1 + walk[0], 1 + walk[1]]].any():
        minimal.append(pair)
    sizes = made.sum(axis=1)
    by_size = sorted(np.flatnonzero(flips).tolist(), key=lambda id_: (sizes[id_], -closeness[id_], id_))
    some = SomeCoalitions(
        counterfactual=counterfactual,
        made=made,
        walk=in_walk,
        scores=target.drawn(outputs),
        flips=flips,
        minimal=tuple(sorted(minimal, key=lambda id_: (sizes[id_], -closeness[id_], id_))),
        enough=by_size[0],
    )
    return some, outputs[[0, -1]]


def coalition_sizes(n_changes: int) -> NDArray[np.int64]:
    """Number of changes in each coalition, shape (2**n_changes,)."""
    sizes = np.zeros(1, dtype=np.int64)
    for _ in range(n_changes):
        sizes = np.concatenate([sizes, sizes + 1])
    return sizes
