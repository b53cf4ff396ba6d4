"""The paper's measures, by hand and by plain counting."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from explainers.metrics import (
    associations,
    copies,
    discriminator,
    gower_mean,
    gower_sum,
    n_changes,
    success,
    violations,
)
from explainers.schema import Schema
from tests.explainers.tables import posed

NAN = math.nan
TABLE = pd.DataFrame({"x": [0.0, 4.0], "kind": ["a", "b"], "y": [0.0, 10.0]})
SCHEMA = Schema.infer(TABLE)
CASE = np.array([1.0, 0.0, NAN])
ROWS = np.array([[1.0, 0.0, NAN], [2.0, 0.0, NAN], [1.0, 1.0, 5.0], [3.0, NAN, NAN]])
RANGES = np.array([4.0, 1.0, 10.0])


def test_costs_are_those_of_the_paper() -> None:
    """Equations 3 and 4, and the sum of the tables; a value missing on one side counts 1."""
    assert n_changes(CASE, ROWS).tolist() == [0, 1, 2, 2]
    assert gower_sum(SCHEMA, RANGES, CASE, ROWS).tolist() == [0.0, 0.25, 2.0, 1.5]
    assert gower_mean(SCHEMA, RANGES, CASE, ROWS).tolist() == pytest.approx([0.0, 0.25 / 3, 2 / 3, 0.5])


def test_costs_of_many_cases_at_once() -> None:
    cases, rows = np.stack([CASE, ROWS[2]]), np.stack([ROWS, ROWS])
    for place in range(2):
        assert n_changes(cases[:, None], rows)[place].tolist() == n_changes(cases[place], ROWS).tolist()
        together = gower_sum(SCHEMA, RANGES, cases[:, None], rows)[place]
        assert together.tolist() == gower_sum(SCHEMA, RANGES, cases[place], ROWS).tolist()


def test_violations_count_locked_features_that_change() -> None:
    assert violations([1, 2], CASE, ROWS).tolist() == [0, 0, 2, 1]
    assert violations([], CASE, ROWS).tolist() == [0, 0, 0, 0]


def test_success_is_the_share_that_flips() -> None:
    problem = posed(pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0]}), lambda rows: (rows[:, 0] > 1.5).astype(float))
    target = problem.target(problem.case("0"))
    assert success(problem.model, target, problem.rows[1:]) == pytest.approx(2 / 3)
    assert math.isnan(success(problem.model, target, problem.rows[:0]))


def test_copies_name_the_first_training_row_with_missing_and_zeros_alike() -> None:
    training = np.array([[0.0, NAN], [1.0, 2.0], [1.0, 2.0], [-0.0, 3.0]])
    asked = np.array([[1.0, 2.0], [-0.0, NAN], [0.0, 3.0], [1.0, NAN]])
    assert copies(training, asked).tolist() == [1, 0, 3, -1]


def test_associations_are_pearson_cramer_and_the_correlation_ratio() -> None:
    random = np.random.default_rng(0)
    one, other = random.normal(size=300), random.choice(["a", "b", "c"], 300)
    kind = np.where(random.random(300) < 0.7, other, "a")
    table = pd.DataFrame({"x": one, "y": -one + random.normal(size=300), "k": kind, "l": other, "same": 1.0})
    table["z"] = random.normal(size=300) + 2 * (table["k"] == "b")
    schema = Schema.infer(table)
    found = associations(schema, schema.encode(table))
    assert found[0, 1] == pytest.approx(np.corrcoef(table["x"], table["y"])[0, 1])
    groups = table.groupby("k")["z"]
    between = (groups.count() * (groups.mean() - table["z"].mean()) ** 2).sum()
    assert found[5, 2] == pytest.approx(math.sqrt(between / ((table["z"] - table["z"].mean()) ** 2).sum()))
    from scipy.stats.contingency import association

    assert found[2, 3] == pytest.approx(association(pd.crosstab(table["k"], table["l"]), method="cramer"))
    assert found[4].tolist() == [0, 0, 0, 0, 1, 0]
    np.testing.assert_array_equal(found, found.T)


def test_missing_is_left_out_of_numbers_and_a_level_of_categories() -> None:
    rows = np.array([[1.0, 0.0], [2.0, 0.0], [NAN, NAN], [4.0, NAN], [3.0, NAN]])
    schema = Schema.infer(pd.DataFrame({"x": [1.0, 2.0], "k": ["a", "a"]}))
    known = np.array([1.0, 2.0, 4.0, 3.0])
    between = 2 * (1.5 - 2.5) ** 2 + 2 * (3.5 - 2.5) ** 2
    assert associations(schema, rows)[0, 1] == pytest.approx(math.sqrt(between / ((known - 2.5) ** 2).sum()))


def test_a_forest_tells_other_rows_apart_but_not_the_same_kind() -> None:
    random = np.random.default_rng(3)
    schema = Schema.infer(pd.DataFrame({"x": [0.0, 1.0], "y": [0.0, 1.0]}))
    real, alike = random.normal(size=(200, 2)), random.normal(size=(200, 2))
    assert discriminator(schema, real, alike + 4) > 0.95
    assert 0.4 < discriminator(schema, real, alike) < 0.6
    with pytest.raises(ValueError, match="as many of both"):
        discriminator(schema, real, alike[:50])
