"""What a surrogate comes to: an equation around a case, for each size of its neighbourhood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.decision import Target
from explainers.labelled import LabelledTable
from explainers.results import Origin
from explainers.schema import Rows
from explainers.surrogates.space import Column


@dataclass(frozen=True)
class Term:
    """One column's part of an equation.

    Attributes
    ----------
    column : Column
    feature : str
        Name in the schema.
    title : str
        How a person calls the feature.
    category : str
        The category that the column asks for, as a person reads it; empty for a number.
    coefficient : float
        Of the standardised number, or of being of the category.
    standardised, raw : float
        The case's value in the column, and the feature's own, encoded; NaN where missing.
    """

    column: Column
    feature: str
    title: str
    category: str
    coefficient: float
    standardised: float
    raw: float

    @property
    def contribution(self) -> float:
        """What the term adds to the explained value, in units of the label."""
        return self.coefficient * self.standardised

    @property
    def raw_coefficient(self) -> float:
        """Units of the label for one unit of the feature."""
        return self.coefficient / self.column.scale


@dataclass(frozen=True)
class Equation:
    """A sparse linear equation that holds in a neighbourhood.

    Attributes
    ----------
    size : int
        Rows of the neighbourhood, the case included.
    bound : float
        Lower bound of Berry and Mielke's R, from 0 (no better than chance) to 1 (exact).
    intercept : float
        The value where all numbers are at their means and no category of a term holds.
    terms : tuple of Term
        In the schema's order; none where no feature counts, and the value is then the mean.
    """

    size: int
    bound: float
    intercept: float
    terms: tuple[Term, ...]

    @property
    def explained(self) -> float:
        """The equation's value for the case: the base value and all contributions."""
        return self.intercept + sum(term.contribution for term in self.terms)

    @property
    def raw_intercept(self) -> float:
        """The value where all numbers are 0 in their own units."""
        return self.intercept - sum(term.raw_coefficient * term.column.mean for term in self.terms)

    def values(self, rows: Rows) -> NDArray[np.float64]:
        """The equation's value for encoded rows, shape (n_rows,)."""
        total = np.full(len(rows), self.intercept)
        for term in self.terms:
            total += term.coefficient * term.column.values(rows)
        return total

    def to_frame(self) -> pd.DataFrame:
        """One row a term, the largest contribution first."""
        terms = sorted(self.terms, key=lambda term: -abs(term.contribution))
        return pd.DataFrame(
            {
                "feature": [term.title for term in terms],
                "category": [term.category for term in terms],
                "value": [term.raw for term in terms],
                "standardised": [term.standardised for term in terms],
                "coefficient": [term.coefficient for term in terms],
                "coefficient in its own unit": [term.raw_coefficient for term in terms],
                "contribution": [term.contribution for term in terms],
            }
        )


@dataclass(frozen=True, eq=False)
class LocalEquations:
    """Equations around a case, one for each size of neighbourhood, and which of them is the answer.

    Attributes
    ----------
    case : str
    row : array of shape (n_features,)
        The case, encoded; read-only.
    label : float
        The number that is explained.
    target : Target
        What the number is.
    columns : tuple of Term
        All columns that equations may use, with coefficients of 0.
    sizes : array of int of shape (n_sizes,)
        Rows in each neighbourhood, the case included.
    bounds : array of shape (n_sizes,)
    coefficients : array of shape (n_sizes, n_columns)
    intercepts : array of shape (n_sizes,)
    chosen : int
        Place of the size whose bound is largest; the smallest such size.
    others : array of int of shape (n_rows,)
        The other rows that may be learnt from, nearest first, as places in the table.
    distances : array of shape (n_rows,)
        How far each is (Equation 1).
    origin : Origin
    """

    case: str
    row: Rows
    label: float
    target: Target
    columns: tuple[Term, ...]
    sizes: NDArray[np.int64]
    bounds: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    intercepts: NDArray[np.float64]
    chosen: int
    others: NDArray[np.int64]
    distances: NDArray[np.float64]
    origin: Origin

    def __post_init__(self) -> None:
        for array in (
            self.row, self.sizes, self.bounds, self.coefficients, self.intercepts, self.others, self.distances,
        ):  # fmt: skip
            array.setflags(write=False)

    @property
    def best(self) -> Equation:
        """The answer."""
        return self.equation(self.chosen)

    def equation(self, place: int) -> Equation:
        """The equation of one size of neighbourhood."""
        weights = self.coefficients[place]
        terms = tuple(
            Term(c.column, c.feature, c.title, c.category, float(weights[at]), c.standardised, c.raw)
            for at, c in enumerate(self.columns)
            if weights[at] != 0.0
        )
        return Equation(int(self.sizes[place]), float(self.bounds[place]), float(self.intercepts[place]), terms)

    def neighbours(self, place: int) -> NDArray[np.int64]:
        """The rows of one neighbourhood but for the case, nearest first, as places in the table."""
        return self.others[: int(self.sizes[place]) - 1]

    def neighbours_frame(self, labelled: LabelledTable, place: int) -> pd.DataFrame:
        """One row a neighbour, nearest first: case, distance, number, and what the equation says of it."""
        near = self.neighbours(place)
        values, labels = self.equation(place).values(labelled.rows[near]), labelled.labels[near]
        return pd.DataFrame(
            {
                "case": [labelled.ids[position] for position in near],
                "distance": self.distances[: len(near)],
                self.target.quantity: labels,
                "equation": values,
                "off by": values - labels,
            }
        )

    def generality(self, place: int) -> float:
        """The share of the rows that may be learnt from which a neighbourhood holds, the case left out."""
        return (int(self.sizes[place]) - 1) / len(self.others)

    def to_frame(self) -> pd.DataFrame:
        """One row a size: rows, bound, number of terms."""
        return pd.DataFrame(
            {"rows": self.sizes, "lower bound of R": self.bounds, "terms": (self.coefficients != 0).sum(axis=1)}
        )
