"""What a column says that each row turned out to be: classes or a number, and which column to ask."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

TargetKind = Literal["classes", "number"]

TELLING = ("target", "label", "class", "outcome", "response", "y", "default")
MOST_WHOLE_CLASSES = 10
ROWS_PER_WHOLE_CLASS = 5
MOST_CLASSES = 50
FEWEST_ROWS_OF_CLASS = 3


@dataclass(frozen=True, eq=False)
class Outcome:
    """A target column, read.

    Attributes
    ----------
    name : str
    kind : {"classes", "number"}
    observed : array of shape (n_rows,)
        Positions of the classes, -1 where not known; or numbers, NaN where not known.
    values : array of shape (n_classes,)
        The classes as the table has them, ascending; empty for a number.
    classes : tuple of str
        How a person reads `values`.
    """

    name: str
    kind: TargetKind
    observed: NDArray[Any]
    values: NDArray[Any]
    classes: tuple[str, ...]


def known_rows(observed: NDArray[Any]) -> NDArray[np.bool_]:
    """Which rows' outcomes are known: no negative position, no NaN and nothing infinite."""
    return np.asarray(np.isfinite(observed) if observed.dtype.kind == "f" else observed >= 0)


def guess_target(table: pd.DataFrame) -> str:
    """The column that somebody most likely wants predicted.

    The rule: a column called, whatever its case, by one of `TELLING`, the earlier of
    these names first; else the last column. Columns that can't be read as an outcome
    are passed over as long as there is another one.

    Raises
    ------
    ValueError
        If the table has no column.
    """
    if not len(table.columns):
        raise ValueError("The table has no column; choose another file.")
    last_first = list(table.columns[::-1])
    telling = [c for name in TELLING for c in last_first if str(c).strip().casefold() == name]
    candidates = [*telling, *last_first]
    return str(next((c for c in candidates if _is_readable(table[c])), candidates[0]))


def target_kind(column: pd.Series) -> TargetKind:
    """Whether a column names classes or measures a number.

    The rule: text, booleans and pandas categories are classes. Numbers are classes where
    only two different ones occur, or at most `MOST_WHOLE_CLASSES` whole ones, each in
    `ROWS_PER_WHOLE_CLASS` rows on average.
    """
    if not _is_measured(column):
        return "classes"
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    values = values[np.isfinite(values)]
    different = np.unique(values)
    are_few = len(different) <= min(MOST_WHOLE_CLASSES, len(values) / ROWS_PER_WHOLE_CLASS)
    are_whole = bool((different == np.round(different)).all())
    return "classes" if len(different) == 2 or (are_few and are_whole) else "number"


def read_outcome(column: pd.Series, kind: TargetKind | None = None) -> Outcome:
    """Read a target column.

    Parameters
    ----------
    column : Series
    kind : {"classes", "number"}, optional
        Default: by `target_kind`.

    Raises
    ------
    ValueError
        If the column is empty or constant, is to be a number and isn't, or has a class
        of so few rows that it can't be both trained on and measured.
    """
    name = str(column.name)
    if not column.notna().any():
        raise ValueError(f"The column {name!r} is empty; choose another target.")
    outcome = _numbers(name, column) if (kind or target_kind(column)) == "number" else _classes(name, column)
    check_outcome(outcome.observed, outcome.classes, name)
    return outcome


def check_outcome(observed: NDArray[Any], classes: tuple[str, ...] = (), name: str = "the target") -> None:
    """Refuse outcomes that nothing can be learnt from.

    Raises
    ------
    ValueError
        If all known ones are equal, or a class has fewer than `FEWEST_ROWS_OF_CLASS` rows.
    """
    called = name if name == "the target" else repr(name)
    values, counts = np.unique(observed[known_rows(observed)], return_counts=True)
    if len(values) < 2:
        only = (classes[int(values[0])] if classes else f"{values[0]:g}") if len(values) else "missing"
        raise ValueError(f"Every known value of {called} is {only}; choose a target that varies.")
    if observed.dtype.kind == "f":
        return
    rarest = int(counts.argmin())
    if counts[rarest] < FEWEST_ROWS_OF_CLASS:
        rare = repr(classes[int(values[rarest])]) if classes else str(values[rarest])
        rows = "1 row" if counts[rarest] == 1 else f"{counts[rarest]} rows"
        raise ValueError(
            f"The class {rare} of {called} has only {rows} and needs {FEWEST_ROWS_OF_CLASS} to be trained on and"
            " measured; merge it with another class, leave it out or choose another target."
        )


def _is_measured(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype)


def _is_readable(column: pd.Series) -> bool:
    try:
        read_outcome(column)
    except ValueError:
        return False
    return True


def _numbers(name: str, column: pd.Series) -> Outcome:
    numbers = pd.to_numeric(column, errors="coerce")
    wrong = column[numbers.isna() & column.notna()]
    if len(wrong) or isinstance(column.dtype, pd.CategoricalDtype):
        held = wrong.iloc[0] if len(wrong) else column.dropna().iloc[0]
        raise ValueError(f"The column {name!r} holds {str(held)!r}, no number; take it as classes or choose another.")
    observed = numbers.to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    observed[~np.isfinite(observed)] = math.nan
    return Outcome(name, "number", observed, np.empty(0), ())


def _classes(name: str, column: pd.Series) -> Outcome:
    known = column.notna().to_numpy()
    values, positions = np.unique(_plain(column[known]), return_inverse=True)
    if len(values) > MOST_CLASSES:
        raise ValueError(
            f"The column {name!r} has {len(values)} different values, and classes may be {MOST_CLASSES} at most;"
            " choose another target."
        )
    observed = np.full(len(column), -1, dtype=np.intp)
    observed[known] = positions
    return Outcome(name, "classes", observed, values, tuple(str(value) for value in values.tolist()))


def _plain(known: pd.Series) -> NDArray[Any]:
    """Booleans, whole numbers, numbers or strings: the first of these that all values are."""
    values = known.tolist()
    if all(isinstance(value, bool | np.bool_) for value in values):
        return np.array(values, dtype=bool)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        numbers = np.array(values, dtype=np.float64)
        is_whole = np.isfinite(numbers).all() and (numbers == np.round(numbers)).all() and abs(numbers).max() < 2**53
        return numbers.astype(np.int64) if is_whole else numbers
    return np.array([str(value) for value in values])
