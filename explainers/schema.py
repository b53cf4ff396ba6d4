"""What a table's columns mean: features, their kinds, units and defaults.

A *feature* is what a person can change: mostly one column, sometimes a group of
columns that make sense only together (a category spread over 0/1 columns). Inside
the package every row is an array with one number a feature: numbers as they are,
categories as codes, missing as NaN.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.picture import Pixels, wrong_with

Rows = NDArray[np.float64]

MICROSECONDS_A_DAY = 86_400_000_000
SECONDS_A_DAY = 86_400


class Kind(StrEnum):
    """Whether a feature is measured or named."""

    NUMBER = "number"
    CATEGORY = "category"


class Direction(StrEnum):
    """Which way a feature may move from the case's own value."""

    ANY = "any"
    UP = "up"
    DOWN = "down"


class SchemaError(ValueError):
    """A table does not fit its schema; the message names the column and the remedy."""


@dataclass(frozen=True)
class Feature:
    """One thing that can change.

    Attributes
    ----------
    name : str
        Unique within the schema; the column's name, or a group's own.
    kind : Kind
    columns : tuple of str
        The table's columns behind the feature, in the table's order.
    dtypes : tuple of pandas or NumPy dtypes
        One a column; rows are handed back to the model with exactly these.
    categories : tuple of tuples
        For a category, the values of ``columns`` that each code stands for.
    labels : tuple of str
        How a person reads each category; one a code.
    ordered : bool
        Whether the categories have an order, that of ``categories``.
    low, high : float
        Smallest and largest observed number; NaN for categories.
    decimals : int
        Decimals that print every recorded number exactly or, where numbers were
        computed rather than recorded, about four significant digits.
    title, unit, description : str
        How a person calls the feature, what it is measured in, what it means.
    locked : bool
        Whether it stays as it is unless the person unlocks it.
    direction : Direction
        Which way it may move unless the person says otherwise.
    allowed_low, allowed_high : float, optional
        Between which numbers a change may lead unless the person says otherwise.
    is_date : bool
        Whether the number is a date, in days since 1970.
    missing_code : object, optional
        What the table and the model have in the place of a missing value.
    """

    name: str
    kind: Kind
    columns: tuple[str, ...]
    dtypes: tuple[Any, ...]
    categories: tuple[tuple[Any, ...], ...] = ()
    labels: tuple[str, ...] = ()
    ordered: bool = False
    low: float = math.nan
    high: float = math.nan
    decimals: int = 0
    title: str = ""
    unit: str = ""
    description: str = ""
    locked: bool = False
    direction: Direction = Direction.ANY
    allowed_low: float | None = None
    allowed_high: float | None = None
    is_date: bool = False
    missing_code: Any = None

    @property
    def is_number(self) -> bool:
        return self.kind is Kind.NUMBER

    @property
    def has_order(self) -> bool:
        """Whether "up" and "down" mean something."""
        return self.is_number or self.ordered

    def as_read(self) -> Feature:
        """What a person reads of it, without the columns, types and values that the model has behind it."""
        return replace(
            self, columns=(), dtypes=(), categories=tuple((label,) for label in self.labels), missing_code=None
        )

    def code(self, label: str) -> float:
        """Code of the category that a person reads as `label`.

        Raises
        ------
        SchemaError
            If no category is called so.
        """
        try:
            return float(self.labels.index(label))
        except ValueError:
            raise SchemaError(
                f"{self.title} has no category called {label!r}; it has {', '.join(self.labels)}."
            ) from None


