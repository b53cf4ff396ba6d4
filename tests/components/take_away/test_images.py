"""Charts drawn by Chromium: whole, in the dashboard's own font, and stopped when told to."""

from __future__ import annotations

import io
import struct
import zipfile
from xml.etree import ElementTree

import pytest

from components.palette import LIGHT
from components.take_away import images
from components.take_away.drawn import charts
from components.take_away.font import font_url
from explainers.run import Run, Stopped
from tests.explainers.test_how_to_read import explained

SVG = "{http://www.w3.org/2000/svg}"
needs_chromium = pytest.mark.usefixtures("has_chromium")


@pytest.fixture(scope="module")
def drawn(has_chromium: None) -> dict[str, bytes]:
    done: list[float] = []
    content = images.drawn(
        charts(explained([0.1, 0.6, 0.2, 0.4, 0.3, 0.6, 0.7, 0.9]), LIGHT, width=768), Run(progress=done.append)
    )
    assert done == sorted(done) and done[-1] == 1.0
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@needs_chromium
@pytest.mark.browser
def test_each_chart_is_there_in_both_formats(drawn: dict[str, bytes]) -> None:
    names = ("countershapley", "greedy", "constellation")
    assert set(drawn) == {f"{name}.{ending}" for name in names for ending in ("png", "svg")}
    for name in names:
        root = ElementTree.fromstring(drawn[f"{name}.svg"])
        width, height = float(root.attrib["width"]), float(root.attrib["height"])
        assert width == images.WIDTH
        png = drawn[f"{name}.png"]
        assert png.startswith(b"\x89PNG")
        assert struct.unpack(">II", png[16:24]) == (images.SCALE * width, images.SCALE * height)


@needs_chromium
@pytest.mark.browser
def test_the_words_and_the_font_are_in_the_drawing(drawn: dict[str, bytes]) -> None:
    for name, word in (("countershapley", "How much does each change count?"), ("greedy", "f0")):
        root = ElementTree.fromstring(drawn[f"{name}.svg"])
        words = " ".join(text for own in root.iter(f"{SVG}text") for text in own.itertext())
        assert word in words
        assert font_url() and font_url() in "".join(own.text or "" for own in root.iter(f"{SVG}style"))
        assert "http" not in drawn[f"{name}.svg"].decode().replace("http://www.w3.org/", "")


@needs_chromium
@pytest.mark.browser
def test_it_stops_between_two_images() -> None:
    done: list[float] = []
    with pytest.raises(Stopped):
        images.drawn(charts(explained([0.2, 0.3, 0.35, 0.95]), LIGHT, width=768),
                     Run(cancelled=lambda: len(done) == 1, progress=done.append))  # fmt: skip
    assert len(done) == 1


def test_without_a_browser_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from choreographer.browsers.chromium import Chromium

    monkeypatch.setattr(Chromium, "find_browser", lambda *_, **__: None)
    assert images.browser() is None
    with pytest.raises(ValueError, match="Chromium, and there is none here: install it"):
        images.drawn(charts(explained([0.2, 0.7]), LIGHT, width=768), Run())


def test_the_figure_stands_by_itself() -> None:
    (chart, *_) = charts(explained([0.2, 0.3, 0.35, 0.95]), LIGHT, width=768)
    framed = images.framed(chart)
    assert "How much does each change count?" in framed.layout.title.text
    own = chart.figure.layout
    assert framed.layout.height - framed.layout.margin.t - framed.layout.margin.b == own.height
    assert framed.layout.yaxis.range == own.yaxis.range and own.title.text is None
