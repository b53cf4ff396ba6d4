"""What each loss of the paper makes of one case, beside the prototype that an encoder gives: its Figure 4.

Van Looveren and Klaise, "Interpretable counterfactual explanations guided by prototypes",
2019, Sections 3.2 and 4.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explainers.constraints import Constraints
from explainers.counterfactuals.prototype_losses import mean_encoding
from explainers.counterfactuals.prototype_search import LOSSES, PrototypeOptions, PrototypeSearch
from explainers.counterfactuals.prototype_space import Points, PrototypePrepared
from explainers.decision import Target
from explainers.problem import Case, Problem
from explainers.results import Counterfactuals
from explainers.run import Run
from explainers.schema import Rows


@dataclass(frozen=True, eq=False)
class LossesCompared:
    """Six counterfactuals of a case.

    Attributes
    ----------
    target : Target
    prototype : array of shape (n_features,), optional
        What the decoder makes of the mean code of the nearest cases of the desired side, within
        the numbers of the table; no real case. Absent where there are none.
    side : str
        Whose prototype it is; the nearest class where several will do.
    found : tuple of Counterfactuals
        One for each loss, in the order of `LOSSES`; the first found of each is its best.
    """

    target: Target
    prototype: Rows | None
    side: str
    found: tuple[Counterfactuals, ...]


def options_of(loss: str) -> PrototypeOptions:
    """The search by this loss towards an encoder's prototype."""
    return PrototypeOptions(loss=loss, prototype="encoding")


def compare_losses(
    problem: Problem, case: Case, constraints: Constraints, prepared: PrototypePrepared, run: Run
) -> LossesCompared:
    """Search by one loss after the other.

    Parameters
    ----------
    problem : Problem
        Of numbers only.
    case : Case
    constraints : Constraints
    prepared : PrototypePrepared
        With an autoencoder.
    run : Run

    Raises
    ------
    Stopped
        If the run ended before there was anything to show.
    """
    found = []
    for place, loss in enumerate(LOSSES):
        part = run.part(place / len(LOSSES), (place + 1) / len(LOSSES))
        found.append(PrototypeSearch().explain(problem, case, constraints, options_of(loss), part, prepared))
    target = problem.target(case, run)
    nearest = mean_encoding(problem, target, prepared, prepared.space.points(case.row[None])[0], run)
    if nearest is None:
        return LossesCompared(target, None, target.desired, tuple(found))
    whose, code = nearest
    return LossesCompared(target, _decoded(problem, prepared, code), whose.desired, tuple(found))


def _decoded(problem: Problem, prepared: PrototypePrepared, code: Points) -> Rows:
    """A code as a row, within the numbers of the table."""
    assert prepared.autoencoder is not None
    values = prepared.autoencoder.decoded(code[None])[0] * prepared.space.scale + prepared.space.centre
    low, high = (np.array([getattr(feature, end) for feature in problem.schema.features]) for end in ("low", "high"))
    return np.asarray(np.clip(values, low, high))
