from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from chart_games import CREDIT, Game, additive, credit, game, interval
from chart_texts import marks, note_of, shown

from components.charts.axis import shared_score_range
from components.charts.greedy import greedy_chart
from components.palette import LIGHT
from explainers.decision import BinaryDecision
from explainers.importance.greedy import Greedy
from explainers.results import Importance
from tests.explainers.tables import counterfactual, posed


def walk(n: int, flips_at: int) -> Importance:
    """Greedy of so many changes, of which the case flips with one."""
    table = pd.DataFrame(np.array([[0] * n, [1] * n]), columns=[f"f{i}" for i in range(n)])
    weights = np.linspace(1.2, 0.8, n) / n
    threshold = float(weights[:flips_at].sum() - weights[flips_at - 1] / 2)
    problem = posed(table, lambda rows: rows @ weights, BinaryDecision(("0", "1"), threshold))
    case = problem.case(0)
    return Greedy().explain(problem, case, counterfactual(problem, case, problem.rows[1]))


@pytest.fixture
def one() -> Game:
    return credit()


def test_dots_stand_at_their_scores_on_their_sides(one: Game) -> None:
    found = marks(greedy_chart(one.greedy, LIGHT))
    changes = one.coalitions.counterfactual.changes
    keys = ["", *(changes[i].feature for i in one.greedy.order)]
    assert list(found) == keys
    assert [found[key][0] for key in keys] == pytest.approx(list(one.greedy.path))
    sides = [LIGHT.side(bool(flips)) for flips in one.greedy.path_flips]
    assert [found[key][2] for key in keys[1:]] == sides[1:]
    assert found[""][2] == LIGHT.background, "the case as it is is hollow"
    heights = [found[key][1] for key in keys]
    assert heights == sorted(heights, reverse=True), "the walk goes up"


def test_the_length_of_a_run_is_the_importance(one: Game) -> None:
    figure = greedy_chart(one.greedy, LIGHT)
    found = marks(figure)
    for i in one.greedy.order:
        y = found[one.coalitions.counterfactual.changes[i].feature][1]
        runs = [shape for shape in figure.layout.shapes if shape.line.width == 4 and shape.y0 == y]
        assert sum(run.x1 - run.x0 for run in runs) == pytest.approx(one.greedy.values[i])


def test_a_run_changes_colour_at_the_threshold() -> None:
    figure = greedy_chart(game(lambda made: 0.3 + 0.3 * len(made), CREDIT[:1]).greedy, LIGHT)
    runs = [(shape.x0, shape.x1, shape.line.color) for shape in figure.layout.shapes if shape.line.width == 4]
    assert runs == [(0.3, 0.5, LIGHT.factual), (0.5, 0.6, LIGHT.desired)]


def test_a_run_that_ends_on_the_threshold_lies_before_it() -> None:
    figure = greedy_chart(game(lambda made: (0.25, 0.5, 0.75)[len(made)], CREDIT[:2]).greedy, LIGHT)
    runs = [(shape.x0, shape.x1, shape.line.color) for shape in figure.layout.shapes if shape.line.width == 4]
    assert runs == [(0.25, 0.5, LIGHT.factual), (0.5, 0.75, LIGHT.desired)]


def test_a_backward_step_is_dashed_with_arrow_and_minus(one: Game) -> None:
    figure = greedy_chart(one.greedy, LIGHT, width=900)
    (run,) = [shape for shape in figure.layout.shapes if shape.line.width == 4 and shape.line.dash == "3px,3px"]
    assert run.line.color == LIGHT.factual and run.x1 < run.x0
    assert note_of(figure, "◄ pulls back").y == run.y0
    assert note_of(figure, "−0.04").font.color == LIGHT.factual


def test_a_score_near_the_threshold_lends_its_decimals_to_no_other() -> None:
    figure = greedy_chart(additive([0.011, 0.011], 0.482, CREDIT[:2], low=0.5).greedy, LIGHT)
    texts = [shown(note.text) for note in figure.layout.annotations]
    assert texts.count("+0.01") == 2 and {"0.48", "0.49", "0.504"} <= set(texts)


def test_an_interval_has_two_thresholds_and_the_side_wanted_between() -> None:
    figure = greedy_chart(game(lambda made: 100 + 10 * len(made), CREDIT[:3], interval(115, 200)).greedy, LIGHT)
    assert len([shape for shape in figure.layout.shapes if shape.line.width == 1.5 and shape.line.dash == "solid"]) == 1
    figure = greedy_chart(game(lambda made: 100 + 10 * len(made), CREDIT[:3], interval(115, 135)).greedy, LIGHT)
    lines = [shape.x0 for shape in figure.layout.shapes if shape.line.width == 1.5 and shape.line.dash == "solid"]
    assert lines == [115, 135]
    outside = [note for note in figure.layout.annotations if shown(note.text) == "outside"]
    assert [note.xanchor for note in outside] == ["right", "left"]
    assert note_of(figure, "inside").x == pytest.approx(125)


