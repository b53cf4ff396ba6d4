"""Looking ahead and walking side by side change the calls, not the steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from explainers.counterfactuals import walk as walk_module
from explainers.counterfactuals.neighbours import Neighbour
from explainers.counterfactuals.walk import Walk, walk_side_by_side
from explainers.model import Model
from explainers.problem import Problem
from explainers.run import Run, Stopped
from explainers.schema import Rows
from tests.explainers.tables import posed

N_FEATURES = 8


def problem_of(seed: int) -> Problem:
    random = np.random.default_rng(seed)
    scores = np.round(random.uniform(0, 0.49, 2**N_FEATURES), 1)
    scores[-1] = 0.9
    scores[random.integers(0, 2**N_FEATURES, 8)] = 0.7
    scores[0] = 0.1
    bits = 1 << np.arange(N_FEATURES)
    names = [f"f{i}" for i in range(N_FEATURES)]
    table = pd.DataFrame(np.array([[0] * N_FEATURES, [1] * N_FEATURES]), columns=names)
    return posed(table, lambda rows: scores[((rows > 0) @ bits).astype(int)])


def walks_of(problem: Problem, n_walks: int) -> list[Walk]:
    target = problem.target(problem.case(0))
    rows = [problem.rows[1] * (1 + i) for i in range(n_walks)]
    outputs = problem.model.score(np.array(rows))
    return [
        Walk(problem.rows[0], 0.1, Neighbour(str(i), row, drawn, near), lambda gains, before, after: gains)
        for i, (row, drawn, near) in enumerate(zip(rows, target.drawn(outputs), target.closeness(outputs), strict=True))
    ]


@dataclass
class Asked:
    """Counts how often a model is asked, in however many batches it answers."""

    model: Model
    times: int = 0

    def score(self, rows: Rows, run: Run) -> NDArray[np.float64]:
        self.times += 1
        return self.model.score(rows, run)


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), n_walks=st.integers(1, 3))
def test_steps_do_not_depend_on_how_far_it_looks(seed: int, n_walks: int) -> None:
    problem = problem_of(seed)
    target = problem.target(problem.case(0))
    ends, calls = [], []
    for ahead in (0, 60, 10_000):
        asked = Asked(problem.model)
        walks = walks_of(problem, n_walks)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(walk_module, "ROWS_A_WALK", ahead)
            walk_side_by_side(walks, asked, target, Run())  # type: ignore[arg-type]
        ends.append([walk.made for walk in walks])
        calls.append(asked.times)
        for walk in walks:
            outputs = problem.model.score(walk.row[None])
            assert target.flips(outputs)[0] and walk.score == target.drawn(outputs)[0]
    assert ends[0] == ends[1] == ends[2]
    assert calls[0] >= calls[1] >= calls[2] == 1


def test_walks_that_are_done_stay_done() -> None:
    problem = problem_of(3)
    walks = walks_of(problem, 2)
    walks[0].jump()
    with pytest.raises(Stopped):
        walk_side_by_side(walks, problem.model, problem.target(problem.case(0)), Run(cancelled=lambda: True))
    assert walks[0].is_done and not walks[1].is_done
    np.testing.assert_array_equal(walks[0].row, problem.rows[1])
    np.testing.assert_array_equal(walks[1].row, problem.rows[0])


def test_more_features_than_a_word_has_bits() -> None:
    n = 70
    table = pd.DataFrame(np.array([[0] * n, [1] * n]), columns=[f"f{i}" for i in range(n)])
    problem = posed(table, lambda rows: rows.mean(axis=1))
    row = problem.rows[1]
    walk = Walk(problem.rows[0], 0.0, Neighbour("1", row, 1.0, 1.0), lambda gains, before, after: gains)
    walk_side_by_side([walk], problem.model, problem.target(problem.case(0)), Run())
    assert walk.row.tolist() == [1.0] * 35 + [0.0] * 35
