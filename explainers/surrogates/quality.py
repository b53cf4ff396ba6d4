"""How good equations are: faithful, general, simple, robust (BELLA, Sections 3 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.surrogates.equation import LocalEquations
from explainers.surrogates.reference_value import ReferenceValue


@dataclass(frozen=True)
class Errors:
    """How far explained values are from the numbers they explain.

    Attributes
    ----------
    rmse, mae : float
        Root of the mean square, and mean of the absolute differences; NaN of none.
    """

    rmse: float
    mae: float

    @classmethod
    def of(cls, differences: Sequence[float] | NDArray[np.float64]) -> Errors:
        """The errors of some differences."""
        values = np.asarray(differences, dtype=np.float64)
        if not values.size:
            return cls(float("nan"), float("nan"))
        return cls(float(np.sqrt(np.mean(values**2))), float(np.mean(np.abs(values))))


def fidelity(explained: Sequence[LocalEquations]) -> Errors:
    """Explained values against the numbers."""
    return Errors.of([found.best.explained - found.label for found in explained])


def counterfactual_fidelity(found: Sequence[ReferenceValue]) -> tuple[Errors, Errors]:
    """The equation's and the model's value at the changed row, each against the reference.

    The paper doesn't say whose value it compares. Where nothing was found nothing counts.
    """
    hits = [(answer.reference, answer.towards) for answer in found if answer.towards is not None]
    by_equation = [towards.value - reference for reference, towards in hits]
    by_model = [towards.asked - reference for reference, towards in hits if towards.asked is not None]
    return Errors.of(by_equation), Errors.of(by_model)


def robustness(one: NDArray[np.float64], others: NDArray[np.float64], *, used_only: bool = False) -> float:
    """How alike the weights of a case and of its neighbours are (Equation 5), averaged over the neighbours.

    Parameters
    ----------
    one : array of shape (n_columns,)
        Weights of the case's equation, 0 for columns that it is without.
    others : array of shape (n_neighbours, n_columns)
    used_only : bool
        Whether columns that neither equation has are left out; else they count as agreement.
    """
    sizes = np.abs(one) + np.abs(others)
    apart = np.divide(np.abs(one - others), sizes, out=np.zeros_like(sizes), where=sizes > 0)
    if not used_only:
        return float(1.0 - apart.mean())
    used = (sizes > 0).sum(axis=1)
    alike = 1.0 - np.divide(apart.sum(axis=1), used, out=np.zeros(len(used)), where=used > 0)
    return float(alike.mean())


def share_found(important: Sequence[str], found: LocalEquations) -> float:
    """Which share of some features the equation has."""
    used = {term.feature for term in found.best.terms}
    return sum(feature in used for feature in important) / len(important)
