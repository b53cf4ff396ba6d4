"""NICE against a slow, literal reading of its description: one feature at a time, no looking ahead."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explainers.constraints import Constraints
from explainers.counterfactuals.nice import Nice, NiceOptions
from explainers.counterfactuals.plausibility import Autoencoder
from explainers.decision import BinaryDecision
from explainers.problem import Case, Problem
from explainers.run import Run
from explainers.schema import Schema
from tests.contract.asking import is_same, may_change
from tests.contract.problems import random_rules
from tests.explainers.tables import posed

N_ROWS = 14


@st.composite
def tied_problems(draw: st.DrawFn) -> Problem:
    """Few values, so that distances and scores tie; some missing; a score that is not monotone."""
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    columns: dict[str, object] = {}
    for i in range(draw(st.integers(2, 6))):
        if random.random() < 0.5:
            values = random.integers(0, 3, N_ROWS).astype(float)
            columns[f"n{i}"] = np.where(random.random(N_ROWS) < 0.15, np.nan, values)
        else:
            texts = pd.Series(random.choice(["a", "b", "c"], N_ROWS), dtype="str")
            columns[f"c{i}"] = texts.mask(random.random(N_ROWS) < 0.15)
    table = pd.DataFrame(columns)
    size = len(Schema.infer(table))
    weights = random.choice([-2.0, -1.0, 0.0, 1.0, 2.0], size)
    twist = random.choice([-1.0, 0.0, 1.0], (size, size))

    def score(rows: np.ndarray) -> np.ndarray:
        known = np.nan_to_num(rows, nan=0.5)
        sums = known @ weights + np.einsum("ri,ij,rj->r", known, twist, known) / 4
        return np.round(1 / (1 + np.exp(-sums)), 1)

    problem = posed(table, score, BinaryDecision(("0", "1"), 0.5))
    training = random.random(N_ROWS) < 0.8
    observed = np.where(random.random(N_ROWS) < 0.7, problem.decision.sides(problem.outputs), -1)
    observed = np.where(random.random(N_ROWS) < 0.1, 1 - np.abs(observed), observed)
    return replace(problem, training=training, observed=observed.astype(np.intp))


def distance(problem: Problem, case: np.ndarray, row: np.ndarray, spreads: list[float]) -> float:
    total = 0.0
    for place, feature in enumerate(problem.schema.features):
        if is_same(case[place], row[place]):
            continue
        if np.isnan(case[place]) or np.isnan(row[place]) or not feature.is_number:
            total += 1.0
        else:
            total += abs(row[place] - case[place]) / spreads[place]
    return total


def spreads_of(problem: Problem) -> list[float]:
    spreads = []
    for column in problem.rows[problem.training].T:
        known = column[~np.isnan(column)]
        spreads.append(float(known.max() - known.min()) if len(known) and known.max() > known.min() else 1.0)
    return spreads


def literal_nice(
    problem: Problem, case: Case, constraints: Constraints, reward: str, autoencoder: Autoencoder | None = None
) -> np.ndarray | None:
    """Steps 1 and 2 of the description, a row at a time."""
    target, spreads = problem.target(case), spreads_of(problem)
    side = problem.decision.side_names().index(target.desired)

    def ask(row: np.ndarray) -> tuple[float, bool]:
        outputs = problem.model.score(row[None])
        return float(target.drawn(outputs)[0]), bool(target.flips(outputs)[0])

    neighbour, best = None, np.inf
    for row, trained, observed in zip(problem.rows, problem.training, problem.observed, strict=True):
        if not trained or observed not in (side, -1) or not ask(row)[1]:
            continue
        repaired = row.copy()
        for place, feature in enumerate(problem.schema.features):
            if not may_change(feature, constraints[feature.name], case.row[place], row[place]):
                repaired[place] = case.row[place]
        away = distance(problem, case.row, repaired, spreads)
        if ask(repaired)[1] and away < best - 1e-12:
            neighbour, best = repaired, away
    if neighbour is None:
        return None
    if reward == "none":
        return neighbour
    here = case.row.copy()
    while not ask(here)[1]:
        chosen, most = None, -np.inf
        for place in range(len(here)):
            if is_same(here[place], neighbour[place]):
                continue
            step = here.copy()
            step[place] = neighbour[place]
            gain = ask(step)[0] - ask(here)[0]
            if reward == "proximity":
                gain /= distance(problem, case.row, step, spreads) - distance(problem, case.row, here, spreads)
            if autoencoder is not None:
                gain *= autoencoder.errors(here[None])[0] - autoencoder.errors(step[None])[0]
            if gain > most + 1e-9:
                chosen, most = step, gain
        assert chosen is not None
        here = chosen
    return here


@settings(max_examples=60)
@given(problem=tied_problems(), seed=st.integers(0, 99), reward=st.sampled_from(["sparsity", "proximity", "none"]))
def test_it_is_its_description(problem: Problem, seed: int, reward: str) -> None:
    case = problem.case(seed % N_ROWS)
    for constraints in (Constraints(), random_rules(problem, case, seed, share=0.4)):
        result = Nice().explain(problem, case, constraints, NiceOptions(reward=reward, neighbours=1))
        expected = literal_nice(problem, case, constraints, reward)
        if expected is None:
            assert result.none_found is not None
        else:
            np.testing.assert_array_equal(result.found[0].row, expected)


@settings(max_examples=12)
@given(problem=tied_problems(), seed=st.integers(0, 99))
def test_plausibility_weighs_gains_by_how_usual_the_row_becomes(problem: Problem, seed: int) -> None:
    options = NiceOptions(reward="plausibility", neighbours=1)
    prepared = Nice().prepare(problem, Constraints(), options, Run())
    for position in range(seed % 3, N_ROWS, 3):
        case = problem.case(position)
        found = Nice().explain(problem, case, Constraints(), options, prepared=prepared).found
        expected = literal_nice(problem, case, Constraints(), "plausibility", prepared.autoencoder)
        if expected is None:
            assert not found
        else:
            np.testing.assert_array_equal(found[0].row, expected)


def steps(gains: list[float], values: list[list[float]]) -> Problem:
    """One case and the neighbours in `values`; the score is a weighted sum."""
    table = pd.DataFrame([[0.0] * len(gains), *values], columns=[f"f{i}" for i in range(len(gains))])
    return posed(table, lambda rows: np.clip(0.2 + rows @ np.array(gains), 0, 1))


def test_it_stops_as_soon_as_the_decision_flips() -> None:
    problem = steps([0.1, 0.25, 0.2], [[1.0, 1.0, 1.0]])
    found = Nice().explain(problem, problem.case(0), Constraints()).found
    assert [change.feature for change in found[0].changes] == ["f1", "f2"]
    assert found[0].score == pytest.approx(0.65) and found[0].neighbour == "1"


def test_the_first_column_wins_a_tie_even_if_nothing_is_gained() -> None:
    problem = posed(
        pd.DataFrame([[0, 0, 0], [1, 1, 1]], columns=list("abc")), lambda rows: np.where(rows.sum(axis=1) < 2, 0.2, 0.9)
    )
    assert [c.feature for c in Nice().explain(problem, problem.case(0)).found[0].changes] == ["a", "b"]


def test_proximity_prefers_small_steps_however_small() -> None:
    """A step of a 1e-17th of the range is still a step, and the best there is."""
    problem = steps([0.31, 0.3e17], [[1.0, 1e-17], [0.0, 1.0]])
    problem = replace(problem, observed=np.array([0, 1, 0]))
    found = Nice().explain(problem, problem.case(0), Constraints(), NiceOptions(reward="proximity")).found
    assert [change.feature for change in found[0].changes] == ["f1"]


def test_several_neighbours_give_different_rows_fewest_changes_first() -> None:
    problem = steps([0.3, 0.3, 0.15, 0.15], [[0, 0, 1, 1], [1, 0, 0, 0], [0, 1, 0, 0], [2, 0, 0, 0], [1, 0, 0, 0]])
    found = Nice().explain(problem, problem.case(0), Constraints(), NiceOptions(neighbours=20)).found
    assert [[c.feature for c in f.changes] for f in found] == [["f0"], ["f1"], ["f2", "f3"], ["f0"]]
    assert [f.neighbour for f in found] == ["2", "3", "1", "4"]
    assert found[0].distance == pytest.approx(0.5) and found[3].distance == pytest.approx(1.0)


def test_reduced_it_is_irreducible() -> None:
    def score(rows: np.ndarray) -> np.ndarray:
        a, b, c = rows.T
        return 0.1 + 0.2 * a + 0.15 * b - 0.1 * a * b + 0.3 * c + 0.2 * b * c - 0.25 * a * c

    problem = posed(pd.DataFrame([[0, 0, 0], [1, 1, 1]], columns=list("abc")), score)
    case = problem.case(0)
    as_found = Nice().explain(problem, case, Constraints(), NiceOptions()).found[0]
    reduced = Nice().explain(problem, case, Constraints(), NiceOptions(reduce=True)).found[0]
    assert [change.feature for change in reduced.changes] == ["b", "c"]
    assert {change.feature for change in reduced.changes} <= {change.feature for change in as_found.changes}


def test_labels_that_disagree_do_not_count() -> None:
    problem = steps([0.5], [[1.0], [2.0]])
    wrong_label = replace(problem, observed=np.array([0, 0, 1]))
    assert Nice().explain(wrong_label, wrong_label.case(0)).found[0].neighbour == "2"
    unknown_label = replace(problem, observed=np.array([0, -1, 1]))
    assert Nice().explain(unknown_label, unknown_label.case(0)).found[0].neighbour == "1"


def test_a_table_without_training_rows_is_unfit() -> None:
    problem = steps([0.5], [[1.0]])
    assert Nice().unfit(problem) is None
    sentence = Nice().unfit(replace(problem, training=np.zeros(2, dtype=bool)))
    assert sentence is not None and sentence.endswith(".")


def test_an_autoencoder_is_prepared_only_where_it_is_wanted() -> None:
    problem = steps([0.5, 0.1], [[1.0, 1.0], [0.0, 2.0]])
    plain, plausible = NiceOptions(), NiceOptions(reward="plausibility")
    prepare = Nice().prepare
    assert prepare(problem, Constraints(), plain, Run()).autoencoder is None
    autoencoder = prepare(problem, Constraints(), plausible, Run()).autoencoder
    assert autoencoder is not None and autoencoder.errors(problem.rows).shape == (3,)
    keys = {Nice().prepared_key(problem, Constraints(), options) for options in (plain, plausible)}
    assert len(keys) == 2
