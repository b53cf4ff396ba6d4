"""All that can be said of a case without a counterfactual, one method after the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from explainers.attributions.attribution import Attribution
from explainers.problem import Case, Problem
from explainers.registry import ATTRIBUTIONS
from explainers.run import Run, Stopped


@dataclass(frozen=True, eq=False)
class Attributions:
    """What each method says, and why those that say nothing don't.

    Attributes
    ----------
    told : tuple of Attribution
        In the registry's order.
    left_out : tuple of str
        A sentence for each method that can't serve.
    is_complete : bool
        Whether the run ended by itself.
    """

    told: tuple[Attribution, ...]
    left_out: tuple[str, ...]
    is_complete: bool


def attribute(problem: Problem, case: Case, run: Run | None = None) -> Attributions:
    """Ask every method that can serve; what is known when the run ends is then the result.

    Raises
    ------
    Stopped
        If the run ended before anything was known.
    """
    run = run or Run()
    told: list[Attribution] = []
    left_out: list[str] = []
    for place, method in enumerate(ATTRIBUTIONS.values()):
        if why := method.unfit(problem):
            left_out.append(why)
            continue
        part = replace(run, progress=partial(_advance, run, place))
        try:
            told.append(method.explain(problem, case, run=part))
        except Stopped:
            if not told:
                raise
            return Attributions(tuple(told), (*left_out, f"{method.title} was stopped."), False)
        except ValueError as error:
            left_out.append(str(error))
    run.progress(1.0)
    return Attributions(tuple(told), tuple(left_out), all(one.is_complete for one in told))


def _advance(run: Run, place: int, done: float) -> None:
    """Say how far all methods are when this one is so far."""
    run.progress((place + done) / len(ATTRIBUTIONS))
