"""Greedy: one change at a time, always the one that brings the case nearest to the decision (Algorithm 1).

Nearest by `Target.nearness`: the highest drawn score or, where less is wanted, the
lowest; where an interval is, the one with the least way left, so that no step goes past
it if another one stops inside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explainers.importance.coalitions import changed_features, coalition_rows
from explainers.importance.shares import Meter
from explainers.method import Options, origin
from explainers.problem import Case, Problem
from explainers.results import CoalitionScores, Counterfactual, Importance
from explainers.run import Run

TIE = 1e-12
"""Scores nearer to each other than this are equal; the earlier column is taken."""

Scores = tuple[NDArray[np.float64], NDArray[np.bool_]]


@dataclass(frozen=True)
class Greedy:
    """The order in which to make the changes so that each step comes nearest to the decision."""

    name: ClassVar[str] = "greedy"
    title: ClassVar[str] = "Greedy"
    question: ClassVar[str] = "Which change comes first, and where does it flip?"
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
        """Walk with one call of the model a step; any number of changes."""
        meter = Meter(run or Run())
        run = meter.run
        factual, row = counterfactual.factual, counterfactual.row
        changed = changed_features(factual, row)

        def ask(made: tuple[int, ...], remaining: tuple[int, ...]) -> Scores:
            rows = coalition_rows(factual, row, np.zeros(len(remaining), dtype=np.int64), changed)
            for place, extra in enumerate(remaining):
                positions = [changed[i] for i in (*made, extra)]
                rows[place, positions] = row[positions]
            run.progress(len(made) / len(changed))
            outputs = problem.model.score(rows, run)
            return counterfactual.target.drawn(outputs), counterfactual.target.flips(outputs)

        greedy = self._walk(problem, counterfactual, ask, run)
        run.progress(1.0)
        return replace(greedy, cost=meter.cost)

    def of_coalitions(self, problem: Problem, coalitions: CoalitionScores, run: Run | None = None) -> Importance:
        """Walk through coalitions that are scored already."""

        def look_up(made: tuple[int, ...], remaining: tuple[int, ...]) -> Scores:
            base = sum(1 << i for i in made)
            masks = [base | 1 << i for i in remaining]
            return coalitions.scores[masks], coalitions.flips[masks]

        return self._walk(problem, coalitions.counterfactual, look_up, run or Run())

    def _walk(
        self,
        problem: Problem,
        counterfactual: Counterfactual,
        look: Callable[[tuple[int, ...], tuple[int, ...]], Scores],
        run: Run,
    ) -> Importance:
        n_changes = len(counterfactual)
        made: tuple[int, ...] = ()
        values = np.zeros(n_changes)
        path = [counterfactual.factual_score]
        flips = [counterfactual.target.is_reached]
        while len(made) < n_changes:
            remaining = tuple(i for i in range(n_changes) if i not in made)
            scores, flipping = look(made, remaining)
            best = first_best(counterfactual.target.nearness(scores))
            values[remaining[best]] = scores[best] - path[-1]
            path.append(float(scores[best]))
            flips.append(bool(flipping[best]))
            made = (*made, remaining[best])
        return Importance(
            counterfactual=counterfactual,
            values=values,
            order=made,
            path=np.array(path),
            path_flips=np.array(flips, dtype=bool),
            origin=origin(self, problem, self.options_type(), run),
        )


def first_best(rewards: NDArray[np.float64]) -> int:
    """Position of the largest reward; of equal ones the first."""
    return int(np.flatnonzero(rewards >= rewards.max() - TIE)[0])
