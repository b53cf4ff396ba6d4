"""From each change's value to an importance: the order in which changes are shown, and the running total."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explainers.decision import Outputs
from explainers.method import ImportanceMethod, origin
from explainers.problem import Problem
from explainers.results import Cost, Counterfactual, Importance
from explainers.run import Run


class Meter:
    """Counts what is asked of a model under a run; `run` is the one to hand down."""

    def __init__(self, run: Run) -> None:
        self._rows = self._calls = 0
        self._began = time.perf_counter()
        self._outer = run
        self.run = replace(run, asked=self._note)

    def _note(self, rows: int) -> None:
        self._rows += rows
        self._calls += 1
        self._outer.asked(rows)

    @property
    def cost(self) -> Cost:
        """What it took so far."""
        return Cost(self._rows, self._calls, time.perf_counter() - self._began)


@dataclass(frozen=True, eq=False)
class Ends:
    """The case and its counterfactual as the model scores them.

    Attributes
    ----------
    scores : array of shape (2,)
        Drawn scores.
    flips : array of bool of shape (2,)
    outputs : array of shape (2, n_outputs)
    """

    scores: NDArray[np.float64]
    flips: NDArray[np.bool_]
    outputs: Outputs

    @classmethod
    def of(cls, counterfactual: Counterfactual, outputs: Outputs) -> Ends:
        """From the model's outputs for both."""
        target = counterfactual.target
        return cls(target.drawn(outputs), target.flips(outputs), outputs)

    @classmethod
    def asked(cls, problem: Problem, counterfactual: Counterfactual, run: Run) -> Ends:
        """Ask the model for both, in one call."""
        rows = np.stack([counterfactual.factual, counterfactual.row])
        return cls.of(counterfactual, problem.model.score(rows, run))


def shared_out(
    method: ImportanceMethod,
    problem: Problem,
    counterfactual: Counterfactual,
    ends: Ends,
    values: NDArray[np.float64],
    run: Run,
    **more: Any,
) -> Importance:
    """Put values in order, by falling share of the move, and add them up.

    Parameters
    ----------
    method : ImportanceMethod
    problem : Problem
    counterfactual : Counterfactual
    ends : Ends
    values : array of shape (n_changes,)
        They sum to the move from the case's score to the counterfactual's.
    run : Run
    **more
        Other fields of the importance: errors, orders, cost.
    """
    target = counterfactual.target
    towards = target.direction(float(ends.scores[0]))
    order = tuple(sorted(range(len(values)), key=lambda i: (-towards * values[i], i)))
    path = ends.scores[0] + np.concatenate([[0.0], np.cumsum(values[list(order)])])
    path_flips = target.has_reached(path)
    # The ends are no sums, and a sum's last digits may lie on the other side of the line.
    path[-1], path_flips[0], path_flips[-1] = ends.scores[-1], ends.flips[0], ends.flips[-1]
    return Importance(
        counterfactual=counterfactual,
        values=values,
        order=order,
        path=path,
        path_flips=path_flips,
        origin=origin(method, problem, method.options_type(), run),
        **more,
    )
