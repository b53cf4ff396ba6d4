"""Tables, fitted models and what they score, for the tests of model files."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import skops.io as sio
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from explainers.intake.trial import Trial

N = 160


def table() -> pd.DataFrame:
    random = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, N),
            "amount": random.normal(2000, 600, N).round(2),
            "purpose": pd.Series(random.choice(["car", "home", "Öl <b>&\"'"], N), dtype="str"),
            "grade": pd.Series(random.choice(["low", "mid", "high"], N), dtype="str"),
        }
    )


def gapped() -> pd.DataFrame:
    with_gaps = table()
    with_gaps.loc[::9, "amount"] = np.nan
    with_gaps.loc[::11, "grade"] = np.nan
    return with_gaps


def target(frame: pd.DataFrame) -> np.ndarray:
    return np.where(frame["age"] + frame["amount"].fillna(0) / 50 > 90, "good", "bad")


def number(frame: pd.DataFrame) -> np.ndarray:
    return (frame["age"] * 2 + frame["amount"].fillna(0) / 10).to_numpy()


def mixed(model: Any, *, ordinal: bool = False, **how: Any) -> Any:
    encoder = OrdinalEncoder(**how) if ordinal else OneHotEncoder(**how)
    return make_pipeline(
        ColumnTransformer(
            [
                ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["age", "amount"]),
                ("words", make_pipeline(SimpleImputer(strategy="most_frequent"), encoder), ["grade", "purpose"]),
            ]
        ),
        model,
    )


def saved(model: Any) -> bytes:
    return bytes(sio.dumps(model))


def outside(model: Any, frame: pd.DataFrame) -> np.ndarray:
    call = model.predict_proba if hasattr(model, "classes_") else model.predict
    return np.asarray(call(frame)).reshape(len(frame), -1)


def inside(trial: Trial, frame: pd.DataFrame) -> np.ndarray:
    assert trial.model, trial.problems
    return trial.model.score(trial.model.schema.encode(frame))


def shuffled(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(extra=1.0)[["extra", *reversed(frame.columns)]]


def fitted(model: Any, X: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


def small(change: Callable[[pd.DataFrame], pd.DataFrame]) -> Callable[[], tuple[Any, pd.DataFrame]]:
    def build() -> tuple[Any, pd.DataFrame]:
        frame = table()
        pipeline = make_pipeline(
            ColumnTransformer([("n", StandardScaler(), ["age", "amount"]), ("c", OneHotEncoder(), ["grade"])]),
            LogisticRegression(),
        )
        return fitted(pipeline, frame, target(frame)), change(frame)

    return build


def bare(change: Callable[[pd.DataFrame], pd.DataFrame], model: Any = None) -> Callable[[], tuple[Any, pd.DataFrame]]:
    def build() -> tuple[Any, pd.DataFrame]:
        frame = table()[["age", "amount"]]
        return fitted(model or LogisticRegression(), frame, target(frame)), change(frame)

    return build


def set_(frame: pd.DataFrame, column: str, row: int, value: Any) -> pd.DataFrame:
    values = frame[column].astype("object")
    values.iloc[row] = value
    return frame.assign(**{column: values.infer_objects()})
