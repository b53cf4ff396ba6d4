"""The bars of an equation: where they begin and end, what is said of them, and that nothing touches."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from chart_texts import boxes, marks, shown

from components.charts.bella import bella_chart
from components.charts.neighbourhoods import agreement_chart, bound_chart
from components.palette import LIGHT
from explainers.labelled import LabelledTable, observed_target
from explainers.schema import Schema
from explainers.surrogates.bella import Bella, BellaOptions
from explainers.surrogates.equation import LocalEquations


def explained(columns: int, names: str = "f{}", n: int = 300) -> tuple[LabelledTable, LocalEquations]:
    """A table whose label adds up so many columns, some of them falling."""
    random = np.random.default_rng(columns)
    table = pd.DataFrame({names.format(i): random.normal(10, 2, n).round(2) for i in range(columns)})
    labels = sum((i + 1) * (-1) ** i * table.iloc[:, i] for i in range(columns)).to_numpy() + random.normal(0, 0.5, n)
    schema = Schema.infer(table)
    target = observed_target("price", labels, "EUR")
    labelled = LabelledTable.of_column(schema, schema.encode(table), tuple(map(str, range(n))), labels, target)
    return labelled, Bella().explain(labelled, labelled.case("7"))


def test_upright_bars_lead_from_the_base_to_the_explained_value_rising_ones_first() -> None:
    labelled, found = explained(4)
    figure = bella_chart(found, found.chosen, labelled.schema, LIGHT, end_name="observed value")
    equation = found.best
    ordered = sorted(equation.terms, key=lambda term: (term.contribution < 0, -abs(term.contribution)))
    bars = [trace for trace in figure.data if trace.type == "bar"]
    assert [bar.customdata[0] for bar in bars] == [term.feature for term in ordered]
    low = min(bar.base[0] + bar.y[0] for bar in bars)
    pixels = {term.feature: -bar.y[0] for term, bar in zip(ordered, bars, strict=True)}
    scale = pixels[ordered[0].feature] / abs(ordered[0].contribution)
    for term, bar in zip(ordered, bars, strict=True):
        assert pixels[term.feature] == pytest.approx(scale * abs(term.contribution))
        is_up = term.contribution > 0
        assert bar.marker.line.color == (LIGHT.desired if is_up else LIGHT.factual)
        assert (bar.marker.pattern.shape == "/") == (not is_up), "what pulls back is hatched"
    assert low > 0
    ends = [
        (bar.base[0], bar.base[0] + bar.y[0]) if term.contribution > 0 else (bar.base[0] + bar.y[0], bar.base[0])
        for term, bar in zip(ordered, bars, strict=True)
    ]
    for (_, end), (start, _) in pairwise(ends):
        assert start == pytest.approx(end), "each begins where the last one ended"


@pytest.mark.parametrize(
    ("columns", "names"), [(3, "f{}"), (7, "f{}"), (3, "a rather long name of a feature {}"), (12, "f{}")]
)
def test_no_text_runs_into_another(columns: int, names: str) -> None:
    labelled, found = explained(columns, names)
    figure = bella_chart(found, found.chosen, labelled.schema, LIGHT, end_name="observed value")
    placed = boxes(figure, 620)
    touching = [(a.text, b.text) for i, a in enumerate(placed) for b in placed[i + 1 :] if a.overlap(b) > 2]
    assert not touching
    assert all(box.left > -2 and box.right < 622 for box in placed)


def test_it_lies_down_beyond_eight_terms_and_with_names_that_do_not_fit() -> None:
    def orientations(columns: int, names: str = "f{}") -> set[str | None]:
        labelled, found = explained(columns, names)
        figure = bella_chart(found, found.chosen, labelled.schema, LIGHT, end_name="observed value")
        return {trace.orientation for trace in figure.data if trace.type == "bar"}

    assert orientations(4) == {None}
    assert orientations(12) == {"h"} == orientations(4, "incomprehensibilities{}")


def test_the_value_and_its_label_are_printed_with_a_hostile_name_escaped() -> None:
    labelled, found = explained(2, "<b>{}&")
    figure = bella_chart(found, found.chosen, labelled.schema, LIGHT, end_name="observed value")
    words = "\n".join(shown(note.text) for note in figure.layout.annotations)
    assert "explained value" in words and "observed value" in words and "<b>0&" in words
    assert "above mean" in words or "below mean" in words


def test_an_equation_without_terms_is_a_base_and_an_end() -> None:
    frame = pd.DataFrame({"a": np.arange(30.0)})
    schema = Schema.infer(frame)
    labels = np.full(30, 4.0)
    table = LabelledTable.of_column(
        schema, schema.encode(frame), tuple(map(str, range(30))), labels, observed_target("price", labels)
    )
    found = Bella().explain(table, table.case("3"))
    figure = bella_chart(found, found.chosen, schema, LIGHT, end_name="observed value")
    assert not [trace for trace in figure.data if trace.type == "bar"]
    assert [note.text for note in figure.layout.annotations if "explained value" in note.text]


def test_the_curve_has_a_dot_a_size_the_best_one_filled() -> None:
    labelled, found = explained(3)
    found = Bella().explain(labelled, labelled.case("7"), BellaOptions("1"))
    figure = bound_chart(found, 0, LIGHT)
    dots = marks(figure)
    assert set(dots) == set(found.sizes.tolist())
    assert [size for size, dot in dots.items() if dot[2] != LIGHT.background] == [int(found.sizes[found.chosen])]
    heights = {size: dot[1] for size, dot in dots.items()}
    by_bound = sorted(heights, key=lambda size: -heights[size])
    expected = found.sizes[np.argsort(found.bounds, kind="stable")].tolist()
    assert found.bounds[found.sizes.tolist().index(by_bound[-1])] == pytest.approx(found.bounds.max())
    assert len(expected) == len(by_bound)


def test_a_neighbour_stands_at_its_numbers_and_carries_its_id() -> None:
    labelled, found = explained(3)
    near = found.neighbours(found.chosen)
    values = found.best.values(labelled.rows[near])
    ids = [labelled.ids[place] for place in near]
    own = (found.best.explained, found.label)
    figure = agreement_chart(values, labelled.labels[near], ids, own, found.target, LIGHT)
    dots = marks(figure)
    assert set(dots) == {"", *ids}
    for place, id_ in enumerate(ids):
        assert dots[id_][0] == pytest.approx(values[place])
    above = max(range(len(ids)), key=lambda place: labelled.labels[near][place])
    assert dots[ids[above]][1] == min(dots[id_][1] for id_ in ids)
