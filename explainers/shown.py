"""An explanation together with what a person has beside it, and what there is to say of both."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from explainers import sentences_compared, wording
from explainers.attributions.background import background_rows
from explainers.attributions.comparison import CONTRADICTIONS, Comparison, compare, disagreements
from explainers.attributions.together import Attributions
from explainers.constraints import Constraints
from explainers.explanation import Explanation
from explainers.problem import Problem
from explainers.real_case import RealCase
from explainers.registry import ATTRIBUTIONS
from explainers.run import Run
from explainers.schema import Schema
from explainers.usualness import Usualness
from explainers.wording import Sentence


@dataclass(frozen=True, eq=False)
class Shown:
    """All that is shown of a case.

    Attributes
    ----------
    explanation : Explanation
    beside : str
        What stands beside it: "usual", "nearest" or "attributions"; empty for nothing.
    usual : tuple of Usualness
    nearest : RealCase, optional
        Absent also where there is none.
    attributions : Attributions, optional
    reasons : tuple of Sentence
        Where the attributions and the explanation part, and why they may.
    """

    explanation: Explanation
    beside: str = ""
    usual: tuple[Usualness, ...] = ()
    nearest: RealCase | None = None
    attributions: Attributions | None = None
    reasons: tuple[Sentence, ...] = ()


def reasons_frame(shown: Shown) -> pd.DataFrame:
    """One row a reason: of which kind it is, and what there is to say."""
    return pd.DataFrame(
        {
            "kind": [told[0].text.rstrip(".") for told in shown.reasons],
            "reason": [wording.plain(told[1:]).strip() for told in shown.reasons],
        }
    )


def compared(schema: Schema, explanation: Explanation, attributions: Attributions) -> Comparison:
    """The views of a case side by side, under the names that experts know them by.

    Parameters
    ----------
    schema : Schema
    explanation : Explanation
    attributions : Attributions
        With at least one told.
    """
    titles = [ATTRIBUTIONS[one.origin.method].title for one in attributions.told]
    return compare(schema, explanation, attributions.told, titles)


def reasons(problem: Problem, comparison: Comparison, constraints: Constraints) -> tuple[Sentence, ...]:
    """Where the views part and why they may; first that they don't, where none contradicts another."""
    schema = problem.schema
    locked = frozenset(name for name in schema.names if constraints[name].locked)
    background = background_rows(problem, Run(seed=comparison.told[0].origin.seed))
    found = disagreements(comparison, schema, background, locked)
    told = tuple(sentences_compared.disagreement(one, comparison) for one in found)
    if any(isinstance(one, CONTRADICTIONS) for one in found):
        return told
    return (sentences_compared.agreement(found), *told)
