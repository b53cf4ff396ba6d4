"""From a table, a model and what a person says of them to a problem that can be explained."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.decision import IntervalDecision
from explainers.intake.loaded import LoadedModel
from explainers.intake.one_hot import said_of
from explainers.intake.refusal import first_line, listed
from explainers.intake.roles import (
    Plan,
    Roles,
    Way,
    names_of_rows,
    positions_among,
    roles_beside,
    roles_for_training,
)
from explainers.intake.schema_edits import SchemaEdits, found_groups, read_for_model, read_for_training
from explainers.intake.table import Table
from explainers.intake.trial import try_model
from explainers.labelled import LabelledTable, observed_target
from explainers.model import Model, ModelError
from explainers.problem import Problem
from explainers.run import Run
from explainers.schema import Rows, Schema, SchemaError
from explainers.training import (
    TRAINERS,
    HeldOut,
    Outcome,
    Trained,
    Trainer,
    default_decision,
    held_out,
    read_outcome,
    split,
    target_kind,
    train,
    trainers_of,
)

MANY_ROWS = 20_000
"""Beyond them the trainer that is taken by default is the fastest of the good ones."""

Remember = Callable[[Hashable, Callable[[], Any]], Any]


@dataclass(frozen=True, eq=False)
class Posed:
    """What came of a table and a model.

    Attributes
    ----------
    problem : Problem, optional
        Nothing where there are problems, or no model is wanted.
    schema : Schema, optional
        Of the features; known also where the model doesn't fit.
    roles : Roles, optional
    table : DataFrame, optional
        The features' columns, as the schema encodes them.
    problems : tuple of str
        What has to be put right first, each as a sentence with the column and the remedy.
    notes : tuple of str
        What was guessed or left out, as sentences.
    trainer : Trainer, optional
    trained : Trained, optional
        The model that was trained here.
    measures : tuple of HeldOut
        How well it does on rows that it wasn't trained on.
    labelled : LabelledTable, optional
        The rows and the column of numbers that is explained where no model is wanted.
    """

    problem: Problem | None = None
    schema: Schema | None = None
    roles: Roles | None = None
    table: pd.DataFrame | None = None
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    trainer: Trainer | None = None
    trained: Trained | None = None
    measures: tuple[HeldOut, ...] = ()
    labelled: LabelledTable | None = None

    def rows(self) -> Rows | None:
        """All rows, encoded; nothing where they can't be."""
        if self.problem is not None:
            return self.problem.rows
        if self.schema is None or self.table is None:
            return None
        try:
            return self.schema.encode(self.table)
        except SchemaError:
            return None


def at_once(key: Hashable, make: Callable[[], Any]) -> Any:
    """Make it, and remember nothing."""
    return make()


def pose(
    table: Table,
    plan: Plan,
    loaded: LoadedModel | None = None,
    *,
    title: str = "",
    remember: Remember = at_once,
    run: Run | None = None,
) -> Posed:
    """Make the problem of a table and a model.

    Parameters
    ----------
    table : Table
    plan : Plan
    loaded : LoadedModel, optional
        The model from a file, where the plan wants one.
    title : str, optional
        How the model is called.
    remember : callable
        Asked with a key and what makes the value; may keep values over calls for the
        same table and model file, so that new words train and score nothing again.
    run : Run, optional

    Returns
    -------
    Posed

    Raises
    ------
    Stopped
        If the run ended first.
    """
    run = run or Run()
    try:
        if plan.way is Way.OBSERVED:
            return _observed(table, plan)
        if plan.way is Way.TRAIN:
            return _trained(table, plan, remember, run)
        if loaded is None:
            return replace(look(table, plan), problems=("There is no model yet; bring a file, or train one here.",))
        return _tried(table, plan, loaded, title, remember, run)
    except SchemaError as error:
        return Posed(problems=(str(error),))
    except ModelError as error:
        return Posed(problems=(first_line(error) + ".",))


def look(table: Table, plan: Plan) -> Posed:
    """What the columns are, where there is no model to ask; see `pose`."""
    try:
        roles = roles_for_training(table, plan)
        reading = read_for_training(table.frame[list(roles.features)], plan.edits)
    except ValueError:
        return Posed()
    return Posed(schema=reading.schema, roles=roles, table=reading.table)


def default_trainer(kind: str, n_rows: int) -> str:
    """The trainer for somebody who chose none."""
    wanted = "boosting" if n_rows > MANY_ROWS else "forest"
    return wanted if kind == "classes" else f"{wanted}_of_numbers"


