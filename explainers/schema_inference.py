"""Reading features off a table: kinds, ranges, categories, decimals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from explainers.schema import Feature, Kind, Rows, SchemaError, days, plain

SIGNIFICANT_DIGITS = 4
SEPARATORS = "_=:. -"
"""What stands between the name of a group and that of a category in a column's name."""
MOST_RECORDED_DECIMALS = 6
DECIMALS_OF_TIMES = 5
"""Enough for a second of a day."""


def features_of(table: pd.DataFrame, groups: Mapping[str, Sequence[str]]) -> tuple[Feature, ...]:
    """The features of a table, in the order of their first columns.

    Parameters
    ----------
    table : DataFrame
    groups : mapping of name to columns
        Columns that move together.

    Raises
    ------
    SchemaError
        If a column is named twice, or a group's name or columns can't be.
    """
    if not table.columns.is_unique:
        twice = table.columns[table.columns.duplicated()][0]
        raise SchemaError(f"Two columns are called {twice!r}; rename one of them.")
    group_of: dict[str, str] = {}
    for name, columns in groups.items():
        if name in table.columns and name not in columns:
            raise SchemaError(f"The group {name!r} is called like a column outside it; rename the group.")
        for column in columns:
            if column not in table.columns:
                raise SchemaError(f"The group {name!r} names the column {column!r}, which is not in the table.")
            if group_of.setdefault(column, name) != name:
                raise SchemaError(f"The column {column!r} is in two groups; keep it in one.")
    features: dict[str, Feature] = {}
    for column in table.columns:
        name = group_of.get(column, column)
        if column not in group_of:
            features[name] = _single(column, table[column])
        elif name not in features:
            features[name] = _grouped(name, table[[c for c in table.columns if group_of.get(c) == name]])
    return tuple(features.values())


def _single(name: str, column: pd.Series) -> Feature:
    dtype = column.dtype
    if pd.api.types.is_datetime64_any_dtype(dtype):
        return _date(name, column)
    if isinstance(dtype, pd.CategoricalDtype):
        return category(name, column, list(dtype.categories), ordered=bool(dtype.ordered))
    if pd.api.types.is_bool_dtype(dtype):
        return category(name, column, [False, True], labels=("no", "yes"))
    if not pd.api.types.is_numeric_dtype(dtype):
        return category(name, column, sorted(column.dropna().unique(), key=str))
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    known = values[np.isfinite(values)]
    return Feature(
        name=name,
        kind=Kind.NUMBER,
        columns=(name,),
        dtypes=(dtype,),
        low=float(known.min()) if known.size else math.nan,
        high=float(known.max()) if known.size else math.nan,
        decimals=_decimals(known, dtype),
        title=name,
    )


def _date(name: str, column: pd.Series) -> Feature:
    values = days(column)
    known = values[np.isfinite(values)]
    return Feature(
        name=name,
        kind=Kind.NUMBER,
        columns=(name,),
        dtypes=(column.dtype,),
        low=float(known.min()) if known.size else math.nan,
        high=float(known.max()) if known.size else math.nan,
        decimals=decimals_of_dates(known),
        title=name,
        is_date=True,
    )


def decimals_of_dates(known: Rows) -> int:
    """None where all are whole days."""
    return 0 if np.array_equal(np.round(known), known) else DECIMALS_OF_TIMES


def category(
    name: str, column: pd.Series, values: Sequence[Any], *, ordered: bool = False, labels: tuple[str, ...] = ()
) -> Feature:
    """A feature whose values are named; those given, in this order."""
    return Feature(
        name=name,
        kind=Kind.CATEGORY,
        columns=(name,),
        dtypes=(column.dtype,),
        categories=tuple((value,) for value in values),
        labels=labels or _distinct([str(value) for value in values], values),
        ordered=ordered,
        title=name,
    )


def _grouped(name: str, part: pd.DataFrame) -> Feature:
    """A category whose values are the combinations of columns that occur."""
    seen = sorted(set(part.dropna().itertuples(index=False, name=None)), reverse=True)
    columns = tuple(part.columns)
    return Feature(
        name=name,
        kind=Kind.CATEGORY,
        columns=columns,
        dtypes=tuple(part.dtypes),
        categories=tuple(seen),
        labels=_distinct([_group_label(name, columns, values) for values in seen], seen),
        title=name,
    )


def _group_label(name: str, columns: tuple[str, ...], values: tuple[Any, ...]) -> str:
    """The hot columns' names, without the group's own name in front."""
    hot = [_without(name, column) for column, value in zip(columns, values, strict=True) if value]
    return " + ".join(hot) or "none of these"


def _without(name: str, column: str) -> str:
    """A column's name without the group's in front; of separators only the first one, as a second may be a minus."""
    rest = column.removeprefix(name)
    return rest.lstrip(rest[0]).strip() if rest and rest[0] in SEPARATORS else rest


def _distinct(labels: Sequence[str], values: Sequence[Any]) -> tuple[str, ...]:
    """The labels, each with its value behind it where some read alike."""
    if len(set(labels)) == len(labels):
        return tuple(labels)
    return tuple(f"{label} ({value!r})" for label, value in zip(labels, values, strict=True))


def _decimals(known: Rows, dtype: Any) -> int:
    """Decimals that print numbers as recorded, or about four significant digits of computed ones."""
    exact = plain(dtype)
    if exact.kind in "iu":
        return 0
    with np.errstate(over="ignore"):
        for decimals in range(MOST_RECORDED_DECIMALS + 1):
            if np.array_equal(np.round(known, decimals).astype(exact), known.astype(exact)):
                return decimals
    typical = float(np.median(np.abs(known[known != 0])))
    return min(max(0, SIGNIFICANT_DIGITS - 1 - math.floor(math.log10(typical))), 12)
