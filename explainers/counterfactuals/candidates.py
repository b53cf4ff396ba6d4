"""Which of many sampled rows a person is shown: step 3 of MCCE.

Redelmeier, Jullum, Aas and Løland, 2021, Section 2.3. Rows are in order of cost: fewest
changes (L0), then the shortest way (L1, summed), then the largest margin, then as sampled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.decision import Outputs, Target
from explainers.metrics import TrainingRows, gower_sum, n_changes
from explainers.model import Model
from explainers.results import Counterfactuals
from explainers.run import Run
from explainers.schema import Rows, Schema, same

DIGITS_THAT_TELL = 9
"""Distances that agree to so many decimals are equal: sums of floats differ in their last digits."""
FIRST_ASKED, FIRST_OF_EACH, MORE_EACH_TIME = 512, 16, 4


@dataclass(frozen=True, eq=False)
class Pool:
    """Different rows sampled for a case, the cheapest first.

    Attributes
    ----------
    rows : array of shape (n_rows, n_features)
    n_changes : array of int of shape (n_rows,)
    distances : array of shape (n_rows,)
        L1, summed.
    copies : array of str of shape (n_rows,)
        Id of the training row that a row equals; empty if none.
    """

    rows: Rows
    n_changes: NDArray[np.intp]
    distances: NDArray[np.float64]
    copies: NDArray[np.object_]

    @property
    def is_copy(self) -> NDArray[np.bool_]:
        """Which rows equal a training row."""
        return np.asarray(self.copies != "", dtype=bool)

    def only(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> Pool:
        """Some of the rows, or all of them in another order."""
        return Pool(self.rows[which], self.n_changes[which], self.distances[which], self.copies[which])

    @classmethod
    def of(cls, schema: Schema, ranges: Rows, case: Rows, rows: Rows, known: TrainingRows, ids: Sequence[str]) -> Pool:
        """What differs from the case, and from the rows sampled before; `ids` are those of the training rows."""
        rows = rows[~pd.DataFrame(rows).duplicated().to_numpy()]
        counts, copied = n_changes(case, rows), known.copies(rows)
        copies = np.array([ids[place] if place >= 0 else "" for place in copied], dtype=object)
        pool = cls(rows, counts, gower_sum(schema, ranges, case, rows), copies).only(counts > 0)
        return pool.only(np.lexsort((np.round(pool.distances, DIGITS_THAT_TELL), pool.n_changes)))


@dataclass(frozen=True, eq=False)
class Sampled:
    """What was sampled for a case.

    Attributes
    ----------
    pool : Pool
        The different rows.
    n_sampled : int
        How many there were.
    excluded : float
        The share of values in reach that the rules excluded.
    """

    pool: Pool
    n_sampled: int
    excluded: float


@dataclass(frozen=True, eq=False)
class Candidates:
    """All rows sampled for a case that have the desired decision, the cheapest first.

    Attributes
    ----------
    rows : array of shape (n_candidates, n_features)
        Encoded.
    n_changes : array of int of shape (n_candidates,)
        L0.
    distances : array of shape (n_candidates,)
        L1, summed over features; Equation 3 of the paper has the mean.
    scores, margins : array of shape (n_candidates,)
        Drawn scores, and how far inside the desired decision they are.
    copies : tuple of str
        Id of the training row that a candidate equals; empty if none.
    front : array of bool of shape (n_candidates,)
        Whether none has both as few changes and as short a way, one of them less.
    chosen : array of int
        Which of them are the counterfactuals found, in their order.
    n_sampled, n_different : int
        How many rows were sampled, and how many of them are different and not the case.
    excluded : float
        The share of values in reach that the rules excluded.
    """

    rows: Rows
    n_changes: NDArray[np.intp]
    distances: NDArray[np.float64]
    scores: NDArray[np.float64]
    margins: NDArray[np.float64]
    copies: tuple[str, ...]
    front: NDArray[np.bool_]
    chosen: NDArray[np.intp]
    n_sampled: int
    n_different: int
    excluded: float

    def __post_init__(self) -> None:
        for array in (
            self.rows, self.n_changes, self.distances, self.scores, self.margins, self.front, self.chosen
        ):  # fmt: skip
            array.setflags(write=False)

    @classmethod
    def of(
        cls, case: Rows, target: Target, pool: Pool, outputs: Sequence[Outputs], sampled: Sampled, way: str, most: int
    ) -> Candidates:
        """What flips of the rows of a pool that the model was asked about, as far as it was; see `choose`."""
        told = np.concatenate(outputs) if outputs else np.empty((0, 2))
        flips = np.flatnonzero(target.flips(told)) if len(told) else np.empty(0, dtype=np.intp)
        scores = target.drawn(told[flips]) if len(told) else np.empty(0)
        margins = target.margin(scores)
        pool = pool.only(flips)
        order = by_cost(pool, margins)
        pool = pool.only(order)
        front = on_front(pool.n_changes, pool.distances)
        return cls(
            rows=pool.rows,
            n_changes=pool.n_changes,
            distances=pool.distances,
            scores=scores[order],
            margins=margins[order],
            copies=tuple(pool.copies.tolist()),
            front=front,
            chosen=choose(way, most, case, pool.rows, front),
            n_sampled=sampled.n_sampled,
            n_different=len(sampled.pool.rows),
            excluded=sampled.excluded,
        )

    def __len__(self) -> int:
        return len(self.rows)

    def to_frame(self) -> pd.DataFrame:
        """One row a candidate: score, margin, number of changes, distance summed and as mean, copy, front."""
        return pd.DataFrame(
            {
                "score": self.scores,
                "margin": self.margins,
                "changes": self.n_changes,
                "distance": self.distances,
                "mean distance": self.distances / max(1, self.rows.shape[1]),
                "copy of": self.copies,
                "front": self.front,
            }
        )


@dataclass(frozen=True, eq=False)
class SampledCounterfactuals(Counterfactuals):
    """Counterfactuals chosen among many candidates.

    Attributes
    ----------
    candidates : Candidates
        All there are, those not chosen, too.
    """

    candidates: Candidates = field(kw_only=True)


def asked_in_order(model: Model, pool: Pool, run: Run) -> Iterator[Outputs]:
    """The model's outputs for the rows of a pool, one part after the other, each longer than the one before.

    Raises
    ------
    Stopped
        If the run ended before all were asked.
    """
    start, size = 0, FIRST_ASKED
    while start < len(pool.rows):
        outputs = model.score(pool.rows[start : start + size], run)
        start, size = start + len(outputs), size * MORE_EACH_TIME
        run.progress(start / len(pool.rows))
        yield outputs


def by_cost(pool: Pool, margins: NDArray[np.float64]) -> NDArray[np.intp]:
    """The order of a pool once the margins are known."""
    return np.lexsort((-margins, np.round(pool.distances, DIGITS_THAT_TELL), pool.n_changes))


def on_front(counts: NDArray[np.intp], distances: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of rows in order of cost nobody beats in changes and distance, the first of equals."""
    front = np.zeros(len(counts), dtype=bool)
    shortest = np.inf
    for place in np.flatnonzero(np.diff(counts, prepend=-1)):
        distance = float(np.round(distances[place], DIGITS_THAT_TELL))
        front[place] = distance < shortest
        shortest = min(shortest, distance)
    return front


