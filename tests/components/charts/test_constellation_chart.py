from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from chart_games import CREDIT, Game, additive, credit, game
from chart_texts import marks, note_of, shown

from components.charts.combinations import MOST_RINGED, drawn
from components.charts.constellation import constellation_chart, left_out
from components.palette import LIGHT
from explainers.explanation import Explanation, explain_changes
from tests.explainers.tables import counterfactual, posed


@pytest.fixture(scope="module")
def large() -> Game:
    gains = [0.03 + 0.002 * i for i in range(14)]
    names = [(f"feature {i}", "old", "new") for i in range(14)]
    return game(lambda made: 0.1 + math.fsum(gains[i] for i in made), names)


@pytest.mark.parametrize("n_changes", [2, 5, 6, 7, 9])
@pytest.mark.parametrize("arrangement", ["height", "size", None])
def test_every_combination_has_a_dot_at_its_score_on_its_side(n_changes: int, arrangement: str | None) -> None:
    one = credit(n_changes)
    found = marks(constellation_chart(one.coalitions, one.shapley, LIGHT, arrangement=arrangement))
    assert set(found) == set(range(1, 1 << n_changes))
    assert left_out(one.coalitions) == 0
    for mask, (x, _, color, *_) in found.items():
        assert x == one.coalitions.scores[mask]
        assert color == LIGHT.side(bool(one.coalitions.flips[mask]))


def test_sides_come_from_the_result_and_not_from_the_score() -> None:
    one = credit()
    flips = np.zeros(32, dtype=bool)
    flips[31] = True
    coalitions = type(one.coalitions)(one.coalitions.counterfactual, one.coalitions.scores, flips, (31,))
    found = marks(constellation_chart(coalitions, one.shapley, LIGHT))
    assert {mask for mask, mark in found.items() if mark[2] == LIGHT.desired} == {31}


def test_rows_go_by_value_and_dots_near_the_mean_of_their_rows() -> None:
    one = credit()
    found = marks(constellation_chart(one.coalitions, one.shapley, LIGHT))
    rows = [found[1 << i][1] for i in range(5)]
    assert list(np.argsort(rows)) == list(one.shapley.order)
    for mask, (_, y, *_) in found.items():
        mean = np.mean([rows[i] for i in one.coalitions.members(mask)])
        assert abs(y - mean) < 60
        if mask.bit_count() == 1 or mask == 31:
            assert y == pytest.approx(mean)


def test_dots_of_few_changes_do_not_touch() -> None:
    one = credit()
    figure = constellation_chart(one.coalitions, one.shapley, LIGHT)
    start, end = figure.layout.xaxis.range
    scale = (620 - figure.layout.margin.l - figure.layout.margin.r) / (end - start)
    dots = [(x * scale, y) for mask, (x, y, *_) in marks(figure).items() if mask.bit_count() > 1]
    assert min(math.dist(a, b) for a, b in itertools.combinations(dots, 2)) > 9


def test_many_changes_go_by_size() -> None:
    one = credit(7)
    figure = constellation_chart(one.coalitions, one.shapley, LIGHT)
    heights: dict[int, list[float]] = {}
    for mask, (_, y, *_) in marks(figure).items():
        heights.setdefault(mask.bit_count(), []).append(y)
    for size in range(1, 7):
        assert min(heights[size]) > max(heights[size + 1]), "more changes stand higher"
    counted = [shown(note.text) for note in figure.layout.annotations if " of " in shown(note.text)]
    for size in range(1, 8):
        flipping = sum(bool(one.coalitions.flips[m]) for m in range(128) if m.bit_count() == size)
        text = f"{flipping} of {math.comb(7, size)}" + (" flip" if flipping else "")
        assert text in counted


def test_minimal_combinations_have_a_ring() -> None:
    for n_changes in (2, 5, 7):
        one = credit(n_changes)
        figure = constellation_chart(one.coalitions, one.shapley, LIGHT)
        found = marks(figure)
        (ring,) = [trace for trace in figure.data if trace.customdata is None]
        assert sorted(zip(ring.x, ring.y, strict=True)) == sorted(found[m][:2] for m in one.coalitions.minimal)
        assert ring.hoverinfo == "skip" and ring.marker.line.color == LIGHT.desired
        for mask in one.coalitions.minimal:
            assert figure.data.index(found[mask][4]) > figure.data.index(ring), "rings lie under their dots"


