"""Every bar is as long and on the side that its value says, in one scale for all views."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from chart_games import CREDIT, HOSTILE, WORD, game
from chart_texts import boxes, note_of, shown

from components.charts.attribution import MOST_ROWS, attribution_chart, shown_rows
from components.palette import DARK, LIGHT
from explainers.attributions.attribution import Attribution
from explainers.attributions.comparison import Comparison, compare
from explainers.explanation import Explanation
from explainers.results import Origin
from explainers.schema import Feature, Kind, Schema

HOW = Origin("hand", (), 0, "")


def comparison(n_more: int = 0, names: list[tuple[str, str, str]] | None = None, views: int = 2) -> Comparison:
    """The credit game beside made-up values; so many features more stay as they are."""
    one = game(lambda made: 0.2 + 0.1 * len(made) - 0.15 * (4 in made), names or CREDIT[:5])
    counterfactual = one.coalitions.counterfactual
    extra = [f"unchanged {i}" for i in range(n_more)]
    kind = {"kind": Kind.NUMBER, "columns": ("x",), "dtypes": (np.dtype("f8"),)}
    features = [Feature(name=c.feature, title=c.title, **kind) for c in counterfactual.changes]
    features += [Feature(name=name, title=name, **kind) for name in extra]
    for array in ("factual", "row"):
        object.__setattr__(counterfactual, array, np.zeros(len(features)))
    explanation = Explanation(counterfactual, one.greedy, one.shapley, one.coalitions, np.zeros((2, 2)))
    random = np.random.default_rng(0)
    told = [
        Attribution(
            "1", tuple(f.name for f in features), random.normal(size=len(features)) / 10, 0.4, 0.2,
            counterfactual.target, "hand", 100, HOW, fit=0.3 if view else None,
        )
        for view in range(views)
    ]  # fmt: skip
    return compare(Schema(tuple(features)), explanation, told, ["SHAP", "LIME"][:views])


def bars(figure: go.Figure) -> pd.DataFrame:
    found = [
        (base, length, y, key, trace.marker.color, hover)
        for trace in figure.data
        for base, length, y, key, hover in zip(
            trace.base, trace.x, trace.y, trace.customdata, trace.hovertext, strict=True
        )
    ]
    return pd.DataFrame(found, columns=["zero", "length", "y", "key", "color", "hover"])


@pytest.mark.parametrize("views", [1, 2])
def test_bars_are_as_long_as_their_values_on_one_scale(views: int) -> None:
    one = comparison(3, views=views)
    found = bars(attribution_chart(one, LIGHT)).sort_values(["y", "zero"])
    values = [value for row in one.rows for value in row.values if value]
    assert len(found) == len(values)
    scale = found["length"].to_numpy() / np.array(values)
    np.testing.assert_allclose(scale, scale[0])
    assert scale[0] > 0
    assert found["color"].tolist() == [LIGHT.desired if value > 0 else LIGHT.factual for value in values]
    assert found["zero"].nunique() == 1 + views


def test_only_what_changes_can_be_picked() -> None:
    one = comparison(3)
    keys = set(bars(attribution_chart(one, LIGHT))["key"])
    assert keys == {"", *(row.feature.name for row in one.rows if row.change)}
    stays = [note for note in attribution_chart(one, LIGHT).layout.annotations if note.text == "stays"]
    assert len(stays) == 3


def test_the_features_without_a_row_of_their_own_are_added_up() -> None:
    one = comparison(20)
    rows = shown_rows(one)
    assert len(rows) == MOST_ROWS - 1
    rest = one.rows[len(rows) :]
    figure = attribution_chart(one, LIGHT)
    assert note_of(figure, f"{len(rest)}\u00a0others, added up")
    last = bars(figure).sort_values(["y", "zero"]).tail(2)
    scale = bars(figure)["length"].abs().max() / max(abs(v) for row in one.rows for v in row.values if v)
    sums = [sum(row.values[view] for row in rest) for view in (1, 2)]
    ratio = last["length"].to_numpy() / np.array(sums)
    assert ratio[0] == pytest.approx(ratio[1]) and ratio[0] <= scale * 1.0001


def test_of_very_many_changes_the_last_are_added_up_in_every_view(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("components.charts.attribution.MOST_CHANGES", 3)
    one = comparison(20)
    assert shown_rows(one) == one.rows[:3]
    last = bars(attribution_chart(one, LIGHT)).sort_values(["y", "zero"]).tail(3)["length"].to_numpy()
    sums = [sum(row.values[view] or 0.0 for row in one.rows[3:]) for view in range(3)]
    np.testing.assert_allclose(last / sums, last[0] / sums[0])


@pytest.mark.parametrize("selected", [frozenset(), frozenset(["f0 checking account"])])
@pytest.mark.parametrize("width", [620, 900])
def test_no_text_is_cut_or_runs_into_another(selected: frozenset[str], width: int) -> None:
    awkward = [(WORD, "x" * 60, "y" * 40), HOSTILE, *CREDIT[2:5]]
    for one in (comparison(20), comparison(0, awkward), comparison(2, views=1)):
        figure = attribution_chart(one, DARK, selected=selected)
        placed = boxes(figure, width)
        for box in placed:
            assert box.left >= -1 and box.right <= width + 1, box
            assert box.top >= -3 and box.bottom <= figure.layout.height + 3, box
        for a, b in itertools.combinations(placed, 2):
            assert a.overlap(b) < 3, (a, b)


def test_nothing_is_taken_for_markup() -> None:
    figure = attribution_chart(comparison(0, [HOSTILE, *CREDIT[:4]]), LIGHT)
    texts = [note.text for note in figure.layout.annotations]
    texts += [text for trace in figure.data for text in trace.hovertext]
    assert not any(HOSTILE[0] in text or HOSTILE[1] in text for text in texts)
    assert any(HOSTILE[0] in shown(text) for text in texts)


def test_selection_marks_one_and_dims_the_others() -> None:
    figure = attribution_chart(comparison(2), LIGHT, selected=frozenset(["f1 duration"]))
    assert shown(note_of(figure, "● ").text).startswith("● duration")
    for trace in figure.data:
        is_marked = set(trace.customdata) == {"f1 duration"}
        assert trace.marker.opacity == (1.0 if is_marked else 0.42)
        assert trace.marker.line.color == (LIGHT.ink if is_marked else LIGHT.background)
