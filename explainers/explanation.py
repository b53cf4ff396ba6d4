"""All that is known about one counterfactual, from one batched scoring; and which case to begin with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explainers.constraints import Constraints
from explainers.importance.coalitions import MOST_CHANGES, score_coalitions
from explainers.importance.countershapley import CounterShapley
from explainers.importance.greedy import Greedy
from explainers.method import Generator
from explainers.problem import Case, Problem
from explainers.results import CoalitionScores, Counterfactual, Importance
from explainers.run import Run

FEWEST_CHANGES, MOST_CHANGES_TO_BEGIN = 3, 6


@dataclass(frozen=True, eq=False)
class Explanation:
    """A counterfactual and how much its changes count.

    Attributes
    ----------
    counterfactual : Counterfactual
    greedy : Importance
    countershapley : Importance, optional
    coalitions : CoalitionScores, optional
        Both absent where there are too many changes to combine.
    """

    counterfactual: Counterfactual
    greedy: Importance
    countershapley: Importance | None
    coalitions: CoalitionScores | None


def explain_changes(
    problem: Problem, case: Case, counterfactual: Counterfactual, run: Run | None = None
) -> Explanation:
    """Score every combination of changes once, and read all importances off that.

    Beyond `MOST_CHANGES` changes only Greedy is computed, with one call a step.

    Raises
    ------
    Stopped
        If the run ended first.
    """
    run = run or Run()
    if len(counterfactual) > MOST_CHANGES:
        greedy = Greedy().explain(problem, case, counterfactual, run=run)
        run.progress(1.0)
        return Explanation(counterfactual, greedy, None, None)
    coalitions = score_coalitions(problem, counterfactual, run)
    run.progress(1.0)
    return Explanation(
        counterfactual,
        Greedy().of_coalitions(problem, coalitions, run),
        CounterShapley().of_coalitions(problem, coalitions, run),
        coalitions,
    )


def case_to_begin_with(problem: Problem, generator: Generator, run: Run | None = None) -> Case:
    """The case that is shown to somebody who has not chosen one.

    The rule: of the cases that the model has not seen and that are on the first side of
    the decision, the one nearest to the threshold whose best counterfactual, under the
    schema's own constraints, makes 3 to 6 changes; the earlier row in a tie. Where none
    does, the nearest of them; where all are seen or on the other side, the first row.
    """
    run = run or Run()
    options = generator.options_type()
    constraints = Constraints.default(problem.schema)
    sides = problem.decision.sides(problem.outputs)
    unseen = np.flatnonzero(~problem.training & (sides == 0))
    if not unseen.size:
        return problem.case(problem.ids[0])
    distances = problem.decision.distances(problem.outputs[unseen])
    nearest_first = unseen[np.argsort(distances, kind="stable")]
    prepared = generator.prepare(problem, constraints, options, run)
    for position in nearest_first:
        case = problem.case(problem.ids[position])
        found = generator.explain(problem, case, constraints, options, run, prepared).found
        if found and FEWEST_CHANGES <= len(found[0]) <= MOST_CHANGES_TO_BEGIN:
            return case
    return problem.case(problem.ids[nearest_first[0]])
