"""One suite for every surrogate in the registry, on every kind of problem, with a model and without one."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from functools import cache

import numpy as np
import pytest

from explainers.archive import from_dict, to_dict
from explainers.labelled import LabelledTable
from explainers.method import Options
from explainers.problem import Case, Problem
from explainers.registry import SURROGATES
from explainers.run import Run, Stopped
from explainers.surrogates.equation import LocalEquations
from tests.contract.asking import Watched, assert_equal, method_id, variants
from tests.contract.problems import BUILDERS, cases_of, problem_called

METHODS = [(name, options) for name, method in SURROGATES.items() for options in variants(method.options_type)]
TABLES = [*((name, "model") for name in BUILDERS), ("quartile", "observed"), ("less is wanted", "observed")]

pytestmark = [
    pytest.mark.parametrize(("name", "source"), TABLES),
    pytest.mark.parametrize("method", METHODS, ids=method_id),
]


def table_of(problem: Problem, case: Case, source: str) -> LabelledTable:
    """The number that is explained: what the model says as drawn for the case, or a column that was observed."""
    if source == "observed":
        return LabelledTable.of_observed(problem)
    return LabelledTable.of_model(problem, problem.target(case))


@cache
def explained(name: str, method: tuple[str, Options], source: str) -> list[tuple[LabelledTable, Case, LocalEquations]]:
    """A case of the table and, where a model can be asked about it, one that is typed by hand."""
    problem = problem_called(name)
    cases = cases_of(problem, 3)
    chosen = [cases[0]] if source == "observed" else [cases[0], cases[-1]]
    asked = [(table_of(problem, case, source), case) for case in chosen]
    return [(table, case, SURROGATES[method[0]].explain(table, case, method[1])) for table, case in asked]


def test_contributions_sum_to_what_the_equation_says(method: tuple[str, Options], name: str, source: str) -> None:
    for table, case, found in explained(name, method, source):
        assert found.label == pytest.approx(table.label(case))
        for place in range(len(found.sizes)):
            equation = found.equation(place)
            total = equation.intercept + sum(term.contribution for term in equation.terms)
            assert (
                equation.explained == pytest.approx(total) == pytest.approx(float(equation.values(case.row[None])[0]))
            )
            assert 0.0 <= equation.bound <= 1.0 and np.isfinite(total)


def test_the_answer_has_the_largest_bound(method: tuple[str, Options], name: str, source: str) -> None:
    for _, _, found in explained(name, method, source):
        assert found.bounds[found.chosen] == pytest.approx(found.bounds.max(), abs=1e-9)
        assert (found.bounds[: found.chosen] < found.bounds[found.chosen]).all()


def test_neighbours_are_other_rows_nearest_first(method: tuple[str, Options], name: str, source: str) -> None:
    for table, case, found in explained(name, method, source):
        assert (np.diff(found.distances) >= 0).all() and len(set(found.others.tolist())) == len(found.others)
        allowed = table.training & np.isfinite(table.labels)
        assert allowed[found.others].all() and case.id not in {table.ids[place] for place in found.others}
        for place, size in enumerate(found.sizes):
            assert len(found.neighbours(place)) == size - 1
        assert found.generality(len(found.sizes) - 1) == 1.0


def test_the_same_alone_and_in_a_batch_to_the_last_bit(method: tuple[str, Options], name: str, source: str) -> None:
    surrogate, options = SURROGATES[method[0]], method[1]
    for table, case, found in explained(name, method, source):
        prepared = surrogate.prepare(table, options, Run())
        again = surrogate.explain(table, case, options, Run(seed=0), prepared)
        assert_equal(again, found)


def test_inputs_are_never_written_to(method: tuple[str, Options], name: str, source: str) -> None:
    for table, case, found in explained(name, method, source):
        rows, labels, row = table.rows.copy(), table.labels.copy(), case.row.copy()
        SURROGATES[method[0]].explain(table, case, method[1])
        np.testing.assert_array_equal(table.rows, rows)
        np.testing.assert_array_equal(table.labels, labels)
        np.testing.assert_array_equal(case.row, row)
        assert found.origin.method == method[0] and found.origin.problem == table.key
        break


def test_a_run_that_is_cancelled_ends_it(method: tuple[str, Options], name: str, source: str) -> None:
    problem = problem_called(name)
    watched = Watched.of(problem)
    case = cases_of(problem)[0]
    table = table_of(watched.problem, case, source)
    asked = watched.calls
    with pytest.raises(Stopped, match=r"\.$"):
        SURROGATES[method[0]].explain(table, case, method[1], Run(cancelled=lambda: True))
    assert watched.calls == asked
    looks = iter(range(1000))
    with pytest.raises(Stopped):
        SURROGATES[method[0]].explain(table, case, method[1], Run(cancelled=lambda: next(looks) >= 3))
    assert watched.calls <= asked + 1


def test_progress_only_rises_and_ends_at_one(method: tuple[str, Options], name: str, source: str) -> None:
    for table, case, _ in explained(name, method, source):
        told: list[float] = []
        SURROGATES[method[0]].explain(table, case, method[1], Run(progress=told.append))
        assert told == sorted(told) and told[-1] == 1.0


def test_results_are_frozen_and_come_back_from_the_archive(method: tuple[str, Options], name: str, source: str) -> None:
    _, _, found = explained(name, method, source)[0]
    for item in fields(found):
        with pytest.raises(FrozenInstanceError):
            setattr(found, item.name, None)
        if isinstance(getattr(found, item.name), np.ndarray):
            assert not getattr(found, item.name).flags.writeable
    assert_equal(from_dict(to_dict(found)), found)
    assert_equal(from_dict(to_dict(found.best)), found.best)


def test_classes_are_refused_in_one_sentence(method: tuple[str, Options], name: str, source: str) -> None:
    problem = problem_called(name)
    said = SURROGATES[method[0]].unfit(problem)
    assert bool(said) == bool(problem.model.classes)
    assert said is None or said.endswith(".")
