"""Which rows to train on, fitting a model to them, and the decision to begin with."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.decision import BinaryDecision, ClassDecision, Decision, IntervalDecision
from explainers.run import Run
from explainers.schema import Schema
from explainers.training.heeding import heeding
from explainers.training.outcome import check_outcome, known_rows
from explainers.training.trainers import FOREST_TREES, Trainer, forest

TRAINING_SHARE = 0.7
BINS = 10
QUARTILE_DIGITS = 3


@dataclass(frozen=True, eq=False)
class Trained:
    """A fitted model and what it was fitted on.

    Attributes
    ----------
    estimator : object
        The fitted pipeline; takes the table as it came.
    training : array of bool of shape (n_rows,)
    fingerprint : str
        Equal only for the same trainer, seed, library and data.
    """

    estimator: Any
    training: NDArray[np.bool_]
    fingerprint: str


def split(observed: NDArray[Any], share: float = TRAINING_SHARE, seed: int = 0) -> NDArray[np.bool_]:
    """Choose the rows to train on, the same share of each class or of each tenth of the numbers.

    Tenths are of the numbers in ascending order, so that high and low ones are in both
    parts; equal numbers in the order of the rows.

    Parameters
    ----------
    observed : array of shape (n_rows,)
        Positions of classes, or numbers; rows that are not known (-1 or NaN) aren't trained on.
    share : float, optional
        Of each class or tenth, rounded to whole rows; at least one row on each side
        where there are two.
    seed : int, optional

    Returns
    -------
    array of bool of shape (n_rows,)
    """
    random = np.random.default_rng(seed)
    training = np.zeros(len(observed), dtype=bool)
    strata = _tenths(observed) if observed.dtype.kind == "f" else observed
    for stratum in np.unique(strata[known_rows(observed)]):
        members = random.permutation(np.flatnonzero(strata == stratum))
        taken = round(share * len(members))
        if len(members) > 1:
            taken = min(max(taken, 1), len(members) - 1)
        training[members[:taken]] = True
    return training


def train(
    trainer: Trainer,
    table: pd.DataFrame,
    observed: NDArray[Any],
    schema: Schema,
    training: NDArray[np.bool_],
    *,
    values: NDArray[Any] | Sequence[Any] = (),
    seed: int = 0,
    run: Run | None = None,
) -> Trained:
    """Fit a model to the training rows of a table.

    Parameters
    ----------
    trainer : Trainer
    table : DataFrame
        All rows, with at least the schema's columns.
    observed : array of shape (n_rows,)
        Positions of the classes, or numbers.
    schema : Schema
    training : array of bool of shape (n_rows,)
        Rows whose outcome is not known are left out.
    values : sequence, optional
        What the model calls the classes, ascending, such as `Outcome.values`; default:
        their positions.
    seed : int, optional
    run : Run, optional
        Its seed counts for nothing here.

    Raises
    ------
    Stopped
        If the run ended first; see `heeding`.
    ValueError
        If the outcome is constant, a class is rare or has no training row (the model
        would know nothing of it), or the trainer is for the other kind of outcome.
    """
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    if (trainer.kind == "number") != (observed.dtype.kind == "f"):
        other = "a number" if trainer.kind == "number" else "classes"
        raise ValueError(f"{trainer.title} is here for {other}; choose another model or another target.")
    called = np.asarray(values)
    check_outcome(observed, tuple(str(value) for value in called.tolist()))
    training = training & known_rows(observed)
    if trainer.kind == "classes":
        lacking = np.setdiff1d(observed[known_rows(observed)], observed[training])
        if lacking.size:
            name = called[lacking[0]] if called.size else lacking[0]
            raise ValueError(f"None of the rows to train on is of class {name}; train on more rows.")
    elif not training.any():
        raise ValueError("There is no row to train on; train on more rows.")
    estimator = trainer.make(_without_empty(schema, table[training]), seed)
    wanted = observed[training]
    # Threads that wait for each other take minutes in place of a second where the machine is busy.
    with threadpool_limits(1, user_api="openmp"), heeding(run) if run else nullcontext():
        estimator.fit(table.loc[training, list(schema.columns)], called[wanted] if called.size else wanted)
    return Trained(estimator, training, _fingerprint(trainer, table, observed, called, schema, training, seed))


def train_forest(
    table: pd.DataFrame,
    labels: NDArray[np.intp],
    schema: Schema,
    training: NDArray[np.bool_],
    *,
    trees: int = FOREST_TREES,
    seed: int = 0,
) -> Any:
    """Fit a random forest for classes to the training rows and give back the pipeline."""
    return train(forest(trees), table, labels, schema, training, seed=seed).estimator


def default_decision(outputs: NDArray[np.float64], classes: tuple[str, ...], quantity: str = "prediction") -> Decision:
    """The decision that a problem begins with.

    Two classes: even odds. More: the most probable one. A number: the quartiles of the
    outputs, in about three significant digits of the way between the outer two, so that
    a bound reads as one that somebody would set.

    Parameters
    ----------
    outputs : array of shape (n_rows, n_outputs)
        Of the rows trained on.
    classes : tuple of str
        Empty for a number.
    quantity : str, optional
        What the number is.
    """
    if len(classes) == 2:
        return BinaryDecision((classes[0], classes[1]), 0.5)
    if classes:
        return ClassDecision(classes)
    first, median, third = np.quantile(outputs[:, 0], [0.25, 0.5, 0.75]).tolist()
    if third > first:
        decimals = QUARTILE_DIGITS - 1 - math.floor(math.log10(third - first))
        first, median, third = (round(quartile, decimals) for quartile in (first, median, third))
    return IntervalDecision(quantity, (first, median, third))


def _without_empty(schema: Schema, table: pd.DataFrame) -> Schema:
    """The features of which some value is known: nothing is learnt from the others, and boosting fails on them."""
    known = np.flatnonzero(~np.isnan(schema.encode(table)).all(axis=0))
    return replace(schema, features=tuple(schema.features[position] for position in known))


def _tenths(numbers: NDArray[np.float64]) -> NDArray[np.intp]:
    """In which tenth of the known numbers each is; -1 where not known."""
    known = np.flatnonzero(np.isfinite(numbers))
    tenths = np.full(len(numbers), -1, dtype=np.intp)
    ascending = known[np.argsort(numbers[known], kind="stable")]
    tenths[ascending] = np.arange(len(known)) * BINS // max(1, len(known))
    return tenths


def _fingerprint(
    trainer: Trainer,
    table: pd.DataFrame,
    observed: NDArray[Any],
    values: NDArray[Any],
    schema: Schema,
    training: NDArray[np.bool_],
    seed: int,
) -> str:
    import sklearn

    named = (trainer.name, trainer.title, seed, sklearn.__version__, values.tolist(), schema.picture)
    digest = hashlib.sha256(repr(named).encode())
    for feature in schema.features:
        digest.update(repr((feature.columns, feature.dtypes, feature.categories)).encode())
    for array in (schema.encode(table), observed, training):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
