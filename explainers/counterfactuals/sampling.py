"""Rows like those with the desired decision, sampled for one case: steps 1 and 2 of MCCE."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explainers.constraints import Constraints
from explainers.counterfactuals import autoregressive, searching
from explainers.counterfactuals.autoregressive import AutoregressiveModel
from explainers.counterfactuals.candidates import Pool, Sampled
from explainers.counterfactuals.searching import Search
from explainers.metrics import TrainingRows, associations
from explainers.problem import Problem
from explainers.run import Run
from explainers.schema import Rows, Schema

MODELS_KEPT = 8


class FittedModels:
    """The models fitted last, by all that they depend on; those asked for longest ago are forgotten."""

    def __init__(self) -> None:
        self._models: OrderedDict[Hashable, AutoregressiveModel] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, fit: Callable[[], AutoregressiveModel]) -> AutoregressiveModel:
        """The model for a key, fitted now if need be."""
        with self._lock:
            if key in self._models:
                self._models.move_to_end(key)
                return self._models[key]
        model = fit()
        with self._lock:
            self._models[key] = model
            while len(self._models) > MODELS_KEPT:
                self._models.popitem(last=False)
        return model


@dataclass(frozen=True, eq=False)
class Prepared(searching.Prepared):
    """What serves every case of a problem alike.

    Attributes
    ----------
    rows : array of shape (n_training_rows, n_features)
    ids : tuple of str
        What these are called.
    known : TrainingRows
        These rows again, to tell copies.
    models : FittedModels
        One for each set of locked features, order and side wanted that was asked for.
    """

    rows: Rows
    ids: tuple[str, ...]
    known: TrainingRows
    models: FittedModels = field(default_factory=FittedModels)


def desired_rows(search: Search) -> NDArray[np.bool_]:
    """Which training rows the model puts on the desired side (y' of the paper), shape (n_training_rows,)."""
    problem = search.problem
    return np.asarray(search.target.flips(problem.scored(search.run)[problem.training]))


def fitted(
    problem: Problem, desired: NDArray[np.bool_], constraints: Constraints, prepared: Prepared, order: str, run: Run
) -> AutoregressiveModel:
    """The trees for what may change under some locks, fitted if they aren't yet.

    Raises
    ------
    Stopped
        If the run ended first.
    """
    schema = problem.schema
    locked = tuple(i for i, name in enumerate(schema.names) if constraints[name].locked)

    def fit() -> AutoregressiveModel:
        visits = _visits(schema, prepared.rows, locked, order)
        return autoregressive.fit(schema, prepared.rows, desired, locked, visits, run)

    return prepared.models.get((locked, order, desired.tobytes(), run.seed), fit)


def draw(search: Search, prepared: Prepared, n_samples: int, order: str) -> Sampled:
    """Sample rows that keep every rule of a search.

    Raises
    ------
    Stopped
        If the run ended first.
    """
    schema, case = search.schema, search.case.row
    model = fitted(search.problem, desired_rows(search), search.constraints, prepared, order, search.run)
    draws = search.random().random((len(model.conditionals), n_samples))
    permitted = _permitted(schema, search.constraints, case, model)
    rows, excluded = model.sample(case[None], draws[None], permitted)
    pool = Pool.of(schema, prepared.ranges, case, rows[0], prepared.known, prepared.ids)
    return Sampled(pool, n_samples, excluded)


def _visits(schema: Schema, rows: Rows, locked: tuple[int, ...], order: str) -> list[int]:
    """The features that may change, in the order in which they are sampled; the earlier column in a tie."""
    mutable = [i for i in range(len(schema)) if i not in locked]
    if order == "column":
        return mutable
    strength = np.abs(associations(schema, rows)).mean(axis=1)
    return sorted(mutable, key=lambda i: (-strength[i], i))


def _permitted(
    schema: Schema, constraints: Constraints, case: Rows, model: AutoregressiveModel
) -> list[NDArray[np.bool_] | None]:
    """For each feature the values of the training that its rule lets the case have; ``None`` for all."""
    ruled = {schema.index(name) for name, rule in constraints.rules if not rule.locked}
    n_levels = [len(values) if i in ruled else 0 for i, values in enumerate(model.values)]
    grid = np.repeat(case[None], max(n_levels, default=0), axis=0)
    for i in ruled:
        grid[: n_levels[i], i] = model.values[i]
    allowed = constraints.allowed(schema, case, grid)
    return [allowed[: n_levels[i], i] if i in ruled else None for i in range(len(schema))]
