"""All that is known about one counterfactual, from one batched scoring; and which case to begin with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.combinations import Combinations, SomeCoalitions
from explainers.constraints import Constraints
from explainers.importance import policy
from explainers.importance.coalitions import MOST_CHANGES, ask_coalitions, coalitions_of, score_some
from explainers.importance.countershapley import CounterShapley
from explainers.importance.greedy import Greedy
from explainers.importance.shares import Meter
from explainers.method import Generator
from explainers.problem import Case, Problem
from explainers.results import CoalitionScores, Counterfactual, Importance
from explainers.run import Run, Stopped
from explainers.side_by_side import side_by_side

FEWEST_CHANGES, MOST_CHANGES_TO_BEGIN = 3, 6
MOST_TRIED = 96
TRIED_TOGETHER = 12
"""So many cases are tried first, then twice as many as so far."""
FIRST_PART = 0.1
"""Share of the progress that Greedy takes where it walks by itself."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """A counterfactual and how much its changes count.

    Attributes
    ----------
    counterfactual : Counterfactual
    greedy : Importance
    countershapley : Importance, optional
        Absent only where the run ended before anything was known.
    coalitions : CoalitionScores, optional
        Absent where there are too many changes to combine.
    outputs : array of shape (2, n_outputs)
        The model's outputs for the case and its counterfactual; read-only.
    some : SomeCoalitions, optional
        There in place of `coalitions`.
    way : str
        Why `countershapley` was found the way it was, as a sentence; empty where it isn't known.
    """

    counterfactual: Counterfactual
    greedy: Importance
    countershapley: Importance | None
    coalitions: CoalitionScores | None
    outputs: NDArray[np.float64]
    some: SomeCoalitions | None = None
    way: str = ""

    def __post_init__(self) -> None:
        self.outputs.setflags(write=False)

    @property
    def combinations(self) -> Combinations:
        """What is known of combinations of the changes: of all, or of some."""
        known = self.coalitions or self.some
        assert known is not None, "an explanation has the one or the other"
        return known

    @property
    def enough(self) -> int | None:
        """The smallest combination known to flip, if it is not that of all changes."""
        known = self.combinations
        smallest = known.enough if isinstance(known, SomeCoalitions) else known.minimal[0]
        return None if smallest == len(known.scores) - 1 else smallest

    @property
    def is_complete(self) -> bool:
        """Whether the run ended by itself."""
        return self.countershapley is not None and self.countershapley.is_complete


def explain_changes(
    problem: Problem, case: Case, counterfactual: Counterfactual, run: Run | None = None
) -> Explanation:
    """Score every combination of changes once, and read all importances off that.

    Beyond `MOST_CHANGES` changes Greedy walks by itself, the combinations that say most are
    scored, and CounterShapley goes the way of `policy`. What is known when the run ends is
    then the result.

    Raises
    ------
    Stopped
        If the run ended before Greedy did.
    """
    run = run or Run()
    if len(counterfactual) > MOST_CHANGES:
        return _explain_many(problem, case, counterfactual, run)
    meter = Meter(run)
    outputs = ask_coalitions(problem, counterfactual, meter.run)
    coalitions = coalitions_of(counterfactual, outputs)
    run.progress(1.0)
    return Explanation(
        counterfactual,
        Greedy().of_coalitions(problem, coalitions, run),
        CounterShapley().of_coalitions(problem, counterfactual, outputs, meter),
        coalitions,
        outputs[[0, -1]],
        way=policy.way(problem, counterfactual, outputs[[0, -1]]).reason,
    )


def _explain_many(problem: Problem, case: Case, counterfactual: Counterfactual, run: Run) -> Explanation:
    """Greedy takes the first tenth of the progress that is shown."""
    first, then = run.part(0.0, FIRST_PART), run.part(FIRST_PART, 1.0)
    greedy = Greedy().explain(problem, case, counterfactual, run=first)
    some, outputs = score_some(problem, counterfactual, greedy.order, first)
    meter = Meter(then)
    way = policy.way(problem, counterfactual, outputs)
    try:
        countershapley = way.explain(problem, case, counterfactual, meter)
    except Stopped:
        return Explanation(counterfactual, greedy, None, None, outputs, some, way.reason)
    return Explanation(counterfactual, greedy, countershapley, None, outputs, some, way.reason)


def case_to_begin_with(problem: Problem, generator: Generator, run: Run | None = None) -> Case:
    """The case that is shown to somebody who has not chosen one.

    The rule: of the cases that the model has not seen and that are on the first side of
    its decision, the one nearest to another decision whose best counterfactual, under the
    schema's own constraints, makes 3 to 6 changes; the earlier row in a tie. Where none of
    the nearest `MOST_TRIED` does, the nearest of them with most changes below that; where all
    are seen or on another side, the first row.
    """
    run = run or Run()
    options = generator.options_type()
    constraints = Constraints.default(problem.schema)
    candidates = np.flatnonzero(problem.unseen & (problem.decision.sides(problem.outputs) == 0))
    if not candidates.size:
        return problem.case(problem.ids[0])
    distances = problem.decision.distances(problem.outputs[candidates])
    nearest = candidates[np.argsort(distances, kind="stable")][:MOST_TRIED]
    prepared = generator.prepare(problem, constraints, options, run)

    def n_changes(asked: Problem, position: int) -> int:
        found = generator.explain(asked, asked.case(asked.ids[position]), constraints, options, run, prepared).found
        return len(found[0]) if found else 0

    tried: list[int] = []
    while len(tried) < len(nearest):
        together = nearest[len(tried) :][: 2 * len(tried) or TRIED_TOGETHER]
        tried += side_by_side(problem, together.tolist(), n_changes)
        for position, amount in zip(nearest, tried, strict=False):
            if FEWEST_CHANGES <= amount <= MOST_CHANGES_TO_BEGIN:
                return problem.case(problem.ids[position])
    fewer = [amount if amount < FEWEST_CHANGES else 0 for amount in tried]
    return problem.case(problem.ids[nearest[int(np.argmax(fewer))]])
