"""Which way the values of CounterShapley are found: the one place where that is chosen.

Exactly from every combination while these can be scored; beyond that exactly from the trees
where the model is made of them in the right way; else from random orders, with errors.
"""

from __future__ import annotations

from dataclasses import dataclass

from explainers.decision import Outputs
from explainers.importance.coalitions import MOST_CHANGES
from explainers.importance.countershapley import CounterShapley
from explainers.importance.sampled import Sampled
from explainers.importance.shares import Meter
from explainers.importance.tree_shap import Game, NotExact, TreeShap, game
from explainers.method import ImportanceMethod
from explainers.problem import Case, Problem
from explainers.results import Counterfactual, Importance


@dataclass(frozen=True)
class Way:
    """A method, and why it is the one.

    Attributes
    ----------
    method : ImportanceMethod
    reason : str
        A sentence.
    game : Game, optional
        The trees behind the changes, where the values are read off them.
    """

    method: ImportanceMethod
    reason: str
    game: Game | None = None

    def explain(self, problem: Problem, case: Case, counterfactual: Counterfactual, meter: Meter) -> Importance:
        """How much each change counts; the meter ran while the way was chosen, as that may take the longest.

        Raises
        ------
        Stopped
            If the run ended before anything was known.
        """
        if self.game is not None:
            return TreeShap().of_game(problem, counterfactual, self.game, meter)
        return self.method.explain(problem, case, counterfactual, run=meter.run)


def way(problem: Problem, counterfactual: Counterfactual, outputs: Outputs) -> Way:
    """The way to CounterShapley for a counterfactual.

    Parameters
    ----------
    problem : Problem
    counterfactual : Counterfactual
    outputs : array of shape (2, n_outputs)
        The model's outputs for the case and its counterfactual.
    """
    n_changes = len(counterfactual)
    if n_changes <= MOST_CHANGES:
        return Way(CounterShapley(), "Every combination is scored.")
    try:
        trees = game(problem, counterfactual, outputs)
    except NotExact as error:
        return Way(Sampled(), f"More than {MOST_CHANGES} changes, and not read off trees: {error}.")
    return Way(TreeShap(), f"More than {MOST_CHANGES} changes, each one column of the model's trees.", trees)
