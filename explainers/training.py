"""Models that are trained here, and how well they do on rows they haven't seen."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.problem import Problem
from explainers.schema import Schema

TRAINING_SHARE = 0.7
FOREST_TREES = 200


@dataclass(frozen=True)
class Trainer:
    """A way to fit a classifier to a table.

    Attributes
    ----------
    name : str
        In the registry and the address.
    title : str
        What a person calls it.
    make : callable
        From a schema and a seed to a pipeline that isn't fitted yet.
    """

    name: str
    title: str
    make: Callable[[Schema, int], Any]


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


def split(labels: NDArray[np.intp], share: float = TRAINING_SHARE, seed: int = 0) -> NDArray[np.bool_]:
    """Choose the rows to train on, the same share of each class.

    Parameters
    ----------
    labels : array of int of shape (n_rows,)
    share : float, optional
        Of each class, rounded to whole rows.
    seed : int, optional

    Returns
    -------
    array of bool of shape (n_rows,)
    """
    random = np.random.default_rng(seed)
    training = np.zeros(len(labels), dtype=bool)
    for label in np.unique(labels):
        members = random.permutation(np.flatnonzero(labels == label))
        training[members[: round(share * len(members))]] = True
    return training


def train(
    trainer: Trainer,
    table: pd.DataFrame,
    labels: NDArray[np.intp],
    schema: Schema,
    training: NDArray[np.bool_],
    *,
    seed: int = 0,
) -> Trained:
    """Fit a model to the training rows of a table.

    Parameters
    ----------
    trainer : Trainer
    table : DataFrame
        All rows, with at least the schema's columns.
    labels : array of int of shape (n_rows,)
        Positions of the classes.
    schema : Schema
    training : array of bool of shape (n_rows,)
    seed : int, optional

    Raises
    ------
    ValueError
        If a class has no training row: the model would know nothing of it.
    """
    lacking = np.setdiff1d(labels, labels[training])
    if lacking.size:
        raise ValueError(f"None of the rows to train on is of class {lacking[0]}; train on more rows.")
    estimator = trainer.make(schema, seed)
    estimator.fit(table.loc[training, list(schema.columns)], labels[training])
    return Trained(estimator, training, _fingerprint(trainer, table, labels, schema, training, seed))


def train_forest(
    table: pd.DataFrame,
    labels: NDArray[np.intp],
    schema: Schema,
    training: NDArray[np.bool_],
    *,
    trees: int = FOREST_TREES,
    seed: int = 0,
) -> Any:
    """Fit a random forest to the training rows and give back the pipeline."""
    return train(forest(trees), table, labels, schema, training, seed=seed).estimator


def held_out_accuracy(problem: Problem) -> float:
    """Share of the rows not trained on whose decision is what was observed.

    By the problem's own decision, so it moves with the threshold; NaN where every row
    was trained on or nothing was observed.
    """
    if problem.observed is None:
        return float("nan")
    known = ~problem.training & (problem.observed >= 0)
    if not known.any():
        return float("nan")
    return float(np.mean(problem.decision.sides(problem.outputs[known]) == problem.observed[known]))


def forest(trees: int = FOREST_TREES) -> Trainer:
    """Random forest of so many trees."""

    def make(schema: Schema, seed: int) -> Any:
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.pipeline import make_pipeline

        return make_pipeline(_as_numbers(schema), RandomForestClassifier(trees, random_state=seed))

    name = "forest" if trees == FOREST_TREES else f"forest{trees}"
    return Trainer(name, f"Random forest of {trees} trees", make)


TRAINERS: dict[str, Trainer] = {trainer.name: trainer for trainer in (forest(),)}


def _as_numbers(schema: Schema) -> Any:
    """One 0/1 column a category, numbers as they are; a missing category is 0 throughout."""
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

    named = [feature for feature in schema.features if not feature.is_number and len(feature.columns) == 1]
    spread = {feature.columns[0] for feature in named}
    steps: list[tuple[str, Any, list[str]]] = []
    if named:
        levels = [np.array([values[0] for values in feature.categories], dtype=object) for feature in named]
        encoder = OneHotEncoder(categories=levels, handle_unknown="ignore", sparse_output=False)
        as_objects = FunctionTransformer(_objects)
        steps.append(("categories", _chain(as_objects, encoder), [feature.columns[0] for feature in named]))
    numbers = [column for column in schema.columns if column not in spread]
    if numbers:
        steps.append(("numbers", FunctionTransformer(_floats), numbers))
    return ColumnTransformer(steps)


def _chain(*steps: Any) -> Any:
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*steps)


def _objects(table: pd.DataFrame) -> NDArray[np.object_]:
    """Any dtype of category, missing as NaN alone."""
    return np.column_stack([table[column].to_numpy(dtype=object, na_value=np.nan) for column in table])


def _floats(table: pd.DataFrame) -> NDArray[np.float64]:
    """Any dtype of number, missing as NaN."""
    return np.column_stack([table[column].to_numpy(dtype=np.float64, na_value=np.nan) for column in table])


def _fingerprint(
    trainer: Trainer,
    table: pd.DataFrame,
    labels: NDArray[np.intp],
    schema: Schema,
    training: NDArray[np.bool_],
    seed: int,
) -> str:
    import sklearn

    digest = hashlib.sha256(f"{trainer.name} {trainer.title} {seed} {sklearn.__version__}".encode())
    for feature in schema.features:
        digest.update(repr((feature.columns, feature.dtypes, feature.categories)).encode())
    for array in (schema.encode(table), labels, training):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
