"""Whether a loaded model's trees stay within their own arrays.

scikit-learn walks fitted trees without checking bounds, so a forged file that names
nothing but trusted types could still crash the process when it is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

PLAIN = (str, bytes, int, float, type(None), type, FunctionType, BuiltinFunctionType, ModuleType)


def unsound(model: Any) -> str | None:
    """What is wrong with a model's trees, in a few words, or nothing.

    Neighbour trees are rebuilt from the rows they index instead of being checked.
    """
    for part in _parts(model):
        if "_tree" in part.__dict__ and part.__dict__["_tree"] is not None:
            _rebuild(part)
        wrong = _wrong(part)
        if wrong:
            return wrong
    return None


def _parts(model: Any) -> Iterator[Any]:
    """Every object with attributes inside a model, each once."""
    seen: set[int] = set()
    waiting = [model]
    while waiting:
        part = waiting.pop()
        if id(part) in seen or isinstance(part, PLAIN):
            continue
        seen.add(id(part))
        if isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, list | tuple | set):
            waiting += part
        elif isinstance(part, np.ndarray):
            waiting += part.ravel().tolist() if part.dtype.hasobject and part.dtype.names is None else ()
        elif hasattr(part, "__dict__"):
            yield part
            waiting += part.__dict__.values()


def _wrong(part: Any) -> str | None:
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
    from sklearn.tree._tree import Tree

    inside = part.__dict__
    tree = inside.get("tree_")
    if isinstance(tree, Tree) and not _is_tree(tree, inside.get("n_features_in_")):
        return "a decision tree points outside itself"
    if "_predictors" in inside and not _are_predictors(inside):
        return "a boosted tree points outside itself"
    if isinstance(part, GradientBoostingClassifier | GradientBoostingRegressor):
        counts = {tree.n_features_in_ for tree in np.ravel(inside.get("estimators_", []))}
        if counts - {inside.get("n_features_in_")}:
            return "a boosted tree wants other columns than its model"
    return None


def _is_tree(tree: Any, n_features: Any) -> bool:
    nodes = tree.__getstate__()["nodes"]
    leaf = nodes["left_child"] == -1
    return tree.n_features == n_features and _goes_down(
        leaf, nodes["left_child"], nodes["right_child"], nodes["feature"], int(tree.n_features)
    )


def _goes_down(
    leaf: NDArray[np.bool_], left: NDArray[Any], right: NDArray[Any], feature: NDArray[Any], n_features: int
) -> bool:
    """Children stand after their parents and within the array, and split on a column that exists."""
    own = np.arange(len(leaf))[~leaf]
    after = all(((child[~leaf] > own) & (child[~leaf] < len(leaf))).all() for child in (left, right))
    known = ((feature[~leaf] >= 0) & (feature[~leaf] < n_features)).all()
    return len(leaf) > 0 and after and bool(known)


def _are_predictors(inside: dict[str, Any]) -> bool:
    from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE

    n_features = int(inside.get("n_features_in_", 0))
    mapper = inside.get("_bin_mapper")
    if mapper is not None and len(mapper.is_categorical_) != n_features:
        return False
    for predictor in (tree for stage in inside["_predictors"] for tree in stage):
        nodes = predictor.nodes
        if nodes.dtype != PREDICTOR_RECORD_DTYPE:
            return False
        leaf = nodes["is_leaf"].astype(bool)
        if not _goes_down(leaf, nodes["left"], nodes["right"], nodes["feature_idx"], n_features):
            return False
        by_set = nodes["bitset_idx"][nodes["is_categorical"].astype(bool) & ~leaf]
        sets = predictor.raw_left_cat_bitsets
        if by_set.size and (int(by_set.max()) >= len(sets) or sets.shape[1:] != (8,)):
            return False
    return True


def _rebuild(part: Any) -> None:
    part._tree = type(part._tree)(
        part._fit_X, part.leaf_size, metric=part.effective_metric_, **part.effective_metric_params_
    )
