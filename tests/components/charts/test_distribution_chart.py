"""Every value stands where the data have it, and every bar is as large as the rows it holds."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from chart_games import HOSTILE, WORD
from chart_texts import boxes, colors_of, note_of, shown

from components.charts.canvas import Frame
from components.charts.distribution import distribution_chart
from components.charts.segments import SLIM, segments
from components.palette import DARK, LIGHT
from explainers.schema import Schema
from explainers.usualness import Usualness
from tests.explainers.distributions import of_every_kind, spread, table

WIDTHS = (620, 900)


@pytest.fixture(scope="module")
def found() -> dict[str, Usualness]:
    return of_every_kind()


def heads(figure: go.Figure, feature: str) -> list[tuple[float, str]]:
    """Where the heads of a feature stand, old and new, and with what they are filled."""
    return [
        (x, color)
        for trace in figure.data
        if trace.type == "scatter" and trace.customdata is not None
        for x, color, key in zip(trace.x, colors_of(trace), trace.customdata, strict=True)
        if key == feature
    ]


def columns(figure: go.Figure, feature: str) -> list[tuple[float, float, float, str]]:
    """Left and right end, height and hover label of each upright bar of a feature."""
    return [
        (x - w / 2, x + w / 2, -y, hover)
        for trace in figure.data
        if trace.type == "bar" and trace.orientation is None
        for x, w, y, key, hover in zip(trace.x, trace.width, trace.y, trace.customdata, trace.hovertext, strict=True)
        if key == feature
    ]


def pieces(figure: go.Figure, feature: str) -> list[tuple[float, float, str, str]]:
    """Start and end, fill and hover label of each piece of a feature's bar, from left to right."""
    return sorted(
        (start, start + length, trace.marker.color, hover)
        for trace in figure.data
        if trace.type == "bar" and trace.orientation == "h"
        for start, length, key, hover in zip(trace.base, trace.x, trace.customdata, trace.hovertext, strict=True)
        if key == feature
    )


@pytest.mark.parametrize("name", ["months", "amount", "computed", "gaps", "day"])
def test_a_number_stands_over_the_bin_that_holds_it(found: dict[str, Usualness], name: str) -> None:
    one = found[name]
    figure = distribution_chart([one], LIGHT)
    bars = columns(figure, name)
    numbers = bars[:-1] if one.n_missing else bars
    counts = one.counts[one.counts > 0]
    assert len(numbers) == len(counts)
    most = max(one.counts.max(), one.n_missing)
    for (_, _, height, hover), count in zip(numbers, counts.tolist(), strict=True):
        assert height == pytest.approx(max(1.5, 30 * count / most))
        assert f" {count}\u00a0row" in shown(hover)
    filled = np.flatnonzero(one.counts)
    for place, (x, color), fill in zip(
        (one.old, one.new), heads(figure, name), (LIGHT.background, LIGHT.desired), strict=True
    ):
        assert color == fill
        if place.value == place.value:
            at = int(np.searchsorted(one.edges, place.value, side="right")) - 1
            left, right, _, _ = numbers[filled.tolist().index(at)]
            assert left - 0.01 <= x <= right + 0.01


def test_what_is_missing_has_a_column_of_its_own(found: dict[str, Usualness]) -> None:
    one = found["gaps"]
    bars = columns(distribution_chart([one], LIGHT), "gaps")
    assert "missing" in bars[-1][3] and bars[-1][0] > max(right for _, right, _, _ in bars[:-1])
    nothing = distribution_chart([found["nothing"]], LIGHT)
    ((left, right, _, hover),) = columns(nothing, "nothing")
    assert "400" in hover
    old, new = heads(nothing, "nothing")
    assert left <= old[0] <= right and new[0] < left


def test_a_value_beyond_all_others_has_room() -> None:
    made = table()[["months"]]
    schema = Schema.infer(made)
    one = spread(schema, schema.encode(made), np.array([6.0]), np.array([360.0]))["months"]
    figure = distribution_chart([one], LIGHT)
    (old, _), (new, _) = heads(figure, "months")
    assert 0 <= old < max(right for _, right, _, _ in columns(figure, "months")) < 0.15 and new == 1.0