@dataclass(frozen=True, eq=False)
class Schema:
    """The features of a table, in the order in which ties are broken.

    `order`, the table's own of its columns, matters where a group's are not side by side.
    `picture` has the names of features that are pixels, row by row; see `explainers.picture`.
    """

    features: tuple[Feature, ...]
    order: tuple[str, ...] = ()
    picture: Pixels = ()

    def __len__(self) -> int:
        return len(self.features)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(feature.name for feature in self.features)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return self.order or tuple(column for feature in self.features for column in feature.columns)

    @cached_property
    def is_number(self) -> NDArray[np.bool_]:
        """Which features are numbers, shape (n_features,)."""
        return np.array([feature.is_number for feature in self.features], dtype=bool)

    @cached_property
    def grid(self) -> NDArray[np.float64]:
        """How many numbers the table records on one unit of each feature, shape (n_features,); a day has seconds."""
        return np.array([SECONDS_A_DAY if f.is_date and f.decimals else 10.0**f.decimals for f in self.features])

    @cached_property
    def short_floats(self) -> tuple[tuple[int, np.dtype[Any]], ...]:
        """Positions and dtypes of the numbers that the table has as floats of less than 64 bits."""
        numbers = [(at, plain(f.dtypes[0])) for at, f in enumerate(self.features) if f.is_number and not f.is_date]
        return tuple((at, dtype) for at, dtype in numbers if dtype.kind == "f" and dtype != np.float64)

    def index(self, name: str) -> int:
        """Position of the feature called `name`.

        Raises
        ------
        SchemaError
            If there is none.
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise SchemaError(f"There is no feature called {name!r}.") from None

    def __getitem__(self, name: str) -> Feature:
        return self.features[self.index(name)]

    @classmethod
    def infer(cls, table: pd.DataFrame, groups: Mapping[str, Sequence[str]] | None = None) -> Schema:
        """Read a schema off a table.

        Parameters
        ----------
        table : DataFrame
            The model's inputs only, one column each; booleans, strings and
            pandas categories become categories, the rest numbers. Dates are numbers
            too: days since 1970.
        groups : mapping of name to columns, optional
            Columns that move together, such as a category spread over 0/1 columns.

        Raises
        ------
        SchemaError
            If a column is named twice, or a group's name or columns can't be.
        """
        from explainers.schema_inference import features_of  # which builds on this module

        return cls(features_of(table, groups or {}), tuple(table.columns))

    def described(self, descriptions: Mapping[str, Mapping[str, Any]]) -> Schema:
        """The same schema with attributes of some features replaced, by feature name.

        ``labels`` may be given as a mapping from category to label; a mapping's order
        is then the categories' order.
        """
        for name in descriptions:
            self.index(name)
        return replace(self, features=tuple(_described(f, descriptions.get(f.name, {})) for f in self.features))

    def pictured(self, pixels: Pixels) -> Schema:
        """The same schema with features that are the pixels of a picture; with none, of no picture.

        Raises
        ------
        SchemaError
            If they can't be.
        """
        if pixels and (wrong := wrong_with(pixels, self)):
            raise SchemaError(wrong)
        return replace(self, picture=pixels)

    def encode(self, table: pd.DataFrame) -> Rows:
        """Turn a table with the schema's columns, in any order, into encoded rows.

        Returns
        -------
        array of shape (n_rows, n_features)

        Raises
        ------
        SchemaError
            If a column is absent, a number is not one, or a category was never seen.
        """
        absent = [column for column in self.columns if column not in table.columns]
        if absent:
            raise SchemaError(f"The column {absent[0]!r} is not in the table; add it or choose another model.")
        rows = np.empty((len(table), len(self)), dtype=np.float64)
        for position, feature in enumerate(self.features):
            part = table[list(feature.columns)]
            rows[:, position] = _numbers(feature, part) if feature.is_number else _codes(feature, part)
        return rows

    def decode(self, rows: Rows) -> pd.DataFrame:
        """Turn encoded rows back into the table's own columns and dtypes."""
        if self._is_one_piece:
            return pd.DataFrame(rows, columns=self._column_index)  # copies, and is read in one piece
        columns: dict[str, Any] = {}
        for position, feature in enumerate(self.features):
            values = rows[:, position]
            if feature.is_number:
                columns[feature.columns[0]] = _as_dtype(feature, values)
            else:
                columns.update(_category_columns(feature, values))
        return pd.DataFrame({column: columns[column] for column in self.columns}, copy=False)

    @cached_property
    def _is_one_piece(self) -> bool:
        return all(f.is_number and f.dtypes[0] == np.float64 and f.missing_code is None for f in self.features)

    @cached_property
    def _column_index(self) -> pd.Index:
        return pd.Index(list(self.columns))

    def displayed(self, rows: Rows, decimals: Sequence[int]) -> Rows:
        """The rows that somebody would type who reads the numbers with so many decimals."""
        shown = rows.copy()
        for position, feature in enumerate(self.features):
            if feature.is_number:
                known = ~np.isnan(rows[:, position])
                if feature.is_date:
                    shown[known, position] = _displayed_dates(rows[known, position], decimals[position])
                    continue
                read = np.array([float(f"{value:.{decimals[position]}f}") for value in rows[known, position]])
                shown[known, position] = read.astype(plain(feature.dtypes[0]))
        return shown


def same(one: Rows, other: Rows) -> NDArray[np.bool_]:
    """Where encoded values agree; missing agrees with missing."""
    return np.asarray((one == other) | (np.isnan(one) & np.isnan(other)), dtype=bool)


def _described(feature: Feature, description: Mapping[str, Any]) -> Feature:
    changes = dict(description)
    labels = changes.get("labels", feature.labels)
    if isinstance(labels, Mapping):
        value_of = {str(values[0]): values for values in feature.categories}
        lacking = set(value_of) - set(map(str, labels))
        if lacking:
            raise SchemaError(f"{feature.name} has no label for its category {sorted(lacking)[0]!r}.")
        kept = [(value_of[str(value)], text) for value, text in labels.items() if str(value) in value_of]
        changes["categories"], labels = zip(*kept, strict=True) if kept else ((), ())
    if len(labels) != len(feature.categories):
        raise SchemaError(f"{feature.name} has {len(feature.categories)} categories and {len(labels)} labels.")
    return replace(feature, **changes | {"labels": tuple(labels)})


