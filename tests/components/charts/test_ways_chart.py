"""Every change stands in its method's column, on its side of the case's own value, and no texts touch."""

from __future__ import annotations

from dataclasses import replace

import plotly.graph_objects as go
import pytest
from chart_games import HOSTILE, WORD
from chart_texts import boxes, shown

from components.charts.ways import MOST_FEATURES, drawn, ways_chart
from components.palette import DARK, LIGHT
from explainers.constraints import Constraints
from explainers.distances import value_ranges
from explainers.registry import GENERATORS
from explainers.ways import Step, Ways, ways_of
from tests.contract.problems import cases_of, problem_called

METHODS = ("nice", "nearest", "random")


@pytest.fixture(scope="module", params=["mixed", "missing"])
def ways(request: pytest.FixtureRequest) -> Ways:
    problem = problem_called(request.param)
    case = cases_of(problem)[0]
    found = [(name, GENERATORS[name].explain(problem, case, Constraints()).found[0]) for name in METHODS]
    return ways_of(problem.schema, value_ranges(problem.rows[problem.training]), found)


def wide(ways: Ways, n_ways: int) -> Ways:
    """The ways over and over, under long names, with long and odd values."""
    titles = tuple(f"{HOSTILE[at % 3]} {WORD if at % 2 else 'Prototypes by gradients'} {at}" for at in range(n_ways))

    def lengthened(step: Step | None) -> Step | None:
        return step and replace(step, change=replace(step.change, new_text=f"{WORD} {HOSTILE[0]}"))

    features = tuple(
        replace(
            row,
            feature=replace(row.feature, title=f"{WORD} {HOSTILE[1]}"),
            own=f"existing credits paid back duly until now {HOSTILE[2]}",
            steps=tuple(lengthened(row.steps[at % 3]) for at in range(n_ways)),
        )
        for row in ways.features
    )
    return Ways(titles, tuple(ways.found[at % 3] for at in range(n_ways)), features)


def dots(figure: go.Figure) -> list[tuple[str, float, float, str, str]]:
    return [
        (key, x, y, hover, trace.marker.symbol)
        for trace in figure.data
        for key, x, y, hover in zip(trace.customdata, trace.x, trace.y, trace.hovertext, strict=True)
    ]


def test_each_change_is_a_mark_on_its_side_of_the_base_line_in_its_column(ways: Ways) -> None:
    figure = ways_chart(ways, METHODS, LIGHT)
    tops = sorted({y for _, _, y, _, _ in dots(figure)})
    assert len(tops) == len(ways.features)
    steps = [(name, tops[at], row, row.steps[k])
             for at, row in enumerate(ways.features) for k, name in enumerate(METHODS) if row.steps[k]]  # fmt: skip
    drawn_dots = {(key, y): (x, hover, symbol) for key, x, y, hover, symbol in dots(figure)}
    assert len(drawn_dots) == len(steps) == len(dots(figure))
    scales = set()
    for name, y, row, step in steps:
        x, hover, symbol = drawn_dots[name, y]
        away = x - (METHODS.index(name) + 0.5)
        assert abs(away) < 0.5
        assert (symbol == "diamond") == (step.share is None) == (away == 0)
        if step.share:
            scales.add(round(away * row.furthest / step.share, 9))
        assert shown(hover) == f"{name}\n{row.feature.title}: {step.change.old_text} → {step.change.new_text}"
    assert len(scales) == 1 and 0.3 < scales.pop() < 0.5, "the furthest of each row is as far away"


@pytest.mark.parametrize("n_ways", [1, 3, 10, 23])
@pytest.mark.parametrize("width", [620, 900, 1300])
def test_no_text_touches_another_or_is_cut(ways: Ways, n_ways: int, width: int) -> None:
    many = wide(ways, n_ways)
    figure = ways_chart(many, many.titles, DARK, width=width)
    texts = boxes(figure, width)
    assert not [(a.text, b.text) for at, a in enumerate(texts) for b in texts[:at] if a.overlap(b) > 0]
    height = figure.layout.height
    assert all(b.left >= 0 and b.right <= width and b.top >= 0 and b.bottom <= height for b in texts)
    words = ["".join(box.text.split()) for box in texts]
    for title in many.titles:
        assert "".join(title.split()) in words
    assert len(dots(figure)) == sum(row.n_ways for row in many.features)


def test_of_very_many_features_those_that_most_ways_change_are_drawn_in_their_order(ways: Ways) -> None:
    one = ways.features[0]
    rare, common = (replace(one, steps=(*one.steps[:1], None, None)), replace(one, steps=one.steps[:1] * 3))
    many = Ways(ways.titles, ways.found, (rare,) * 5 + (common,) * MOST_FEATURES + (rare,) * 5)
    assert drawn(many) == (common,) * MOST_FEATURES
    assert drawn(ways) == ways.features
