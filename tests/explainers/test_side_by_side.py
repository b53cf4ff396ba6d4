"""Side by side changes how often the model is asked, and nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from explainers.counterfactuals.nice import Nice
from explainers.problem import Problem
from explainers.side_by_side import side_by_side
from tests.contract.asking import Watched
from tests.explainers.tables import posed


@pytest.fixture
def problem() -> Problem:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(60, 5)).round(2), columns=list("abcde"))
    return posed(table, lambda rows: 1 / (1 + np.exp(-(rows @ [1.0, -2.0, 0.5, 1.5, -1.0]) - rows[:, 0] * rows[:, 3])))


def test_each_is_explained_as_if_alone(problem: Problem) -> None:
    cases = problem.ids[:9]
    together = side_by_side(problem, cases, lambda asked, id_: Nice().explain(asked, asked.case(id_)))
    for id_, one in zip(cases, together, strict=True):
        alone = Nice().explain(problem, problem.case(id_))
        assert [found.changes for found in one.found] == [found.changes for found in alone.found]
        np.testing.assert_allclose([found.score for found in one.found], [found.score for found in alone.found])
        assert one.origin == alone.origin


def test_their_questions_go_to_the_model_together(problem: Problem) -> None:
    watched = Watched.of(problem)
    watched.problem.scored()
    watched.calls = 0
    longest = [3, 1, 2]

    def ask(asked: Problem, times: int) -> int:
        for row in range(times):
            asked.model.score(asked.rows[[row]] + times)
        return times

    assert side_by_side(watched.problem, longest, ask) == longest
    assert watched.calls == max(longest)


def test_what_the_work_raises_reaches_the_caller_and_holds_nobody_up(problem: Problem) -> None:
    def ask(asked: Problem, breaks: bool) -> int:
        asked.model.score(asked.rows[:1])
        if breaks:
            raise KeyError("broken")
        return len(asked.model.score(asked.rows[:2]))

    with pytest.raises(KeyError, match="broken"):
        side_by_side(problem, [False, True, False], ask)


def test_a_model_that_fails_fails_for_all(problem: Problem) -> None:
    def ask(asked: Problem, rows: int) -> None:
        asked.model.score(np.full((rows, 2), np.nan))

    with pytest.raises(Exception, match=r".+"):
        side_by_side(problem, [1, 2], ask)


def test_nothing_to_do_is_nothing_done(problem: Problem) -> None:
    assert side_by_side(problem, [], lambda asked, item: item) == []
