"""Categories as points on a line, so that one can move between them.

Van Looveren and Klaise, "Interpretable counterfactual explanations guided by prototypes",
2019, Section 3.4 and Appendix D: distances between the categories of a feature, either
from what the model makes of them (MVDM) or from what goes along with them in the table
(ABDM), then multidimensional scaling to one dimension.

ABDM's divergence is infinite where a combination never occurs, and it is not symmetric:
counts are smoothed here, and both directions are added. The scaling goes to one dimension
as Section 3.4 has it; the norms of a plane (Appendix D.2) let different categories coincide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explainers.schema import Rows, Schema

SMOOTHING = 0.1
"""Added to each count, so that what never occurred together is unlikely and not impossible."""
BINS = 4
ABDM, MVDM = "abdm", "mvdm"
LIKENESS = {ABDM: "what goes along with them (ABDM)", MVDM: "what the model decides (MVDM)"}
"""By what categories can be alike."""


@dataclass(frozen=True, eq=False)
class Embedding:
    """Every category of every feature as a number.

    Attributes
    ----------
    schema : Schema
    places : tuple of arrays, one a feature
        Where each category stands, shape (n_categories,); empty for numbers.
    likeness : str
        One of `LIKENESS`.
    """

    schema: Schema
    places: tuple[NDArray[np.float64], ...]
    likeness: str

    def embedded(self, rows: Rows) -> NDArray[np.float64]:
        """Rows with each category replaced by its place; missing stays missing."""
        embedded = rows.copy()
        for at, places in enumerate(self.places):
            if len(places):
                known = ~np.isnan(rows[:, at])
                embedded[known, at] = places[rows[known, at].astype(np.intp)]
        return embedded

    def order(self, feature: int) -> tuple[int, ...]:
        """Categories of a feature from the lowest place to the highest."""
        return tuple(np.argsort(self.places[feature], kind="stable").tolist())


def embed_by_context(schema: Schema, rows: Rows, leave_out: frozenset[str] = frozenset()) -> Embedding:
    """Places by ABDM, from all other features but some.

    Parameters
    ----------
    schema : Schema
    rows : array of shape (n_rows, n_features)
    leave_out : frozenset of str, optional
        Features that tell nothing, such as ids and weights.
    """
    binned = [_binned(schema, rows, at) for at in range(len(schema))]
    context = [at for at, name in enumerate(schema.names) if name not in leave_out]
    return _embedding(
        schema, ABDM, lambda at: abdm(rows[:, at], _n_categories(schema, at), [binned[i] for i in context if i != at])
    )


def embed_by_outputs(schema: Schema, rows: Rows, sides: NDArray[np.intp]) -> Embedding:
    """Places by MVDM, from the side of the decision that each row is on, shape (n_rows,)."""
    return _embedding(schema, MVDM, lambda at: mvdm(rows[:, at], _n_categories(schema, at), sides))


def abdm(codes: Rows, n_categories: int, others: list[NDArray[np.intp]]) -> NDArray[np.float64]:
    """The association-based distance metric between the categories of one feature.

    Le and Ho, 2005; Equation of Appendix D.1 with a smoothed and symmetrised divergence.

    Parameters
    ----------
    codes : array of shape (n_rows,)
        The feature; rows where it is missing don't count.
    n_categories : int
    others : list of arrays of shape (n_rows,)
        Codes of the other features, numbers in bins.

    Returns
    -------
    array of shape (n_categories, n_categories)
    """
    known = ~np.isnan(codes)
    own, total = codes[known].astype(np.intp), np.zeros((n_categories, n_categories))
    for other in others:
        shares = _shares(own, n_categories, other[known], SMOOTHING)
        logs = np.log(shares)
        divergence = (shares * logs).sum(axis=1)[:, None] - shares @ logs.T
        total += divergence + divergence.T
    np.fill_diagonal(total, 0.0)
    return total


def mvdm(codes: Rows, n_categories: int, sides: NDArray[np.intp]) -> NDArray[np.float64]:
    """The modified value distance metric between the categories of one feature, with alpha 1.

    Cost and Salzberg, 1993; Appendix D.1. A category that no row has is as near to all
    others as the mean of the table.

    Parameters
    ----------
    codes : array of shape (n_rows,)
    n_categories : int
    sides : array of int of shape (n_rows,)
        The predicted class of each row.

    Returns
    -------
    array of shape (n_categories, n_categories)
    """
    known = ~np.isnan(codes)
    own, those = codes[known].astype(np.intp), sides[known]
    shares = _shares(own, n_categories, those, 0.0)
    present = np.bincount(own, minlength=n_categories) > 0
    if present.any():
        shares[~present] = np.bincount(those, minlength=shares.shape[1]) / len(those)
    return np.asarray(np.abs(shares[:, None] - shares[None]).sum(axis=2))


def on_a_line(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places on a line whose distances come nearest (classical scaling to one dimension).

    Standardised; the first category stands on the lower side.

    Parameters
    ----------
    distances : array of shape (n, n)
        Symmetric.

    Returns
    -------
    array of shape (n,)
    """
    n = len(distances)
    if n < 2:
        return np.zeros(n)
    centring = np.eye(n) - 1.0 / n
    _, vectors = np.linalg.eigh(-0.5 * centring @ distances**2 @ centring)
    places = vectors[:, -1]
    if np.ptp(places) < 1e-12 or not distances.any():
        return np.asarray(np.arange(n) - (n - 1) / 2.0, dtype=np.float64)
    first = places[np.flatnonzero(np.abs(places) > 1e-12)[0]]
    return np.asarray((-1.0 if first > 0 else 1.0) * (places - places.mean()) / places.std())


def _embedding(schema: Schema, likeness: str, distances: Callable[[int], NDArray[np.float64]]) -> Embedding:
    places = tuple(
        np.empty(0) if feature.is_number else on_a_line(distances(at)) for at, feature in enumerate(schema.features)
    )
    return Embedding(schema, places, likeness)


def _n_categories(schema: Schema, at: int) -> int:
    return len(schema.features[at].categories)


def _shares(own: NDArray[np.intp], n_own: int, other: NDArray[np.intp], smoothing: float) -> NDArray[np.float64]:
    """How the other feature is distributed within each category, shape (n_own, n_other)."""
    n_other = int(other.max(initial=0)) + 1
    counts = np.bincount(own * n_other + other, minlength=n_own * n_other).reshape(n_own, n_other) + smoothing
    sums = counts.sum(axis=1, keepdims=True)
    return np.asarray(counts / np.where(sums > 0, sums, 1.0))


def _binned(schema: Schema, rows: Rows, at: int) -> NDArray[np.intp]:
    """A feature as codes, numbers by quartile; missing is a code of its own."""
    values = rows[:, at]
    missing = np.isnan(values)
    if not schema.is_number[at]:
        return np.where(missing, _n_categories(schema, at), values).astype(np.intp)
    if missing.all():
        return np.zeros(len(values), dtype=np.intp)
    edges = np.unique(np.quantile(values[~missing], np.arange(1, BINS) / BINS))
    codes = np.searchsorted(edges, values, side="right")
    return np.asarray(np.where(missing, len(edges) + 1, codes), dtype=np.intp)