@pytest.mark.parametrize("name", ["colour", "member"])
def test_a_category_s_piece_is_as_long_as_its_share(found: dict[str, Usualness], name: str) -> None:
    one = found[name]
    figure = distribution_chart([one], LIGHT)
    shares = [*one.counts.tolist(), *([one.n_missing] if one.n_missing or name == "member" else [])]
    cut = pieces(figure, name)
    assert len(cut) == len(shares)
    ends = np.concatenate([[0], np.cumsum(shares)]) / 400
    hair = 2.0 / figure_scale(figure)
    for (start, end, _, hover), left, right, rows in zip(cut, ends[:-1], ends[1:], shares, strict=True):
        assert start == pytest.approx(left, abs=hair * 1.01) and end == pytest.approx(right, abs=hair * 1.01)
        assert f"{rows}\u00a0row" in hover
    (old, _), (new, _) = heads(figure, name)
    tints = {fill: (start, end) for start, end, fill, _ in cut if fill != LIGHT.background}
    assert tints[LIGHT.factual_tint][0] <= old <= tints[LIGHT.factual_tint][1]
    assert tints[LIGHT.desired_tint][0] <= new <= tints[LIGHT.desired_tint][1]


def figure_scale(figure: go.Figure) -> float:
    return 620 - figure.layout.margin.l - figure.layout.margin.r


def test_the_slimmest_of_many_categories_are_taken_together(found: dict[str, Usualness]) -> None:
    one = found["street"]
    figure = distribution_chart([one], LIGHT)
    cut = pieces(figure, "street")
    assert len(cut) <= 5
    others = [int(shown(hover).split("\u00a0")[0]) for *_, hover in cut if "other" in hover]
    assert sum(others) == int((one.counts > 0).sum()) - 2
    rows = sum(int(shown(hover).split("\n")[-1].split("\u00a0")[0]) for *_, hover in cut)
    assert rows == 400


