"""What a person says of a table's columns, laid over what was read off them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from explainers.intake.one_hot import one_hot_groups
from explainers.picture import Pixels
from explainers.schema import Direction, Feature, Kind, Schema, SchemaError
from explainers.schema_inference import category

MOST_NUMBERS_AS_CATEGORIES = 200


@dataclass(frozen=True)
class FeatureEdit:
    """What is said of one feature; ``None`` and empty leave what was read off the table.

    Attributes
    ----------
    title, unit, description : str, optional
    kind : Kind, optional
    ordered : bool, optional
        Whether the categories have an order, that of ``categories``.
    categories : tuple of (label as read, label wanted)
        In the order wanted; what isn't named comes after.
    locked : bool, optional
    direction : Direction, optional
    allowed_low, allowed_high : float, optional
    missing : tuple of str
        Values, as they are printed, that mean "missing".
    """

    title: str | None = None
    unit: str | None = None
    description: str | None = None
    kind: Kind | None = None
    ordered: bool | None = None
    categories: tuple[tuple[str, str], ...] = ()
    locked: bool | None = None
    direction: Direction | None = None
    allowed_low: float | None = None
    allowed_high: float | None = None
    missing: tuple[str, ...] = ()

    @property
    def structure(self) -> tuple[Any, ...]:
        """What decides on how rows are encoded, and so on what a model learns from them."""
        return self.kind, tuple(value for value, _ in self.categories), self.missing


AS_READ = FeatureEdit()


@dataclass(frozen=True)
class SchemaEdits:
    """What is said of all columns.

    Attributes
    ----------
    features : tuple of (feature name, FeatureEdit)
        Sorted by name, without edits that say nothing.
    groups : tuple of (name, columns)
        Columns that move together; none where a group that would be found is to stay apart.
    uses : tuple of (column, bool)
        Whether a column is a feature, where that was said.
    picture : tuple of tuples of str
        Columns that are the pixels of a picture, row by row.
    """

    features: tuple[tuple[str, FeatureEdit], ...] = ()
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    uses: tuple[tuple[str, bool], ...] = ()
    picture: Pixels = ()

    def __getitem__(self, name: str) -> FeatureEdit:
        return dict(self.features).get(name, AS_READ)

    def with_feature(self, name: str, edit: FeatureEdit) -> SchemaEdits:
        """The same edits with one feature's replaced."""
        features = {**dict(self.features), name: edit}
        said = ((other, features[other]) for other in sorted(features) if features[other] != AS_READ)
        return replace(self, features=tuple(said))

    def with_use(self, column: str, used: bool) -> SchemaEdits:
        """The same edits, with a column taken as a feature or left out."""
        return replace(self, uses=tuple(sorted({**dict(self.uses), column: used}.items())))

    def with_picture(self, pixels: Pixels) -> SchemaEdits:
        """The same edits with these columns as the pixels of a picture; with none, without a picture."""
        return replace(self, picture=pixels)

    def with_group(self, name: str, columns: Sequence[str]) -> SchemaEdits:
        """The same edits with a group more; without columns, none is called so, whatever is found.

        What was said of a group that ends, or of columns that become one, is forgotten.
        """
        groups = {**dict(self.groups), name: tuple(columns)}
        gone = {name, *columns}
        return replace(
            self,
            groups=tuple(sorted(groups.items())),
            features=tuple((other, edit) for other, edit in self.features if other not in gone),
        )

    @property
    def structure(self) -> tuple[Any, ...]:
        """What a trained model depends on; equal for edits that differ in words, locks and limits only."""
        said = tuple((name, edit.structure) for name, edit in self.features if edit.structure != AS_READ.structure)
        return said, self.groups, self.uses, self.picture


@dataclass(frozen=True, eq=False)
class Reading:
    """A table's columns as features.

    Attributes
    ----------
    table : DataFrame
        As a model that is trained here takes it: what means "missing" is missing, dates
        are days since 1970.
    schema : Schema
    """

    table: pd.DataFrame
    schema: Schema


def read_for_training(table: pd.DataFrame, edits: SchemaEdits) -> Reading:
    """Features of columns that a model here is to learn from.

    Parameters
    ----------
    table : DataFrame
        The features' columns only.
    edits : SchemaEdits

    Raises
    ------
    SchemaError
        If an edit doesn't fit the table.
    """
    known = _masked(table, edits)
    schema = _edited(known, edits)
    dates = [feature for feature in schema.features if feature.is_date]
    if dates:
        from explainers.schema import days

        known = known.assign(**{feature.name: days(known[feature.name]) for feature in dates})
        as_days = {feature.name: {"dtypes": (np.dtype("float64"),)} for feature in dates}
        schema = schema.described(as_days)
    return Reading(known, schema)


def read_for_model(table: pd.DataFrame, edits: SchemaEdits) -> Schema:
    """Features of columns that go to a model as they are.

    A code that means "missing" is handed back to the model, so there can be one a column.

    Raises
    ------
    SchemaError
        If an edit doesn't fit the table.
    """
    schema = _edited(_masked(table, edits), edits)
    codes = {
        name: _only_code(name, table[name], edit.missing)
        for name, edit in edits.features
        if edit.missing and name in table.columns
    }
    return schema.described(
        {name: {"missing_code": code, "dtypes": (table[name].dtype,)} for name, code in codes.items()}
    )


