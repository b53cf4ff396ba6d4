"""MCCE against a slow, literal reading of the paper: one row, one tree, one node at a time, and ties by the rule."""

from __future__ import annotations

import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.plain_mcce import plain_sample
from explainers.constraints import Constraints, Rule
from explainers.counterfactuals import autoregressive
from explainers.counterfactuals.candidates import SampledCounterfactuals, cheapest
from explainers.counterfactuals.mcce import Mcce, McceOptions
from explainers.distances import value_ranges
from explainers.problem import Problem
from explainers.run import Run, Stopped
from explainers.schema import Direction
from explainers.sentences_none_found import none_found
from explainers.wording import plain
from tests.contract.asking import is_same
from tests.contract.problems import cases_of, problem_called
from tests.explainers.counterfactuals.test_nice import distance, spreads_of, tied_problems
from tests.explainers.tables import posed

K = 100
LOCK = {True: Rule(locked=True), False: Rule()}


def fitted(problem: Problem, position: int, locked: tuple[int, ...] = ()) -> autoregressive.AutoregressiveModel:
    """The model for a case, fitted here from the rows."""
    target = problem.target(problem.case(problem.ids[position]))
    rows = problem.rows[problem.training]
    desired = target.flips(problem.outputs[problem.training])
    visits = [i for i in range(len(problem.schema)) if i not in locked]
    return autoregressive.fit(problem.schema, rows, desired, locked, visits, Run())


def literal_candidates(problem: Problem, position: int, sampled: np.ndarray) -> list[tuple[tuple[float, ...], bytes]]:
    """What flips of the sampled rows, by cost: L0, L1, margin, and as sampled."""
    case = problem.case(problem.ids[position])
    target, spreads = problem.target(case), spreads_of(problem)
    found: dict[bytes, tuple[float, ...]] = {}
    for place, row in enumerate(sampled):
        changes = sum(not is_same(a, b) for a, b in zip(case.row, row, strict=True))
        outputs = problem.model.score(row[None])
        if changes and target.flips(outputs)[0]:
            away = round(distance(problem, case.row, row, spreads), 9)
            margin = float(target.drawn(outputs)[0]) - target.low
            found.setdefault((row + 0.0).tobytes(), (changes, away, -margin, place))
    return sorted((cost, row) for row, cost in found.items())


def expected_rows(known: list[tuple[tuple[float, ...], bytes]], case: np.ndarray, way: str, most: int) -> list[bytes]:
    """The rows that are shown, by the rule written on each way."""
    preferred: list[int] = []
    best, sets = np.inf, set()
    for place, ((changes, away, *_), row) in enumerate(known):
        changed = tuple(not is_same(a, b) for a, b in zip(case, np.frombuffer(row), strict=True))
        fewer = [cost for cost, _ in known[:place] if cost[0] == changes]
        if (way == "front" and not fewer and away < best) or (way == "diverse" and changed not in sets):
            preferred.append(place)
            best = away
        sets.add(changed)
    others = [place for place in range(len(known)) if place not in preferred]
    return [known[place][1] for place in sorted([*preferred, *others][:most])]


@settings(max_examples=25)
@given(problem=tied_problems(), seed=st.integers(0, 99), way=st.sampled_from(["front", "fewest", "diverse"]))
def test_it_is_its_description_even_where_costs_tie(problem: Problem, seed: int, way: str) -> None:
    position = seed % len(problem.rows)
    case, locked = problem.case(problem.ids[position]), (seed % len(problem.schema),)
    constraints = Constraints(((problem.schema.names[locked[0]], Rule(locked=True)),))
    options = McceOptions(samples=K, most=1 + seed % 7, prefer=way)
    if problem.target(case).is_reached or not problem.target(case).flips(problem.outputs[problem.training]).any():
        return
    result = Mcce().explain(problem, case, constraints, options)
    model = fitted(problem, position, locked)
    sampled = plain_sample(model, case.row, Run().random(case.id).random((len(model.conditionals), K)))
    known = literal_candidates(problem, position, sampled)
    assert [(each.row + 0.0).tobytes() for each in result.found] == expected_rows(known, case.row, way, options.most)
    if known:
        assert isinstance(result, SampledCounterfactuals)
        costs = [
            (n, round(d, 9)) for n, d in zip(result.candidates.n_changes, result.candidates.distances, strict=True)
        ]
        assert costs == [cost[:2] for cost, _ in known]


