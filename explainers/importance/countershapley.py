"""CounterShapley: the exact Shapley value of each change (the paper's Equation 12)."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explainers.decision import Outputs
from explainers.importance.coalitions import ask_coalitions, coalition_sizes
from explainers.importance.shares import Ends, Meter, shared_out
from explainers.method import Options
from explainers.problem import Case, Problem
from explainers.results import Counterfactual, Importance
from explainers.run import Run

ROUNDING = 1e-14
"""Values smaller than this share of the scores are none."""


def shapley_values(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shapley value of every change of a game, by Equation 12.

    The weight is ``|V|! (K - |V| - 1)! / K!`` over the coalitions V without the change,
    which is ``1 / (K * comb(K - 1, |V|))``; Algorithm 3 of the paper counts V with it.

    Parameters
    ----------
    scores : array of shape (2**n_changes,)
        Entry m is the score of the coalition whose bit mask is m.

    Returns
    -------
    array of shape (n_changes,)
        Sums to ``scores[-1] - scores[0]``.
    """
    n_changes = len(scores).bit_length() - 1
    values = np.empty(n_changes)
    if not n_changes:
        return values
    by_size = np.array([1.0 / (n_changes * comb(n_changes - 1, size)) for size in range(n_changes)])
    # Whichever change is left out, the coalitions of the others come in the same order.
    weights = by_size[coalition_sizes(n_changes - 1)]
    for bit in range(n_changes):
        without, with_it = np.moveaxis(scores.reshape(-1, 2, 1 << bit), 1, 0)
        values[bit] = np.sum((with_it - without).ravel() * weights)
    return values


@dataclass(frozen=True)
class CounterShapley:
    """Each change's mean effect over every order in which the changes can be made."""

    name: ClassVar[str] = "countershapley"
    title: ClassVar[str] = "CounterShapley"
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
        """Score all coalitions and weigh them.

        Raises
        ------
        TooManyChanges
            If there are more changes than can be combined; see `policy` for what is done then.
        """
        meter = Meter(run or Run())
        outputs = ask_coalitions(problem, counterfactual, meter.run)
        meter.run.progress(1.0)
        return self.of_coalitions(problem, counterfactual, outputs, meter)

    def of_coalitions(
        self, problem: Problem, counterfactual: Counterfactual, outputs: Outputs, meter: Meter
    ) -> Importance:
        """Weigh coalitions whose outputs are known, and what they cost."""
        scores = counterfactual.target.drawn(outputs)
        values = shapley_values(scores)
        # What is left by rounding is no effect; large numbers leave more of it.
        values[np.abs(values) < ROUNDING * np.abs(scores).max()] = 0.0
        ends = Ends.of(counterfactual, outputs[[0, -1]])
        return shared_out(self, problem, counterfactual, ends, values, meter.run, cost=meter.cost)
