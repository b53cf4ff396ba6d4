"""Random changes of one feature, then of two, and so on, until enough of them flip.

After the random method of Mothilal, Sharma and Tan, "Explaining machine learning
classifiers through diverse counterfactual explanations", 2020, as their library DiCE has
it. Here values are those of real cases, a single change is tried with every value it may
take, and the last thing tried is the nearest real case; so the search ends, and finds
something wherever a real case helps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explainers.counterfactuals.assembly import Candidate
from explainers.counterfactuals.reduction import reduced_row
from explainers.counterfactuals.room import Room
from explainers.counterfactuals.searching import InventiveSearcher, Prepared, Search, SearchOptions
from explainers.importance.coalitions import changed_features
from explainers.method import whole
from explainers.schema import Rows

MOST_SINGLES = 20_000


@dataclass(frozen=True)
class RandomOptions(SearchOptions):
    """What a person may set on the random search."""

    draws: int = whole(
        500,
        label="Draws a size",
        help="So many rows are drawn and scored for each number of changes. More draws may find fewer changes.",
        low=50,
        high=5_000,
    )


class RandomSearch(InventiveSearcher):
    """Random rows, fewest changes first."""

    name = "random"
    title = "Random (DiCE)"
    question = "Which few random changes, with values of real cases, are enough?"
    options_type = RandomOptions

    def seek(self, search: Search, options: RandomOptions, prepared: Prepared) -> None:
        """Draw rows with more and more changes until enough sets of features flip, then drop what isn't needed."""
        if not search.has_desired_rows:
            return
        room = Room.of(search.schema, search.case.row, search.constraints, search.training_rows)
        random = search.random()
        for size in range(1, len(room.free) + 1):
            search.run.progress(size / (len(room.free) + 1))
            search.ask(_single_changes(room) if size == 1 else _draws(room, random, size, options.draws))
            sets = {changed_features(search.case.row, candidate.row) for candidate in search.found}
            if len(sets) >= options.ways:
                break
        if not search.found:
            search.found.extend(Candidate(n.row, n.score, n.id) for n in search.nearest(options.ways))
        for candidate in search.fewest_changes_first()[: options.ways]:
            row, score = reduced_row(
                search.problem.model, search.target, search.case.row, candidate.row, candidate.score, search.run
            )
            search.found.append(Candidate(row, score, candidate.neighbour))


def _single_changes(room: Room) -> Rows:
    """Every value that a real case has, in the place of the case's own.

    Where these are more than `MOST_SINGLES`, the features with the most values have as many
    as all others may have, evenly spaced in their order.
    """
    values = [np.unique(room.values[place]) for place in room.free.tolist()]
    if sum(map(len, values)) > MOST_SINGLES:
        most = MOST_SINGLES // len(values)
        values = [some[np.linspace(0, len(some) - 1, min(most, len(some))).astype(np.intp)] for some in values]
    rows = np.repeat(room.case[None], sum(map(len, values)), axis=0)
    rows[np.arange(len(rows)), np.repeat(room.free, list(map(len, values)))] = np.concatenate([*values, np.empty(0)])
    return rows


def _draws(room: Room, random: np.random.Generator, size: int, how_many: int) -> Rows:
    """Rows with `size` changes each, in features drawn evenly."""
    masks = np.zeros((how_many, len(room.case)), dtype=bool)
    order = random.random((how_many, len(room.free))).argsort(axis=1)[:, :size]
    np.put_along_axis(masks, room.free[order], True, axis=1)
    return room.drawn(random, masks)
