"""Where a person takes along what the page Equation shows."""

from __future__ import annotations

from components.equation_subject import EquationSubject
from components.state import session
from components.take_away.popover import offers, opened_on_demand
from explainers.surrogates.shown import ShownEquations

TABLES = {
    "equation": "Each term: coefficient, value and what it counts.",
    "tried": "The values that you tried.",
    "reference": "The changes that lead to the number wanted.",
    "sizes": "Each neighbourhood: rows, bound and terms.",
    "neighbours": "The rows that the rule holds for, with what it says of them.",
    "comparison": "How near SHAP, LIME and MAPLE come, and for how many rows.",
}


def take_away_equation(subject: EquationSubject, shown: ShownEquations) -> None:
    """Offer files of an equation."""
    opened_on_demand(lambda: _offers(subject, shown))


def _offers(subject: EquationSubject, shown: ShownEquations) -> None:
    from components.take_away.equation_offer import EquationOffer

    assert subject.labelled is not None, "an equation is of some number"
    model = subject.problem.model.name if subject.problem and subject.labelled.ask else ""
    offers(EquationOffer(session.view(), subject.labelled, shown, model, session.address_text()), TABLES)
