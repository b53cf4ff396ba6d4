"""Keep only what is enough: a minimal part of a counterfactual's changes."""

from __future__ import annotations

import numpy as np

from explainers.decision import Target
from explainers.importance.coalitions import MOST_CHANGES, changed_features, coalition_rows, minimal_flipping
from explainers.model import Model
from explainers.run import Run
from explainers.schema import Rows


def reduced_row(model: Model, target: Target, factual: Rows, row: Rows, score: float, run: Run) -> tuple[Rows, float]:
    """The row with only the changes that are needed to flip, and its drawn score.

    Up to `MOST_CHANGES` changes it is the first minimal flipping set: fewest changes,
    then highest score. Beyond, changes are dropped one at a time, the one that leaves
    the row closest to the decision first, until no single one can be left out.

    Raises
    ------
    Stopped
        If the run ended first.
    """
    changed = changed_features(factual, row)
    while len(changed) > MOST_CHANGES:
        rows = np.repeat(row[None], len(changed), axis=0)
        rows[np.arange(len(changed)), list(changed)] = factual[list(changed)]
        outputs = model.score(rows, run)
        flips = target.flips(outputs)
        if not flips.any():
            return row, score
        best = int(np.where(flips, target.closeness(outputs), -np.inf).argmax())
        row, score = rows[best], float(target.drawn(outputs)[best])
        changed = changed_features(factual, row)
    masks = np.arange(2 ** len(changed))
    rows = coalition_rows(factual, row, masks, changed)
    outputs = model.score(rows, run)
    scores = target.drawn(outputs)
    smallest = minimal_flipping(target.flips(outputs), target.closeness(outputs))[0]
    return rows[smallest], float(scores[smallest])
