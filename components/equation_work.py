"""What the page Equation asks of the explainers, as jobs that all sessions share."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from components import explaining
from components.beside_work import worked
from components.jobs import Ticket
from components.once import Once
from components.palette import Palette
from components.state.view import View
from explainers.labelled import LabelledTable
from explainers.problem import Case
from explainers.registry import SURROGATES
from explainers.run import Run
from explainers.surrogates.bella import Bella, BellaOptions, Prepared
from explainers.surrogates.equation import Equation, LocalEquations
from explainers.surrogates.reference_value import ReferenceValue, towards_reference
from explainers.surrogates.shown import Tried, try_values

EQUATIONS, REFERENCE, ASKED = "equations", "reference", "equation asked"

_prepared: Once[Prepared] = Once(kept=8)


def equations(view: View, labelled: LabelledTable, case: Case) -> Ticket[LocalEquations]:
    """The equations around the view's case."""
    options = BellaOptions(view.step)

    def work(run: Run) -> LocalEquations:
        prepared = _prepared_for(labelled, options, run)
        return SURROGATES[Bella.name].explain(labelled, case, options, run, prepared)

    return explaining.held(EQUATIONS, _key(view, labelled, case), work)


def reference(
    view: View, labelled: LabelledTable, case: Case, question: str, palette: Palette
) -> ReferenceValue | None:
    """What would bring the case near the view's reference; nothing as long as it isn't known, once it is shown why."""
    options, constraints = BellaOptions(view.step), view.constraints(labelled.schema)
    asked, tolerance = view.reference, view.tolerance / 100

    def work(run: Run) -> ReferenceValue:
        assert asked is not None
        prepared = _prepared_for(labelled, options, run)
        return towards_reference(labelled, case, asked, constraints, options, run, prepared, tolerance=tolerance)

    key = (*_key(view, labelled, case), asked, tolerance, constraints.rules)
    return worked(question, key, work, palette, REFERENCE)


def tried(view: View, labelled: LabelledTable, case: Case, equation: Equation, palette: Palette) -> Tried | None:
    """What the person's edits come to; nothing as long as the model has not said, once it is shown why."""

    def work(run: Run) -> Tried:
        return try_values(labelled, case, equation, dict(view.edits), run)

    key = (labelled.key, case.id, equation.size, view.step, view.edits)
    return worked("What does the model say?", key, work, palette, ASKED)


def place_of(view: View, found: LocalEquations) -> int | None:
    """Which neighbourhood the view looks at; nothing where it names a size that was not tried."""
    if view.size is None:
        return found.chosen
    places = np.flatnonzero(found.sizes == view.size)
    return int(places[0]) if places.size else None


def _key(view: View, labelled: LabelledTable, case: Case) -> tuple[Hashable, ...]:
    return labelled.key, case.id, view.step


def _prepared_for(labelled: LabelledTable, options: BellaOptions, run: Run) -> Prepared:
    return _prepared.get((Bella.name, labelled.key), lambda: Bella().prepare(labelled, options, run))
