"""The rows that stand for "any other case"."""

from __future__ import annotations

import numpy as np

from explainers.problem import Problem
from explainers.run import Run
from explainers.schema import Rows

BACKGROUND_ROWS = 100


def background_rows(problem: Problem, run: Run) -> Rows:
    """At most `BACKGROUND_ROWS` training rows, drawn without replacement by the seed alone.

    All cases of a problem are set against the same rows, so that they can be compared.

    Returns
    -------
    array of shape (n_background, n_features)

    Raises
    ------
    ValueError
        If there are no training rows.
    """
    training = np.flatnonzero(problem.training)
    if not training.size:
        raise ValueError("There are no training rows to set the case against.")
    if training.size <= BACKGROUND_ROWS:
        return problem.rows[training]
    drawn = run.random("background").choice(training, BACKGROUND_ROWS, replace=False)
    return np.asarray(problem.rows[np.sort(drawn)])
