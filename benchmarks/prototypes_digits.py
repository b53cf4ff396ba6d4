"""Section 4.2 of the paper on prototypes in small: digits of 8×8 pixels in the place of MNIST's 28×28.

Van Looveren and Klaise 2019, Table 1. The model is the sample's network in the place of a
convolutional one, and a black box: slopes are differences. All losses go to the class that
comes second for the digit, so that they can be compared; c is searched for, beta is .1 and
theta the paper's (Appendix B); gamma is 1, as pixels deviate by 1 here and not by the paper's .3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import mean, stdev
from typing import Any

import numpy as np

import samples
from benchmarks.prototypes_seeking import Counted, seek
from explainers.counterfactuals.prototype_search import PrototypeOptions
from explainers.counterfactuals.prototype_space import prepare_space
from explainers.interpretability import Interpretability
from explainers.problem import Case, Problem
from explainers.run import Run

DIGITS_EACH = 3
THETA = {"A": 1, "B": 1, "C": 200, "D": 100, "E": 200, "F": 100}
PAPER = {
    "A": {"seconds": 13.06, "steps": 5158, "IM1": 1.56, "IM2x10": 1.65},
    "B": {"seconds": 8.40, "steps": 2380, "IM1": 1.36, "IM2x10": 1.60},
    "C": {"seconds": 3.06, "steps": 835, "IM1": 1.16, "IM2x10": 1.09},
    "D": {"seconds": 2.31, "steps": 497, "IM1": 1.21, "IM2x10": 1.26},
    "E": {"seconds": 1.93, "steps": 777, "IM1": 1.10, "IM2x10": 1.10},
    "F": {"seconds": 4.01, "steps": 1116, "IM1": 1.19, "IM2x10": 1.27},
}
"""Table 1, on MNIST."""
MEASURES = ("seconds", "steps", "IM1", "IM2x10", "real IM1", "real IM2x10", "EN", "changes", "calls")


def section_4_2() -> dict[str, Any]:
    """Table 1 on held-out digits: of each loss the share found, and means with 95 % bounds."""
    problem = samples.get("digits").load()
    counted = Counted(problem.model.predict)
    problem = replace(problem, model=replace(problem.model, predict=counted))
    problem.scored()
    prepared = prepare_space(problem, Run(), needs_autoencoder=True)
    cases, judges = list(_held_out(problem)), _Judges(problem)
    found: dict[str, list[dict[str, Any]]] = {loss: [] for loss in THETA}
    for case in cases:
        for loss, theta in THETA.items():
            options = PrototypeOptions(loss=loss, prototype="encoding", theta=theta)
            one = seek(problem, counted, case, prepared, options, judges.of(case))
            if one is not None:
                found[loss].append(one)
    return {
        "found_share": {loss: len(ones) / len(cases) for loss, ones in found.items()},
        "rows": {
            loss: {name: _bounded([one[name] for one in ones]) for name in MEASURES} for loss, ones in found.items()
        },
    }


def _held_out(problem: Problem) -> Iterator[Case]:
    """The first digits of each class that the model has not seen."""
    assert problem.observed is not None
    for digit in range(len(problem.model.classes)):
        for position in np.flatnonzero(problem.unseen & (problem.observed == digit))[:DIGITS_EACH]:
            yield problem.case(problem.ids[position])


class _Judges:
    """What measures IM1 and IM2, fitted once for each pair of classes."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.fitted: dict[tuple[str, str], Interpretability] = {}

    def of(self, case: Case) -> Interpretability:
        target = self.problem.target(case)
        sides = (target.factual, target.desired)
        if sides not in self.fitted:
            judge = Interpretability.of(self.problem, case, target)
            assert judge is not None
            self.fitted[sides] = judge
        return self.fitted[sides]


def _bounded(values: Sequence[float]) -> tuple[float, float]:
    """Mean, and half the width of its 95 % bounds."""
    from scipy.stats import t

    if len(values) < 2:
        return (values[0] if values else float("nan")), float("nan")
    return mean(values), float(t.ppf(0.975, len(values) - 1)) * stdev(values) / len(values) ** 0.5


def markdown(table_1: dict[str, Any]) -> list[str]:
    """Ours and the paper's, loss by loss."""
    lines = ["", "## Section 4.2 in small (digits of 8×8 pixels; the paper's are MNIST), mean ± 95 % bound", ""]
    lines += ["| loss | found | " + " | ".join(f"{name}, paper | {name}" for name in PAPER["A"]) + " | "
              + " | ".join(MEASURES[4:]) + " |"]  # fmt: skip
    lines += ["|---" * (2 + 2 * len(PAPER["A"]) + len(MEASURES[4:])) + "|"]
    for loss, row in table_1["rows"].items():
        told = {name: f"{row[name][0]:.3g} ± {row[name][1]:.2g}" for name in MEASURES}
        pairs = [cell for name in PAPER["A"] for cell in (f"{PAPER[loss][name]:g}", told[name])]
        cells = [loss, f"{table_1['found_share'][loss]:.2g}", *pairs, *(told[name] for name in MEASURES[4:])]
        lines.append("| " + " | ".join(cells) + " |")
    return lines
