"""Do sampled rows look like real ones? The paper's Section 3.3 for the data at hand, and rows like a case.

Redelmeier, Jullum, Aas and Løland, "MCCE", 2021.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.constraints import Constraints
from explainers.counterfactuals.sampling import Prepared, fitted
from explainers.decision import Target
from explainers.metrics import associations, discriminator
from explainers.problem import Case, Problem
from explainers.run import Run
from explainers.schema import Rows, same

MOST_ROWS = 5000
FEWEST_ROWS = 20
TRIALS = 5


@dataclass(frozen=True, eq=False)
class Alike:
    """The rows of a table that have a case's locked values.

    Attributes
    ----------
    rows : array of shape (n_rows, n_features)
    shared : tuple of str
        Locked features whose value they share with the case.
    left_out : tuple of str
        Locked features that would leave too few rows.
    """

    rows: Rows
    shared: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Correlations:
    """How strongly features go together among real and among sampled rows.

    Attributes
    ----------
    titles : tuple of str
    real, sampled : array of shape (n_features, n_features)
        See `associations`.
    n_rows : int
        How many of both were compared.
    """

    titles: tuple[str, ...]
    real: NDArray[np.float64]
    sampled: NDArray[np.float64]
    n_rows: int

    def to_frame(self) -> pd.DataFrame:
        """One row a pair of features, the largest difference first."""
        first, second = np.triu_indices(len(self.titles), 1)
        frame = pd.DataFrame(
            {
                "feature": [self.titles[i] for i in first],
                "with": [self.titles[i] for i in second],
                "real": self.real[first, second],
                "sampled": self.sampled[first, second],
                "difference": self.sampled[first, second] - self.real[first, second],
            }
        )
        return frame.sort_values("difference", key=np.abs, ascending=False, kind="stable", ignore_index=True)


@dataclass(frozen=True)
class ToldApart:
    """How often a forest tells sampled rows from real ones, and real ones from other real ones.

    Attributes
    ----------
    accuracy, chance : float
        Means over trials; `chance` is of real against real rows.
    n_rows : int
        How many of both were told apart.
    """

    accuracy: float
    chance: float
    n_rows: int


def alike(problem: Problem, case: Case, constraints: Constraints, fewest: int = FEWEST_ROWS) -> Alike:
    """The rows with the locked values of a case; a lock that would leave fewer than `fewest` is passed over."""
    kept = np.ones(len(problem.rows), dtype=bool)
    shared, left_out = [], []
    for place, name in enumerate(problem.schema.names):
        if not constraints[name].locked:
            continue
        column = problem.rows[:, place]
        fewer = kept & same(column, np.full_like(column, case.row[place]))
        if fewer.sum() >= fewest:
            kept = fewer
            shared.append(name)
        else:
            left_out.append(name)
    return Alike(problem.rows[kept], tuple(shared), tuple(left_out))


def correlations(
    problem: Problem, target: Target, constraints: Constraints, prepared: Prepared, order: str, run: Run
) -> Correlations:
    """Associations among rows with the desired decision, and among as many sampled ones (Figures 3 to 5).

    Raises
    ------
    Stopped
        If the run ended first.
    ValueError
        If there are too few rows to compare, or a single feature.
    """
    if len(problem.schema) < 2:
        raise ValueError("The table has a single feature, so there is none that it could go together with.")
    real, sampled = _compared(problem, target, constraints, prepared, order, run, run.seed)
    titles = tuple(feature.title for feature in problem.schema.features)
    strength = associations(problem.schema, real)
    run.check()
    found = Correlations(titles, strength, associations(problem.schema, sampled), len(real))
    run.progress(1.0)
    return found


def told_apart(
    problem: Problem, target: Target, constraints: Constraints, prepared: Prepared, order: str, run: Run
) -> ToldApart:
    """The discriminator measure, a mean over five trials.

    Raises
    ------
    Stopped
        If the run ended first.
    ValueError
        If there are too few rows to compare.
    """
    accuracies, chances, half = [], [], 0
    for trial in range(TRIALS):
        real, sampled = _compared(problem, target, constraints, prepared, order, run, run.seed + trial)
        half = len(real) // 2
        accuracies.append(discriminator(problem.schema, real[:half], sampled[:half], run.seed + trial))
        run.check()
        chances.append(discriminator(problem.schema, real[:half], real[half : 2 * half], run.seed + trial))
        run.progress((trial + 1) / TRIALS)
    return ToldApart(float(np.mean(accuracies)), float(np.mean(chances)), half)


def _compared(
    problem: Problem,
    target: Target,
    constraints: Constraints,
    prepared: Prepared,
    order: str,
    run: Run,
    seed: int,
) -> tuple[Rows, Rows]:
    """Rows with the desired decision in a random order, and as many sampled with their locked values.

    Where there are enough, rows that the trees were not fitted on: those of the training
    would be recognised one by one.
    """
    flips = target.flips(problem.scored(run))
    unseen = np.flatnonzero(flips & ~problem.training)
    places = unseen if len(unseen) >= 2 * FEWEST_ROWS else np.flatnonzero(flips)
    if len(places) < 2 * FEWEST_ROWS:
        raise ValueError(
            f"Only {len(places)} rows have the decision wanted, too few to compare sampled rows with; it takes"
            f" {2 * FEWEST_ROWS}."
        )
    quiet = Run(run.seed, run.deadline, run.cancelled)
    model = fitted(problem, flips[problem.training], constraints, prepared, order, quiet)
    random = np.random.default_rng(seed)
    real = problem.rows[random.permutation(places)[:MOST_ROWS]]
    sampled, _ = model.sample(real, random.random((len(real), len(model.conditionals), 1)))
    return real, sampled[:, 0]
