"""The walk of NICE from a case to a neighbour, one feature a step.

A step asks the model about every feature that still differs. Asking also about the
steps after it costs little in the same call, so a walk looks several steps ahead and
several walks share their calls; the steps taken are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from explainers.counterfactuals.neighbours import Neighbour
from explainers.decision import Target
from explainers.importance.coalitions import changed_features, coalition_rows
from explainers.importance.greedy import first_best
from explainers.model import Model
from explainers.run import Run
from explainers.schema import Rows

ROWS_A_WALK = 100
"""How many rows a walk may ask about in one call."""

Reward = Callable[[NDArray[np.float64], Rows, Rows], NDArray[np.float64]]
"""From the gains in closeness, the row before and the rows after a step to one reward a step."""


class Walk:
    """One walk; `row` is where it stands.

    Parameters
    ----------
    case : array of shape (n_features,)
    closeness : float
        Of the case.
    neighbour : Neighbour
        Differs from the case, and flips.
    reward : callable
    """

    def __init__(self, case: Rows, closeness: float, neighbour: Neighbour, reward: Reward) -> None:
        self.case = case
        self.neighbour = neighbour
        self.reward = reward
        self.changed = changed_features(case, neighbour.row)
        self.all_made = (1 << len(self.changed)) - 1
        self.made = 0
        self.known: dict[int, tuple[float, float, bool]] = {
            0: (closeness, np.nan, False),
            self.all_made: (neighbour.closeness, neighbour.score, True),
        }

    @property
    def is_done(self) -> bool:
        """Whether it stands on a row that flips."""
        return self.known[self.made][2]

    @property
    def row(self) -> Rows:
        return np.asarray(self.rows([self.made])[0])

    @property
    def score(self) -> float:
        """Drawn score of the row it stands on."""
        return self.known[self.made][1]

    def rows(self, masks: Sequence[int]) -> Rows:
        """The rows in which the features of each mask have the neighbour's value."""
        return coalition_rows(self.case, self.neighbour.row, np.array(masks, dtype=object), self.changed)

    def unknown(self) -> list[int]:
        """Masks to ask about next: all steps from here, and as many after them as there is room for."""
        left = [bit for bit in range(len(self.changed)) if not self.made >> bit & 1]
        ahead, room = 1, ROWS_A_WALK - len(left)
        while ahead < len(left) and (room := room - comb(len(left), ahead + 1)) >= 0:
            ahead += 1
        masks = [
            self.made | sum(1 << bit for bit in bits)
            for size in range(1, ahead + 1)
            for bits in combinations(left, size)
        ]
        return [mask for mask in masks if mask not in self.known]

    def learn(self, masks: Sequence[int], target: Target, outputs: NDArray[np.float64]) -> None:
        """Take in the model's outputs for `rows(masks)` and go as far as they reach."""
        told = zip(target.closeness(outputs), target.drawn(outputs), target.flips(outputs), strict=True)
        self.known.update((mask, (float(c), float(s), bool(f))) for mask, (c, s, f) in zip(masks, told, strict=True))
        while not self.is_done:
            steps = [self.made | 1 << bit for bit in range(len(self.changed)) if not self.made >> bit & 1]
            if not all(step in self.known for step in steps):
                return
            gains = np.array([self.known[step][0] for step in steps]) - self.known[self.made][0]
            self.made = steps[first_best(self.reward(gains, self.row, self.rows(steps)))]

    def jump(self) -> None:
        """Go to the neighbour itself."""
        self.made = self.all_made


def walk_side_by_side(walks: Sequence[Walk], model: Model, target: Target, run: Run) -> None:
    """Walk until each walk flips, with one call of the model for the next steps of all.

    Raises
    ------
    Stopped
        If the run ended first; walks that are done stay done.
    """
    while going := [walk for walk in walks if not walk.is_done]:
        run.progress(1.0 - len(going) / len(walks))
        asked = [walk.unknown() for walk in going]
        outputs = model.score(np.concatenate([w.rows(masks) for w, masks in zip(going, asked, strict=True)]), run)
        ends = np.cumsum([len(masks) for masks in asked])[:-1]
        for walk, masks, part in zip(going, asked, np.split(outputs, ends), strict=True):
            walk.learn(masks, target, part)