@pytest.mark.parametrize("arrangement", ["height", "size"])
def test_the_selected_combination_has_a_ring_links_and_its_score(arrangement: str) -> None:
    one = credit()
    mask = 0b01011
    selected = frozenset(one.coalitions.names(mask))
    figure = constellation_chart(one.coalitions, one.shapley, LIGHT, selected=selected, arrangement=arrangement)
    found = marks(figure)
    (ring,) = [trace for trace in figure.data if trace.customdata is None and trace.marker.line.color == LIGHT.ink]
    assert (ring.x[0], ring.y[0]) == found[mask][:2] and ring.marker.line.width == 3
    links = {
        (shape.x1, shape.y1)
        for shape in figure.layout.shapes
        if shape.line.color == LIGHT.ink and (shape.x0, shape.y0) == found[mask][:2]
    }
    members = {found[1 << i][:2] for i in one.coalitions.members(mask)}
    assert links == (members if arrangement == "height" else set())
    plain = [m for m in found if m not in (mask, 31, *one.coalitions.minimal) and m.bit_count() > 1]
    assert {found[m][3] for m in plain} == {0.42}
    if arrangement == "height":
        assert "<b>" in note_of(figure, "duration").text and "<b>" not in note_of(figure, "savings").text
        assert found[0b00001][3] == 1 and found[0b00100][3] == 0.42


def test_all_changes_can_be_selected_and_none_at_all_is_none() -> None:
    one = credit()
    everything = frozenset(one.coalitions.names(31))
    figure = constellation_chart(one.coalitions, one.shapley, LIGHT, selected=everything)
    assert 31 in marks(figure)
    unknown = constellation_chart(one.coalitions, one.shapley, LIGHT, selected=frozenset(["another feature"]))
    assert unknown == constellation_chart(one.coalitions, one.shapley, LIGHT)


def test_beyond_twelve_changes_those_that_matter_are_drawn(large: Game) -> None:
    coalitions = large.coalitions
    found = set(marks(constellation_chart(coalitions, large.shapley, LIGHT)))
    assert found == set(drawn(coalitions))
    assert left_out(coalitions) == 2**14 - 1 - len(found)
    assert set(coalitions.minimal[:MOST_RINGED]) <= found and len(found) <= 5000
    assert {1 << i for i in range(14)} <= found and 2**14 - 1 in found
    for size in range(1, 15):
        best = max(coalitions.scores[m] for m in range(1 << 14) if m.bit_count() == size)
        assert best in {coalitions.scores[m] for m in found if m.bit_count() == size}


def test_a_selected_combination_that_is_left_out_is_drawn(large: Game) -> None:
    mask = next(m for m in range(1, 1 << 14) if m not in drawn(large.coalitions))
    selected = frozenset(large.coalitions.names(mask))
    for arrangement in ("height", "size"):
        figure = constellation_chart(large.coalitions, large.shapley, LIGHT, selected=selected, arrangement=arrangement)
        assert mask in marks(figure)


def test_a_single_change_that_is_enough_is_ringed_too() -> None:
    one = additive([0.3, 0.1], 0.3, CREDIT[:2])
    figure = constellation_chart(one.coalitions, one.shapley, LIGHT)
    (ring,) = [trace for trace in figure.data if trace.customdata is None]
    assert list(ring.x) == [one.coalitions.scores[1]] and ring.marker.size[0] > 15


def some(n_changes: int = 20) -> Explanation:
    """More changes than can be combined; three of them are enough, and one alone never is."""
    table = pd.DataFrame(np.array([[0] * n_changes, [1] * n_changes]), columns=[f"f{i}" for i in range(n_changes)])
    problem = posed(table, lambda rows: 0.1 + 0.3 * rows[:, :3].sum(axis=1) - 0.01 * rows[:, 3:].sum(axis=1))
    case = problem.case(0)
    return explain_changes(problem, case, counterfactual(problem, case, problem.rows[1]))


@pytest.mark.parametrize("n_changes", [17, 30, 80])
def test_of_very_many_changes_what_was_scored_is_drawn(n_changes: int) -> None:
    explanation = some(n_changes)
    known = explanation.some
    assert known is not None
    figure = constellation_chart(known, explanation.greedy, LIGHT)
    found = marks(figure)
    assert set(found) == set(range(1, len(known.scores)))
    assert all(mark[0] == known.scores[id_] for id_, mark in found.items())
    heights = {size: [found[i][1] for i in found if known.size(i) == size] for size in (1, 2, n_changes - 1, n_changes)}
    assert max(heights[n_changes]) < min(heights[n_changes - 1])
    assert max(heights[n_changes - 1]) < min(heights[2]) and max(heights[2]) < min(heights[1])
    assert figure.layout.height < 600, "however many changes there are"
    texts = " ".join(shown(note.text) for note in figure.layout.annotations)
    assert f"0 of {n_changes}" in texts and f"all {n_changes}" in texts


def test_a_combination_that_was_not_scored_marks_nothing() -> None:
    explanation = some()
    known = explanation.some
    assert known is not None
    nothing = constellation_chart(known, explanation.greedy, LIGHT)
    assert constellation_chart(known, explanation.greedy, LIGHT, selected=frozenset(["f3", "f9"])) == nothing
    all_but_one = frozenset(known.names(known.walk[-2]))
    assert constellation_chart(known, explanation.greedy, LIGHT, selected=all_but_one) != nothing
