"""What would make the number another one? A counterfactual for a reference value (BELLA, Algorithm 4).

Real rows whose label is near the reference are explained in turn; the case takes over the
features of a row's equation. The row with the smallest d(x, x') + d(x, x^)/changes is the
answer (Equation 4). As that is never less than d(x, x'), rows are taken nearest first, and
the search ends where d alone is as large as the best so far: exact, and far shorter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.constraints import Constraints
from explainers.counterfactuals.assembly import changes_between
from explainers.labelled import LabelledTable
from explainers.problem import Case
from explainers.results import FeatureChange, Origin
from explainers.run import Run
from explainers.schema import Rows, same
from explainers.surrogates.bella import Bella, BellaOptions, Prepared, nearest_first
from explainers.surrogates.equation import Equation, LocalEquations

TOLERANCE = 0.05
NEAR_ZERO = 0.001
"""A reference below this share of the labels' range takes this share as its tolerance."""


@dataclass(frozen=True, eq=False)
class Towards:
    """How the case would come near the reference.

    Attributes
    ----------
    neighbour : str
        Id of the real row whose values are taken over.
    neighbour_label : float
    row : array of shape (n_features,)
        The case with the values of the equation's features taken over; read-only.
    changes : tuple of FeatureChange
    equation : Equation
        That of the real row.
    value : float
        What that equation says of `row`.
    asked : float, optional
        What the model says of `row`, if there is one.
    cost : float
        The objective (Equation 4).
    """

    neighbour: str
    neighbour_label: float
    row: Rows
    changes: tuple[FeatureChange, ...]
    equation: Equation
    value: float
    asked: float | None
    cost: float

    def __post_init__(self) -> None:
        self.row.setflags(write=False)


@dataclass(frozen=True, eq=False)
class ReferenceValue:
    """A reference value asked for, and what was found.

    Attributes
    ----------
    case : str
    label, reference : float
        The case's number, and the one asked for.
    tolerance : float
        So near the labels of real rows had to be at last.
    asked_tolerance : float
        So near they had to be at first.
    towards : Towards, optional
        Absent where no real row between the case's number and the reference serves.
    is_reached : bool
        Whether the case itself is within the tolerance.
    n_near, n_explained : int
        Rows within the tolerance, and how many of them had to be explained.
    held : tuple of str
        Features that a rule kept from changing in any row that was looked at.
    origin : Origin
    """

    case: str
    label: float
    reference: float
    tolerance: float
    asked_tolerance: float
    towards: Towards | None
    is_reached: bool
    n_near: int
    n_explained: int
    held: tuple[str, ...]
    origin: Origin

    @property
    def was_widened(self) -> bool:
        """Whether the tolerance that was asked for was not enough."""
        return self.tolerance > self.asked_tolerance

    def to_frame(self) -> pd.DataFrame:
        """One row a change: the feature, its value now and then."""
        changes = self.towards.changes if self.towards else ()
        return pd.DataFrame(
            {
                "feature": [change.title for change in changes],
                "now": [change.old_text for change in changes],
                "then": [change.new_text for change in changes],
            }
        )


def tolerance_of(reference: float, label_range: float, share: float = TOLERANCE) -> float:
    """How near a label has to be to a reference: a share of it, and of the range where it is next to 0."""
    least = NEAR_ZERO * label_range
    return share * abs(reference) if abs(reference) >= least else least


def towards_reference(
    labelled: LabelledTable,
    case: Case,
    reference: float,
    constraints: Constraints | None = None,
    options: BellaOptions | None = None,
    run: Run | None = None,
    prepared: Prepared | None = None,
    *,
    tolerance: float = TOLERANCE,
) -> ReferenceValue:
    """Find what would bring a case's number near a reference.

    A feature that a rule binds keeps the case's value; then the equation has to stay as
    near to the reference as it is for the real row, or within the tolerance. Where no row
    near enough serves, the tolerance is doubled, as long as rows are nearer to the
    reference than the case is.

    Parameters
    ----------
    labelled : LabelledTable
    case : Case
    reference : float
    constraints : Constraints, optional
    options, run, prepared
        As for `Bella.explain`.
    tolerance : float
        As a share of the reference.

    Raises
    ------
    ValueError
        If options, constraints or the reference can't be, or the case's number isn't known.
    Stopped
        If the run ended first.
    """
    constraints = Constraints.default(labelled.schema) if constraints is None else constraints
    options, run = options or BellaOptions(), run or Run()
    if wrong := (*options.check(), *constraints.check(labelled.schema)):
        raise ValueError(" ".join(wrong))
    if not math.isfinite(reference):
        raise ValueError("The reference value is not a number; type one.")
    prepared = prepared or Bella().prepare(labelled, options, run)
    label = labelled.label(case, run)
    search = _Search(labelled, case, reference, constraints, options, run, prepared)
    asked = within = tolerance_of(reference, labelled.range, tolerance)
    gap = abs(label - reference)
    n_near = search.n_within(within)
    if gap > within:
        search.walk(within)
        while search.best is None and 2.0 * within < gap:
            within *= 2.0
            search.walk(within)
        if search.best is None:
            within = gap
            search.walk(within)
        n_near = search.n_within(within)
    towards = search.best if search.best is None else search.asked(search.best)
    run.progress(1.0)
    return ReferenceValue(
        case=case.id,
        label=label,
        reference=reference,
        tolerance=within,
        asked_tolerance=asked,
        towards=towards,
        is_reached=gap <= asked,
        n_near=n_near,
        n_explained=len(search.explained),
        held=tuple(name for name in labelled.schema.names if name in search.held),
        origin=Origin("bella", (*options.items(), ("reference", reference)), run.seed, labelled.key),
    )