def plain(dtype: Any) -> np.dtype[Any]:
    """The NumPy dtype behind a pandas one."""
    found: np.dtype[Any] = np.dtype(getattr(dtype, "numpy_dtype", dtype))
    return found


def _numbers(feature: Feature, part: pd.DataFrame) -> Rows:
    column = part.iloc[:, 0]
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return days(column)
    if not pd.api.types.is_numeric_dtype(column.dtype):
        number = pd.to_numeric(column, errors="coerce")
        wrong = column[number.isna() & column.notna()]
        if len(wrong):
            raise SchemaError(f"The column {column.name!r} should hold numbers, but holds {wrong.iloc[0]!r}.")
        column = number
    values = np.array(column.to_numpy(dtype=np.float64, na_value=np.nan), dtype=np.float64)
    if feature.missing_code is not None:
        values[values == feature.missing_code] = np.nan
    return values


def days(column: pd.Series) -> Rows:
    """Dates as days since 1970, in UTC; missing as NaN."""
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    since = column.to_numpy(dtype="datetime64[us]") - np.datetime64(0, "us")
    return np.asarray(since / np.timedelta64(1, "D"), dtype=np.float64)


def _displayed_dates(dates: Rows, decimals: int) -> Rows:
    """Whole days or, where a time of day is shown, whole seconds."""
    return np.round(dates) if decimals == 0 else np.round(dates * SECONDS_A_DAY) / SECONDS_A_DAY


def _codes(feature: Feature, part: pd.DataFrame) -> Rows:
    missing = part.isna().any(axis=1).to_numpy()
    if feature.missing_code is not None:
        missing = missing | (part.iloc[:, 0].astype("object") == feature.missing_code).to_numpy()
    if len(feature.columns) == 1:
        codes = pd.Index([values[0] for values in feature.categories]).get_indexer(pd.Index(part.iloc[:, 0]))
    else:
        code_of = {values: code for code, values in enumerate(feature.categories)}
        codes = np.array([code_of.get(values, -1) for values in part.itertuples(index=False, name=None)], dtype=int)
    unseen = np.flatnonzero((codes < 0) & ~missing)
    if unseen.size:
        value = part.iloc[int(unseen[0])].tolist()
        raise SchemaError(f"{feature.name} holds {value[0] if len(value) == 1 else value!r}, which the schema lacks.")
    return np.where(missing, np.nan, codes.astype(np.float64))


def _as_dtype(feature: Feature, values: Rows) -> Any:
    dtype = feature.dtypes[0]
    if feature.missing_code is not None:
        values = np.where(np.isnan(values), float(feature.missing_code), values)
    if pd.api.types.is_datetime64_any_dtype(dtype):
        return _as_dates(dtype, values)
    if isinstance(dtype, np.dtype):
        if dtype.kind in "iu" and np.isnan(values).any():
            raise SchemaError(f"{feature.name} holds whole numbers only and can't be missing.")
        return values.astype(dtype, copy=False)
    return pd.array(values, dtype="Float64").astype(dtype)


def _as_dates(dtype: Any, values: Rows) -> Any:
    since = np.full(len(values), np.datetime64("NaT"), dtype="datetime64[us]")
    known = ~np.isnan(values)
    since[known] = np.round(values[known] * MICROSECONDS_A_DAY).astype(np.int64).view("datetime64[us]")
    if isinstance(dtype, pd.DatetimeTZDtype):
        return pd.Series(since).dt.tz_localize("UTC").dt.tz_convert(dtype.tz).astype(dtype).array
    return since.astype(dtype)


def _category_columns(feature: Feature, values: Rows) -> dict[str, Any]:
    missing = np.isnan(values)
    codes = np.where(missing, -1, values).astype(np.intp)
    columns: dict[str, Any] = {}
    if feature.missing_code is not None:
        # The code stands last, which is where a position of -1 leads.
        known = [category[0] for category in feature.categories]
        levels = pd.Series([*known, feature.missing_code], dtype=feature.dtypes[0]).array
        return {feature.columns[0]: levels.take(codes)}
    for place, (column, dtype) in enumerate(zip(feature.columns, feature.dtypes, strict=True)):
        levels = pd.Series([category[place] for category in feature.categories], dtype=dtype).array
        columns[column] = levels.take(codes, allow_fill=True) if missing.any() else levels.take(codes)
    return columns
