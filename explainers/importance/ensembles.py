"""Trees of scikit-learn as plain arrays, where their outputs are a sum over trees and each column is read by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

COLUMN_BY_COLUMN = (
    "Binarizer", "KBinsDiscretizer", "MaxAbsScaler", "MinMaxScaler", "OneHotEncoder", "OrdinalEncoder",
    "PowerTransformer", "QuantileTransformer", "RobustScaler", "SimpleImputer", "StandardScaler", "TargetEncoder",
)  # fmt: skip
"""Steps of scikit-learn each of whose output columns is a function of one input column."""


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Trees whose leaves' outputs add up to the model's, but for a constant; their nodes one after the other.

    Attributes
    ----------
    roots : array of shape (n_trees,)
        Positions of the trees' first nodes.
    left, right, missing : array of shape (n_nodes,)
        The node that follows where the value is at most the threshold, above it, or
        missing; -1 at a leaf.
    column : array of shape (n_nodes,)
        Which column a node asks for.
    threshold : array of shape (n_nodes,)
    outputs : array of shape (n_nodes, n_outputs)
        What a leaf adds to the model's outputs.
    dtype : dtype
        In which the model holds a value when it compares it with a threshold.
    """

    roots: NDArray[np.intp]
    left: NDArray[np.intp]
    right: NDArray[np.intp]
    missing: NDArray[np.intp]
    column: NDArray[np.intp]
    threshold: NDArray[np.float64]
    outputs: NDArray[np.float64]
    dtype: type[np.floating[Any]]

    @classmethod
    def of(cls, trees: Sequence[Tree], dtype: type[np.floating[Any]]) -> Ensemble:
        """Lay the trees' nodes one after the other."""
        sizes = [len(tree.left) for tree in trees]
        roots = np.cumsum([0, *sizes[:-1]])
        shift = np.repeat(roots, sizes)
        left, right = (np.concatenate([getattr(tree, side) for tree in trees]) for side in ("left", "right"))
        is_leaf = left < 0
        left, right = np.where(is_leaf, -1, left + shift), np.where(is_leaf, -1, right + shift)
        return cls(
            roots=roots,
            left=left,
            right=right,
            missing=np.where(np.concatenate([tree.missing_left for tree in trees]), left, right),
            column=np.concatenate([tree.column for tree in trees]).astype(np.intp),
            threshold=np.concatenate([tree.threshold for tree in trees]),
            outputs=np.concatenate([tree.outputs for tree in trees]),
            dtype=dtype,
        )

    def follow(self, nodes: NDArray[np.intp], row: NDArray[np.floating[Any]]) -> NDArray[np.intp]:
        """The nodes that come after some that are no leaves, for one row of shape (n_columns,)."""
        values = row[self.column[nodes]]
        known = np.where(values <= self.threshold[nodes], self.left[nodes], self.right[nodes])
        return np.where(np.isnan(values), self.missing[nodes], known)


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes of one tree; see `Ensemble`, but for `missing_left`: whether missing goes left."""

    left: NDArray[Any]
    right: NDArray[Any]
    missing_left: NDArray[Any]
    column: NDArray[Any]
    threshold: NDArray[np.float64]
    outputs: NDArray[np.float64]


def inputs(estimator: Any, table: pd.DataFrame) -> NDArray[np.float64]:
    """What the last step of a pipeline, or an estimator by itself, is handed for a table."""
    from scipy.sparse import issparse
    from sklearn.pipeline import Pipeline

    asked: Any = table
    if getattr(estimator, "feature_names_in_", None) is None:
        asked = table.to_numpy(dtype=np.float64, na_value=np.nan)
    if isinstance(estimator, Pipeline) and len(estimator.steps) > 1:
        asked = estimator[:-1].transform(asked)
    if issparse(asked):
        asked = asked.toarray()
    array: NDArray[np.float64] = pd.DataFrame(asked).to_numpy(dtype=np.float64, na_value=np.nan)
    return array


def last_step(estimator: Any) -> Any:
    """The estimator at the end of a pipeline, or an estimator by itself."""
    from sklearn.pipeline import Pipeline

    return estimator.steps[-1][1] if isinstance(estimator, Pipeline) else estimator


def reads_columns_apart(estimator: Any) -> bool:
    """Whether every column that the trees see is made of one column of the table."""
    from sklearn.pipeline import Pipeline

    return not isinstance(estimator, Pipeline) or all(_is_apart(step) for _, step in estimator.steps[:-1])


def _is_apart(step: Any) -> bool:
    from sklearn import preprocessing
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline

    if step is None or step in ("passthrough", "drop"):
        return True
    if type(step) is Pipeline:
        return all(_is_apart(part) for _, part in step.steps)
    if type(step) is ColumnTransformer:
        return all(_is_apart(part) for _, part, _ in step.transformers_)
    if type(step) is preprocessing.FunctionTransformer:
        return step.func is None
    known = {SimpleImputer, *(getattr(preprocessing, name, None) for name in COLUMN_BY_COLUMN)}
    return type(step) in known


def read_ensemble(estimator: Any) -> Ensemble | None:
    """The trees of a model whose outputs they add up to; nothing for any other model."""
    from sklearn import ensemble, tree

    last = last_step(estimator)
    # Not a subclass of one, which may answer otherwise than its trees do.
    kind = type(last)
    if kind in (
        tree.DecisionTreeClassifier,
        tree.DecisionTreeRegressor,
        tree.ExtraTreeClassifier,
        tree.ExtraTreeRegressor,
    ):
        return Ensemble.of([_read(last.tree_, 1.0)], np.float32) if last.n_outputs_ == 1 else None
    if kind in (
        ensemble.RandomForestClassifier, ensemble.RandomForestRegressor,
        ensemble.ExtraTreesClassifier, ensemble.ExtraTreesRegressor,
    ):  # fmt: skip
        weight = 1.0 / len(last.estimators_)
        trees = [_read(member.tree_, weight) for member in last.estimators_]
        return Ensemble.of(trees, np.float32) if last.n_outputs_ == 1 else None
    if kind is ensemble.GradientBoostingRegressor and last.init in (None, "zero"):
        return Ensemble.of([_read(member.tree_, last.learning_rate) for member in last.estimators_[:, 0]], np.float32)
    return _read_histograms(last) if kind is ensemble.HistGradientBoostingRegressor else None


def _read(tree: Any, weight: float) -> Tree:
    return Tree(
        left=tree.children_left,
        right=tree.children_right,
        missing_left=tree.missing_go_to_left,
        column=tree.feature,
        threshold=tree.threshold,
        outputs=tree.value[:, 0, :] * weight,
    )


def _read_histograms(last: Any) -> Ensemble | None:
    """Boosted trees whose sum is the prediction itself, not its logarithm, and which split no categories."""
    nodes = [predictor.nodes for (predictor,) in last._predictors]
    if last.loss not in ("squared_error", "absolute_error", "quantile"):
        return None
    if any(part["is_categorical"].any() for part in nodes):
        return None
    return Ensemble.of([_read_nodes(part) for part in nodes], np.float64)


def _read_nodes(nodes: Any) -> Tree:
    is_leaf = nodes["is_leaf"].astype(bool)
    return Tree(
        left=np.where(is_leaf, -1, nodes["left"].astype(np.intp)),
        right=np.where(is_leaf, -1, nodes["right"].astype(np.intp)),
        missing_left=nodes["missing_go_to_left"],
        column=nodes["feature_idx"],
        threshold=nodes["num_threshold"],
        outputs=nodes["value"][:, None],
    )
