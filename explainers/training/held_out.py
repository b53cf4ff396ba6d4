"""How well a model does on rows it hasn't seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explainers.problem import Problem
from explainers.training.outcome import known_rows


@dataclass(frozen=True)
class HeldOut:
    """One measure of a model on the rows that it wasn't trained on.

    Attributes
    ----------
    name : str
        "accuracy", "R²" or "mean absolute error".
    value : float
    simplest : float
        The same measure of the simplest model: the most frequent class or, for a number,
        the mean (R²) or the median (mean absolute error) of the rows trained on.
    n_rows : int
        Rows measured on.
    meaning : str
        What it says, in one sentence.
    """

    name: str
    value: float
    simplest: float
    n_rows: int
    meaning: str


def held_out(problem: Problem) -> tuple[HeldOut, ...]:
    """Measure a model on the rows that it wasn't trained on and whose outcome is known.

    Accuracy for classes, by the problem's own decision, so it moves with the threshold;
    R² and mean absolute error for a number, whose ``problem.observed`` are numbers.

    Returns
    -------
    tuple of HeldOut
        Empty where every row was trained on or nothing was observed.
    """
    if problem.observed is None or problem.observed_sides is None:
        return ()
    known = known_rows(problem.observed)
    unseen = ~problem.training & known
    if not unseen.any():
        return ()
    learnt = problem.training & known if (problem.training & known).any() else unseen
    if problem.model.classes:
        sides = problem.observed_sides
        return (_accuracy(~problem.wrong()[unseen], sides[unseen], sides[learnt]),)
    observed = problem.observed.astype(float)
    return _errors(problem.outputs[unseen, 0], observed[unseen], observed[learnt])


def held_out_accuracy(problem: Problem) -> float:
    """Share of the rows not trained on whose decision is what was observed.

    NaN for a number, and where every row was trained on or nothing was observed; see `held_out`.
    """
    return next((measure.value for measure in held_out(problem) if measure.name == "accuracy"), float("nan"))


def _accuracy(right: NDArray[np.bool_], observed: NDArray[np.intp], trained_on: NDArray[np.intp]) -> HeldOut:
    most_frequent = np.bincount(trained_on).argmax()
    return HeldOut(
        "accuracy",
        float(np.mean(right)),
        float(np.mean(observed == most_frequent)),
        len(observed),
        "Share of the rows not trained on that are decided as they turned out.",
    )


def _errors(outputs: NDArray[Any], observed: NDArray[Any], trained_on: NDArray[Any]) -> tuple[HeldOut, ...]:
    of_mean = float(np.mean(np.square(observed - trained_on.mean())))
    spread = float(np.var(observed))
    absolute = HeldOut(
        "mean absolute error",
        float(np.mean(np.abs(outputs - observed))),
        float(np.mean(np.abs(np.median(trained_on) - observed))),
        len(observed),
        "How far off the model is on average, on rows not trained on.",
    )
    if spread == 0.0:
        return (absolute,)
    explained = HeldOut(
        "R²",
        1.0 - float(np.mean(np.square(outputs - observed))) / spread,
        1.0 - of_mean / spread,
        len(observed),
        "Share of the variance of the rows not trained on that the model explains: 1 is all, 0 no more than their"
        " mean.",
    )
    return explained, absolute
