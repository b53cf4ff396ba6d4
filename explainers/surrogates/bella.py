"""BELLA: black-box explanations by local linear approximations (Radulovic, Bifet and Suchanek).

The paper's Algorithms 1 to 3. Where it is silent or in error this is what is done:
binaries differ by 1 where they differ; the distance of categories is the mean over the
other features; ties of distance keep the rows' order, and of equal bounds the smaller
neighbourhood wins; where no feature counts the equation is the mean.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explainers import wording
from explainers.labelled import LabelledTable
from explainers.method import Options, choice
from explainers.problem import Case, Problem
from explainers.results import Origin
from explainers.run import Run
from explainers.schema import Schema
from explainers.surrogates.equation import LocalEquations, Term
from explainers.surrogates.local_model import LEAST_ROWS
from explainers.surrogates.search import search, sizes_to_try
from explainers.surrogates.space import MISSING, Column, Points, Space

STEPS = {"10": "by 10 % of the rows", "1": "by 1 % of the rows", "0": "row by row"}
MOST_COLUMNS = 400


@dataclass(frozen=True)
class BellaOptions(Options):
    """Settings of BELLA."""

    step: str = choice(
        "10",
        label="The neighbourhood grows",
        help="Each size is tried, and the one in which the equation holds best is taken. Finer steps take longer and "
        "tend to choose smaller neighbourhoods.",
        choices=STEPS,
    )


@dataclass(frozen=True, eq=False)
class Prepared:
    """What serves every case of a table alike.

    Attributes
    ----------
    space : Space
    positions : array of int of shape (n_learnt,)
        Rows that may be learnt from, as places in the table.
    points : Points
        These rows.
    labels : array of shape (n_learnt,)
    """

    space: Space
    positions: NDArray[np.intp]
    points: Points
    labels: NDArray[np.float64]


@dataclass(frozen=True)
class Bella:
    """Black-box explanations by local linear approximations."""

    name: ClassVar[str] = "bella"
    title: ClassVar[str] = "BELLA"
    question: ClassVar[str] = "Which simple rule holds around this case?"
    options_type: ClassVar[type[BellaOptions]] = BellaOptions

    def unfit(self, problem: Problem) -> str | None:
        if problem.model.classes:
            return "BELLA explains numbers, and this model gives classes; its score can be explained instead."
        return None

    def prepared_key(self, labelled: LabelledTable, options: BellaOptions) -> Hashable:
        """The table."""
        return labelled.key

    def prepare(self, labelled: LabelledTable, options: BellaOptions, run: Run) -> Prepared:
        """The rows that may be learnt from in their space.

        Raises
        ------
        ValueError
            If they are too few, or make too many columns.
        """
        run.check()
        positions = np.flatnonzero(labelled.training & np.isfinite(labelled.labels))
        if len(positions) < LEAST_ROWS:
            raise ValueError(
                f"BELLA tunes its equations on {LEAST_ROWS} groups of rows, and of"
                f" {wording.count(len(positions), 'row')} alone {labelled.target.quantity} is known; bring more."
            )
        rows = labelled.rows[positions]
        space = Space.of(labelled.schema, rows)
        if len(space.columns) > MOST_COLUMNS:
            raise ValueError(
                f"The features spread over {wording.count(len(space.columns), 'column')}, and BELLA takes up to"
                f" {MOST_COLUMNS}; leave out features with very many categories."
            )
        return Prepared(space, positions, space.points(rows), labelled.labels[positions])

    def explain(
        self,
        labelled: LabelledTable,
        case: Case,
        options: BellaOptions | None = None,
        run: Run | None = None,
        prepared: Prepared | None = None,
    ) -> LocalEquations:
        """The equations around a case.

        Raises
        ------
        ValueError
            If the options can't be, the case's number isn't known, or the rows are too few.
        Stopped
            If the run ended first.
        """
        options, run = options or BellaOptions(), run or Run()
        if wrong := options.check():
            raise ValueError(" ".join(wrong))
        run.check()
        label = labelled.label(case, run)
        prepared = prepared or self.prepare(labelled, options, run)
        point, others, distances = nearest_first(prepared, labelled, case)
        values = np.concatenate([point.values, prepared.points.values[others]])
        labels = np.concatenate([[label], prepared.labels[others]])
        sizes = sizes_to_try(len(others), len(prepared.space.columns), int(options.step))
        found = search(values, labels, sizes, run)
        columns = prepared.space.columns
        return LocalEquations(
            case=case.id,
            row=case.row,
            label=label,
            target=labelled.target,
            columns=tuple(
                _term(labelled.schema, column, float(point.values[0, at]), case) for at, column in enumerate(columns)
            ),
            sizes=sizes,
            bounds=found.bounds,
            coefficients=found.coefficients,
            intercepts=found.intercepts,
            chosen=found.chosen,
            others=prepared.positions[others],
            distances=distances,
            origin=Origin(self.name, options.items(), run.seed, labelled.key),
        )


def nearest_first(
    prepared: Prepared, labelled: LabelledTable, case: Case
) -> tuple[Points, NDArray[np.intp], NDArray[np.float64]]:
    """The case as a point; the other rows that are learnt from, nearest first; and how far each is.

    Rows in a tie keep their order.
    """
    point = prepared.space.points(case.row[None])
    distances = prepared.space.distances(point, prepared.points)
    order = np.argsort(distances, kind="stable")
    own = labelled.position(case)
    others = order if own is None else order[prepared.positions[order] != own]
    return point, others, distances[others]


def _term(schema: Schema, column: Column, standardised: float, case: Case) -> Term:
    feature = schema.features[column.feature]
    category = ""
    if column.level is not None:
        category = wording.MISSING if column.level == MISSING else feature.labels[column.level]
    return Term(column, feature.name, feature.title, category, 0.0, standardised, float(case.row[column.feature]))
