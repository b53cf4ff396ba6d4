"""A loaded model meets a table: what doesn't fit is said before anything is explained."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from explainers.intake.diagnosis import diagnose
from explainers.intake.fitting import Convert, fit_column
from explainers.intake.loaded import Expectation, LoadedModel
from explainers.intake.refusal import counted, listed
from explainers.model import Model, ModelError
from explainers.schema import Schema, SchemaError

ROWS_TO_TRY = 40
ROWS_TO_NAME_CLASSES = 2000
SAME = 1e-6


@dataclass(frozen=True, eq=False)
class Trial:
    """How a model and a table get on.

    Attributes
    ----------
    model : Model, optional
        Ready to be asked; nothing where there are problems.
    problems : tuple of str
        What doesn't fit, each as a sentence with the column and the remedy.
    notes : tuple of str
        What a person should know though it fits.
    """

    model: Model | None
    problems: tuple[str, ...]
    notes: tuple[str, ...]


def try_model(
    loaded: LoadedModel,
    table: pd.DataFrame,
    *,
    schema: Schema | None = None,
    ignore: Collection[str] = (),
    classes: tuple[str, ...] = (),
    title: str = "",
) -> Trial:
    """Fit a table's columns to a model by name and ask it about a few rows.

    Parameters
    ----------
    loaded : LoadedModel
    table : DataFrame
        As read; may have more columns than the model wants, in any order.
    schema : Schema, optional
        Of the model's inputs; inferred from the table by default.
    ignore : collection of str, optional
        Columns that are no inputs, such as the target and the id.
    classes : tuple of str, optional
        How a person calls the classes, in the order of the model's.
    title : str, optional
        How a person calls the model.

    Returns
    -------
    Trial
    """
    if loaded.unfit:
        return Trial(None, (loaded.unfit,), loaded.notes)
    columns, problems, notes = _columns(loaded, _wanted(loaded, table), table, schema, ignore)
    if problems:
        return Trial(None, problems, (*loaded.notes, *notes))
    inputs = table[list(columns)]
    converts, problems, more = _fits(loaded, inputs)
    notes = (*loaded.notes, *notes, *more)
    if problems:
        return Trial(None, problems, notes)
    predict = _predict(loaded, converts)
    tried = inputs.iloc[_rows_to_try(inputs)]
    try:
        outputs = _outputs(predict(tried), len(tried))
    except Exception as error:  # a model may fail in any way
        return Trial(None, (diagnose(loaded, predict, tried, inputs, error),), notes)
    try:
        model = _model(loaded, predict, inputs, schema, columns, title)
    except SchemaError as error:
        return Trial(None, (str(error),), notes)
    problem = _odd(loaded, model, outputs, classes) or _differs(model, tried, outputs)
    if problem:
        return Trial(None, (problem,), notes)
    unnamed = [name for name in model.classes if loaded.classes is None and name.startswith("class ")]
    if unnamed and not classes:
        notes = (*notes, f"{loaded.name} doesn't tell what it calls {listed(unnamed)}; name the classes.")
    return Trial(replace(model, classes=classes or model.classes), (), notes)


def _wanted(loaded: LoadedModel, table: pd.DataFrame) -> tuple[str, ...] | None:
    """The columns that the model wants, called as the table calls them."""
    if loaded.columns is None or loaded.spelling is None:
        return loaded.columns
    spelled: dict[str, list[str]] = {}
    for column in map(str, table.columns):
        spelled.setdefault(loaded.spelling(column), []).append(column)
    own = set(map(str, table.columns))
    return tuple(
        spelled[name][0] if name not in own and len(spelled.get(name, ())) == 1 else name for name in loaded.columns
    )


def _columns(
    loaded: LoadedModel,
    wanted: tuple[str, ...] | None,
    table: pd.DataFrame,
    schema: Schema | None,
    ignore: Collection[str],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The model's columns in its order, or what is wrong with them, and what is left over."""
    offered = tuple(
        str(column) for column in (schema.columns if schema else table.columns) if schema or column not in ignore
    )
    if wanted is None:
        count = loaded.n_columns
        if count is not None and count != len(offered):
            return (), (_wrong_number(count, offered),), ()
        said = f"The model knows no column names; the table's columns go to it in their order, {listed(offered)}."
        return offered, (), (said,)
    absent = [column for column in wanted if column not in table.columns]
    if absent:
        return (), (_absent(absent, table),), ()
    if schema:
        outside = [column for column in wanted if column not in schema.columns]
        if outside:
            said = f"The model wants the column {outside[0]!r}, which is not among the features; make it one."
            return (), (said,), ()
    extra = [column for column in offered if column not in wanted]
    noun, verb, them = ("column", "is", "it") if len(extra) == 1 else ("columns", "are", "them")
    said = f"The {noun} {listed(extra)} {verb} left out, since the model doesn't want {them}."
    return wanted, (), (said,) if extra else ()


