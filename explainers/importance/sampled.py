"""CounterShapley from random orders of the changes, each with its reverse, and how far off it may be.

Permutation sampling: Castro, Gómez and Tejada, "Polynomial calculation of the Shapley value
based on sampling", 2009; antithetic pairs: Mitchell, Cooper, Frank and Holmes, "Sampling
permutations for Shapley value estimation", 2022, Section 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explainers.importance.coalitions import changed_features
from explainers.importance.orders import antithetic_effects
from explainers.importance.shares import Ends, Meter, shared_out
from explainers.method import Options
from explainers.problem import Case, Problem
from explainers.results import Counterfactual, Importance
from explainers.run import Run, Stopped
from explainers.schema import Rows

TOLERANCE = 0.005
"""Largest standard error at which enough is drawn, as a share of the move that is shared out."""
MOST_ROWS = 2**17
"""After so many rows no more orders are drawn."""
ROWS_A_ROUND = 2**14
LEAST_PAIRS = 128
"""Pairs of orders below which a standard error is not believed, if nobody stops the run."""
ENOUGH_PAIRS = 32
"""Pairs of orders that are a result when somebody does."""


@dataclass(frozen=True)
class Sampled:
    """Each change's mean effect over random orders of the changes, with its standard error."""

    name: ClassVar[str] = "sampled"
    title: ClassVar[str] = "CounterShapley, sampled"
    question: ClassVar[str] = "How much does each change count?"
    options_type: ClassVar[type[Options]] = Options

    def unfit(self, problem: Problem) -> str | None:
        return None

    def explain(
        self,
        problem: Problem,
        case: Case,
        counterfactual: Counterfactual,
        options: Options | None = None,
        run: Run | None = None,
    ) -> Importance:
        """Draw orders until the largest standard error is small, or `MOST_ROWS` are scored.

        A run that ends first has a result that says so, if enough orders were drawn.

        Raises
        ------
        Stopped
            If the run ended before `ENOUGH_PAIRS` of orders were drawn.
        """
        meter = Meter(run or Run())
        run = meter.run
        ends = Ends.asked(problem, counterfactual, run)
        n_changes, row = len(counterfactual), counterfactual.row
        changed = np.array(changed_features(counterfactual.factual, row), dtype=np.intp)

        def worth(rows: Rows) -> NDArray[np.float64]:
            return counterfactual.target.drawn(problem.model.score(rows, run))

        rows_a_pair = 2 * max(1, n_changes - 1)
        pairs_a_round = max(ENOUGH_PAIRS // 4, min(LEAST_PAIRS // 2, ROWS_A_ROUND // rows_a_pair))
        most_pairs = max(LEAST_PAIRS, MOST_ROWS // rows_a_pair)
        wanted = TOLERANCE * abs(float(ends.scores[1] - ends.scores[0]))
        starts = np.tile(counterfactual.factual, (pairs_a_round, 1))
        known = np.tile(ends.scores, (pairs_a_round, 1))
        random = run.random(case.id)
        effects = np.empty((0, n_changes))
        share, is_complete = 0.0, True
        while len(effects) < most_pairs:
            orders = random.permuted(np.tile(np.arange(n_changes), (pairs_a_round, 1)), axis=1)
            try:
                effects = np.concatenate([effects, antithetic_effects(worth, row, starts, changed, orders, known)])
            except Stopped:
                if len(effects) < ENOUGH_PAIRS:
                    raise
                is_complete = False
                break
            largest = float(standard_errors(effects).max())
            if len(effects) >= LEAST_PAIRS and largest <= wanted:
                break
            needed = max(LEAST_PAIRS, min(most_pairs, len(effects) * (largest / wanted) ** 2 if wanted else most_pairs))
            share = max(share, min(1.0, len(effects) / needed))
            run.progress(share)
        if is_complete:
            run.progress(1.0)
        return shared_out(
            self, problem, counterfactual, ends, effects.mean(axis=0), run,
            standard_errors=standard_errors(effects), orders=2 * len(effects), cost=meter.cost,
            is_complete=is_complete,
        )  # fmt: skip


def standard_errors(effects: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standard error of each column's mean.

    An effect that is rarer than one in n draws may not have been seen at all, so to the
    error of what was seen is added, as squares, an effect as large as the widest spread of
    any change, twice in n draws.

    Parameters
    ----------
    effects : array of shape (n_draws, n_changes)
        At least two draws, independent of each other.

    Returns
    -------
    array of shape (n_changes,)
    """
    n_draws = len(effects)
    seen = effects.var(axis=0, ddof=1) / n_draws
    unseen = 2.0 * float(np.ptp(effects, axis=0).max()) / n_draws
    errors: NDArray[np.float64] = np.sqrt(seen + unseen**2)
    return errors