@pytest.mark.parametrize("name", ["mixed", "missing", "one-hot by hand", "three classes", "less is wanted"])
def test_many_cases_together_are_sampled_as_each_alone(name: str) -> None:
    problem = problem_called(name)
    target = problem.target(cases_of(problem)[0])
    cases = [case for case in cases_of(problem) if case.id in problem.ids and problem.target(case) == target]
    model = fitted(problem, problem.position(cases[0].id), (0,))
    draws = np.stack([Run().random(case.id).random((len(model.conditionals), K)) for case in cases])
    together, _ = model.sample(np.stack([case.row for case in cases]), draws)
    for case, draw, rows in zip(cases, draws, together, strict=True):
        np.testing.assert_array_equal(rows, plain_sample(model, case.row, draw))
    ranges = value_ranges(problem.rows[problem.training])
    rows = np.stack([case.row for case in cases])
    places = cheapest(problem.model, target, problem.schema, ranges, rows, together, Run())
    lock = Constraints(((problem.schema.names[0], Rule(locked=True)),))
    for case, place, sampled in zip(cases, places.tolist(), together, strict=True):
        found = Mcce().explain(problem, case, lock, McceOptions(samples=K, most=1)).found
        assert (place >= 0) == bool(found)
        if found:
            np.testing.assert_array_equal(sampled[place], found[0].row)


def test_the_decision_is_part_of_the_model() -> None:
    """Without y' a row on the other side is as rare among samples as among the data."""
    random = np.random.default_rng(0)
    table = pd.DataFrame({"a": random.normal(size=400), "b": random.normal(size=400)})
    problem = posed(table, lambda rows: (rows.sum(axis=1) > 1.5).astype(float))
    case = problem.case(problem.ids[int(np.flatnonzero(problem.outputs[:, 1] == 0)[0])])
    with_it = fitted(problem, problem.position(case.id))
    ignoring = autoregressive.fit(problem.schema, problem.rows, np.ones(400, dtype=bool), (), [0, 1], Run())
    draws = Run().random(case.id).random((1, 2, 1000))
    shares = [
        (problem.model.score(model.sample(case.row[None], draws)[0][0])[:, 1] > 0.5).mean()
        for model in (with_it, ignoring)
    ]
    assert shares[0] > 0.7 and shares[1] < 0.25


def test_values_come_from_leaves_of_five_training_rows_at_least() -> None:
    problem = problem_called("mixed")
    model = fitted(problem, 0)
    assert len(model.conditionals) == len(problem.schema)
    for conditional in model.conditionals:
        is_leaf = conditional.tree.children_left < 0
        assert conditional.counts[is_leaf].min() >= 5 and conditional.counts.sum() == problem.training.sum()


def test_limits_restrict_what_is_drawn_and_say_how_much() -> None:
    problem = problem_called("numbers")
    case = cases_of(problem)[0]
    free = Mcce().explain(problem, case, Constraints(), McceOptions(samples=K))
    up = Constraints((("plain", Rule(direction=Direction.UP)), ("whole", Rule(low=2.0, high=5.0))))
    bound = Mcce().explain(problem, case, up, McceOptions(samples=K))
    assert isinstance(free, SampledCounterfactuals) and isinstance(bound, SampledCounterfactuals)
    assert free.candidates.excluded == 0.0 < bound.candidates.excluded < 1.0
    plain, whole = (bound.candidates.rows[:, problem.schema.index(name)] for name in ("plain", "whole"))
    own = case.row[problem.schema.index("whole")]
    assert (plain >= case.row[problem.schema.index("plain")]).all()
    assert (((whole >= 2) & (whole <= 5)) | (whole == own)).all()
    assert len(bound.candidates) > 20


