"""The same kind of model fitted again on other draws of the training rows: does a counterfactual still hold?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from explainers.model import Model
from explainers.problem import Problem
from explainers.run import Run
from explainers.training.heeding import heeding

REFITS = 5


def retrained_models(problem: Problem, run: Run | None = None, how_many: int = REFITS) -> tuple[Model, ...]:
    """Models like the problem's, each fitted to a bootstrap draw of the training rows.

    None where the outcomes aren't known or the model isn't one that scikit-learn can clone.

    Raises
    ------
    Stopped
        If the run ended first.
    """
    estimator, run = getattr(problem.model.predict, "__self__", None), run or Run()
    known = _known_outcomes(problem)
    if known is None or not hasattr(estimator, "get_params") or not hasattr(estimator, "fit"):
        return ()
    positions, labels = known
    table = problem.schema.decode(problem.rows[positions])[list(problem.model.columns)]
    classes = getattr(estimator, "classes_", None)
    outcomes = labels if classes is None else np.asarray(classes)[labels.astype(np.intp)]
    random = np.random.default_rng([run.seed, len(positions)])
    models: list[Model] = []
    for place in range(how_many):
        run.check()
        run.progress(place / how_many)
        drawn = random.integers(0, len(positions), len(positions))
        if classes is not None and len(np.unique(labels[drawn])) < len(classes):
            continue
        models.append(_refitted(problem.model, estimator, table.iloc[drawn], outcomes[drawn], run))
    return tuple(models)


def _known_outcomes(problem: Problem) -> tuple[Any, Any] | None:
    """Positions of the training rows whose outcome is known, and the outcomes."""
    observed = problem.observed
    if observed is None:
        return None
    is_known = ~np.isnan(observed) if observed.dtype.kind == "f" else observed >= 0
    positions = np.flatnonzero(problem.training & is_known)
    return (positions, observed[positions]) if len(positions) else None


def _refitted(model: Model, estimator: Any, table: Any, outcomes: Any, run: Run) -> Model:
    from sklearn.base import clone

    with heeding(run):
        fitted = clone(estimator).fit(table, outcomes)
    predict = fitted.predict_proba if model.classes else fitted.predict
    return replace(model, predict=predict, fingerprint=f"{model.fingerprint} fitted again")
