"""Cases by name, keys that tell problems apart, and outputs asked once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explainers.decision import BinaryDecision
from explainers.problem import Case, Problem, UnknownCase
from explainers.run import Run, Stopped
from tests.contract.asking import Watched
from tests.explainers.tables import numeric_table, posed


@pytest.fixture
def problem() -> Problem:
    return posed(numeric_table(12, 3), lambda rows: rows.sum(axis=1) / 9)


def test_cases_are_found_by_name(problem: Problem) -> None:
    assert problem.case(3).id == "3"
    np.testing.assert_array_equal(problem.case("3").row, problem.rows[3])
    with pytest.raises(UnknownCase, match=r"^There is no case 99 in this table\.$"):
        problem.case("99")


def test_ids_are_unique_and_as_many_as_rows(problem: Problem) -> None:
    for ids in (("0",) * 12, problem.ids[:-1], (*problem.ids, "0")):
        with pytest.raises(ValueError, match="id of its own"):
            replace(problem, ids=ids)


def test_a_typed_case_is_scored_by_itself(problem: Problem) -> None:
    watched = Watched.of(problem)
    typed = Case("3", problem.rows[3] + 1)
    outputs = watched.problem.case_outputs(typed)
    assert watched.calls == 1
    np.testing.assert_array_equal(outputs, problem.model.score(typed.row[None])[0])


def test_all_rows_are_scored_once(problem: Problem) -> None:
    watched = Watched.of(problem)
    for position in range(3):
        np.testing.assert_array_equal(
            watched.problem.case_outputs(watched.problem.case(position)), problem.outputs[position]
        )
    other = watched.problem.with_decision(BinaryDecision(("0", "1"), 0.9))
    np.testing.assert_array_equal(other.outputs, problem.outputs)
    assert watched.calls == 1


def test_scoring_all_rows_can_be_stopped(problem: Problem) -> None:
    watched = Watched.of(problem)
    with pytest.raises(Stopped):
        watched.problem.case_outputs(problem.case(0), Run(cancelled=lambda: True))
    assert watched.calls == 0


def test_keys_tell_problems_apart(problem: Problem) -> None:
    rows = problem.rows.copy()
    rows[0, 0] += 1
    observed = np.zeros(12, dtype=np.intp)
    renamed = replace(problem.model, schema=problem.schema.described({"f0": {"title": "other"}}))
    others = [
        replace(problem, rows=rows),
        replace(problem, training=~problem.training),
        replace(problem, observed=observed),
        replace(problem, ids=tuple("abcdefghijkl")),
        replace(problem, model=replace(problem.model, fingerprint="other")),
        replace(problem, model=renamed),
    ]
    keys = {problem.content_key, *(other.content_key for other in others)}
    assert len(keys) == 1 + len(others)
    moved = problem.with_decision(BinaryDecision(("0", "1"), 0.4))
    assert moved.content_key == problem.content_key and moved.key != problem.key
    assert replace(problem).key == problem.key
