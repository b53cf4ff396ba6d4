"""The ways to fit a model, for classes and for numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explainers.schema import Schema
from explainers.training.outcome import TargetKind
from explainers.training.preparation import as_numbers, as_scaled_numbers

FOREST_TREES = 200
BOOSTING_ROUNDS = 100
BOOSTING_LEAVES = 15
HIDDEN_UNITS = 32
MLP_EPOCHS = 300


@dataclass(frozen=True)
class Trainer:
    """A way to fit a model to a table.

    Attributes
    ----------
    name : str
        In the registry and the address.
    title : str
        What a person calls it.
    make : callable
        From a schema and a seed to a pipeline that isn't fitted yet.
    kind : {"classes", "number"}
        What it predicts.
    help : str
        What it does, in one sentence.
    """

    name: str
    title: str
    make: Callable[[Schema, int], Any]
    kind: TargetKind = "classes"
    help: str = ""


def forest(trees: int = FOREST_TREES) -> Trainer:
    """Random forest of so many trees, for classes."""

    def make(schema: Schema, seed: int) -> Any:
        from sklearn.ensemble import RandomForestClassifier

        return _chain(as_numbers(schema), RandomForestClassifier(trees, random_state=seed))

    name = "forest" if trees == FOREST_TREES else f"forest{trees}"
    return Trainer(name, f"Random forest of {trees} trees", make, "classes", _FOREST)


def forest_of_numbers(trees: int = FOREST_TREES) -> Trainer:
    """Random forest of so many trees, for a number."""

    def make(schema: Schema, seed: int) -> Any:
        from sklearn.ensemble import RandomForestRegressor

        return _chain(as_numbers(schema), RandomForestRegressor(trees, random_state=seed))

    name = "forest_of_numbers" if trees == FOREST_TREES else f"forest_of_numbers{trees}"
    return Trainer(name, f"Random forest of {trees} trees", make, "number", _FOREST)


def trainers_of(kind: TargetKind) -> dict[str, Trainer]:
    """The trainers that predict this kind of target, in their order."""
    return {name: trainer for name, trainer in TRAINERS.items() if trainer.kind == kind}


def _chain(*steps: Any) -> Any:
    from sklearn.pipeline import make_pipeline

    return make_pipeline(*steps)


def _logistic_regression(schema: Schema, seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return _chain(as_scaled_numbers(schema), LogisticRegression(max_iter=1000))


def _linear_regression(schema: Schema, seed: int) -> Any:
    from sklearn.linear_model import Ridge

    return _chain(as_scaled_numbers(schema), Ridge())


def _boosting(schema: Schema, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(**_BOOSTED, random_state=seed)
    return _chain(as_numbers(schema), model)


def _boosting_of_numbers(schema: Schema, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    model = HistGradientBoostingRegressor(**_BOOSTED, random_state=seed)
    return _chain(as_numbers(schema), model)


def _mlp(schema: Schema, seed: int) -> Any:
    from sklearn.neural_network import MLPClassifier

    return _chain(as_scaled_numbers(schema), MLPClassifier(**_MLP, random_state=seed))


def _mlp_of_numbers(schema: Schema, seed: int) -> Any:
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.neural_network import MLPRegressor
    from sklearn.preprocessing import StandardScaler

    network = MLPRegressor(**_MLP, random_state=seed)
    return _chain(
        as_scaled_numbers(schema), TransformedTargetRegressor(regressor=network, transformer=StandardScaler())
    )


# Stopping early would hold rows back, of which a rare class has none to spare.
_BOOSTED: dict[str, Any] = {"max_iter": BOOSTING_ROUNDS, "max_leaf_nodes": BOOSTING_LEAVES, "early_stopping": False}
_MLP: dict[str, Any] = {
    "hidden_layer_sizes": (HIDDEN_UNITS,),
    "alpha": 1e-2,
    "learning_rate_init": 5e-3,
    "max_iter": MLP_EPOCHS,
    "tol": 1e-3,
}
_LINEAR = "A weighted sum of the features: each counts the same everywhere."
_FOREST = "Many trees, each on its own draw of the rows; their mean is the score."
_BOOSTING = f"{BOOSTING_ROUNDS} small trees one after the other, each mending what those before it got wrong."
_NETWORK = f"A neural network with one hidden layer of {HIDDEN_UNITS} units: smooth, and hard to read."

TRAINERS: dict[str, Trainer] = {
    trainer.name: trainer
    for trainer in (
        Trainer("logistic_regression", "Logistic regression", _logistic_regression, "classes", _LINEAR),
        forest(),
        Trainer("boosting", "Gradient boosting", _boosting, "classes", _BOOSTING),
        Trainer("mlp", "MLP", _mlp, "classes", _NETWORK),
        Trainer("linear_regression", "Linear regression (ridge)", _linear_regression, "number", _LINEAR),
        forest_of_numbers(),
        Trainer("boosting_of_numbers", "Gradient boosting", _boosting_of_numbers, "number", _BOOSTING),
        Trainer("mlp_of_numbers", "MLP", _mlp_of_numbers, "number", _NETWORK),
    )
}
