"""Profiles show what columns hold: as many rows as there are, nothing cut, few marks."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from components import profiles
from components.charts.text import width_of
from components.palette import DARK, LIGHT
from explainers.schema import Schema

NAME = "<b>a & b</b> in a column whose name is far too long for a tile, häßlich und 日本語"
TABLE = pd.DataFrame({
    "whole": [1, 2, 2, 4] * 10,
    "real": np.linspace(0.5, 99.25, 40),
    "gaps": [1.5, None] * 20,
    "same": [7] * 40,
    "none": [np.nan] * 40,
    NAME: ["x", "a category with a very long label that takes two lines at least"] * 20,
    "many": [f"label {place % 12}" for place in range(40)],
    "when": pd.date_range("2024-01-01", periods=40),
})  # fmt: skip
SCHEMA = Schema.infer(TABLE)
ROWS = SCHEMA.encode(TABLE)


@pytest.mark.parametrize("name", list(TABLE.columns))
def test_all_rows_are_in_the_bars(name: str) -> None:
    place = SCHEMA.index(name)
    tile = profiles.tile(SCHEMA.features[place], ROWS[:, place])
    assert sum(mark["rows"] for mark in tile.rectangles) == int(TABLE[name].notna().sum())
    assert all(0 <= mark["x"] < mark["x2"] <= profiles.WIDTH for mark in tile.rectangles if mark["rows"])
    assert all(0 <= mark["y"] <= mark["y2"] <= tile.height for mark in tile.rectangles)


@pytest.mark.parametrize("name", list(TABLE.columns))
def test_all_words_fit(name: str) -> None:
    place = SCHEMA.index(name)
    tile = profiles.tile(SCHEMA.features[place], ROWS[:, place])
    for word in tile.words:
        size = profiles.TITLE if word["strong"] else profiles.TEXT
        assert width_of(word["text"], size, bold=word["strong"]) <= profiles.WIDTH
        assert word["y"] <= tile.height
    assert "".join("".join(word["text"] for word in tile.words if word["strong"]).split()) == "".join(name.split())


def words(name: str) -> list[str]:
    place = SCHEMA.index(name)
    return [word["text"] for word in profiles.tile(SCHEMA.features[place], ROWS[:, place]).words]


def test_what_is_missing_is_said() -> None:
    assert "20 missing" in words("gaps")
    assert "no value" in words("none")


def test_ends_are_printed_and_dates_are_dates() -> None:
    assert words("whole")[-2:] == ["1", "4"]
    assert words("when")[-2:] == ["2024-01-01", "2024-02-09"]
    assert words("same")[-1] == "7"


def test_the_rarest_categories_are_taken_together() -> None:
    assert "7 others" in words("many")
    assert sum(word.startswith("label") for word in words("many")) == 5


def test_whole_numbers_have_a_bin_each() -> None:
    counts, edges = profiles.bins(np.array([1.0, 2.0, 2.0, 4.0]))
    assert counts.tolist() == [1, 2, 0, 1]
    assert edges.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_chart_is_one_view_in_own_colours(palette) -> None:
    spec = profiles.profiles(profiles.tiles(SCHEMA, ROWS), palette).to_dict()
    text = json.dumps(spec)
    assert spec["background"] == palette.background
    assert {layer["mark"]["color"] for layer in spec["layer"]} <= {palette.mute, palette.ink, palette.ink_secondary}
    assert "http" not in text.replace(spec["$schema"], "")
    assert sum(len(data) for data in spec["datasets"].values()) < 5000


def test_many_features_are_bounded() -> None:
    table = pd.DataFrame({f"c{place}": [1.0, 2.0] for place in range(200)})
    schema = Schema.infer(table)
    spec = profiles.profiles(profiles.tiles(schema, schema.encode(table)), LIGHT).to_dict()
    assert sum(len(data) for data in spec["datasets"].values()) < 5000
