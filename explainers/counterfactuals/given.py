"""Counterfactuals that were not searched for: typed by a person, or found by any other generator.

found = given(problem, case, pd.DataFrame({"duration": [12], "amount": [1500]}))
explanation = explain_changes(problem, case, found.found[0])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from explainers.constraints import Constraints
from explainers.counterfactuals.assembly import Candidate, assemble
from explainers.distances import value_ranges
from explainers.intake.refusal import Refused
from explainers.intake.rows import Proposal, row_of_values, rows_of_frame
from explainers.problem import Case, Problem
from explainers.results import GIVEN, Counterfactual, Counterfactuals, NoneFound, Origin, Rejected
from explainers.run import Run
from explainers.schema import Rows
from explainers.standing import why_no_counterfactual
from explainers.what_if import WhatIf, proposed_row, what_if


def given(
    problem: Problem,
    case: Case,
    rows: pd.DataFrame | Mapping[str, Any] | Sequence[Proposal],
    constraints: Constraints | None = None,
    run: Run | None = None,
    *,
    source: str = "",
) -> Counterfactuals:
    """Check rows that somebody gives, and make counterfactuals of those that are.

    Parameters
    ----------
    problem : Problem
    case : Case
    rows : DataFrame, mapping or sequence of Proposal
        What is to differ from the case, as values of the table, as labels, or as people
        type them; columns that are absent stay as the case has them. A mapping is one row.
    constraints : Constraints, optional
        By default those of the schema.
    run : Run, optional
    source : str, optional
        Where the rows come from, for the result's origin.

    Returns
    -------
    Counterfactuals
        In the order given; rows that are none are among `Counterfactuals.rejected`.

    Raises
    ------
    Refused
        If a table names no feature, or has no row or too many.
    ValueError
        If the constraints can't be.
    Stopped
        If the run ended first.
    ModelError
        If the model fails on a row.
    """
    constraints = Constraints.default(problem.schema) if constraints is None else constraints
    run = run or Run()
    if wrong := constraints.check(problem.schema):
        raise ValueError(" ".join(wrong))
    proposals = _proposals(problem, rows)
    outputs = problem.case_outputs(case, run)
    target = problem.decision.target(outputs)
    factual_score = float(target.drawn(outputs[None])[0])
    how = Origin(GIVEN, (("source", source),) if source else (), run.seed, problem.key)
    if target.is_reached:
        return Counterfactuals(case.id, target, factual_score, (), NoneFound("reached"), True, how)
    tried, rejected = _tried(problem, case, proposals, constraints, run)
    good = {name: one for name, one in tried.items() if one.is_counterfactual}
    candidates = [Candidate(one.row, one.score) for one in good.values()]
    ranges = value_ranges(problem.rows[problem.training])
    made = assemble(problem, case, constraints, target, factual_score, candidates, ranges, how, run)
    found = tuple(_named(counterfactual, name) for name, counterfactual in zip(good, made, strict=True))
    rejected |= {
        name: Rejected(name, why_no_counterfactual(one, name), one.broken if one.flips else ())
        for name, one in tried.items()
        if name not in good
    }
    refused = tuple(rejected[proposal.name] for proposal in proposals if proposal.name in rejected)
    run.progress(1.0)
    none_found = None if found else NoneFound("given", detail=refused[0].sentence if len(refused) == 1 else "")
    return Counterfactuals(case.id, target, factual_score, found, none_found, True, how, refused)


def _proposals(problem: Problem, rows: pd.DataFrame | Mapping[str, Any] | Sequence[Proposal]) -> Sequence[Proposal]:
    if isinstance(rows, pd.DataFrame):
        return rows_of_frame(problem.schema, rows).rows
    if isinstance(rows, Mapping):
        return (row_of_values(problem.schema, rows, "The row"),)
    return rows


def _tried(
    problem: Problem, case: Case, proposals: Sequence[Proposal], constraints: Constraints, run: Run
) -> tuple[dict[str, WhatIf], dict[str, Rejected]]:
    """What each row comes to, by name, and those that can't be asked."""
    rows: dict[str, Rows] = {}
    rejected: dict[str, Rejected] = {}
    for proposal in proposals:
        try:
            rows[proposal.name] = proposed_row(problem, case, proposal)
        except Refused as refused:
            rejected[proposal.name] = Rejected(proposal.name, f"{proposal.name}: {refused}")
    tried = what_if(problem, case, list(rows.values()), constraints, run)
    return dict(zip(rows, tried, strict=True)), rejected


def _named(counterfactual: Counterfactual, name: str) -> Counterfactual:
    """The same with its row's name in its origin, by which it can be chosen."""
    origin = counterfactual.origin
    return replace(counterfactual, origin=replace(origin, options=(*origin.options, ("row", name))))
