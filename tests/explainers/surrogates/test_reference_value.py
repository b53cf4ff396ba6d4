"""The search that ends early against the whole one, the tolerance, and the rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from explainers.constraints import Constraints, Rule
from explainers.labelled import LabelledTable
from explainers.run import Run, Stopped
from explainers.schema import Direction, same
from explainers.surrogates.bella import Bella, BellaOptions
from explainers.surrogates.reference_value import tolerance_of, towards_reference
from explainers.surrogates.space import Space
from tests.contract.asking import may_change
from tests.explainers.surrogates.labelled_tables import bent, labelled, mixed


@pytest.fixture(scope="module")
def table() -> LabelledTable:
    return labelled(mixed(), bent(mixed()))


def whole_search(table: LabelledTable, id_: str, reference: float, within: float) -> tuple[float, str]:
    """Algorithm 4 as it stands: every row near the reference is explained."""
    space = Space.of(table.schema, table.rows)
    points = space.points(table.rows)
    own = int(id_)
    far = space.distances(points[np.array([own])], points)
    costs = []
    for other in np.flatnonzero(np.abs(table.labels - reference) <= within):
        equation = Bella().explain(table, table.case(str(other))).best
        used = sorted({table.schema.index(term.feature) for term in equation.terms})
        row = table.rows[own].copy()
        row[used] = table.rows[other][used]
        changed = int((~same(row, table.rows[own])).sum())
        if changed:
            moved = space.distances(points[np.array([own])], space.points(row[None]))[0]
            costs.append((far[other] + moved / changed, str(other)))
    return min(costs)


@pytest.mark.parametrize(("id_", "reference"), [("3", 40.0), ("17", 0.5), ("60", 20.0), ("101", -15.0)])
def test_the_search_that_ends_early_finds_what_the_whole_one_finds(
    table: LabelledTable, id_: str, reference: float
) -> None:
    found = towards_reference(table, table.case(id_), reference)
    assert found.towards is not None and not found.is_reached
    cost, neighbour = whole_search(table, id_, reference, found.tolerance)
    assert found.towards.cost == pytest.approx(cost) and found.towards.neighbour == neighbour
    assert abs(found.towards.neighbour_label - reference) <= found.tolerance


def test_it_explains_fewer_rows_than_there_are(table: LabelledTable) -> None:
    found = towards_reference(table, table.case("101"), -15.0, tolerance=0.5)
    assert 0 < found.n_explained < found.n_near


def test_the_tolerance_is_a_share_of_the_reference_and_of_the_range_next_to_zero() -> None:
    assert tolerance_of(200.0, 100.0) == 10.0 == tolerance_of(-200.0, 100.0)
    assert tolerance_of(0.0, 100.0) == pytest.approx(0.1) == tolerance_of(0.09, 100.0)
    assert tolerance_of(0.2, 100.0) == pytest.approx(0.01)


def test_none_near_enough_is_widened_and_said(table: LabelledTable) -> None:
    top = float(table.labels.max())
    found = towards_reference(table, table.case("3"), top * 1.5)
    assert found.was_widened and found.towards is not None
    assert found.asked_tolerance == pytest.approx(0.05 * top * 1.5)
    assert not towards_reference(table, table.case("3"), 20.0).was_widened


def test_a_case_that_is_there_already_changes_nothing(table: LabelledTable) -> None:
    label = float(table.labels[3])
    found = towards_reference(table, table.case("3"), label * 1.01)
    assert found.is_reached and found.towards is None and found.n_explained == 0


@pytest.mark.parametrize(
    "rule",
    [Rule(locked=True), Rule(direction=Direction.UP), Rule(direction=Direction.DOWN), Rule(low=9.0, high=11.0)],
)
def test_rules_hold_exactly_and_the_value_is_near_all_the_same(table: LabelledTable, rule: Rule) -> None:
    served = 0
    for id_, reference in (("3", 40.0), ("17", 0.5), ("60", 20.0)):
        case = table.case(id_)
        found = towards_reference(table, case, reference, Constraints((("width", rule),)))
        if found.towards is None:
            continue
        served += 1
        for feature, old, new in zip(table.schema.features, case.row, found.towards.row, strict=True):
            if old != new:
                assert feature.name != "width" or may_change(feature, rule, float(old), float(new))
        names = [change.feature for change in found.towards.changes]
        moved = [f.name for f, a, b in zip(table.schema.features, case.row, found.towards.row, strict=True) if a != b]
        assert names == moved != []
        real = table.case(found.towards.neighbour).row
        real_gap = abs(float(found.towards.equation.values(real[None])[0]) - reference)
        assert abs(found.towards.value - reference) <= max(found.tolerance, real_gap * (1 + 1e-9))
    assert served


def test_with_everything_locked_nothing_is_found_and_what_was_held_is_named(table: LabelledTable) -> None:
    rules = Constraints(tuple((name, Rule(locked=True)) for name in table.schema.names))
    found = towards_reference(table, table.case("3"), 40.0, rules)
    assert found.towards is None and found.held and found.tolerance == abs(found.label - 40.0)


def test_the_model_is_asked_about_the_changed_row_once(table: LabelledTable) -> None:
    asked: list[np.ndarray] = []

    def ask(rows: np.ndarray, run: Run | None = None) -> np.ndarray:
        asked.append(rows)
        return np.full(len(rows), 7.0)

    found = towards_reference(replace(table, ask=ask), table.case("3"), 40.0)
    assert found.towards is not None and found.towards.asked == 7.0
    assert len(asked) == 1
    np.testing.assert_array_equal(asked[0][0], found.towards.row)
    plain = towards_reference(table, table.case("3"), 40.0)
    assert plain.towards is not None and plain.towards.asked is None


def test_it_stops_when_told_and_refuses_what_is_no_number(table: LabelledTable) -> None:
    with pytest.raises(Stopped):
        towards_reference(table, table.case("3"), 40.0, run=Run(cancelled=lambda: True))
    with pytest.raises(ValueError, match="not a number"):
        towards_reference(table, table.case("3"), float("nan"))
    with pytest.raises(ValueError, match="no feature called"):
        towards_reference(table, table.case("3"), 1.0, Constraints((("depth", Rule(locked=True)),)))


def test_a_category_is_taken_over_whole() -> None:
    frame = pd.concat([mixed(), mixed(seed=4)], ignore_index=True)
    table = labelled(frame, np.concatenate([bent(mixed(), noise=0.1), bent(mixed(seed=4), noise=0.1)]))
    for id_ in ("3", "10", "40"):
        found = towards_reference(table, table.case(id_), 30.0, options=BellaOptions("1"))
        assert found.towards is not None
        real = table.case(found.towards.neighbour).row
        for change in found.towards.changes:
            place = table.schema.index(change.feature)
            assert found.towards.row[place] == real[place]
