"""Why a model fails on a table: which column it is, found by asking again with others in its place."""

from __future__ import annotations

import re
from collections.abc import Callable

import pandas as pd
from numpy.typing import ArrayLike

from explainers.intake.estimators import skew
from explainers.intake.fitting import gap_problem, text_problem
from explainers.intake.loaded import LoadedModel
from explainers.intake.refusal import first_line

Predict = Callable[[pd.DataFrame], ArrayLike]
NOT_A_NUMBER = re.compile(r"could not convert string to float: '(.*)'")


def diagnose(loaded: LoadedModel, predict: Predict, tried: pd.DataFrame, inputs: pd.DataFrame, error: Exception) -> str:
    """Say in one sentence why the model fails on some rows.

    Parameters
    ----------
    loaded : LoadedModel
    predict : callable
        As it was asked.
    tried, inputs : DataFrame
        The rows it was asked about, and all of them.
    error : Exception
        What it answered.
    """
    text = NOT_A_NUMBER.search(str(error))
    column = _holding(tried, text[1]) if text else None
    if text and column:
        return text_problem(column, text[1])
    good = next((place for place in range(len(tried)) if _works(predict, tried.iloc[[place]])), None)
    if good is None:
        return _on_no_row(loaded, predict, tried, inputs, error)
    bad = next((place for place in range(len(tried)) if not _works(predict, tried.iloc[[place]])), None)
    culprit = None if bad is None else _culprit(predict, tried.iloc[[good]], tried.iloc[[bad]])
    if bad is None or culprit is None:
        return _unnamed(loaded, error)
    if pd.isna(tried[culprit].iloc[bad]):
        return gap_problem(culprit, int(inputs[culprit].isna().sum()))
    return (
        f"The model fails on the value {str(tried[culprit].iloc[bad])[:40]!r} of the column {culprit!r}; correct it,"
        " leave these rows out, or fit the model on such values."
    )


def _on_no_row(
    loaded: LoadedModel, predict: Predict, tried: pd.DataFrame, inputs: pd.DataFrame, error: Exception
) -> str:
    """Another version, or a column that is missing throughout."""
    old = skew(loaded.name, loaded.versions)
    if old and not isinstance(error, ValueError):
        return old
    gaps = tried.isna().any()
    for column in tried.columns[gaps.to_numpy()]:
        if pd.api.types.is_numeric_dtype(tried[column].dtype) and _works(predict, tried.head(1).assign(**{column: 0})):
            return gap_problem(column, int(inputs[column].isna().sum()))
    return old or _unnamed(loaded, error)


def _unnamed(loaded: LoadedModel, error: Exception) -> str:
    return (
        f"{loaded.name} fails on the table's rows, for {first_line(error)}; check that the columns hold what it was"
        " fitted on."
    )


def _culprit(predict: Predict, good: pd.DataFrame, bad: pd.DataFrame) -> str | None:
    """The column of a row that fails whose value makes a good row fail too."""
    for column in bad.columns:
        mixed = good.assign(**{column: bad[column].array})
        if not _works(predict, mixed):
            return str(column)
    return None


def _holding(tried: pd.DataFrame, text: str) -> str | None:
    return next((str(column) for column in tried if (tried[column].astype("object") == text).any()), None)


def _works(predict: Predict, rows: pd.DataFrame) -> bool:
    try:
        predict(rows)
    except Exception:  # a model may fail in any way
        return False
    return True