def _trained(table: Table, plan: Plan, remember: Remember, run: Run) -> Posed:
    try:
        roles = roles_for_training(table, plan)
    except ValueError as error:
        return Posed(problems=(str(error),))
    reading = read_for_training(table.frame[list(roles.features)], plan.edits)
    notes = (*roles.notes, *_told(roles, reading.table, plan.edits))
    so_far = Posed(schema=reading.schema, roles=roles, table=reading.table, notes=notes)
    assert roles.target is not None
    try:
        outcome = read_outcome(table.frame[roles.target])
        trainer = _trainer(plan, outcome, len(table.frame))
        _check_finite(reading.table, reading.schema)
    except ValueError as error:
        return replace(so_far, problems=(str(error),))
    key = (roles.target, roles.features, roles.id, trainer.name, plan.seed, plan.edits.structure)

    def fit() -> Trained:
        return train(
            trainer, reading.table, outcome.observed, reading.schema, split(outcome.observed, seed=plan.seed),
            values=outcome.values, seed=plan.seed, run=run,
        )  # fmt: skip

    run.check()
    run.progress(0.2)
    try:
        trained = remember(("trained", key), fit)
    except ValueError as error:
        return replace(so_far, problems=(f"No model could be trained: {first_line(error)}.",), trainer=trainer)
    run.progress(0.7)
    classes, wrong_names = _class_names(plan, outcome.classes)
    if wrong_names:
        return replace(so_far, problems=(wrong_names,), trainer=trainer)
    names, notes = names_of_rows(table.frame, roles.id)

    def make() -> Problem:
        model = Model.of(
            trained.estimator, reading.schema, classes=outcome.classes, name=trainer.title,
            fingerprint=trained.fingerprint,
        )  # fmt: skip
        return _scored(model, reading.table, names, trained.training, outcome.observed, plan, roles, run)

    base: Problem = remember(("problem", key), make)
    problem = _renamed(base, reading.schema, classes, plan, roles)
    return replace(
        so_far, problem=problem, notes=(*so_far.notes, *notes), trainer=trainer, trained=trained,
        measures=held_out(problem),
    )  # fmt: skip


def _tried(table: Table, plan: Plan, loaded: LoadedModel, title: str, remember: Remember, run: Run) -> Posed:
    frame = table.frame
    first = try_model(loaded, frame, ignore=_no_inputs(table, plan, loaded), title=title)
    own = first.model.classes if first.model else ()
    wanted = first.model.columns if first.model else _present(loaded, frame)
    roles = roles_beside(table, plan, wanted, own)
    schema = read_for_model(frame[list(wanted)], plan.edits)
    so_far = Posed(schema=schema, roles=roles, table=frame[list(wanted)])
    if first.model is None:
        return replace(so_far, problems=first.problems, notes=first.notes)
    run.check()
    run.progress(0.3)
    # Once more through the schema as edited, whose columns are the model's own.
    second = try_model(loaded, frame, schema=schema, title=title)
    if second.model is None:
        return replace(so_far, problems=second.problems, notes=second.notes)
    model = second.model
    classes, wrong_names = _class_names(plan, own)
    if wrong_names:
        return replace(so_far, problems=(wrong_names,))
    names, more = names_of_rows(frame, roles.id)

    def make() -> Problem:
        observed = _observed_beside(frame, roles.target, own)
        everything = np.ones(len(frame), dtype=bool)
        return _scored(model, frame, names, everything, observed, plan, roles, run, knows_training=False)

    base: Problem = remember(("problem", wanted, roles.target, roles.id, plan.edits.structure), make)
    notes = (*second.notes, *roles.notes, *_told(roles, frame[list(wanted)], plan.edits), *more)
    return replace(so_far, problem=_renamed(base, schema, classes, plan, roles), notes=notes)


def _observed(table: Table, plan: Plan) -> Posed:
    """No model: a column of numbers is what there is to explain."""
    numbers = [
        column
        for column in table.frame.columns
        if pd.api.types.is_numeric_dtype(table.frame[column].dtype)
        and target_kind(table.frame[column]) == "number"
        and column not in table.ids
    ]
    if not plan.target and not numbers:
        return Posed(problems=("The table has no column of numbers to explain; train a model here in its place.",))
    try:
        roles = roles_for_training(table, replace(plan, target=plan.target or numbers[-1]))
        assert roles.target is not None
        outcome = read_outcome(table.frame[roles.target], "number")
    except ValueError as error:
        return Posed(problems=(str(error),))
    reading = read_for_training(table.frame[list(roles.features)], plan.edits)
    names, notes = names_of_rows(table.frame, roles.id)
    rows, column = reading.schema.encode(reading.table), outcome.observed.astype(np.float64)
    target = observed_target(plan.quantity or roles.target, column, plan.unit)
    labelled = LabelledTable.of_column(reading.schema, rows, names, column, target)
    return Posed(
        schema=reading.schema, roles=roles, table=reading.table, labelled=labelled,
        notes=(*_told(roles, reading.table, plan.edits), *notes),
    )  # fmt: skip