def crowded(names: list[str]) -> Usualness:
    """A category with so many levels that have no room for their names under their pieces."""
    made = table()[["colour"]].assign(colour=[names[i * i * len(names) // 400**2] for i in range(400)])
    schema = Schema.infer(made)
    return spread(schema, schema.encode(made), np.array([0.0]), np.array([len(names) - 1.0]))["colour"]


@pytest.mark.parametrize("n_levels", [3, 7, 60])
def test_every_piece_is_named_and_no_leader_runs_through_a_name(n_levels: int) -> None:
    one = crowded([f"level {i:02} of the colours" for i in range(n_levels)])
    figure = distribution_chart([one], LIGHT)
    cut = pieces(figure, "colour")
    names = [" ".join(shown(hover).split("\n")[0].split()) for *_, hover in cut]
    placed = texts(figure, 620)
    lines = [" ".join(box.text.split()) for box in placed]
    assert all(name in lines for name in names), (names, lines)
    leaders = [s for s in figure.layout.shapes if s.type == "line" and s.x0 == s.x1 and s.xref == "x"]
    assert len(leaders) >= 2
    for leader in leaders:
        x = figure.layout.margin.l + leader.x0 * figure_scale(figure)
        for box in placed:
            crosses = box.left < x < box.right and max(leader.y0, box.top) < min(leader.y1, box.bottom) - 3
            assert not crosses, (box, leader.x0)


def test_a_raised_head_stays_in_its_own_row(found: dict[str, Usualness]) -> None:
    made = table()[["amount", "months"]]
    schema = Schema.infer(made)
    both = spread(schema, schema.encode(made), np.array([5000.0, 12.0]), np.array([5001.0, 36.0]))
    figure = distribution_chart([both["months"], both["amount"]], LIGHT)
    (border,) = {shape.y0 for shape in figure.layout.shapes if shape.xref == "paper"}
    dots = [trace for trace in figure.data if trace.type == "scatter"]
    raised = [y for dot in dots for y, key in zip(dot.y, dot.customdata, strict=True) if key == "amount"]
    assert min(raised) - 6 > border


def test_where_both_stand_at_one_place_neither_hides_the_other() -> None:
    made = table()[["amount"]]
    schema = Schema.infer(made)
    one = spread(schema, schema.encode(made), np.array([5000.0]), np.array([5001.0]))["amount"]
    (trace,) = [t for t in distribution_chart([one], LIGHT).data if t.type == "scatter"]
    assert trace.y[0] - trace.y[1] >= 12


def awkward() -> list[Usualness]:
    made = table()[["months", "colour", "member"]].rename(
        columns={"months": WORD, "colour": HOSTILE[0], "member": "installment rate as % of disposable income, all told"}
    )
    made[HOSTILE[0]] = made[HOSTILE[0]].replace({"red": HOSTILE[1], "green": "no more than 0 DM, overdrawn for months"})
    schema = Schema.infer(made)
    rows = schema.encode(made)
    return list(spread(schema, rows, np.array([6.0, 2.0, 0.0]), np.array([12.0, 0.0, 1.0])).values())


def texts(figure: go.Figure, width: int) -> list[Any]:
    bare = go.Figure(figure)
    bare.layout.annotations = [note for note in figure.layout.annotations if note.text]
    return boxes(bare, width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("selected", [None, 0])
def test_no_text_is_cut_or_runs_into_another(found: dict[str, Usualness], width: int, selected: int | None) -> None:
    for several in (list(found.values()), awkward()):
        marked = frozenset() if selected is None else frozenset([several[selected].feature.name])
        figure = distribution_chart(several, DARK, selected=marked)
        placed = texts(figure, width)
        for box in placed:
            assert box.left >= -1 and box.right <= width + 1, box
            assert box.top >= -3 and box.bottom <= figure.layout.height + 3, box
        for a, b in itertools.combinations(placed, 2):
            assert a.overlap(b) < 3, (a, b)
        for note in figure.layout.annotations:
            assert note.xref == "paper" or 0 <= note.x <= 1
            assert not note.text or note.font.size >= 12


def test_nothing_is_taken_for_markup() -> None:
    figure = distribution_chart(awkward(), LIGHT)
    hovers = [text for trace in figure.data if trace.hovertext is not None for text in trace.hovertext]
    for text in (*hovers, *(note.text for note in figure.layout.annotations)):
        assert HOSTILE[0] not in text and HOSTILE[1] not in text
    assert any(HOSTILE[1] in shown(text) for text in hovers)


def test_selection_marks_one_and_dims_the_others(found: dict[str, Usualness]) -> None:
    figure = distribution_chart([found["months"], found["colour"]], LIGHT, selected=frozenset(["months"]))
    assert shown(note_of(_named(figure), "● ").text) == "● months"
    opacity = {key: trace.marker.opacity for trace in figure.data for key in (trace.customdata or ())}
    assert opacity == {"months": 1.0, "colour": 0.42}
    assert [trace.marker.line.color for trace in figure.data if trace.customdata is None] == [LIGHT.ink]
    for trace in figure.data:
        assert trace.selected.marker.opacity == trace.unselected.marker.opacity == trace.marker.opacity


def _named(figure: go.Figure) -> go.Figure:
    bare = go.Figure(figure)
    bare.layout.annotations = [note for note in figure.layout.annotations if note.text]
    return bare


def test_slim_pieces_of_categories_without_an_order_stand_together(found: dict[str, Usualness]) -> None:
    street = found["street"]
    counts = np.where(np.arange(len(street.counts)) % 20 == 0, 30, 1)
    bar = Frame(0, 0, 900, 0.0, 1.0)
    cut = segments(replace(street, counts=counts), bar, SLIM[0])
    assert [piece.label for piece in cut if piece.label.endswith("others")] == [cut[-1].label]
    assert sum(piece.n_rows for piece in cut) == counts.sum()
    ordered = replace(street, counts=counts, feature=replace(street.feature, ordered=True))
    assert len([piece for piece in segments(ordered, bar, SLIM[0]) if piece.label.endswith("others")]) > 1
