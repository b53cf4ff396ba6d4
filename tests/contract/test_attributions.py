"""One suite for every attribution in the registry, on every kind of problem."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import FrozenInstanceError, fields, replace
from functools import cache

import numpy as np
import pytest

from explainers import model
from explainers.archive import from_dict, to_dict
from explainers.attributions.attribution import Attribution
from explainers.attributions.background import BACKGROUND_ROWS, background_rows
from explainers.problem import Case, Problem
from explainers.registry import ATTRIBUTIONS
from explainers.run import Run, Stopped
from tests.contract.asking import Watched, assert_equal
from tests.contract.problems import BUILDERS, cases_of, problem_called

pytestmark = [
    pytest.mark.parametrize("method", ATTRIBUTIONS),
    pytest.mark.parametrize("name", BUILDERS),
]


def cases(problem: Problem) -> Iterator[Case]:
    """One of the table and one typed by hand, of which all numbers are known."""
    for case in cases_of(problem)[1::4]:
        gaps = np.isnan(case.row) & problem.schema.is_number
        yield Case(case.id, np.where(gaps, np.nanmedian(problem.rows, axis=0), case.row))


@cache
def explained(name: str, method: str) -> tuple[tuple[Problem, Case, Attribution], ...]:
    problem = problem_called(name)
    return tuple((problem, case, ATTRIBUTIONS[method].explain(problem, case)) for case in cases(problem))


def test_every_feature_of_the_schema_has_a_value_in_the_drawn_score_s_unit(name: str, method: str) -> None:
    for problem, case, told in explained(name, method):
        assert told.features == problem.schema.names
        assert np.isfinite(told.values).all() and told.values.any()
        outputs = problem.model.score(case.row[None])
        assert told.target == problem.decision.target(outputs[0])
        assert told.score == pytest.approx(told.target.drawn(outputs)[0])
        assert told.of(told.features[-1]) == told.values[-1]
        assert told.to_frame()["value"].tolist() == told.values.tolist()


def test_what_explains_the_score_itself_sums_to_it(name: str, method: str) -> None:
    for problem, _, told in explained(name, method):
        if told.fit is not None:
            assert told.fit <= 1.0
            continue
        background = background_rows(problem, Run())
        assert len(background) == told.n_reference == BACKGROUND_ROWS
        mean = told.target.drawn(problem.model.score(background)).mean()
        assert told.base == pytest.approx(mean, abs=1e-9)
        assert told.values.sum() == pytest.approx(told.score - mean, abs=1e-9)


def test_same_seed_same_result(name: str, method: str) -> None:
    for problem, case, told in explained(name, method)[:1]:
        assert_equal(ATTRIBUTIONS[method].explain(replace(problem), case, run=Run(seed=0)), told)
        other = ATTRIBUTIONS[method].explain(problem, case, run=Run(seed=1))
        assert (other.values != told.values).any()


def test_nothing_is_written_to(name: str, method: str) -> None:
    problem, case, _ = explained(name, method)[0]
    own = Case(case.id, case.row.copy())
    before = problem.rows.tobytes(), own.row.tobytes()
    state = np.random.get_state()[1].tobytes()
    ATTRIBUTIONS[method].explain(problem, own)
    assert (problem.rows.tobytes(), own.row.tobytes()) == before
    assert np.random.get_state()[1].tobytes() == state, "a session's draws must not depend on another's"


def test_after_cancelling_the_model_is_not_asked_again(name: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # However busy the machine is, each run then takes as many calls.
    monkeypatch.setattr(model, "_next_size", lambda size, asked, seconds: 2**12)
    problem, case, _ = explained(name, method)[0]
    whole = Watched.of(problem)
    ATTRIBUTIONS[method].explain(whole.problem, case)
    assert whole.calls
    for after in sorted({0, 1, whole.calls - 1}):
        watched = Watched.of(problem)
        run = Run(cancelled=lambda w=watched, n=after: w.calls >= n)  # type: ignore[misc]
        with suppress(Stopped):  # or what it has by then, which says so
            assert not ATTRIBUTIONS[method].explain(watched.problem, case, run=run).is_complete
        assert watched.calls == after


def test_progress_only_rises_and_ends_at_one(name: str, method: str) -> None:
    problem, case, _ = explained(name, method)[0]
    told: list[float] = []
    ATTRIBUTIONS[method].explain(problem, case, run=Run(progress=told.append))
    assert told == sorted(told) and told[0] > 0 and told[-1] == 1.0


def test_results_are_frozen_keep_and_say_how_they_came_about(name: str, method: str) -> None:
    problem, _, told = explained(name, method)[0]
    assert told.origin.method == method and told.origin.problem == problem.key
    assert told.explainer
    for item in fields(told):
        with pytest.raises(FrozenInstanceError):
            setattr(told, item.name, None)
    with pytest.raises(ValueError, match="read-only"):
        told.values[0] = 0
    assert_equal(from_dict(to_dict(told)), told)


def test_without_training_rows_it_says_that_it_can_not_serve(name: str, method: str) -> None:
    problem = problem_called(name)
    assert ATTRIBUTIONS[method].unfit(problem) is None
    bare = replace(problem, training=np.zeros(len(problem.rows), dtype=bool))
    why = ATTRIBUTIONS[method].unfit(bare)
    assert why is not None and why.endswith(".")
