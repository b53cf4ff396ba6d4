"""The data sets and models of the MCCE paper's Section 3.1, each posed as a problem."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.decision import BinaryDecision
from explainers.model import Model
from explainers.problem import Problem
from explainers.schema import Schema

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FLIPSIDE_SHARED", ROOT.parent / "shared")) / "data"
SEED = 0
EPOCHS = 20
TRAINING_SHARE = 0.75
THE_REST = "the rest"


@dataclass(frozen=True)
class Source:
    """A data set as the paper uses it (Section 3.1 and Table 1).

    Attributes
    ----------
    file, target, desired : str
        What the target's column is called, and its value that is wanted.
    locked : tuple of str
    left_out : tuple of str
        Columns that are not used.
    categories : tuple of str
        Columns of numbers that are categories.
    hidden : tuple of int
        Sizes of the network's layers.
    batch, rate
        Batch size and learning rate.
    n_cases : int
        How many are explained.
    """

    file: str
    target: str
    desired: Any
    locked: tuple[str, ...]
    hidden: tuple[int, ...]
    batch: int
    rate: float
    n_cases: int
    left_out: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


SOURCES = {
    "Adult": Source(
        "adult.csv", "income", ">50K", ("age", "sex"), (18, 9, 3), 1024, 0.002, 1000, left_out=("education",)
    ),
    "Give Me Some Credit": Source(
        "give_me_some_credit.csv", "SeriousDlqin2yrs", 1, ("age",), (18, 9, 3), 2048, 0.002, 1000
    ),
    "German Credit": Source(
        "german_credit.csv", "default", 0, ("purpose", "age", "personal_status_sex"), (81, 16, 3), 16, 0.002, 200
    ),
    "FICO": Source(
        "fico_heloc.csv", "RiskPerformance", "Good", ("ExternalRiskEstimate",), (81, 27, 3), 8, 0.0005, 1000,
        categories=("MaxDelq2PublicRecLast12M", "MaxDelqEver"),
    ),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Posed:
    """A problem and the rows of it that are explained.

    Attributes
    ----------
    auc : float
        Of the model, on the rows it was not fitted on.
    cases : array of int
        Positions of rows that lack the desired decision, drawn at random with a fixed seed
        from those the model was not fitted on, or from all where these are too few.
    """

    problem: Problem
    source: Source
    auc: float
    cases: NDArray[np.intp]
    locked: tuple[int, ...] = field(default=())


def network(source: Source) -> Any:
    """The paper's multi-layer perceptron."""
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier(
        source.hidden, batch_size=source.batch, learning_rate_init=source.rate, max_iter=EPOCHS, random_state=SEED
    )


def forest(source: Source) -> Any:
    """The random forest of Appendix A.2."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(200, random_state=SEED)


def pose(name: str, make: Callable[[Source], Any] = network, most_levels: int | None = 2) -> Posed:
    """Read a data set, fit a model and draw the cases.

    Parameters
    ----------
    name : str
        In `SOURCES`.
    make : callable
        Makes the estimator.
    most_levels : int, optional
        Of a category the most frequent levels are kept, and the rest put together, so that
        it has so many at most; ``None`` for all of them.
    """
    import warnings

    from sklearn.compose import make_column_transformer
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.metrics import roc_auc_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    source = SOURCES[name]
    table = pd.read_csv(
        DATA / source.file, skipinitialspace=True, keep_default_na=name == "Give Me Some Credit"
    ).dropna()
    desired = (table.pop(source.target) == source.desired).to_numpy()
    table = table.drop(columns=[*source.left_out])
    is_number = {column: pd.api.types.is_numeric_dtype(table[column]) for column in table}
    kinds = [column for column in table if not is_number[column] or column in source.categories]
    numbers = [column for column in table if column not in kinds]
    for column in kinds:
        table[column] = _capped(table[column].astype("str"), most_levels)
    random = np.random.default_rng(SEED)
    training = np.zeros(len(table), dtype=bool)
    training[random.permutation(len(table))[: round(TRAINING_SHARE * len(table))]] = True
    encoder = make_column_transformer(
        (StandardScaler(), numbers), (OneHotEncoder(drop="if_binary", sparse_output=False), kinds)
    )
    estimator = make_pipeline(encoder, make(source))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the paper stops after 20 epochs
        estimator.fit(table[training], desired[training])
    schema = Schema.infer(table)
    model = Model.of(
        estimator, schema, classes=("refused", "desired"), fingerprint=f"{name} {make.__name__} {most_levels}"
    )
    problem = Problem(
        model=model,
        rows=schema.encode(table),
        ids=tuple(map(str, range(len(table)))),
        training=training,
        decision=BinaryDecision(("refused", "desired"), 0.5, "desired"),
        observed=desired.astype(np.intp),
    )
    refused = problem.decision.sides(problem.outputs) == 0
    unseen = np.flatnonzero(refused & ~training)
    among = unseen if len(unseen) >= source.n_cases else np.flatnonzero(refused)
    cases = np.sort(random.permutation(among)[: source.n_cases])
    auc = float(roc_auc_score(desired[~training], problem.outputs[~training, 1]))
    return Posed(problem, source, auc, cases, tuple(map(schema.index, source.locked)))


def _capped(column: pd.Series, most: int | None) -> pd.Series:
    if most is None or column.nunique() <= most:
        return column
    kept = column.value_counts().index[: most - 1]
    return column.where(column.isin(kept), THE_REST)