def test_copies_are_told_and_left_out() -> None:
    problem = problem_called("categories")
    case = next(case for case in cases_of(problem) if not problem.target(case).is_reached)
    known = {
        row.tobytes(): problem.ids[place]
        for place, row in reversed(list(enumerate(problem.rows)))
        if problem.training[place]
    }
    found = Mcce().explain(problem, case, Constraints(), McceOptions())
    assert isinstance(found, SampledCounterfactuals)
    assert list(found.candidates.copies) == [known.get(row.tobytes(), "") for row in found.candidates.rows]
    assert any(found.candidates.copies)
    original = Mcce().explain(problem, case, Constraints(), McceOptions(no_copies=True))
    assert not original.found or not any(each.neighbour for each in original.found)


def test_bounds_on_the_cost_hold_and_say_what_would_be_enough() -> None:
    problem = problem_called("mixed")
    case = cases_of(problem)[0]
    mcce, prepared = Mcce(), None
    free = mcce.explain(problem, case, Constraints(), McceOptions(prefer="fewest"), prepared=prepared)
    assert isinstance(free, SampledCounterfactuals)
    fewest, shortest = int(free.candidates.n_changes[0]), float(free.candidates.distances.min())
    tight = mcce.explain(problem, case, Constraints(), McceOptions(most_distance=shortest + 1e-9))
    assert [each.distance for each in tight.found] == [pytest.approx(shortest)]
    within = mcce.explain(problem, case, Constraints(), McceOptions(most_changes=fewest))
    assert within.found and {len(each) for each in within.found} == {fewest}
    none = mcce.explain(problem, case, Constraints(), McceOptions(most_distance=shortest / 2)).none_found
    assert none is not None and none.reason == "bounded"
    assert none.nearest == (fewest, pytest.approx(float(free.candidates.distances[0])))


def test_a_lock_without_a_row_on_the_other_side_is_named() -> None:
    """All rows of one kind are refused: locked, that kind has no row to be like."""
    table = pd.DataFrame({"kind": [0.0] * 30 + [1.0] * 30, "x": np.tile(np.arange(30.0), 2)})
    problem = posed(table, lambda rows: ((rows[:, 0] == 1) & (rows[:, 1] > 3)).astype(float))
    constraints = Constraints((("kind", Rule(locked=True)),))
    none = Mcce().explain(problem, problem.case("5"), constraints, McceOptions(samples=K)).none_found
    assert none is not None and none.reason == "constrained"
    assert none.emptying == none.relaxing == none.binding == ("kind",)


def test_the_nearest_relaxation_stands_first() -> None:
    """Freeing either lock is enough, but the second needs the shorter way."""
    table = pd.DataFrame({"far": [0.0, 9.0] * 20, "near": [0.0, 1.0, 1.0, 9.0] * 10})
    problem = posed(table, lambda rows: ((rows[:, 0] > 8) | (rows[:, 1] > 0.5)).astype(float))
    locks = Constraints((("far", Rule(locked=True)), ("near", Rule(locked=True))))
    none = Mcce().explain(problem, problem.case("0"), locks, McceOptions(samples=K)).none_found
    assert none is not None and none.relaxing == ("near", "far")


