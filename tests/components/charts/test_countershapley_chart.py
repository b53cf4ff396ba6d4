from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from chart_games import CREDIT, Game, additive, credit, game, interval
from chart_texts import marks, shown

from components.charts.countershapley import countershapley_chart
from components.palette import LIGHT
from explainers.results import Importance


def lengths(one: Game) -> dict[str, float]:
    return {key: length for key, (length, *_) in marks(countershapley_chart(one.shapley, LIGHT)).items()}


def starts(one: Game) -> dict[str, float]:
    figure = countershapley_chart(one.shapley, LIGHT)
    return {key: trace.base[i] for trace in figure.data for i, key in enumerate(trace.customdata)}


@pytest.mark.parametrize("n_changes", [1, 2, 5, 8])
def test_lengths_are_values_and_follow_each_other(n_changes: int) -> None:
    one = credit(n_changes)
    changes = one.coalitions.counterfactual.changes
    found, begin = lengths(one), starts(one)
    for change, value in zip(changes, one.shapley.values, strict=True):
        assert found[change.feature] == pytest.approx(value)
    at = one.coalitions.counterfactual.factual_score
    for i in sorted(range(n_changes), key=lambda i: (one.shapley.values[i] < 0, -abs(one.shapley.values[i]))):
        assert begin[changes[i].feature] == pytest.approx(at)
        at += one.shapley.values[i]
    assert at == pytest.approx(one.coalitions.counterfactual.score)


def test_what_pulls_back_is_hatched_in_a_lane_of_its_own() -> None:
    found = marks(countershapley_chart(credit().shapley, LIGHT))
    _, y, color, _, trace = found["f4 credit amount"]
    assert trace.marker.pattern.shape == "/" and trace.marker.pattern.fgcolor == LIGHT.factual
    assert color == LIGHT.background
    others = [mark for key, mark in found.items() if key != "f4 credit amount"]
    assert {mark[2] for mark in others} == {LIGHT.desired} and len({mark[1] for mark in others}) == 1
    assert y < others[0][1]


def test_two_that_pull_back_have_two_lanes() -> None:
    found = marks(countershapley_chart(additive([0.3, 0.2, -0.02, -0.05], 0.3, CREDIT[:4]).shapley, LIGHT))
    assert found["f2 savings"][1] < found["f3 purpose"][1] < found["f0 checking account"][1]


def test_shares_add_up_to_a_hundred() -> None:
    for one in (credit(), additive([0.05 + 0.003 * i for i in range(12)], 0.1)):
        texts = [shown(note.text) for note in countershapley_chart(one.shapley, LIGHT).layout.annotations]
        hovers = [text for trace in countershapley_chart(one.shapley, LIGHT).data for text in trace.hovertext]
        percents = [text.split("<br>")[-1].removesuffix(" of the move") for text in hovers]
        assert sum(int(text[:-2].replace("−", "-")) for text in percents) == 100
        assert all(any(percent in text for text in texts) for percent in percents), "every share is printed"


def test_beyond_eight_the_smallest_go_together() -> None:
    one = additive([0.05 - 0.002 * i for i in range(11)], 0.1)
    found = lengths(one)
    assert len(found) == 8 and "" in found
    assert found[""] == pytest.approx(np.sort(one.shapley.values)[:4].sum())
    texts = [shown(note.text) for note in countershapley_chart(one.shapley, LIGHT).layout.annotations]
    assert any(text.startswith("4 more") for text in texts)


def test_a_change_without_effect_is_named() -> None:
    figure = countershapley_chart(additive([0.3, 0.0], 0.3, CREDIT[:2]).shapley, LIGHT)
    assert set(marks(figure)) == {"f0 checking account"}
    assert "Without effect: duration" in [shown(note.text) for note in figure.layout.annotations]


def test_where_all_cancels_out_scores_stand_for_shares() -> None:
    figure = countershapley_chart(additive([0.1, 0.2, -0.1, -0.2], 0.6, CREDIT[:4]).shapley, LIGHT)
    texts = " ".join(shown(note.text) for note in figure.layout.annotations)
    assert "+0.20" in texts and "−0.20" in texts and "%" not in texts


