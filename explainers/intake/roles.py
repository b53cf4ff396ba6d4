"""Which column of a table is what: the target, the rows' names, and what a model learns from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd

from explainers.intake.schema_edits import SchemaEdits, printed
from explainers.intake.table import FindingKind, Table
from explainers.training.outcome import TELLING, guess_target

MOST_CATEGORIES_LEARNT = 200
USELESS = {
    FindingKind.INDEX: "it numbers the rows",
    FindingKind.IDENTIFIER: "it names the rows",
    FindingKind.ALL_MISSING: "it has no value",
    FindingKind.CONSTANT: "it is the same in every row",
    FindingKind.FREE_TEXT: "it holds free text",
}


class Way(StrEnum):
    """Where the model comes from."""

    FILE = "file"
    TRAIN = "train"
    OBSERVED = "observed"


@dataclass(frozen=True)
class Plan:
    """What a person says of a table and a model, besides bringing them.

    Attributes
    ----------
    way : Way
    target : str, optional
        The column that is predicted; guessed by default, none if empty.
    id : str, optional
        The column that names the rows; guessed by default, their numbers if empty.
    trainer : str, optional
        By default one for the kind of target.
    seed : int
        Of the training, and of the choice of rows for it.
    classes : tuple of str
        How the classes are called, in the model's order; by default as the table has them.
    quantity, unit : str
        How a number that is predicted is called, and what it is measured in.
    edits : SchemaEdits
    """

    way: Way = Way.TRAIN
    target: str | None = None
    id: str | None = None
    trainer: str | None = None
    seed: int = 0
    classes: tuple[str, ...] = ()
    quantity: str = ""
    unit: str = ""
    edits: SchemaEdits = field(default_factory=SchemaEdits)


@dataclass(frozen=True)
class Roles:
    """What each column of a table is.

    Attributes
    ----------
    target : str, optional
    id : str, optional
    features : tuple of str
    left_out : tuple of (column, why)
    notes : tuple of str
        What was guessed, as sentences.
    """

    target: str | None
    id: str | None
    features: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def roles_for_training(table: Table, plan: Plan) -> Roles:
    """Take the target and the id as said or guessed; learn from the rest, but for what is useless.

    Raises
    ------
    ValueError
        If a column that was named isn't there, or nothing is left to learn from.
    """
    target, notes = _target(table, plan)
    id_ = _id(table, plan, target)
    uses = dict(plan.edits.uses)
    useless = _useless(table)
    features: list[str] = []
    left_out: list[tuple[str, str]] = []
    for column in table.frame.columns:
        if column in (target, id_) and not uses.get(column):
            continue
        if uses.get(column, column not in useless) and column != target:
            features.append(column)
        elif column != target:
            left_out.append((column, useless.get(column, "you said so")))
    if not features:
        raise ValueError(f"Besides {target!r} there is no column to learn from; use another one, or another target.")
    return Roles(target, id_, tuple(features), tuple(left_out), notes)


def roles_beside(table: Table, plan: Plan, wanted: Sequence[str], classes: Sequence[str]) -> Roles:
    """What the columns are that a model from a file doesn't want.

    A target is guessed only where its values are the model's classes or its name tells.
    """
    rest = [str(column) for column in table.frame.columns if column not in wanted]
    target = plan.target or None
    notes: tuple[str, ...] = ()
    if target is not None and target not in table.frame.columns:
        target = None
    if plan.target is None:
        target = _target_beside(table.frame, rest, classes)
        if target:
            notes = (f"{target!r} is taken as what was observed, since the model doesn't want it and it fits.",)
    id_ = plan.id if plan.id in table.frame.columns else None
    if plan.id is None:
        id_ = next((column for column in table.ids if column in rest and column != target), None)
    left_out = tuple((column, "the model doesn't want it") for column in rest if column not in (target, id_))
    return Roles(target, id_, tuple(wanted), left_out, notes)


def names_of_rows(frame: pd.DataFrame, column: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What each row is called: by a column, or by its number from 1.

    Returns
    -------
    names, notes : tuple of str
    """
    numbers = tuple(str(number) for number in range(1, len(frame) + 1))
    if column is None:
        return numbers, ()
    names = tuple(printed(value) for value in frame[column])
    if frame[column].isna().any() or not all(names):
        return numbers, (f"Some rows have no {column!r}, so rows are called by their numbers.",)
    if len(set(names)) < len(names):
        return numbers, (f"Some rows share their {column!r}, so rows are called by their numbers.",)
    return names, ()


def positions_among(column: pd.Series, classes: Sequence[str]) -> Any:
    """Where each value stands among the classes, -1 where it is none of them; shape (n_rows,)."""
    known: dict[str, int] = {}
    for place, name in enumerate(classes):
        known.setdefault(_whole(name), place)
    codes, values = pd.factorize(column)
    places = np.array([*(known.get(printed(value), -1) for value in values), -1], dtype=np.intp)
    return places[codes]


def _whole(name: str) -> str:
    """A class as a value of a table would be printed."""
    try:
        number = float(name)
    except ValueError:
        return name
    return printed(number) if math.isfinite(number) else name


def _target(table: Table, plan: Plan) -> tuple[str, tuple[str, ...]]:
    if plan.target:
        if plan.target not in table.frame.columns:
            raise ValueError(f"The table has no column {plan.target!r} to predict; choose another target.")
        return plan.target, ()
    offered = [column for column in table.frame.columns if column not in _useless(table) and column != plan.id]
    guessed = guess_target(table.frame[offered or list(table.frame.columns)])
    how = "for its name" if guessed.strip().casefold() in TELLING else "as the last column that can be predicted"
    return guessed, (f"{guessed!r} is taken as the target, {how}; choose another where that is wrong.",)


def _id(table: Table, plan: Plan, target: str) -> str | None:
    if plan.id is not None:
        if plan.id and plan.id not in table.frame.columns:
            raise ValueError(f"The table has no column {plan.id!r} to call the rows by; choose another.")
        return plan.id or None
    return next((column for column in table.ids if column != target), None)


def _useless(table: Table) -> dict[str, str]:
    found = {finding.column: USELESS[finding.kind] for finding in table.findings if finding.kind in USELESS}
    for finding in table.findings:
        if finding.kind is FindingKind.MANY_CATEGORIES and finding.column in table.frame:
            distinct = table.frame[finding.column].nunique()
            if distinct > MOST_CATEGORIES_LEARNT:
                found[finding.column] = f"it has {distinct} different values"
    return found


def _target_beside(frame: pd.DataFrame, rest: Sequence[str], classes: Sequence[str]) -> str | None:
    if classes:
        for column in reversed(rest):
            known = frame[column].dropna()
            if len(known) and known.nunique() <= len(classes) and (positions_among(known, classes) >= 0).all():
                return column
        return None
    return next(
        (
            column
            for name in TELLING
            for column in rest
            if column.strip().casefold() == name and pd.api.types.is_numeric_dtype(frame[column].dtype)
        ),
        None,
    )