def test_where_no_lock_alone_is_enough_the_fewest_that_are_together_are_named() -> None:
    """It takes a high a and a high b; c doesn't matter."""
    values = np.random.default_rng(3).integers(0, 10, (300, 3)).astype(float)
    values[0] = 0
    problem = posed(
        pd.DataFrame(values, columns=["a", "c", "b"]), lambda rows: ((rows[:, 0] > 4) & (rows[:, 2] > 4)).astype(float)
    )
    rules = Constraints((("a", Rule(locked=True)), ("c", Rule(locked=True)), ("b", Rule(high=3.0))))
    found = Mcce().explain(problem, problem.case("0"), rules, McceOptions(samples=200))
    none = found.none_found
    assert none is not None and none.reason == "constrained"
    assert none.relaxing == () and none.together == ("a", "b")
    said = plain(none_found(problem.schema, found.target, 0.0, none))
    assert said.endswith("Freeing one of them alone would not be enough; a and b together would be.")
    freed = Constraints((("c", Rule(locked=True)),))
    assert Mcce().explain(problem, problem.case("0"), freed, McceOptions(samples=200)).found


def test_nothing_sampled_that_flips_is_no_rule_s_fault() -> None:
    """Only one training row has the decision, and no sampled one has all of its values."""
    table = pd.DataFrame(np.random.default_rng(2).normal(size=(60, 6)), columns=list("abcdef"))
    wanted = table.to_numpy()[7]
    problem = posed(table, lambda rows: (rows == wanted).all(axis=1).astype(float))
    none = Mcce().explain(problem, problem.case("0"), Constraints(), McceOptions(samples=K)).none_found
    assert none is not None and none.reason == "unsampled" and not none.binding


def test_trees_are_fitted_once_for_all_cases_with_the_same_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, mcce, options = problem_called("mixed"), Mcce(), McceOptions(samples=K)
    fits: list[tuple[int, ...]] = []
    fit = autoregressive.fit

    def counted(*args: object) -> autoregressive.AutoregressiveModel:
        fits.append(args[3])  # type: ignore[arg-type]
        return fit(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(autoregressive, "fit", counted)
    prepared = mcce.prepare(problem, Constraints(), options, Run())
    cases = [case for case in cases_of(problem) if problem.target(case) == problem.target(cases_of(problem)[0])]
    for locked in (False, True):
        for case in cases:
            mcce.explain(problem, case, Constraints((("plain", LOCK[locked]),)), options, prepared=prepared)
    assert fits == [(), (problem.schema.index("plain"),)]


def test_fitting_ends_when_it_is_stopped() -> None:
    problem = problem_called("mixed")
    visits = list(range(len(problem.schema)))
    desired = problem.outputs[problem.training][:, 1] > 0.5
    told: list[float] = []
    run = Run(progress=told.append, cancelled=lambda: len(told) == 3)
    with pytest.raises(Stopped):
        autoregressive.fit(problem.schema, problem.rows[problem.training], desired, (), visits, run)
    assert len(told) == 3


def test_a_tree_under_way_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, let_go = threading.Event(), threading.Event()

    class Slow:
        def fit(self, *args: object) -> None:
            begun.set()
            let_go.wait()

    monkeypatch.setattr(autoregressive, "_cart", lambda *args: Slow())
    problem = problem_called("mixed")
    try:
        result = Mcce().explain(problem, cases_of(problem)[0], Constraints(), run=Run(cancelled=begun.is_set))
    finally:
        let_go.set()
    assert not result.is_complete
    assert result.none_found is not None and result.none_found.reason == "stopped"


def test_the_most_correlated_feature_is_visited_first_if_asked() -> None:
    random = np.random.default_rng(1)
    common = random.normal(size=200)
    table = pd.DataFrame({"alone": random.normal(size=200), "a": common, "b": common + random.normal(size=200) / 9})
    problem = posed(table, lambda rows: (rows[:, 1] > 0).astype(float))
    prepared = Mcce().prepare(problem, Constraints(), McceOptions(), Run())
    case = problem.case(problem.ids[int(np.flatnonzero(problem.outputs[:, 1] == 0)[0])])
    for order in ("column", "correlation"):
        Mcce().explain(problem, case, Constraints(), McceOptions(samples=K, visits=order), prepared=prepared)
    columns, correlated = prepared.models._models.values()
    assert [each.feature for each in columns.conditionals] == [0, 1, 2]
    assert [each.feature for each in correlated.conditionals][2] == 0