def test_where_less_is_wanted_the_side_wanted_is_left() -> None:
    one = game(lambda made: 200 - 20 * len(made), CREDIT[:3], interval(-math.inf, 150))
    figure = greedy_chart(one.greedy, LIGHT)
    assert note_of(figure, "inside").xanchor == "right"
    assert note_of(figure, "outside").xanchor == "left"
    assert not [shape for shape in figure.layout.shapes if shape.line.dash == "3px,3px"], "the way down is forward"


def test_selection_rings_some_and_dims_the_others(one: Game) -> None:
    figure = greedy_chart(one.greedy, LIGHT, selected=frozenset(["f1 duration"]))
    found = marks(figure)
    assert found["f1 duration"][3] == found[""][3] == 1
    assert {found[key][3] for key in found if key not in ("", "f1 duration")} == {0.42}
    (ring,) = [trace for trace in figure.data if trace.customdata is None]
    assert ring.hoverinfo == "skip" and ring.marker.line.color == LIGHT.ink and ring.marker.line.width == 3
    assert (ring.x[0], ring.y[0]) == found["f1 duration"][:2]
    assert figure.data.index(ring) < figure.data.index(found["f1 duration"][4]), "rings lie under their dots"
    assert shown(note_of(figure, "● ").text).startswith("● duration")


def test_a_shared_range_puts_both_charts_on_one_line(one: Game) -> None:
    from components.charts.constellation import constellation_chart

    both = shared_score_range(one.coalitions, one.greedy)
    upper = greedy_chart(one.greedy, LIGHT, score_range=both).layout
    for arrangement in ("height", "size"):
        lower = constellation_chart(
            one.coalitions, one.shapley, LIGHT, arrangement=arrangement, score_range=both
        ).layout
        assert upper.xaxis.range == lower.xaxis.range == both
        assert (upper.margin.l, upper.margin.r) == (lower.margin.l, lower.margin.r)
    assert both[0] <= one.coalitions.scores.min() and one.coalitions.scores.max() <= both[1]


def test_a_step_past_the_range_is_said_and_one_back_to_it_is_no_pull() -> None:
    """From 100 into the range, past it by the second change, and back by the third."""
    gains = (20.0, 30.0, -25.0)
    one = game(lambda made: 100 + sum(gains[i] for i in made), CREDIT[:3], interval(115, 135))
    walk = Importance(
        one.greedy.counterfactual, np.array(gains), (0, 1, 2), np.array([100.0, 120.0, 150.0, 125.0]),
        np.array([False, True, False, True]), one.greedy.origin,
    )  # fmt: skip
    words = [note.text for note in greedy_chart(walk, LIGHT).layout.annotations]
    assert sum("►" in text for text in words) == 1
    assert not any("◄" in text or "pulls back" in text for text in words)


@pytest.mark.parametrize(
    ("flips_at", "rows"),
    [(10, [24, 36]), (39, [22, 16, 1, 21]), (60, [22, 37, 1]), (23, [24, 36]), (25, [22, 2, 1, 35])],
)
def test_of_very_many_steps_the_first_and_that_which_flips_have_a_row(flips_at: int, rows: list[int]) -> None:
    importance = walk(60, flips_at)
    figure = greedy_chart(importance, LIGHT)
    texts = [shown(note.text) for note in figure.layout.annotations]
    runs = [shape for shape in figure.layout.shapes if shape.line.width == 4]
    together = [text.split("\n")[0] for text in texts if " more" in text]
    assert figure.layout.height < 1400 and rows[0] + len(rows[1:]) <= len(runs) <= rows[0] + len(rows)
    assert sorted(together) == sorted(f"and {n} more" for n in rows[1:] if n > 1)
    # Whatever goes together, the runs lead without a gap from the case to the counterfactual.
    ends = sorted((run.x0, run.x1) for run in runs)
    assert ends[0][0] == pytest.approx(importance.path[0]) and ends[-1][1] == pytest.approx(importance.path[-1])
    assert [end for _, end in ends[:-1]] == pytest.approx([start for start, _ in ends[1:]])
    flipping = importance.counterfactual.changes[importance.order[flips_at - 1]].feature
    at = {key: x for trace in figure.data for key, x in zip(trace.customdata or (), trace.x, strict=False)}
    assert at[flipping] == pytest.approx(importance.path[flips_at])


def test_25_steps_have_a_row_each() -> None:
    figure = greedy_chart(walk(25, 25), LIGHT)
    assert len(marks(figure)) == 26 and not any("more" in note.text for note in figure.layout.annotations)