class _Search:
    """Walks over the real rows, nearest first; what was explained once is not explained again."""

    def __init__(
        self,
        labelled: LabelledTable,
        case: Case,
        reference: float,
        constraints: Constraints,
        options: BellaOptions,
        run: Run,
        prepared: Prepared,
    ) -> None:
        self.labelled, self.case, self.reference = labelled, case, reference
        self.constraints, self.options, self.run, self.prepared = constraints, options, run, prepared
        self.point, others, self.distances = nearest_first(prepared, labelled, case)
        self.positions = prepared.positions[others]
        self.gaps = np.abs(prepared.labels[others] - reference)
        self.own_gap = abs(labelled.label(case, run) - reference)
        self.explained: dict[int, LocalEquations] = {}
        self.held: set[str] = set()
        self.best: Towards | None = None

    def _near(self, within: float) -> NDArray[np.intp]:
        return np.flatnonzero((self.gaps <= within) & (self.gaps < self.own_gap))

    def n_within(self, within: float) -> int:
        """How many rows have a label so near."""
        return len(self._near(within))

    def walk(self, within: float) -> None:
        """Look at the rows within a tolerance until none can be better."""
        near = self._near(within)
        for done, place in enumerate(near):
            if self.best is not None and self.distances[place] >= self.best.cost:
                break
            found = self._towards(int(place), within)
            if found is not None and (self.best is None or found.cost < self.best.cost):
                self.best = found
            self.run.progress(done / len(near))

    def _towards(self, place: int, within: float) -> Towards | None:
        """The case with the values of a real row's equation, if that leads near the reference."""
        labelled, position = self.labelled, int(self.positions[place])
        equation = self._explained(position).best
        real = labelled.rows[position]
        used = [labelled.schema.index(name) for name in dict.fromkeys(term.feature for term in equation.terms)]
        free = self.constraints.allowed(labelled.schema, self.case.row, real[None])[0]
        differ = ~same(self.case.row, real)
        self.held |= {labelled.schema.names[feature] for feature in used if differ[feature] and not free[feature]}
        changed = [feature for feature in used if differ[feature] and free[feature]]
        if not changed:
            return None
        row = self.case.row.copy()
        row[changed] = real[changed]
        value = float(equation.values(row[None])[0])
        gap, real_gap = abs(value - self.reference), abs(float(equation.values(real[None])[0]) - self.reference)
        if gap > max(within, real_gap * (1 + 1e-9)):
            return None
        moved = self.prepared.space.distances(self.point, self.prepared.space.points(row[None]))[0]
        return Towards(
            neighbour=labelled.ids[position],
            neighbour_label=float(labelled.labels[position]),
            row=row,
            changes=changes_between(labelled.schema, self.case.row, row, [None] * len(labelled.schema)),
            equation=equation,
            value=value,
            asked=None,
            cost=float(self.distances[place] + moved / len(changed)),
        )

    def _explained(self, position: int) -> LocalEquations:
        if position not in self.explained:
            quiet = Run(seed=self.run.seed, deadline=self.run.deadline, cancelled=self.run.cancelled)
            row = Case(self.labelled.ids[position], self.labelled.rows[position].copy())
            self.explained[position] = Bella().explain(self.labelled, row, self.options, quiet, self.prepared)
        return self.explained[position]

    def asked(self, found: Towards) -> Towards:
        """With what the model says of the row, if there is one."""
        if self.labelled.ask is None:
            return found
        return replace(found, asked=float(self.labelled.ask(found.row[None], self.run)[0]))
