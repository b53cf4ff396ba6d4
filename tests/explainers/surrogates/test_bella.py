"""What holds of every equation, against an independent reading and by what can't matter."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from benchmarks import plain_bella
from explainers.labelled import LabelledTable
from explainers.problem import Case
from explainers.run import Run
from explainers.surrogates.bella import MOST_COLUMNS, Bella, BellaOptions
from explainers.surrogates.equation import LocalEquations
from explainers.surrogates.search import sizes_to_try
from explainers.surrogates.space import Space
from tests.explainers.surrogates.labelled_tables import bent, labelled, mixed


def explain(table: LabelledTable, id_: str = "3", step: str = "10") -> LocalEquations:
    return Bella().explain(table, table.case(id_), BellaOptions(step))


@pytest.mark.parametrize("id_", ["0", "17", "101"])
def test_every_size_agrees_with_the_text_read_plainly(id_: str) -> None:
    """scikit-learn, one fit a step; solved exactly, so that both choose the same penalty."""
    frame = mixed().drop(columns="town")  # the levels of a category depend on each other exactly: see below
    table = labelled(frame, bent(mixed()))
    found = explain(table, id_)
    points = Space.of(table.schema, table.rows).points(table.rows)
    order = [int(id_), *found.others.tolist()]
    models = plain_bella.search(points.values[order], table.labels[order], found.sizes, tolerance=1e-12)
    for place, model in enumerate(models):
        assert np.flatnonzero(found.coefficients[place]).tolist() == model.columns
        assert found.bounds[place] == pytest.approx(model.bound, abs=1e-9)
        np.testing.assert_allclose(found.coefficients[place, model.columns], model.coefficients, rtol=1e-9)
        assert found.intercepts[place] == pytest.approx(model.intercept, rel=1e-9)
    bounds = [model.bound for model in models]
    assert found.chosen == bounds.index(max(bounds)) and 0 < max(bounds) < 1


def test_an_exactly_linear_label_is_recovered_and_holds_everywhere() -> None:
    frame = mixed()[["width", "age"]].assign(
        depth=np.random.default_rng(3).uniform(0, 9, 240), other=mixed()["height"] % 1
    )
    labels = (3 * frame["width"] - 0.5 * frame["age"] + 4.0 * frame["depth"] + 7).to_numpy()
    table = labelled(frame, labels)
    found = explain(table)
    equation = found.best
    np.testing.assert_allclose(equation.values(table.rows), labels, rtol=1e-9)
    of = {term.feature: term.raw_coefficient for term in equation.terms}
    assert of.pop("other", 0.0) == pytest.approx(0.0, abs=1e-9)
    assert of == {"width": pytest.approx(3), "age": pytest.approx(-0.5), "depth": pytest.approx(4)}
    assert equation.raw_intercept == pytest.approx(7)
    np.testing.assert_allclose(found.bounds, 1.0)
    assert found.chosen == 0, "of equal bounds the smallest neighbourhood wins"


def test_a_constant_added_to_the_label_moves_the_intercept_alone() -> None:
    frame, labels = mixed(), bent(mixed())
    one, other = explain(labelled(frame, labels)), explain(labelled(frame, labels + 1000.0))
    assert other.chosen == one.chosen
    np.testing.assert_allclose(other.coefficients, one.coefficients, atol=1e-9)
    np.testing.assert_allclose(other.intercepts, one.intercepts + 1000.0)
    np.testing.assert_allclose(other.bounds, one.bounds, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_and_columns_does_not_matter(seed: int) -> None:
    random = np.random.default_rng(seed)
    frame = mixed(seed=seed).drop(columns=["town", "garden"])
    labels = bent(mixed(seed=seed))
    rows, columns = random.permutation(len(frame)), random.permutation(list(frame.columns))
    one = explain(labelled(frame, labels))
    shuffled = labelled(frame.iloc[rows][list(columns)].reset_index(drop=True), labels[rows])
    other = explain(shuffled, str(rows.tolist().index(3)))
    assert other.chosen == one.chosen
    np.testing.assert_allclose(other.bounds, one.bounds, atol=1e-9)
    weights = {term.feature: term.coefficient for term in one.best.terms}
    assert {term.feature: pytest.approx(term.coefficient) for term in other.best.terms} == weights


def test_contributions_sum_to_the_explained_value_in_both_units() -> None:
    table = labelled(mixed(), bent(mixed()))
    found = explain(table, "8")
    for place in range(len(found.sizes)):
        equation = found.equation(place)
        assert equation.explained == pytest.approx(float(equation.values(found.row[None])[0]))
        raw = equation.raw_intercept
        for term in equation.terms:
            raw += term.raw_coefficient * (term.standardised if term.category else term.raw)
        assert equation.explained == pytest.approx(raw)


def test_a_row_that_is_passed_by_itself_is_explained_as_the_same_row_of_the_table() -> None:
    """The reference's readme, 3: taken out of the table and given with its label nothing changes but the scale."""
    table = labelled(mixed(), bent(mixed()))
    inside = explain(table, "5")
    asked = replace(table, training=np.arange(len(table.rows)) != 5, key="without 5")
    prepared = Bella().prepare(table, BellaOptions(), Run())
    outside = Bella().explain(
        asked, asked.case("5"), prepared=replace(
            prepared,
            positions=np.delete(prepared.positions, 5),
            points=prepared.points[np.delete(np.arange(len(table.rows)), 5)],
            labels=np.delete(prepared.labels, 5),
        ),
    )  # fmt: skip
    np.testing.assert_array_equal(outside.coefficients, inside.coefficients)
    np.testing.assert_array_equal(outside.bounds, inside.bounds)