def choose(way: str, most: int, case: Rows, rows: Rows, front: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Positions of the rows to show, at most so many, in order of cost.

    Parameters
    ----------
    way : {"front", "fewest", "diverse"}
        Those on the front before the others; simply the cheapest; or the cheapest of each
        set of changed features before the others.
    most : int
    case : array of shape (n_features,)
    rows : array of shape (n_rows, n_features)
        In order of cost.
    front : array of bool of shape (n_rows,)
    """
    is_preferred = np.zeros(len(rows), dtype=bool)
    if way == "front":
        is_preferred = front
    elif way == "diverse":
        changed = ~same(rows, np.broadcast_to(case, rows.shape))
        is_preferred = ~pd.DataFrame(changed).duplicated().to_numpy()
    preferred_first = np.argsort(~is_preferred, kind="stable")
    return np.sort(preferred_first[:most])


def cheapest(
    model: Model, target: Target, schema: Schema, ranges: Rows, cases: Rows, rows: Rows, run: Run
) -> NDArray[np.intp]:
    """The place of each case's cheapest row with the desired decision, -1 where none has it, shape (n_cases,).

    The model is asked for all cases together, few rows at first, until each case has one.

    Parameters
    ----------
    target : Target
        The same for all cases.
    cases : array of shape (n_cases, n_features)
    rows : array of shape (n_cases, n_samples, n_features)

    Raises
    ------
    Stopped
        If the run ended first.
    """
    counts = n_changes(cases[:, None], rows)
    costs = np.full(counts.shape, np.inf)  # known of the rows with the fewest changes alone: all others cost more
    found = np.full(len(cases), -1, dtype=np.intp)
    asked = np.full(len(cases), -np.inf)
    size, waiting = FIRST_OF_EACH, np.arange(len(cases))
    while len(waiting):
        size = min(size, counts.shape[1])
        most = np.partition(counts[waiting], size - 1, axis=1)[:, size - 1]
        case, place = np.nonzero((counts[waiting] <= most[:, None]) & np.isinf(costs[waiting]))
        case = waiting[case]
        distances = np.round(gower_sum(schema, ranges, cases[case], rows[case, place]), DIGITS_THAT_TELL)
        costs[case, place] = counts[case, place] + distances / (1.0 + distances)  # the distance's part is below 1
        limits = np.partition(costs[waiting], size - 1, axis=1)[:, size - 1]
        is_next = (costs[waiting] <= limits[:, None]) & (costs[waiting] > asked[waiting, None])
        case, place = np.nonzero(is_next)
        outputs = model.score(rows[waiting[case], place], run)
        flips, margins = target.flips(outputs), target.margin(target.drawn(outputs))
        case, place, margins = waiting[case[flips]], place[flips], margins[flips]
        order = np.lexsort((place, -margins, costs[case, place], case))
        firsts = order[np.flatnonzero(np.diff(case[order], prepend=-1))]
        found[case[firsts]] = place[firsts]
        asked[waiting] = limits
        waiting = waiting[found[waiting] < 0] if size < counts.shape[1] else waiting[:0]
        size *= MORE_EACH_TIME
    return found
