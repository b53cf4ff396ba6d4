"""What a built-in data set is: where it comes from, and the problem made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from explainers.decision import Decision, IntervalDecision
from explainers.model import Model
from explainers.problem import Problem
from explainers.schema import Schema
from explainers.training import Trainer, default_decision, split, train


@dataclass(frozen=True)
class DataCard:
    """What somebody should know before believing a data set.

    Attributes
    ----------
    title, summary : str
    origin, licence, citation : str
        Who collected it, under which terms, and how to cite it.
    rows : int
    columns : tuple of (column, description)
        The model's inputs, in the table's order.
    target, target_description : str
        The column that the model predicts.
    caveats : tuple of str
        What is known to be wrong or odd about it, one sentence each.
    """

    title: str
    summary: str
    origin: str
    licence: str
    citation: str
    rows: int
    columns: tuple[tuple[str, str], ...]
    target: str
    target_description: str
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Sample:
    """A data set with a model, ready to be explained.

    Attributes
    ----------
    name : str
        In the registry and the address.
    title, model_title : str
        What a person calls the data and the model.
    load : callable
        Reads the table and trains the model; the same problem every time.
    card : DataCard
    """

    name: str
    title: str
    model_title: str
    load: Callable[[], Problem]
    card: DataCard


def trained_problem(
    table: pd.DataFrame,
    observed: NDArray[Any],
    schema: Schema,
    trainer: Trainer,
    *,
    classes: tuple[str, ...] = (),
    quantity: str = "",
    unit: str = "",
    seed: int = 0,
) -> Problem:
    """Train a model on seven tenths of a table and pose the problem of explaining it.

    A case's id is its number in the table, from 1.

    Parameters
    ----------
    table : DataFrame
    observed : array of shape (n_rows,)
        Positions of the classes, or numbers.
    schema : Schema
    trainer : Trainer
    classes : tuple of str, optional
        Empty for a number.
    quantity : str, optional
        What the number is.
    unit : str, optional
        What the number is measured in.
    seed : int, optional
    """
    trained = train(trainer, table, observed, schema, split(observed, seed=seed), seed=seed)
    model = Model.of(trained.estimator, schema, classes=classes, name=trainer.title, fingerprint=trained.fingerprint)
    rows = schema.encode(table)
    return Problem(
        model=model,
        rows=rows,
        ids=tuple(str(number) for number in range(1, len(table) + 1)),
        training=trained.training,
        decision=_with_unit(default_decision(model.score(rows[trained.training]), classes, quantity), unit),
        observed=observed,
    )


def _with_unit(decision: Decision, unit: str) -> Decision:
    return replace(decision, unit=unit) if isinstance(decision, IntervalDecision) else decision