@pytest.mark.parametrize("gains", [[0.0, 0.0], [-0.1, -0.2], [0.1, -0.3]])
def test_games_that_never_flip_can_be_drawn(gains: list[float]) -> None:
    found = lengths(additive(gains, 0.4, CREDIT[:2]))
    assert sorted(found.values()) == pytest.approx(sorted(gain for gain in gains if gain))


def test_a_move_to_lower_scores_still_runs_to_the_right() -> None:
    one = game(lambda made: 200 - 20 * len(made), CREDIT[:3], interval(-math.inf, 150))
    figure = countershapley_chart(one.shapley, LIGHT)
    assert figure.layout.xaxis.range == pytest.approx((200, 140))
    assert {mark[2] for mark in marks(figure).values()} == {LIGHT.desired}
    assert all(mark[0] == pytest.approx(-20) for mark in marks(figure).values())


def test_selection_outlines_some_and_dims_the_others() -> None:
    figure = countershapley_chart(credit().shapley, LIGHT, selected=frozenset(["f1 duration", "f4 credit amount"]))
    for key, (_, _, _, opacity, trace) in marks(figure).items():
        is_selected = key in ("f1 duration", "f4 credit amount")
        assert opacity == (1 if is_selected else 0.42)
        assert (trace.marker.line.color == LIGHT.ink and trace.marker.line.width == 3) is is_selected
    texts = [shown(note.text) for note in figure.layout.annotations]
    assert any("● duration" in text for text in texts) and any("● credit amount" in text for text in texts)
    assert not any("● savings" in text for text in texts)


def sampled(n_changes: int, errors: np.ndarray) -> Importance:
    return replace(credit(n_changes).shapley, standard_errors=errors, orders=64)


@pytest.mark.parametrize("n_changes", [2, 5, 9])
def test_what_is_not_exact_has_a_bracket_as_wide_as_its_error(n_changes: int) -> None:
    """Each measured from its own segment's end, and one for each segment; nothing of it is cut."""
    errors = np.linspace(0.03, 0.01, n_changes)
    importance = sampled(n_changes, errors)
    figure = countershapley_chart(importance, LIGHT)
    thick = [s for s in figure.layout.shapes if s.type == "line" and s.y0 == s.y1 and s.line.width == 2]
    low, high = figure.layout.xaxis.range
    drawn = {}
    for trace in figure.data:
        for place, key in enumerate(trace.customdata):
            drawn[key] = trace.base[place] + trace.x[place]
    changes = importance.counterfactual.changes
    expected = [
        (drawn[change.feature] - error, drawn[change.feature] + error)
        for change, error in zip(changes, errors, strict=True)
    ]
    np.testing.assert_allclose(sorted((s.x0, s.x1) for s in thick), sorted(expected))
    assert all(low - 1e-12 <= end <= high + 1e-12 for pair in expected for end in pair)


def test_every_share_that_is_not_exact_says_by_how_much() -> None:
    importance = sampled(5, np.full(5, 0.0044))
    move = importance.counterfactual.score - importance.counterfactual.factual_score
    told = f"±\u00a0{math.ceil(1000 * 0.0044 / move) / 10:g}"
    texts = [shown(note.text) for note in countershapley_chart(importance, LIGHT).layout.annotations]
    assert sum(told in text for text in texts) == 5
    exact = countershapley_chart(credit(5).shapley, LIGHT)
    assert not any("±" in note.text for note in exact.layout.annotations)


def test_several_together_are_off_by_no_less_than_each() -> None:
    one = additive([0.06] * 12, 0.1)
    importance = replace(one.shapley, standard_errors=np.full(12, 0.002), orders=64)
    hovers = [text for trace in countershapley_chart(importance, LIGHT).data for text in trace.hovertext]
    (more,) = [text for text in hovers if text.count("<br>") > 2]
    assert "±\u00a01.4" in more and all("±\u00a00.3" in text for text in hovers if text != more)
