"""From a table of any dtypes to the numbers that scikit-learn's models learn from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from explainers.picture import places_of, scale_of
from explainers.schema import Feature, Schema

PIXEL_RANGE = 4.0
"""How far apart blank and full are once scaled: ink that is evenly spread then deviates by about 1."""


def as_numbers(schema: Schema) -> Any:
    """One 0/1 column a category, numbers as they are; a missing category is 0 throughout, a missing number NaN."""
    return _by_kind(schema, groups=_floats(), numbers=_floats())


def as_scaled_numbers(schema: Schema) -> Any:
    """One 0/1 column a category, numbers filled in with their median and standardised.

    A missing category is 0 throughout, in groups of 0/1 columns too. Pixels of a picture are
    centred and share one scale, lest those that are nearly always blank count as much as all others.
    """
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return _by_kind(
        schema,
        groups=make_pipeline(_floats(), SimpleImputer(strategy="constant", fill_value=0.0, keep_empty_features=True)),
        numbers=make_pipeline(_floats(), SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler()),
        pixels=make_pipeline(
            _floats(), SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler(with_std=False)
        ),
    )


def _by_kind(schema: Schema, *, groups: Any, numbers: Any, pixels: Any = None) -> Any:
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import OneHotEncoder

    named = [f for f in schema.features if not f.is_number and len(f.columns) == 1]
    steps: list[tuple[str, Any, list[str]]] = []
    if named:
        levels = [_levels(feature) for feature in named]
        encoder = OneHotEncoder(categories=levels, handle_unknown="ignore", sparse_output=False)
        steps.append(("categories", encoder, [feature.columns[0] for feature in named]))
    grouped = {column for f in schema.features if not f.is_number and len(f.columns) > 1 for column in f.columns}
    measured = {feature.columns[0] for feature in schema.features if feature.is_number}
    inked = set(places_of(schema)) if pixels is not None else set()
    for name, step, wanted in (
        ("groups", groups, grouped),
        ("numbers", numbers, measured - inked),
        ("pixels", pixels, inked),
    ):
        if wanted:
            steps.append((name, step, [column for column in schema.columns if column in wanted]))
    if not steps:
        raise ValueError("No column holds anything to learn from; add one besides the target.")
    return ColumnTransformer(steps, transformer_weights={"pixels": _pixel_weight(schema)} if inked else None)


def _pixel_weight(schema: Schema) -> float:
    low, high = scale_of(schema)
    return PIXEL_RANGE / (high - low) if high > low else 1.0


def _levels(feature: Feature) -> NDArray[np.object_]:
    """The categories, in ascending order where there is one: scikit-learn takes numbers in no other."""
    values = [values[0] for values in feature.categories]
    levels = np.empty(len(values), dtype=object)
    levels[:] = values if all(isinstance(value, str) for value in values) else sorted(values)
    return levels


def _floats() -> Any:
    """Any dtype of number to float, missing to NaN; a scaler that does not scale is what lets NaN pass."""
    from sklearn.preprocessing import StandardScaler

    return StandardScaler(with_mean=False, with_std=False)
