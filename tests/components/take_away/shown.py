"""What the dashboard shows for a view, computed as it does, ready to be taken away."""

from __future__ import annotations

from typing import Any

from components import catalogue
from components.sources import source_of
from components.state.view import View
from components.take_away.offer import Offer
from explainers.attributions.together import attribute
from explainers.counterfactuals.assembly import keep_only
from explainers.distances import value_ranges
from explainers.explanation import Explanation, explain_changes
from explainers.problem import Problem
from explainers.real_case import nearest_real_case
from explainers.results import Counterfactual
from explainers.run import Run
from explainers.usualness import usualness


def found(view: View) -> tuple[Counterfactual, ...]:
    problem = catalogue.problem_of(view)
    return source_of(view, problem, problem.case(str(view.case))).find(Run()).found


def explained(view: View) -> Explanation:
    problem = catalogue.problem_of(view)
    case, shown = problem.case(str(view.case)), found(view)[view.counterfactual]
    if view.kept:
        ranges = value_ranges(problem.rows[problem.training])
        shown = keep_only(problem, case, view.constraints(problem.schema), shown, view.kept, ranges)
    return explain_changes(problem, case, shown)


def reducible(view: View) -> tuple[str, tuple[str, ...]]:
    """A case of which a part of the changes is enough, and that part."""
    problem = catalogue.problem_of(view)
    for case in problem.ids:
        asked = view.changed(case=case)
        if found(asked) and len(found(asked)[0]) > 2:
            coalitions = explained(asked).coalitions
            assert coalitions is not None
            if coalitions.is_reducible and coalitions.minimal[0].bit_count() > 1:
                return case, coalitions.names(coalitions.minimal[0])
    raise AssertionError("There is none.")


def computed_beside(problem: Problem, explanation: Explanation, beside: str) -> Any:
    """What the card of this name comes to, or nothing for none."""
    counterfactual = explanation.counterfactual
    case = problem.case(counterfactual.case)
    if beside == "usual":
        return usualness(problem.schema, problem.rows, counterfactual)
    if beside == "nearest":
        return (nearest_real_case(problem, case, counterfactual.target),)
    return attribute(problem, case) if beside else None


def offered(view: View, link: str = "http://localhost/?case=1") -> Offer:
    problem = catalogue.problem_of(view)
    return Offer(view, problem, problem.case(str(view.case)), explained(view), None, link)
