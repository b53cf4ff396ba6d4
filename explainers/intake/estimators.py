"""scikit-learn estimators, however they were saved."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from explainers.intake.expectations import expectations
from explainers.intake.loaded import LoadedModel
from explainers.intake.refusal import Refused


def from_estimator(name: str, format_: str, estimator: Any, content: bytes, saved_with: str | None) -> LoadedModel:
    """Describe a fitted estimator.

    Parameters
    ----------
    name : str
        What the file is called.
    format_ : str
    estimator : object
    content : bytes
        The whole file, for its fingerprint.
    saved_with : str, optional
        The version of scikit-learn that saved it.

    Raises
    ------
    Refused
        If it is no model, or isn't fitted.
    """
    if not hasattr(estimator, "predict"):
        what = type(estimator).__name__
        raise Refused(f"{name} holds {what!r}, which has no predict; save the fitted model or pipeline itself.")
    _check_fitted(name, estimator)
    columns = _columns(estimator)
    labels = getattr(estimator, "classes_", None)
    unfit = _unfit(name, estimator, labels)
    call = estimator.predict if labels is None else getattr(estimator, "predict_proba", estimator.predict)
    return LoadedModel(
        name=name,
        format=format_,
        predict=call if columns else _without_names(call),
        estimator=estimator,
        columns=columns,
        n_columns=_int_or_none(getattr(estimator, "n_features_in_", None)),
        classes=() if labels is None or unfit else tuple(str(label) for label in labels),
        expectations=expectations(estimator),
        versions={"scikit-learn": saved_with} if saved_with else {},
        notes=_skew_note(name, saved_with),
        unfit=unfit,
        fingerprint=hashlib.sha256(content).hexdigest(),
    )


def skew(name: str, versions: Mapping[str, str]) -> str | None:
    """Say that another version saved the file, if so, and the way out."""
    import sklearn

    saved_with = versions.get("scikit-learn")
    if saved_with in (None, sklearn.__version__):
        return None
    return (
        f"{name} was saved with scikit-learn {saved_with} and does not work with the {sklearn.__version__} that runs"
        f" here; fit it again with {sklearn.__version__}, or convert it to ONNX where it was fitted."
    )


def _skew_note(name: str, saved_with: str | None) -> tuple[str, ...]:
    import sklearn

    if saved_with in (None, sklearn.__version__):
        return ()
    return (
        f"{name} was saved with scikit-learn {saved_with} and runs with {sklearn.__version__} here; compare some"
        " scores, or convert it to ONNX where it was fitted.",
    )


def _check_fitted(name: str, estimator: Any) -> None:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(estimator)
    except NotFittedError:
        raise Refused(
            f"{name} holds a {type(estimator).__name__} that isn't fitted; fit it before saving it."
        ) from None
    except TypeError:
        return  # not scikit-learn's own, and nobody can tell


def _unfit(name: str, estimator: Any, labels: Any) -> str | None:
    what = type(estimator).__name__
    from sklearn.base import is_classifier

    if labels is None and is_classifier(estimator):
        return f"{name} holds a {what} that doesn't tell its classes; save a classifier that has classes_."
    if labels is None:
        return None
    if isinstance(labels, list):
        return f"{name} decides several things at once; fit one model for each and bring one."
    if not hasattr(estimator, "predict_proba"):
        return (
            f"{name} holds a {what}, which gives classes but no probabilities; fit"
            " CalibratedClassifierCV around it, or a model that has predict_proba."
        )
    return None


def _columns(estimator: Any) -> tuple[str, ...] | None:
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else tuple(map(str, names))


def _int_or_none(value: Any) -> int | None:
    return None if value is None else int(value)


def _without_names(call: Callable[[Any], ArrayLike]) -> Callable[[pd.DataFrame], ArrayLike]:
    """For models fitted on arrays."""

    def predict(table: pd.DataFrame) -> ArrayLike:
        numeric = all(
            pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_bool_dtype(dtype) for dtype in table.dtypes
        )
        if numeric:
            return call(table.to_numpy(dtype=np.float64, na_value=np.nan))
        return call(table.to_numpy(dtype=object, na_value=np.nan))

    return predict
