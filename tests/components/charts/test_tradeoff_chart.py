"""Every candidate stands in its band and at its distance, and the staircase under the front is true."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest
from chart_texts import boxes, colors_of

from components.charts import tradeoff
from components.charts.tradeoff import drawn, tradeoff_chart
from components.palette import DARK, LIGHT
from explainers.constraints import Constraints
from explainers.counterfactuals.candidates import Candidates, SampledCounterfactuals
from explainers.counterfactuals.mcce import Mcce, McceOptions
from explainers.decision import Target
from tests.contract.problems import cases_of, problem_called


@pytest.fixture(scope="module", params=["mixed", "three classes", "less is wanted"])
def found(request: pytest.FixtureRequest) -> SampledCounterfactuals:
    problem = problem_called(request.param)
    result = Mcce().explain(problem, cases_of(problem)[0], Constraints(), McceOptions(samples=400, most=12))
    assert isinstance(result, SampledCounterfactuals)
    return result


def dots(figure: go.Figure) -> list[tuple[float, float, int, str]]:
    return [
        (x, y, key, color)
        for trace in figure.data
        if trace.customdata is not None
        for x, y, key, color in zip(trace.x, trace.y, trace.customdata, colors_of(trace), strict=True)
    ]


def test_dots_stand_in_their_bands_at_their_distances(found: SampledCounterfactuals) -> None:
    candidates = found.candidates
    figure = tradeoff_chart(candidates, found.target, LIGHT, shown=2)
    placed = {(x, y) for x, y, _, _ in dots(figure)}
    assert len(placed) <= len(candidates)
    scale = np.polyfit(
        *zip(*((candidates.distances[candidates.chosen[k]], y) for _, y, k, _ in dots(figure) if k >= 0), strict=True),
        1,
    )
    for x, y, key, _ in dots(figure):
        if key >= 0:
            at = candidates.chosen[key]
            assert round(x) == candidates.n_changes[at]
            assert np.polyval(scale, candidates.distances[at]) == pytest.approx(y, abs=1e-6)
    assert {key for *_, key, _ in dots(figure)} >= set(range(len(candidates.chosen)))


def test_the_higher_score_has_the_later_shade(found: SampledCounterfactuals) -> None:
    for palette in (LIGHT, DARK):
        shades = {
            found.candidates.scores[found.candidates.chosen[key]]: palette.sequence.index(color)
            for *_, key, color in dots(tradeoff_chart(found.candidates, found.target, palette))
            if key >= 0
        }
        ordered = [shades[score] for score in sorted(shades)]
        assert ordered == sorted(ordered)


def test_no_candidate_lies_under_the_staircase(found: SampledCounterfactuals) -> None:
    figure = tradeoff_chart(found.candidates, found.target, LIGHT)
    path = next(shape.path for shape in figure.layout.shapes if shape.type == "path")
    corners = [tuple(map(float, pair)) for pair in re.findall(r"([-\d.e]+),([-\d.e]+)", path)][:-2]
    for x, y, _, _ in dots(figure):
        band = round(x)
        floor = max(b for (a, b) in corners if a <= band)
        assert y <= floor + 1e-6
    best = [found.candidates.distances[found.candidates.n_changes <= n].min() for n in found.candidates.n_changes]
    on = found.candidates.distances[found.candidates.front]
    assert set(np.round(on, 9)) == set(np.round(best, 9))


def test_no_texts_touch(found: SampledCounterfactuals) -> None:
    for width in (620, 900):
        figure = tradeoff_chart(found.candidates, found.target, LIGHT, width=width)
        texts = boxes(figure, width)
        assert not [
            (one.text, other.text)
            for place, one in enumerate(texts)
            for other in texts[:place]
            if one.overlap(other) > 0
        ]


def test_beyond_so_many_marks_only_the_cheapest_are_drawn(
    found: SampledCounterfactuals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tradeoff, "MOST_MARKS", 30)
    assert drawn(found.candidates) == min(30, len(found.candidates))
    assert len(dots(tradeoff_chart(found.candidates, found.target, LIGHT))) <= 30 + 1


def _one(candidates: Candidates) -> Candidates:
    parts = ("rows", "n_changes", "distances", "scores", "margins", "front")
    first = {name: getattr(candidates, name)[:1] for name in parts}
    return replace(candidates, **first, copies=("",), chosen=np.array([0]))


def test_a_single_candidate_is_drawn(found: SampledCounterfactuals) -> None:
    target: Target = found.target
    assert [key for *_, key, _ in dots(tradeoff_chart(_one(found.candidates), target, LIGHT))].count(0) >= 1
