"""FACE against every way there is, and on a way that bends."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pandas as pd
import pytest

from explainers.constraints import Constraints
from explainers.counterfactuals.face import Face, FaceOptions, shortest_ways
from tests.contract.problems import cases_of, problem_called
from tests.explainers.tables import posed


def weights(gaps: np.ndarray, links: int) -> dict[tuple[int, int], float]:
    """Length of every step that may be taken."""
    everybody = range(len(gaps))
    order = [sorted((j for j in everybody if j != i), key=lambda j, i=i: (gaps[i, j], j)) for i in everybody]
    thinness = [float(np.mean([gaps[i, j] for j in order[i][:links]])) for i in range(len(gaps))]
    usual = float(np.median(thinness))
    return {
        (i, j): gaps[i, j] * (thinness[i] + thinness[j]) / (2 * usual)
        for i in range(len(gaps))
        for j in order[i][:links]
    }


@pytest.mark.parametrize("seed", range(6))
def test_the_shortest_way_is_the_shortest_of_all_ways(seed: int) -> None:
    points = np.random.default_rng(seed).random((7, 2))
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2)
    ends, links = [5, 6], 3
    steps, lengths = weights(gaps, links), {}
    for size in range(5):
        for between in permutations(range(1, 5), size):
            for end in ends:
                way = (0, *between, end)
                pairs = list(pairwise(way))
                if all(pair in steps for pair in pairs):
                    lengths[way] = sum(steps[pair] for pair in pairs)
    ways = shortest_ways(gaps, ends, links)
    if not lengths:
        assert ways  # more links are then allowed
        return
    assert ways[0] == min(lengths, key=lengths.__getitem__)


def test_the_way_keeps_to_where_real_cases_are() -> None:
    """An arc of cases from the left to the right; straight across there is nobody."""
    angles = np.linspace(np.pi, 0, 41)
    table = pd.DataFrame({"x": np.cos(angles).round(4), "y": np.sin(angles).round(4)})
    problem = posed(table, lambda rows: (rows[:, 0] > 0.95).astype(float))
    found = Face().explain(problem, problem.case("0"), Constraints(), FaceOptions(ways=1, links=2)).found[0]
    steps = [0, *map(int, found.route), int(found.neighbour)]
    assert steps == sorted(steps) and len(steps) > 10
    assert max(np.diff(steps)) <= 2


def test_routes_name_training_cases_that_do_not_flip() -> None:
    problem, n_passed = problem_called("mixed"), 0
    for case in cases_of(problem):
        target = problem.target(case)
        for counterfactual in Face().explain(problem, case, Constraints(), FaceOptions(links=1)).found:
            positions = [problem.position(id_) for id_ in counterfactual.route]
            assert problem.training[positions].all() and case.id not in counterfactual.route
            wanted = target.flips(problem.outputs[positions]) & problem.may_have_been(target)[positions]
            assert not wanted.any()
            n_passed += len(positions)
    assert n_passed