def test_finer_steps_try_every_coarser_row_between() -> None:
    assert sizes_to_try(441, 10, 10).tolist() == [45, 89, 133, 177, 221, 265, 309, 353, 397, 441, 442]
    assert sizes_to_try(441, 30, 10)[0] == 89, "not less than twice the columns"
    assert sizes_to_try(30, 2, 0).tolist() == list(range(10, 32))
    assert sizes_to_try(12, 40, 10).tolist() == [13], "fewer rows than twice the columns: all of them"
    table = labelled(mixed(90), bent(mixed(90)))
    assert len(explain(table, step="0").sizes) == 90 - len(explain(table).columns) * 2 + 1


def test_categories_binaries_missing_and_constants_have_their_columns() -> None:
    frame = mixed()
    frame["same"] = 1.0
    frame.loc[5:9, "age"] = np.nan
    frame["town"] = frame["town"].where(frame.index > 6)
    table = labelled(frame, bent(mixed()))
    found = explain(table, "6")
    names = [(term.feature, term.category) for term in found.columns]
    towns = [("town", town) for town in ("east", "north", "south", "west", "missing")]
    assert names == [("width", ""), ("height", ""), ("age", ""), ("garden", "yes"), *towns] or names[4:] == towns
    age = next(term for term in found.columns if term.feature == "age")
    assert math.isnan(age.raw) and age.standardised == 0.0, "a missing number counts as the mean"
    missing = next(term for term in found.columns if term.category == "missing")
    assert missing.standardised == 1.0
    assert "same" not in {term.feature for term in found.columns}


def test_levels_of_a_category_depend_on_each_other_and_the_last_one_leaves() -> None:
    frame = mixed(400).drop(columns="height")
    table = labelled(frame, bent(mixed(400), noise=0.1))
    found = explain(table)
    largest = found.equation(len(found.sizes) - 1)
    assert {term.category for term in largest.terms if term.feature == "town"} <= {"east", "north", "south"}
    assert any(term.feature == "town" for term in largest.terms)


def test_a_constant_label_is_explained_by_the_mean() -> None:
    equation = explain(labelled(mixed(), np.full(240, 5.0))).best
    assert equation.terms == () and equation.explained == 5.0 and equation.bound == 0.0


def test_identical_rows_are_explained_by_their_mean() -> None:
    frame = pd.concat([mixed(1)] * 30, ignore_index=True)
    labels = np.arange(30.0)
    equation = explain(labelled(frame, labels)).best
    assert equation.terms == ()
    order = [3, *(row for row in range(30) if row != 3)]
    assert equation.explained == pytest.approx(labels[order[: equation.size]].mean())


def test_fewer_rows_than_twice_the_columns_take_all_of_them() -> None:
    found = explain(labelled(mixed(12), bent(mixed(12))))
    assert found.sizes.tolist() == [12] and np.isfinite(found.coefficients).all()


def test_what_can_not_be_is_said() -> None:
    with pytest.raises(ValueError, match=r"of 4.rows alone price is known; bring more\.$"):
        explain(labelled(mixed(4), bent(mixed(4))))
    unknown = bent(mixed()).copy()
    unknown[3] = np.nan
    with pytest.raises(ValueError, match="known of case 3 what its price is"):
        explain(labelled(mixed(), unknown))
    many = pd.DataFrame({"name": [f"n{i}" for i in range(MOST_COLUMNS + 1)]})
    with pytest.raises(ValueError, match=r"spread over 401.columns"):
        explain(labelled(many, np.arange(float(len(many)))))
    table = labelled(mixed(), bent(mixed()))
    with pytest.raises(ValueError, match="neighbourhood grows can be"):
        explain(table, step="50")
    with pytest.raises(ValueError, match="known of case typed by hand"):
        Bella().explain(table, Case("typed by hand", table.rows[0].copy()))