def found_groups(table: pd.DataFrame, edits: SchemaEdits) -> dict[str, tuple[str, ...]]:
    """Categories spread over columns of 0 and 1 that nothing is said of, neither of the group nor of a column."""
    said = {name for name, _ in edits.groups} | {column for _, columns in edits.groups for column in columns}
    found = one_hot_groups(table)
    return {name: columns for name, columns in found.items() if said.isdisjoint((name, *columns))}


def values_called(column: pd.Series, texts: Sequence[str]) -> list[Any]:
    """The values of a column that are printed so."""
    wanted = {text.strip() for text in texts}
    return [value for value in column.dropna().unique() if printed(value) in wanted]


def printed(value: Any) -> str:
    """A value of a table as a person would type it: whole numbers without a point."""
    if isinstance(value, float | np.floating) and math.isfinite(value) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _only_code(name: str, column: pd.Series, texts: Sequence[str]) -> Any:
    found = values_called(column, texts)
    if len(found) > 1 or column.isna().any():
        raise SchemaError(
            f"A model from a file has to be handed back what {name!r} has in the place of a missing value, so there can"
            " be one code and no empty cell beside it; choose one code, or train a model here."
        )
    return found[0]


def _masked(table: pd.DataFrame, edits: SchemaEdits) -> pd.DataFrame:
    """The table with its codes for missing values emptied."""
    changed: dict[str, pd.Series] = {}
    for name, edit in edits.features:
        if not edit.missing or name not in table.columns:
            continue
        column = table[name]
        for text in edit.missing:
            if not values_called(column, [text]):
                raise SchemaError(f"The column {name!r} has no value {text!r}; choose a code that occurs in it.")
        changed[name] = column.mask(column.isin(values_called(column, edit.missing)))
    return table.assign(**changed) if changed else table


def _edited(table: pd.DataFrame, edits: SchemaEdits) -> Schema:
    schema = Schema.infer(table, groups=_groups(table, edits))
    described = replace(schema, features=tuple(_feature(f, table, edits[f.name]) for f in schema.features))
    return described.pictured(edits.picture)


def _groups(table: pd.DataFrame, edits: SchemaEdits) -> Mapping[str, Sequence[str]]:
    """The groups whose columns are all there, as a model may want fewer, and those found of which nothing is said."""
    said = {name: columns for name, columns in edits.groups if columns and set(columns) <= set(table.columns)}
    return found_groups(table, edits) | said


def _feature(feature: Feature, table: pd.DataFrame, edit: FeatureEdit) -> Feature:
    if edit == AS_READ:
        return feature
    if edit.kind is not None and edit.kind is not feature.kind:
        feature = _of_kind(feature, table, edit.kind)
    if edit.categories and not feature.is_number:
        feature = _with_categories(feature, edit.categories)
    said = {
        name: getattr(edit, name)
        for name in ("title", "unit", "description", "ordered", "locked", "direction", "allowed_low", "allowed_high")
        if getattr(edit, name) is not None
    }
    feature = replace(feature, **said)
    if not feature.title.strip():
        raise SchemaError(f"The column {feature.name!r} needs a name to be shown by; type one.")
    if feature.direction is not Direction.ANY and not feature.has_order:
        raise SchemaError(f"{feature.title} has no order, so it can't be told to rise or fall; say that it is ordered.")
    _check_range(feature)
    return feature


def _check_range(feature: Feature) -> None:
    low, high = feature.allowed_low, feature.allowed_high
    if low is None and high is None:
        return
    if not feature.is_number:
        raise SchemaError(f"{feature.title} is not a number, so it has no range; clear its bounds.")
    if low is not None and high is not None and low > high:
        raise SchemaError(f"The range of {feature.title} ends before it begins; exchange its bounds.")


def _of_kind(feature: Feature, table: pd.DataFrame, kind: Kind) -> Feature:
    """The same column as named values, where they are few; never as numbers, which its values aren't."""
    if kind is Kind.NUMBER:
        raise SchemaError(f"The column {feature.name!r} holds no numbers, so it stays a category; correct its values.")
    column = table[feature.name]
    values = sorted(column.dropna().unique().tolist())
    if len(values) > MOST_NUMBERS_AS_CATEGORIES:
        raise SchemaError(
            f"The column {feature.name!r} has {len(values)} different values, and categories may be"
            f" {MOST_NUMBERS_AS_CATEGORIES} at most; leave it a number."
        )
    return category(feature.name, column, values, ordered=True, labels=tuple(printed(value) for value in values))


def _with_categories(feature: Feature, wanted: Sequence[tuple[str, str]]) -> Feature:
    said = dict(wanted)
    order = [label for label in said if label in feature.labels]
    order += [label for label in feature.labels if label not in said]
    labels = tuple(said.get(label, label).strip() for label in order)
    if not all(labels):
        raise SchemaError(f"A category of {feature.title} has no name; type one.")
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise SchemaError(f"Two categories of {feature.title} are called {twice!r}; give each a name of its own.")
    places = [feature.labels.index(label) for label in order]
    return replace(feature, categories=tuple(feature.categories[place] for place in places), labels=labels)
