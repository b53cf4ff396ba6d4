"""Of every chart: nothing is cut, nothing runs into anything, nothing is injected, nothing small."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import plotly.graph_objects as go
import pytest
from chart_games import CREDIT, HOSTILE, WORD, Game, additive, binary, credit, game, interval
from chart_texts import boxes, colors_of, shown

from components.charts.axis import shared_score_range
from components.charts.constellation import constellation_chart
from components.charts.countershapley import countershapley_chart
from components.charts.greedy import greedy_chart
from components.palette import DARK, LIGHT, Palette
from explainers.decision import BinaryTarget

LONG = (
    ("status of the existing checking account", "no more than 0 DM, overdrawn for months", "no account with this bank"),
    ("installment rate as % of disposable income", "4", "2 %"),
    HOSTILE,
    (WORD, "x" * 60, "没有账户" * 12),
    ("محل الإقامة الحالي", "قديم", "جديد"),
)
TALKATIVE = BinaryTarget(
    "customer will default on the credit", "customer will pay it back in full", "p", 0.5, math.inf, False, True, 0.5
)
GAMES: dict[str, Callable[[], Game]] = {
    "one change": lambda: game(lambda made: 0.3 + 0.3 * len(made), CREDIT[:1]),
    "credit": credit,
    "nine changes": lambda: credit(9),
    "long labels": lambda: additive([0.012, 0.008, 0.004, -0.003, 0.002], 0.482, LONG),
    "eight equal": lambda: additive([0.0175] * 8, 0.48, CREDIT[:8]),
    "ten": lambda: additive([0.0175] * 10, 0.48, [*CREDIT, ("tenth", "a", "b")]),
    "two negatives": lambda: additive([0.2, 0.12, 0.03, 0.02, 0.018, -0.03, -0.05], 0.31, CREDIT[:7]),
    "long sides": lambda: game(lambda made: 0.482 + 0.011 * len(made), CREDIT[:3], TALKATIVE),
    "high threshold": lambda: game(lambda made: [0.9, 0.93, 0.975, 0.99][len(made)], CREDIT[:3], binary(0.97)),
    "case at the threshold": lambda: game(lambda made: [0.495, 0.497, 0.5004, 0.52][len(made)], CREDIT[:3]),
    "interval": lambda: game(
        lambda made: 98000 + sum((21000, 15500, -4200)[i] for i in made), CREDIT[:3], interval(120000, 140000)
    ),
    "narrow interval": lambda: game(
        lambda made: 198 - sum((21, 45.5, -4.2)[i] for i in made), CREDIT[:3], interval(133, 138)
    ),
    "downwards": lambda: game(
        lambda made: 198000 - sum((21000, 45500, -4200)[i] for i in made), CREDIT[:3], interval(-math.inf, 150000)
    ),
    "no effect": lambda: game(lambda made: 0.6, CREDIT[:3]),
    "cancelling": lambda: additive([0.1, 0.2, -0.1, -0.2], 0.6, CREDIT[:4]),
    "backwards": lambda: additive([-0.1, -0.2, -0.05], 0.6, CREDIT[:3]),
}


def charts(one: Game, palette: Palette = LIGHT, selected: frozenset[str] = frozenset()) -> list[go.Figure]:
    both = shared_score_range(one.coalitions, one.greedy)
    figures = [
        countershapley_chart(one.shapley, palette, selected=selected),
        greedy_chart(one.greedy, palette, selected=selected, score_range=both),
        greedy_chart(one.greedy, palette, selected=selected),
    ]
    if len(one.coalitions.counterfactual) > 1:
        figures += [
            constellation_chart(
                one.coalitions, one.shapley, palette, selected=selected, arrangement=arrangement, score_range=both
            )
            for arrangement in ("height", "size")
        ]
    return figures


@pytest.mark.parametrize("name", GAMES)
def test_no_text_leaves_its_figure(name: str) -> None:
    one = GAMES[name]()
    first = one.coalitions.counterfactual.changes[0].feature
    for figure in [*charts(one), *charts(one, selected=frozenset([first]))]:
        for box in boxes(figure, 620):
            assert box.left >= -1 and box.right <= 621, box
            assert box.top >= -3 and box.bottom <= figure.layout.height + 3, box


@pytest.mark.parametrize("name", [name for name in GAMES if name != "backwards"])
def test_no_text_runs_into_another(name: str) -> None:
    one = GAMES[name]()
    for figure in charts(one):
        for a, b in itertools.combinations(boxes(figure, 620), 2):
            assert a.overlap(b) < 3, (a, b)


@pytest.mark.parametrize("name", GAMES)
def test_notes_and_shapes_lie_in_the_range_where_plotly_shows_them(name: str) -> None:
    for figure in charts(GAMES[name]()):
        low, high = sorted(figure.layout.xaxis.range)
        for note in figure.layout.annotations:
            assert low <= note.x <= high or note.xref == "paper"
            assert 0 <= note.y <= figure.layout.height


def test_text_is_never_small() -> None:
    for figure in charts(credit(9)):
        assert min(note.font.size for note in figure.layout.annotations) >= 12


def test_names_and_values_are_shown_as_they_are() -> None:
    for figure in charts(additive([0.3, 0.2], 0.3, [HOSTILE, CREDIT[1]])):
        texts = [note.text for note in figure.layout.annotations]
        hovers = [text for trace in figure.data if trace.hovertext is not None for text in trace.hovertext]
        # By size the rows are numbers of changes: the name stands in the hover label alone.
        assert any(HOSTILE[0] in shown(text) for text in (*texts, *hovers))
        for text in (*texts, *hovers):
            assert "<i>" not in text and HOSTILE[0] not in text and "$" not in text
        assert all("%{x}" not in trace.hovertemplate for trace in figure.data if trace.hovertemplate)


def test_long_labels_are_whole() -> None:
    figure = greedy_chart(GAMES["long labels"]().greedy, LIGHT)
    everything = "".join(shown(note.text) for note in figure.layout.annotations)
    squeezed = "".join(everything.split()).replace("\u2068", "").replace("\u2069", "")
    for texts in LONG:
        for text in texts:
            assert "".join(text.split()) in squeezed


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda palette: palette.name)
def test_every_colour_is_of_the_palette(palette: Palette) -> None:
    known = {value for value in vars(palette).values() if isinstance(value, str)}
    for figure in charts(credit(), palette, frozenset(["f0 checking account"])):
        assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == palette.background
        assert figure.layout.template.layout.to_plotly_json() == {}
        colors = {note.font.color for note in figure.layout.annotations}
        colors |= {shape.line.color for shape in figure.layout.shapes}
        for trace in figure.data:
            colors.update(colors_of(trace))
        assert colors <= known


@pytest.mark.parametrize("selected", [frozenset(), frozenset(["f0 checking account", "f1 duration"])])
def test_picking_changes_no_mark(selected: frozenset[str]) -> None:
    for figure in charts(credit(), selected=selected):
        assert figure.layout.clickmode == "event+select"
        for trace in figure.data:
            assert trace.selected.marker.opacity == trace.unselected.marker.opacity == trace.marker.opacity
            assert trace.selected.marker.color is None and trace.unselected.marker.color is None


def test_figures_stretch() -> None:
    for figure in charts(credit()):
        assert figure.layout.width is None and figure.layout.height > 100
        assert figure.layout.yaxis.range == (figure.layout.height, 0)
        assert figure.layout.margin.t == figure.layout.margin.b == 0
