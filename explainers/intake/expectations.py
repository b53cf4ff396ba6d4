"""What a fitted scikit-learn model wants of each column, read from its encoders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explainers.intake.loaded import Expectation

Column = str | int


def expectations(estimator: Any) -> dict[Column, Expectation]:
    """Read what is wanted of each column off a fitted estimator.

    Parameters
    ----------
    estimator : object
        A scikit-learn estimator, pipeline or wrapper around one.

    Returns
    -------
    dict
        By name where the model knows names, else by position; columns of which nothing
        is known are absent.
    """
    columns: Sequence[Column] | None = _names(estimator)
    return {} if columns is None else _of(estimator, columns, is_filled=False)


def _names(estimator: Any) -> Sequence[Column] | None:
    names = getattr(estimator, "feature_names_in_", None)
    if names is not None:
        return [str(name) for name in names]
    count = getattr(estimator, "n_features_in_", None)
    return None if count is None else list(range(int(count)))


def _of(estimator: Any, columns: Sequence[Column], *, is_filled: bool) -> dict[Column, Expectation]:
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

    if isinstance(estimator, Pipeline):
        return _of_pipeline(estimator, columns, is_filled=is_filled)
    if isinstance(estimator, ColumnTransformer):
        return _of_columns(estimator, columns, is_filled=is_filled)
    if isinstance(estimator, OneHotEncoder | OrdinalEncoder):
        return _of_encoder(estimator, columns, is_filled=is_filled)
    inner = _wrapped(estimator)
    if inner is not None:
        return _of(inner, columns, is_filled=is_filled)
    preprocessor = getattr(estimator, "_preprocessor", None)
    if isinstance(preprocessor, ColumnTransformer):
        return _of_columns(preprocessor, columns, is_filled=is_filled)
    return dict.fromkeys(columns, Expectation(is_number=True)) if _wants_numbers(estimator) else {}


def _of_pipeline(pipeline: Any, columns: Sequence[Column], *, is_filled: bool) -> dict[Column, Expectation]:
    from sklearn.impute import SimpleImputer

    for _, step in pipeline.steps:
        if step is None or step == "passthrough":
            continue
        if isinstance(step, SimpleImputer) and not step.add_indicator and _keeps_text(step):
            is_filled = True
            continue
        return _of(step, columns, is_filled=is_filled)
    return {}


def _keeps_text(imputer: Any) -> bool:
    """Whether an imputer hands on as many columns as it takes, and not necessarily numbers."""
    filled = np.asarray(imputer.statistics_)
    return filled.dtype.kind not in "fiu"


def _of_columns(transformer: Any, columns: Sequence[Column], *, is_filled: bool) -> dict[Column, Expectation]:
    found: dict[Column, Expectation] = {}
    for _, step, chosen in transformer.transformers_:
        if not isinstance(step, str):
            part = _chosen(columns, chosen)
            for column, expectation in _of(step, part, is_filled=is_filled).items():
                found.setdefault(column, expectation)
    return found


def _chosen(columns: Sequence[Column], chosen: Any) -> Sequence[Column]:
    if isinstance(chosen, str):
        return [chosen]
    if isinstance(chosen, slice):
        return list(columns)[chosen] if not isinstance(chosen.start, str) else []
    places = np.atleast_1d(np.asarray(chosen))
    if places.dtype.kind == "b":
        return [column for column, taken in zip(columns, places, strict=False) if taken]
    if places.dtype.kind in "iu":
        return [columns[int(place)] for place in places]
    return [str(place) for place in places]


def _of_encoder(encoder: Any, columns: Sequence[Column], *, is_filled: bool) -> dict[Column, Expectation]:
    takes_unknown = encoder.handle_unknown != "error"
    return {
        column: Expectation(None, tuple(categories.tolist()), takes_unknown, is_filled)
        for column, categories in zip(columns, encoder.categories_, strict=False)
    }


def _wrapped(estimator: Any) -> Any:
    """The fitted model inside a search, a calibration or the like."""
    for name in ("best_estimator_", "estimator_", "regressor_", "classifier_"):
        inner = getattr(estimator, name, None)
        if inner is not None and hasattr(inner, "n_features_in_"):
            return inner
    calibrated = getattr(estimator, "calibrated_classifiers_", None)
    return calibrated[0].estimator if calibrated else None


def _wants_numbers(estimator: Any) -> bool:
    from sklearn.base import is_classifier, is_regressor
    from sklearn.ensemble import (
        BaggingClassifier,
        BaggingRegressor,
        StackingClassifier,
        StackingRegressor,
        VotingClassifier,
        VotingRegressor,
    )
    from sklearn.impute import SimpleImputer

    several = (
        BaggingClassifier, BaggingRegressor, StackingClassifier, StackingRegressor, VotingClassifier, VotingRegressor
    )  # fmt: skip
    if isinstance(estimator, several) or not type(estimator).__module__.startswith("sklearn."):
        return False
    if is_classifier(estimator) or is_regressor(estimator):
        return True
    if isinstance(estimator, SimpleImputer):
        return not _keeps_text(estimator)
    return type(estimator).__name__.endswith(("Scaler", "Transformer", "Discretizer", "Features")) and not type(
        estimator
    ).__name__.startswith("Function")