def _wrong_number(count: int, offered: Sequence[str]) -> str:
    return (
        f"The model was fitted on {counted(count, 'column')} without names, but the table offers {len(offered)}:"
        f" {listed(offered)}; mark the target and the id, and leave out what the model doesn't know."
    )


def _absent(absent: Sequence[str], table: pd.DataFrame) -> str:
    first = absent[0]
    alike = {str(column).strip().casefold(): str(column) for column in table.columns}.get(first.strip().casefold())
    if alike:
        return f"The model wants a column {first!r}, which the table calls {alike!r}; rename it."
    if len(absent) > 1:
        return f"The model wants the columns {listed(absent)}, which the table lacks; add them under these names."
    return f"The model wants a column {first!r}, which the table lacks; add it under this name."


def _fits(loaded: LoadedModel, inputs: pd.DataFrame) -> tuple[dict[str, Convert], tuple[str, ...], tuple[str, ...]]:
    converts: dict[str, Convert] = {}
    problems: list[str] = []
    notes: list[str] = []
    for place, name in enumerate(inputs.columns):
        expectation = _expectation(loaded, name, place)
        if expectation is None:
            continue
        fit = fit_column(name, inputs[name], expectation)
        if fit.convert:
            converts[name] = fit.convert
        problems += [fit.problem] if fit.problem else []
        notes += [fit.note] if fit.note else []
    return converts, tuple(problems), tuple(notes)


def _expectation(loaded: LoadedModel, name: str, place: int) -> Expectation | None:
    """By the model's own name for the column, or by its position."""
    own = loaded.columns[place] if loaded.columns else name
    return loaded.expectations.get(own, loaded.expectations.get(place))


def _predict(loaded: LoadedModel, converts: Mapping[str, Convert]) -> Callable[[pd.DataFrame], ArrayLike]:
    if not converts:
        return loaded.predict

    def predict(table: pd.DataFrame) -> ArrayLike:
        written = table.assign(**{name: convert(table[name]) for name, convert in converts.items()})
        return loaded.predict(written)

    return predict


def _rows_to_try(inputs: pd.DataFrame) -> list[int]:
    """The first rows, and for each column one that lacks it."""
    gaps = inputs.isna().to_numpy()
    lacking = [int(column.argmax()) for column in gaps.T if column.any()]
    return sorted({*range(min(len(inputs), ROWS_TO_TRY)), *lacking})


def _outputs(outputs: ArrayLike, count: int) -> NDArray[np.float64]:
    array = np.asarray(outputs, dtype=np.float64)
    if array.ndim == 0 or len(array) != count:
        raise ModelError(f"it gives {array.size} values for {count} rows")
    return array.reshape(count, -1)


def _model(
    loaded: LoadedModel,
    predict: Callable[[pd.DataFrame], ArrayLike],
    inputs: pd.DataFrame,
    schema: Schema | None,
    columns: tuple[str, ...],
    title: str,
) -> Model:
    names = loaded.classes
    if names is None and loaded.name_classes is not None:
        names = loaded.name_classes(inputs.head(ROWS_TO_NAME_CLASSES))
    return Model(
        predict=predict,
        schema=schema or Schema.infer(inputs),
        columns=columns,
        classes=names or (),
        name=title or loaded.name.rsplit(".", 1)[0],
        fingerprint=loaded.fingerprint,
        estimator=loaded.estimator if predict is loaded.predict else None,
    )


def _odd(loaded: LoadedModel, model: Model, outputs: NDArray[np.float64], classes: tuple[str, ...]) -> str | None:
    """What is wrong with what the model answers."""
    width = outputs.shape[1]
    if not model.classes and width > 1:
        return f"{loaded.name} gives {width} numbers a row; bring a model of one number, or one for each."
    if model.classes and width != len(model.classes):
        return (
            f"{loaded.name} gives {width} scores for {len(model.classes)} classes; bring a model with one score each."
        )
    if classes and len(classes) != len(model.classes):
        return f"{loaded.name} has {len(model.classes)} classes, but {len(classes)} are named; name each."
    if len(model.classes) == 1:
        return f"{loaded.name} knows one class only, {model.classes[0]!r}; fit it on rows of at least two classes."
    if not np.isfinite(outputs).all():
        return f"{loaded.name} gives a score that is not a number for the first rows; check what it divides by."
    if model.classes and not np.allclose(outputs.sum(axis=1), 1.0, atol=1e-3):
        return f"{loaded.name} gives scores that don't add up to 1; export it with probabilities."
    return None


def _differs(model: Model, tried: pd.DataFrame, outputs: NDArray[np.float64]) -> str | None:
    """Whether the schema hands other values to the model than the table holds."""
    try:
        again = model.score(model.schema.encode(tried))
    except (SchemaError, ModelError) as error:
        return str(error)
    if np.allclose(again, outputs, rtol=SAME, atol=SAME):
        return None
    return (
        f"{model.name} scores rows differently when they are read through the schema; check the kinds of its columns."
    )
