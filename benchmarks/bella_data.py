"""The twelve data sets of the paper's Table 1, and its two black boxes."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.decision import IntervalDecision
from explainers.model import Model
from explainers.problem import Problem
from explainers.schema import Schema

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FLIPSIDE_SHARED", ROOT.parent / "shared")) / "data"
CATEGORIES: dict[str, tuple[str, ...]] = {
    "auto_mpg": ("origin",),
    "seoul_bike": ("seasons", "holiday", "functioningday"),
    "concrete": (),
    "servo": ("motor", "screw", "pgain", "vgain"),
    "electrical_grid": (),
    "wine_quality_white": (),
    "real_estate": (),
    "wind": (),
    "cpu_activity": (),
    "echocardiogram": ("still_alive", "pericardial", "alive_at_1"),
    "iranian_churn": ("complains", "contract", "active"),
}
"""Each data set, and which of its columns are categories, as many as Table 1 counts."""
TEST_SHARE = 0.1


@dataclass(frozen=True, eq=False)
class Posed:
    """A black box fitted on nine tenths of a data set.

    Attributes
    ----------
    problem : Problem
        Its training rows are those nine tenths.
    test : array of int
        The other rows, in the order of the split.
    """

    problem: Problem
    test: NDArray[np.intp]


def frame_of(name: str) -> tuple[pd.DataFrame, NDArray[np.float64]]:
    """Features, categories as such, and labels."""
    table = pd.read_csv(DATA / f"{name}.csv")
    labels = table.pop("target").to_numpy(dtype=np.float64)
    numbers = [column for column in table.columns if column not in CATEGORIES[name]]
    table[numbers] = table[numbers].astype(np.float64)
    for column in CATEGORIES[name]:
        table[column] = pd.Categorical(table[column].astype("str"))
    return table, labels


def pose(name: str, black_box: str, seed: int = 0) -> Posed:
    """Split at random, and fit ``rf``, ``nn`` or ``ols``."""
    from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    table, labels = frame_of(name)
    order = np.random.default_rng(seed).permutation(len(table))
    test = order[: round(TEST_SHARE * len(table))]
    training = np.ones(len(table), dtype=bool)
    training[test] = False
    columns = list(CATEGORIES[name])
    inputs = ColumnTransformer(
        [("categories", OneHotEncoder(handle_unknown="ignore", sparse_output=False), columns)],
        remainder=StandardScaler(),
    )
    estimator = make_pipeline(
        inputs, TransformedTargetRegressor(_regressor(black_box, seed), transformer=StandardScaler())
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the paper's network ends after as many rounds
        estimator.fit(table[training], labels[training])
    schema = Schema.infer(table)
    model = Model.of(estimator, schema, fingerprint=f"{name} {black_box} {seed}")
    rows = schema.encode(table)
    outputs = model.score(rows)
    first, median, third = np.quantile(outputs, [0.25, 0.5, 0.75]).tolist()
    decision = IntervalDecision("target", (first, median, third))
    ids = tuple(map(str, range(len(table))))
    return Posed(Problem(model, rows, ids, training, decision, labels).with_outputs(outputs), test)


def _regressor(name: str, seed: int) -> Any:
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.linear_model import LinearRegression
    from sklearn.neural_network import MLPRegressor

    if name == "rf":
        return RandomForestRegressor(100, random_state=seed, n_jobs=1)
    if name == "nn":
        return MLPRegressor(hidden_layer_sizes=(500,), random_state=seed)
    return LinearRegression()


def superconductivity_like() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A table of Superconductivity's training shape: columns that go together, of which some count."""
    n_rows, n_columns = 19_136, 81
    random = np.random.default_rng(0)
    n_sources = n_columns // 3
    mixing = random.normal(size=(n_sources, n_columns))
    values = random.normal(size=(n_rows, n_sources)) @ mixing + 0.8 * random.normal(size=(n_rows, n_columns))
    counts = random.normal(size=n_columns) * (random.random(n_columns) < 0.3)
    labels = values @ counts + 5 * np.abs(values[:, 0]) + 5 * random.normal(size=n_rows)
    return values, labels
