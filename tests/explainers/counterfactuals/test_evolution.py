"""Searches by generations: never worse than the real cases they begin with, and fronts as the paper defines them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from explainers.constraints import Constraints
from explainers.counterfactuals.evolution import EvolutionOptions
from explainers.counterfactuals.genetic import Genetic
from explainers.counterfactuals.nearest_case import NearestCase
from explainers.counterfactuals.pareto import Pareto, crowding, ranks
from explainers.distances import heom, value_ranges
from explainers.run import Run
from tests.contract.problems import cases_of, problem_called
from tests.explainers.tables import posed


@pytest.mark.parametrize("name", ["mixed", "missing", "narrow interval", "one-hot by hand"])
def test_genetic_is_never_worse_than_the_nearest_real_case(name: str) -> None:
    problem, better = problem_called(name), 0
    for case in cases_of(problem):
        real = NearestCase().explain(problem, case, Constraints()).found[0]
        bred = Genetic().explain(problem, case, Constraints()).found[0]
        assert len(bred) <= len(real)
        better += len(bred) < len(real)
    assert better


def test_genetic_finds_the_one_change_that_is_enough() -> None:
    values = np.random.default_rng(0).integers(0, 10, (200, 8)).astype(float)
    problem = posed(pd.DataFrame(values, columns=list("abcdefgh")), lambda rows: (rows[:, 3] >= 7).astype(float))
    case = problem.case(str(np.flatnonzero(values[:, 3] == 2)[0]))
    best = Genetic().explain(problem, case, Constraints()).found[0]
    assert [(change.feature, change.new) for change in best.changes] == [("d", 7.0)]


def test_another_seed_breeds_others_and_the_same_seed_the_same() -> None:
    problem = problem_called("mixed")
    case = cases_of(problem)[-1]
    options = EvolutionOptions(generations=5, ways=10)
    rows = [
        [c.row.tobytes() for c in Genetic().explain(problem, case, Constraints(), options, Run(seed=seed)).found]
        for seed in (0, 0, 1)
    ]
    assert rows[0] == rows[1] != rows[2]


def test_ranks_are_those_of_peeling_fronts() -> None:
    random = np.random.default_rng(3)
    objectives = random.integers(0, 4, (40, 3)).astype(float)
    expected, left, level = np.zeros(40, dtype=int), set(range(40)), 0
    while left:
        front = {
            i for i in left
            if not any(
                all(objectives[j] <= objectives[i]) and any(objectives[j] < objectives[i]) for j in left
            )
        }  # fmt: skip
        expected[list(front)] = level
        left, level = left - front, level + 1
    assert ranks(objectives).tolist() == expected.tolist()
    assert level > 2


def test_crowding_is_the_sum_of_the_gaps_between_neighbours() -> None:
    objectives = np.array([[0.0, 4.0], [1.0, 3.0], [3.0, 1.0], [4.0, 0.0]])
    assert crowding(objectives).tolist() == [np.inf, 3 / 4 + 3 / 4, 3 / 4 + 3 / 4, np.inf]


@pytest.mark.parametrize("name", ["mixed", "three classes"])
def test_no_row_of_the_front_is_beaten_by_another(name: str) -> None:
    problem, n_pairs = problem_called(name), 0
    for case in cases_of(problem):
        found = Pareto().explain(problem, case, Constraints(), EvolutionOptions(ways=10)).found
        target = problem.target(case)
        wishes = [(c.distance, len(c), -float(target.nearness(np.array([c.score]))[0])) for c in found]
        real = problem.rows[problem.training & target.flips(problem.outputs) & problem.may_have_been(target)]
        ranges = value_ranges(problem.rows[problem.training])
        to_real = [heom(problem.schema, ranges, c.row, real).min() for c in found]
        full = np.array([(*wish, gap) for wish, gap in zip(wishes, to_real, strict=True)])
        assert ranks(np.round(full, 9)).max() == 0
        n_pairs += len(found) > 1
    assert n_pairs
