"""Three matrices in which every pair has a circle as large as it is strong, readable however many features."""

from __future__ import annotations

import itertools

import numpy as np
import plotly.graph_objects as go
import pytest
from chart_games import HOSTILE
from chart_texts import boxes, colors_of, note_of, shown

from components.charts.association import MOST_FEATURES, association_chart, drawn
from components.palette import DARK, LIGHT
from explainers.counterfactuals.realism import Correlations


def compared(n: int) -> Correlations:
    random = np.random.default_rng(n)

    def symmetric() -> np.ndarray:
        made = random.uniform(-1, 1, (n, n))
        made = (made + made.T) / 2
        np.fill_diagonal(made, 1.0)
        return made

    long = "installment rate as % of disposable income, all told"
    titles = [f"feature {i}" for i in range(n - 2)] + [long, HOSTILE[0]]
    return Correlations(tuple(titles), symmetric(), symmetric(), 1234)


def circles(figure: go.Figure) -> list[tuple[float, float, float, bool, str]]:
    """Place, size, whether it is hollow, and hover label of each circle, in the order of the three matrices."""
    traces = figure.data
    return [
        (x, y, size, color == LIGHT.background, shown(hover))
        for trace in traces
        for x, y, size, color, hover in zip(
            trace.x, trace.y, trace.marker.size, colors_of(trace), trace.hovertext, strict=True
        )
    ]


@pytest.mark.parametrize("n", [2, 7, 13])
def test_each_circle_s_area_is_the_strength_of_its_pair(n: int) -> None:
    found = compared(n)
    figure = association_chart(found, LIGHT)
    per_matrix = n * (n - 1)
    for at, values in enumerate((found.real, found.sampled, found.sampled - found.real)):
        own = circles(figure)[at * per_matrix : (at + 1) * per_matrix]
        expected = [float(values[i, j]) for i in range(n) for j in range(n) if i != j]
        assert [hollow for _, _, _, hollow, _ in own] == [value < 0 for value in expected]
        ratios = [size**2 / abs(value) for (_, _, size, _, _), value in zip(own, expected, strict=True)]
        np.testing.assert_allclose(ratios, ratios[0])
        rows, columns = [sorted({place[axis] for place in own}) for axis in (1, 0)]
        assert len(rows) == len(columns) == n
        for (x, y, _, _, hover), (i, j) in zip(
            own, ((i, j) for i in range(n) for j in range(n) if i != j), strict=True
        ):
            assert (y, x) == (rows[i], columns[j])
            assert found.titles[i] in hover and found.titles[j] in hover


@pytest.mark.parametrize(("n", "abreast"), [(5, 3), (12, 2), (30, 1)])
@pytest.mark.parametrize("width", [620, 900])
def test_matrices_stand_beside_each_other_as_far_as_they_are_readable(n: int, abreast: int, width: int) -> None:
    figure = association_chart(compared(n), DARK)
    heads = [note_of(figure, title) for title in ("real rows", "sampled rows", "sampled less real")]
    assert sum(head.y == heads[0].y for head in heads) == abreast
    texts = boxes(figure, width)
    for box in texts:
        assert box.left >= -1 and box.right <= width + 1 and box.bottom <= figure.layout.height + 1, box
    for one, other in itertools.combinations(texts, 2):
        assert one.overlap(other) < 3, (one, other)
    assert all(note.font.size >= 12 for note in figure.layout.annotations)


def test_of_very_many_features_those_that_differ_most_are_drawn() -> None:
    found = compared(64)
    apart = np.abs(found.sampled - found.real).max(axis=1)
    kept = drawn(found)
    assert len(kept) == MOST_FEATURES and list(kept) == sorted(kept)
    assert min(apart[list(kept)]) >= max(np.delete(apart, kept))
    figure = association_chart(found, LIGHT)
    assert len(circles(figure)) == 3 * MOST_FEATURES * (MOST_FEATURES - 1) <= 5000
