"""The prototype path and the search by gradients: what they reach, and by which way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from explainers.constraints import Constraints, Rule
from explainers.counterfactuals.prototype_losses import Losses, mean_encoding
from explainers.counterfactuals.prototype_path import PathOptions, PrototypePath, paths_of, rows_between
from explainers.counterfactuals.prototype_search import BETA, PrototypeOptions, PrototypeSearch, elastic_net
from explainers.counterfactuals.prototype_space import nearest_prototypes, prepare_space
from explainers.counterfactuals.room import Room
from explainers.counterfactuals.searching import Search
from explainers.problem import Case, Problem
from explainers.run import Run
from tests.contract.asking import Watched
from tests.contract.problems import cases_of, problem_called
from tests.explainers.tables import posed


def search_of(problem: Problem, case: Case, constraints: Constraints | None = None) -> tuple[Search, object]:
    prepared = prepare_space(problem, Run())
    outputs = problem.case_outputs(case)
    target = problem.decision.target(outputs)
    return Search(problem, case, constraints or Constraints(), outputs, target, prepared.ranges, Run()), prepared


def linear(steepness: float = 1.0) -> tuple[Problem, Case]:
    """A smooth score of four numbers, and a case that is far from the other side."""
    values = np.random.default_rng(0).normal(size=(300, 4)).round(4)
    table = pd.DataFrame(values, columns=list("abcd"))
    problem = posed(table, lambda rows: 1 / (1 + np.exp(-steepness * (2 * rows[:, 0] - rows[:, 1] - 1.5))))
    return problem, problem.case(str(int(np.argmin(values[:, 0] - values[:, 1] / 2))))


@pytest.mark.parametrize("name", ["numbers", "mixed", "three classes", "any other class", "narrow interval"])
def test_prototypes_are_the_nearest_rows_of_the_desired_side(name: str) -> None:
    problem = problem_called(name)
    for case in cases_of(problem):
        search, prepared = search_of(problem, case)
        wanted = problem.training & search.target.flips(problem.outputs) & problem.may_have_been(search.target)
        own = prepared.space.points(case.row[None])  # type: ignore[attr-defined]
        gaps = np.linalg.norm(prepared.space.points(problem.rows[wanted]) - own, axis=1)  # type: ignore[attr-defined]
        expected = np.array(problem.ids)[wanted][np.argsort(gaps, kind="stable")][:3]
        assert [n.id for n in nearest_prototypes(search, prepared, 3)] == expected.tolist()  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["mixed", "missing", "one-hot by hand", "less is wanted"])
def test_a_path_goes_on_towards_its_prototype_and_ends_there(name: str) -> None:
    problem = problem_called(name)
    for case in cases_of(problem):
        search, prepared = search_of(problem, case)
        for path in paths_of(search, prepared, 2):  # type: ignore[arg-type]
            np.testing.assert_array_equal(path.rows[-1], path.prototype.row)
            assert path.flips[-1] and path.shares[-1] == 1.0
            gaps = prepared.space.points(path.rows) - prepared.space.points(path.prototype.row[None])  # type: ignore[attr-defined]
            left = np.abs(gaps).sum(axis=1)
            assert left[0] >= left[-1] == 0
            assert len({row.tobytes() for row in path.rows}) == len(path.rows)


def test_numbers_move_by_what_is_left_over_the_bound() -> None:
    problem, case = linear()
    _, prepared = search_of(problem, case)
    room = Room.of(problem.schema, case.row, Constraints(), problem.rows)
    space = prepared.space  # type: ignore[attr-defined]
    goal = problem.rows[7]
    rows, shares = rows_between(space, room, goal)
    gaps = (space.points(goal[None]) - space.points(case.row[None]))[0]
    for row, share in zip(rows, shares, strict=True):
        moved = (space.points(row[None]) - space.points(case.row[None]))[0]
        bound = (1 - share) * np.abs(gaps).max()
        np.testing.assert_allclose(moved, np.sign(gaps) * np.maximum(np.abs(gaps) - bound, 0), atol=1e-3)


@pytest.mark.parametrize("name", ["mixed", "numbers", "three classes"])
def test_the_more_typical_the_nearer_to_the_real_case(name: str) -> None:
    problem = problem_called(name)
    for case in cases_of(problem):
        lengths = []
        for typicality in (0, 50, 100):
            options = PathOptions(prototypes=1, typicality=typicality)
            found = PrototypePath().explain(problem, case, Constraints(), options).found[0]
            lengths.append(found.distance)
            assert bool(found.neighbour) != bool(found.prototype)
        assert lengths == sorted(lengths)
        assert found.neighbour


def test_all_paths_take_one_call() -> None:
    problem = problem_called("mixed")
    case = cases_of(problem)[0]
    watched = Watched.of(problem.with_outputs(problem.outputs.copy()))
    search, prepared = search_of(watched.problem.with_outputs(problem.outputs.copy()), case)
    paths_of(search, prepared, 5)  # type: ignore[arg-type]
    assert watched.calls == 1


@pytest.mark.parametrize("steepness", [1.0, 10.0])
def test_the_score_alone_finds_the_shortest_way_of_a_smooth_model(steepness: float) -> None:
    """The elastic net is smallest along the two features that count, in proportion to their weights.

    The steeper model scores the case 3e-33, which is 0 as far as its way to the threshold goes.
    """
    problem, case = linear(steepness)
    _, prepared = search_of(problem, case)
    found = PrototypeSearch().explain(problem, case, Constraints(), PrototypeOptions(loss="A")).found
    space = prepared.space  # type: ignore[attr-defined]
    moves = space.points(found[0].row[None]) - space.points(case.row[None])
    # By brute force over the edge of the decision, in the plane of the two features.
    shares = np.linspace(0, 1, 2001)
    way = 1.5 - (2 * case.row[0] - case.row[1])
    edge = np.zeros((len(shares), 4))
    edge[:, 0], edge[:, 1] = shares * way / 2, -(1 - shares) * way
    shortest = elastic_net(edge / space.scale).min()
    assert shortest - 1e-3 <= elastic_net(moves)[0] <= 1.2 * shortest
    assert {change.feature for change in found[0].changes} == {"a", "b"}


@pytest.mark.parametrize("loss", ["C", "E"])
def test_a_prototype_draws_over_what_slopes_do_not(loss: str) -> None:
    problem = problem_called("missing")
    for case in cases_of(problem):
        assert PrototypeSearch().explain(problem, case, Constraints(), PrototypeOptions(loss=loss)).found


def test_the_prototype_of_an_encoder_is_the_mean_code_of_the_nearest_and_draws_the_case_s_code() -> None:
    problem = problem_called("numbers")
    prepared, case = prepare_space(problem, Run(), needs_autoencoder=True), cases_of(problem)[0]
    search, _ = search_of(problem, case)
    encoded = prepared.autoencoder.encoded  # type: ignore[union-attr]
    wanted = problem.training & search.target.flips(problem.outputs) & problem.may_have_been(search.target)
    own, codes = encoded(prepared.space.points(case.row[None]))[0], encoded(prepared.space.points(problem.rows[wanted]))
    five = sorted(codes, key=lambda code: float(np.linalg.norm(code - own)))[:5]
    room = Room.of(problem.schema, case.row, Constraints(), problem.rows[problem.training])
    options = PrototypeOptions(loss="E", prototype="encoding", theta=1000)
    losses = Losses.of(search, prepared, room, options, None)
    np.testing.assert_allclose(losses.goal, np.mean(five, axis=0))
    PrototypeSearch().seek(search, options, prepared)
    reached = encoded(prepared.space.points(np.stack([one.row for one in search.found])))
    assert np.linalg.norm(reached - losses.goal, axis=1).min() < 0.3 * np.linalg.norm(own - losses.goal)


def points_by_class(problem: Problem, case: Case, encoded: Callable[[Any], Any]) -> list[np.ndarray]:
    """Of each class but the case's own the rows predicted and known as it, nearest first, as points or codes."""
    sides, own = problem.decision.sides(problem.outputs), problem.decision.sides(problem.case_outputs(case)[None])[0]
    assert problem.observed is not None
    parts = []
    for side in set(range(3)) - {int(own)}:
        rows = problem.rows[problem.training & (sides == side) & (problem.observed == side)]
        points, begin = encoded(rows), encoded(case.row[None])
        parts.append(points[np.argsort(np.linalg.norm(points - begin, axis=1), kind="stable")])
    return parts