def _scored(
    model: Model,
    frame: pd.DataFrame,
    names: tuple[str, ...],
    training: NDArray[np.bool_],
    observed: NDArray[Any] | None,
    plan: Plan,
    roles: Roles,
    run: Run,
    *,
    knows_training: bool = True,
) -> Problem:
    """The problem with all its rows scored, under the decision to begin with."""
    rows = model.schema.encode(frame)
    outputs = model.score(rows, run)
    run.progress(0.9)
    decision = default_decision(outputs[training], model.classes, plan.quantity or roles.target or "prediction")
    problem = Problem(model, rows, names, training.copy(), decision, observed, knows_training=knows_training)
    return problem.with_outputs(outputs)


def _renamed(base: Problem, schema: Schema, classes: tuple[str, ...], plan: Plan, roles: Roles) -> Problem:
    """The same problem in other words."""
    problem = base.with_words(schema, classes)
    decision = problem.decision
    if isinstance(decision, IntervalDecision):
        called = plan.quantity or roles.target or "prediction"
        return problem.with_decision(replace(decision, quantity=called, unit=plan.unit))
    return problem.with_decision(default_decision(problem.outputs, classes))


def _class_names(plan: Plan, own: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The classes as the person calls them, or what is wrong with the names."""
    if not plan.classes or not own:
        return own, ""
    if len(plan.classes) != len(own):
        said = f"There are {len(own)} classes, but {len(plan.classes)} names are given; name each."
        return own, said
    if len(set(plan.classes)) < len(own) or not all(plan.classes):
        return own, "Each class needs a name of its own; change the names of the classes."
    return plan.classes, ""


def _trainer(plan: Plan, outcome: Outcome, n_rows: int) -> Trainer:
    fitting = trainers_of(outcome.kind)
    if plan.trainer in fitting:
        return fitting[plan.trainer]
    if plan.trainer is not None and plan.trainer not in TRAINERS:
        raise ValueError(f"There is no way to train called {plan.trainer!r}; choose one of the list.")
    return fitting[default_trainer(outcome.kind, n_rows)]


def _check_finite(frame: pd.DataFrame, schema: Schema) -> None:
    for feature in schema.features:
        if feature.is_number and np.isinf(frame[feature.name].to_numpy(dtype=np.float64, na_value=np.nan)).any():
            raise ValueError(
                f"The column {feature.name!r} has infinite values, of which nothing can be learnt; clear them, or leave"
                " the column out."
            )


def _no_inputs(table: Table, plan: Plan, loaded: LoadedModel) -> tuple[str, ...]:
    """What can't be an input, for a model that knows no names."""
    said = {column for column, used in plan.edits.uses if not used} | {plan.target or "", plan.id or ""}
    if loaded.columns is not None or loaded.n_columns is None:
        return tuple(said)
    columns = list(map(str, table.frame.columns))
    spare = len([column for column in columns if column not in said]) - loaded.n_columns
    guesses: list[str] = []
    if plan.id is None and spare > 0:
        guesses += [column for column in table.ids[:1] if column not in said]
    if plan.target is None and spare > len(guesses):
        roles = roles_for_training(table, replace(plan, way=Way.TRAIN))
        guesses += [roles.target] if roles.target else []
    return (*said, *guesses)


def _present(loaded: LoadedModel, frame: pd.DataFrame) -> tuple[str, ...]:
    """The model's columns that the table has, or all of them, to have something to show."""
    wanted = tuple(column for column in loaded.columns or () if column in frame.columns)
    return wanted or tuple(map(str, frame.columns))


def _observed_beside(frame: pd.DataFrame, target: str | None, classes: tuple[str, ...]) -> NDArray[Any] | None:
    if target is None:
        return None
    if classes:
        places: NDArray[Any] = positions_among(frame[target], classes)
        return places if (places >= 0).any() else None
    numbers = pd.to_numeric(frame[target], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    return numbers if np.isfinite(numbers).any() else None


def _told(roles: Roles, features: pd.DataFrame, edits: SchemaEdits) -> tuple[str, ...]:
    """Which columns are left out, those with one reason in one sentence, and which are taken together."""
    by_reason: dict[str, list[str]] = {}
    for column, why in roles.left_out:
        by_reason.setdefault(why, []).append(column)
    left_out = tuple(
        f"The column {listed(columns)} is left out: {why}."
        if len(columns) == 1
        else f"The columns {listed(columns)} are left out, each because {why}."
        for why, columns in by_reason.items()
    )
    return (*said_of(found_groups(features, edits)), *left_out)
