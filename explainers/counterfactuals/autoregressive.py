"""What may change, given what may not and the decision: a chain of decision trees.

Steps 1 and 2 of MCCE (Redelmeier, Jullum, Aas and Løland, 2021): Equation 2 and Algorithm 1,
with a tree for the first feature that may change, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explainers.aside import aside
from explainers.run import Run
from explainers.schema import Feature, Rows, Schema

FEWEST_IN_A_LEAF = 5

Levels = NDArray[np.float32]
"""Places of values among all that a feature has in training, missing last; between two for others.

Trees split by order alone, and to their single precision no scale of places is too small or too large.
"""


@dataclass(frozen=True, eq=False)
class Conditional:
    """The distribution of one feature, given all before it.

    Attributes
    ----------
    feature : int
        Its position in the schema.
    tree : sklearn.tree._tree.Tree
    starts, counts : array of shape (n_nodes,)
        Where the training rows of each leaf stand in `levels`, and how many there are.
    levels : array of shape (n_training_rows,)
        The feature's levels, leaf by leaf.
    """

    feature: int
    tree: Any
    starts: NDArray[np.intp]
    counts: NDArray[np.intp]
    levels: Levels


@dataclass(frozen=True, eq=False)
class AutoregressiveModel:
    """The joint distribution of the features that may change.

    Attributes
    ----------
    locked : tuple of int
        Positions of the features that may not.
    values : tuple of arrays
        For each feature the values that it has in training, in the order of its levels.
    conditionals : tuple of Conditional
        One for each feature that may change, in the order in which they are visited.
    """

    locked: tuple[int, ...]
    values: tuple[Rows, ...]
    conditionals: tuple[Conditional, ...]

    def sample(
        self, cases: Rows, draws: Rows, permitted: Sequence[NDArray[np.bool_] | None] | None = None
    ) -> tuple[Rows, float]:
        """Rows like those with the desired decision, with the locked features of each case (Algorithm 1).

        Parameters
        ----------
        cases : array of shape (n_cases, n_features)
        draws : array of shape (n_cases, n_conditionals, n_samples)
            Uniform random numbers, those of each case from a generator of its own.
        permitted : sequence of arrays of bool of shape (n_levels,), optional
            For each feature the levels that may be drawn, the same for all cases; ``None``
            for all of them. Where a leaf has none of them the case's own value stays.

        Returns
        -------
        array of shape (n_cases, n_samples, n_features)
        float
            The mean share of a leaf that was not permitted.
        """
        n_cases, _, n_samples = draws.shape
        own = np.column_stack([_levels_of(*pair) for pair in zip(self.values, cases.T, strict=True)])
        table = np.empty((n_cases * n_samples, len(self.locked) + 1 + len(self.conditionals)), dtype=np.float32)
        table[:, : len(self.locked)] = np.repeat(own[:, self.locked], n_samples, axis=0)
        table[:, len(self.locked)] = 1.0
        rows = np.repeat(cases[:, None], n_samples, axis=1)
        excluded = 0.0
        for place, conditional in enumerate(self.conditionals):
            leaves = conditional.tree.apply(table)
            drawn, feature = draws[:, place].ravel(), conditional.feature
            allowed = None if permitted is None else permitted[feature]
            if allowed is None:
                at = conditional.starts[leaves] + (drawn * conditional.counts[leaves]).astype(np.intp)
                levels = conditional.levels[at]
                keeps = None
            else:
                levels, share = _draw_permitted(conditional, leaves, drawn, allowed)
                keeps = np.isnan(levels)
                levels = np.where(keeps, np.repeat(own[:, feature], n_samples), levels)
                excluded += share / len(self.conditionals)
            table[:, len(self.locked) + 1 + place] = levels
            values = self.values[feature].take(levels.astype(np.intp), mode="clip").reshape(n_cases, n_samples)
            if keeps is not None:
                values = np.where(keeps.reshape(n_cases, n_samples), cases[:, feature, None], values)
            rows[:, :, feature] = values
        return rows, excluded


def fit(
    schema: Schema,
    rows: Rows,
    desired: NDArray[np.bool_],
    locked: Sequence[int],
    visits: Sequence[int],
    run: Run,
) -> AutoregressiveModel:
    """Fit one CART for each feature that may change (Section 2.1).

    Each is fitted on the locked features, on whether the model puts a row on the desired
    side (y'), and on the features visited before it; Gini impurity for categories, squared
    error for numbers, at least 5 rows in a leaf.

    Parameters
    ----------
    schema : Schema
    rows : array of shape (n_rows, n_features)
        Of the training.
    desired : array of bool of shape (n_rows,)
    locked, visits : sequence of int
        Positions of the features that may not change, and of those that may, in the order
        in which they are visited.
    run : Run
        Its seed breaks ties between equally good splits.

    Raises
    ------
    Stopped
        If the run ended first.
    """
    found = [np.unique(column, return_inverse=True) for column in rows.T]
    values, levels = [values for values, _ in found], [places.astype(np.float32) for _, places in found]
    table = np.column_stack([levels[i] for i in locked] + [desired] + [levels[i] for i in visits]).astype(np.float32)
    conditionals: list[Conditional] = []
    for place, feature in enumerate(visits):
        run.check()
        width = len(locked) + 1 + place
        target = _target(schema.features[feature], rows[:, feature], levels[feature])
        cart = _cart(schema.features[feature], run.seed)
        tree = aside(partial(cart.fit, table[:, :width], target), run).tree_
        leaves = tree.apply(table)
        counts = np.bincount(leaves, minlength=tree.node_count)
        by_leaf = np.argsort(leaves, kind="stable")
        conditionals.append(Conditional(feature, tree, np.cumsum(counts) - counts, counts, levels[feature][by_leaf]))
        run.progress((place + 1) / len(visits))
    return AutoregressiveModel(tuple(locked), tuple(values), tuple(conditionals))


def _cart(feature: Feature, seed: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeRegressor if feature.is_number else DecisionTreeClassifier
    return kind(min_samples_split=2, min_samples_leaf=FEWEST_IN_A_LEAF, random_state=seed % 2**32)


def _target(feature: Feature, values: Rows, levels: Levels) -> Rows:
    """What a tree is to tell apart: a category's levels, or numbers with missing far from all of them."""
    if not feature.is_number:
        return levels.astype(np.float64)
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
    away = (high - low) or 1.0
    return np.nan_to_num(values, nan=low - away, posinf=high + away, neginf=low - 2 * away)


def _levels_of(values: Rows, own: Rows) -> Levels:
    """The levels of any values of a feature."""
    known = values[~np.isnan(values)]
    places = np.searchsorted(known, own)
    is_level = known.take(places, mode="clip") == own if len(known) else np.zeros(len(own), dtype=bool)
    return np.where(is_level | np.isnan(own), places, places - 0.5).astype(np.float32)


def _draw_permitted(
    conditional: Conditional, leaves: NDArray[np.intp], drawn: Rows, permitted: NDArray[np.bool_]
) -> tuple[Levels, float]:
    """Levels drawn from what is permitted in each leaf, NaN where nothing is, and the mean share that is not."""
    is_permitted = permitted[conditional.levels.astype(np.intp)]
    places = np.flatnonzero(is_permitted)
    before = np.concatenate([[0], np.cumsum(is_permitted)])
    start, count = conditional.starts[leaves], conditional.counts[leaves]
    first, amount = before[start], before[start + count] - before[start]
    at = places.take(first + (drawn * amount).astype(np.intp), mode="clip") if len(places) else start
    levels = np.where(amount > 0, conditional.levels[at], np.float32(np.nan))
    return levels, float(1.0 - (amount / count).mean())
