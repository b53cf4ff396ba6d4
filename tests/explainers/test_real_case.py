"""The nearest real case against looking at every row."""

from __future__ import annotations

import numpy as np
import pytest

from explainers.constraints import Constraints
from explainers.counterfactuals.nice import Nice, NiceOptions
from explainers.problem import Case, Problem
from explainers.real_case import nearest_real_case
from explainers.run import Run, Stopped
from tests.contract.problems import BUILDERS, cases_of, problem_called


def heom_by_hand(problem: Problem, one: np.ndarray, other: np.ndarray) -> float:
    """The distance as the paper writes it, one feature after the other."""
    total = 0.0
    for place, feature in enumerate(problem.schema.features):
        a, b = one[place], other[place]
        if a != a or b != b:
            total += float((a != a) != (b != b))
        elif feature.is_number:
            known = problem.rows[problem.training, place]
            spread = np.nanmax(known) - np.nanmin(known)
            total += abs(a - b) / (spread or 1.0)
        else:
            total += float(a != b)
    return total


@pytest.mark.parametrize("name", BUILDERS)
def test_it_is_the_first_of_the_nearest_training_rows_as_wanted(name: str) -> None:
    problem = problem_called(name)
    for case in cases_of(problem)[-3:]:
        target = problem.target(case)
        may_be = problem.may_have_been(target)
        flips = target.flips(problem.model.score(problem.rows))
        wanted = np.flatnonzero(problem.training & may_be & flips).tolist()
        distances = [heom_by_hand(problem, case.row, problem.rows[at]) for at in wanted]
        real = nearest_real_case(problem, case, target)
        assert real is not None
        nearest = wanted[next(i for i, d in enumerate(distances) if d <= min(distances) + 1e-12)]
        assert real.id == problem.ids[nearest]
        assert real.distance == pytest.approx(min(distances))
        np.testing.assert_array_equal(real.row, problem.rows[nearest])
        assert real.score == pytest.approx(target.drawn(problem.model.score(real.row[None]))[0])
        pairs = zip(real.row, case.row, strict=True)
        assert real.n_differing == sum(not (a == b or (a != a and b != b)) for a, b in pairs)


def test_it_is_where_nice_begins_if_nothing_is_bound() -> None:
    problem = problem_called("mixed")
    case = cases_of(problem)[0]
    whole = Nice().explain(problem, case, Constraints(), NiceOptions(reward="none", neighbours=1)).found[0]
    real = nearest_real_case(problem, case, whole.target)
    assert real is not None
    assert (real.id, real.distance) == (whole.neighbour, pytest.approx(whole.distance))
    np.testing.assert_array_equal(real.row, whole.row)


def test_none_where_no_training_row_is_as_wanted() -> None:
    problem = problem_called("narrow interval")
    case = cases_of(problem)[0]
    outputs = problem.outputs.ravel()
    beyond = problem.with_decision(problem.decision.adjusted(low=outputs.max() + 1, high=outputs.max() + 2))
    assert nearest_real_case(beyond, case, beyond.target(case)) is None


def test_a_stopped_run_says_so_and_nothing_is_written_to() -> None:
    problem = problem_called("mixed")
    case = Case("typed", problem.rows[3].copy())
    target = problem.target(case)
    with pytest.raises(Stopped):
        nearest_real_case(problem, case, target, Run(cancelled=lambda: True))
    told: list[float] = []
    before = problem.rows.tobytes(), case.row.tobytes()
    real = nearest_real_case(problem, case, target, Run(progress=told.append))
    assert told[-1] == 1.0 and before == (problem.rows.tobytes(), case.row.tobytes())
    assert real is not None
    with pytest.raises(ValueError, match="read-only"):
        real.row[0] = 1.0
