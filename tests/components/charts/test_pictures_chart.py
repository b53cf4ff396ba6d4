"""Pictures show each pixel in its place, all on one scale, and the difference of the first two."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from components.charts.pictures import CHANGE, Picture, change_chart, pictures_chart
from components.palette import DARK, LIGHT, Palette
from explainers.schema import Schema

TABLE = pd.DataFrame({"b": [0, 16.0], "a": [2, 4.0], "<i>c</i>": [0, 8.0], "d": [0, 8.0], "f": [1, 1.0]})
SCHEMA = Schema.infer(TABLE).pictured((("a", "b", "left out"), ("<i>c</i>", "d", "f")))
ROWS = np.array([[16.0, 2.0, 0.0, 8.0, 1.0], [12.0, 4.0, 0.0, 8.0, 1.0], [0.0, 4.0, 8.0, 0.0, 1.0]])


@pytest.fixture(params=[LIGHT, DARK], ids=["light", "dark"])
def palette(request: pytest.FixtureRequest) -> Palette:
    return request.param


def drawn(palette: Palette) -> dict:
    titles = ("<b>case</b> & more", "changed", "real")
    pictures = [Picture(title, palette.factual, row) for title, row in zip(titles, ROWS, strict=True)]
    return change_chart(SCHEMA, pictures, palette).to_dict()


def test_each_pixel_is_in_its_place_and_what_is_left_out_is_blank(palette: Palette) -> None:
    traces = drawn(palette)["data"]
    assert [trace["z"] for trace in traces[:3]] == [
        [[2, 16, None], [0, 8, 1]],
        [[4, 12, None], [0, 8, 1]],
        [[4, 0, None], [8, 0, 1]],
    ]
    assert traces[3]["z"] == [[2, -4, None], [0, 0, 0]]
    assert traces[3]["text"] == [["a: 2 → 4", "b: 16 → 12", ""], [*traces[3]["text"][1]]]
    assert traces[0]["text"][1][0] == "&lt;i&gt;c&lt;/i&gt;: 0"


def test_all_pictures_share_the_table_s_scale_and_changes_are_even_about_nothing(palette: Palette) -> None:
    figure = drawn(palette)
    assert [trace["coloraxis"] for trace in figure["data"]] == ["coloraxis"] * 3 + ["coloraxis2"]
    ink, change = figure["layout"]["coloraxis"], figure["layout"]["coloraxis2"]
    assert (ink["cmin"], ink["cmax"]) == (0, 16) and (change["cmin"], change["cmax"]) == (-16, 16)
    assert [colour for _, colour in ink["colorscale"]] == [palette.panel, palette.ink]
    assert [colour for _, colour in change["colorscale"]] == [palette.factual, palette.panel, palette.desired]


def test_the_first_row_is_above_and_pixels_are_square(palette: Palette) -> None:
    layout = drawn(palette)["layout"]
    for number in ("", "2", "3", "4"):
        assert list(layout[f"yaxis{number}"]["range"]) == [1.5, -0.5]
        assert layout[f"yaxis{number}"]["scaleanchor"] == f"x{number}"


def test_titles_stand_above_as_text(palette: Palette) -> None:
    texts = [note["text"] for note in drawn(palette)["layout"]["annotations"]]
    titles = [f"<b>{title}</b>" for title in ("&lt;b&gt;case&lt;/b&gt; &amp; more", "changed", "real", CHANGE)]
    assert texts == [*titles[:3], "0", "16", titles[3], "−16", "+16"]


def test_pictures_without_a_change_have_the_first_scale_only_and_notes_below_their_titles(palette: Palette) -> None:
    pictures = [Picture("one", palette.factual, ROWS[0]), Picture("other", palette.desired, ROWS[1], "<3 changes")]
    figure = pictures_chart(SCHEMA, pictures, palette).to_dict()
    assert len(figure["data"]) == 2 and "coloraxis2" not in figure["layout"]
    texts = [note["text"] for note in figure["layout"]["annotations"]]
    assert texts[0] == "<b>one</b>" and texts[2:] == ["0", "16"]
    assert texts[1].startswith("<b>other</b><br>") and "&lt;3 changes" in texts[1]