def test_of_any_other_class_the_nearest_prototype_guides() -> None:
    problem, chosen = problem_called("any other class"), set()
    for case in cases_of(problem, 20):
        search, prepared = search_of(problem, case)
        points = prepared.space.points  # type: ignore[attr-defined]
        begin, parts = points(case.row[None])[0], points_by_class(problem, case, points)
        for rank in (1, 3):
            losses = PrototypeSearch._losses(search, PrototypeOptions(rank=rank), prepared)  # type: ignore[arg-type]
            goals = [part[rank - 1] for part in parts]
            nearest = int(np.argmin([np.linalg.norm(goal - begin) for goal in goals]))
            assert losses is not None
            np.testing.assert_array_equal(losses.goal, goals[nearest])
            chosen.add(nearest)
        found = PrototypeSearch().explain(problem, case, Constraints()).found[0]
        assert problem.decision.sides(problem.model.score(found.row[None]))[0] != search.target.own  # type: ignore[attr-defined]
    assert chosen == {0, 1}, "now one class is the nearest, now the other"


def test_of_any_other_class_the_nearest_mean_code_guides() -> None:
    problem = problem_called("any other class")
    prepared = prepare_space(problem, Run(), needs_autoencoder=True)

    def encoded(rows: np.ndarray) -> np.ndarray:
        return prepared.autoencoder.encoded(prepared.space.points(rows))  # type: ignore[union-attr]

    for case in cases_of(problem):
        target, own = problem.target(case), prepared.space.points(case.row[None])[0]
        means = [part[:5].mean(axis=0) for part in points_by_class(problem, case, encoded)]
        gaps = [np.linalg.norm(mean - encoded(case.row[None])) for mean in means]
        nearest = mean_encoding(problem, target, prepared, own, Run())
        assert nearest is not None and nearest[0] == target.parts()[int(np.argmin(gaps))]
        np.testing.assert_allclose(nearest[1], means[int(np.argmin(gaps))])


def test_without_slopes_and_prototype_the_reason_is_said() -> None:
    values = np.random.default_rng(0).normal(size=(200, 3)).round(3)
    problem = posed(pd.DataFrame(values, columns=list("abc")), lambda rows: (rows[:, 0] > 1).astype(float))
    case = problem.case(str(int(values[:, 0].argmin())))
    none = PrototypeSearch().explain(problem, case, Constraints(), PrototypeOptions(loss="A")).none_found
    assert none is not None and none.reason == "flat"


def test_a_lock_holds_on_the_way_and_at_its_end() -> None:
    problem, case = linear()
    constraints = Constraints((("a", Rule(locked=True)),))
    search, prepared = search_of(problem, case, constraints)
    for path in paths_of(search, prepared, 3):  # type: ignore[arg-type]
        assert (path.rows[:, 0] == case.row[0]).all()


def test_the_elastic_net_is_the_paper_s() -> None:
    assert elastic_net(np.array([[1.0, -2.0]]))[0] == pytest.approx(BETA * 3 + 5)
