"""Charts as PNG and SVG, drawn by Chromium through kaleido."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import plotly.graph_objects as go

from components.charts.text import LABEL, bold, escape
from components.palette import FONT
from components.take_away.drawn import Card
from components.take_away.font import FAMILY, WEIGHTS, font_url
from explainers.run import Run

WIDTH = 800
SCALE = 2
MARGIN, HEAD = 16, 36
FORMATS = ("png", "svg")
SECONDS_AN_IMAGE = 30
NOWHERE = "127.0.0.1:9"
"""A proxy that isn't there, as a browser also asks others for what has nothing to do with the page."""
WANTED = "PNG and SVG are drawn by Chromium, and there is none here: install it, or run kaleido_get_chrome once."
SCRIPT = Path(__file__).with_name("images.js")


def browser() -> str | None:
    """Where the browser is that would draw, if there is one."""
    from choreographer.browsers.chromium import Chromium

    return Chromium.find_browser(skip_local=False)


def drawn(charts: Sequence[Card], run: Run) -> bytes:
    """All charts in both formats, as a ZIP archive.

    Raises
    ------
    Stopped
        If the run ended first; it is looked at before each image.
    ValueError
        If there is no browser, or it does not draw.
    """
    from choreographer.errors import BrowserClosedError, BrowserFailedError, ChromeNotFoundError

    try:
        images = asyncio.run(_images(charts, run))
    except ChromeNotFoundError as error:
        raise ValueError(WANTED) from error
    except (BrowserFailedError, BrowserClosedError, TimeoutError) as error:
        raise ValueError("Chromium was started but drew nothing; try again, or take the report as HTML.") from error
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, image in images.items():
            archive.writestr(zipfile.ZipInfo(name), image, zipfile.ZIP_DEFLATED)
    return content.getvalue()


async def _images(charts: Sequence[Card], run: Run) -> dict[str, bytes]:
    import kaleido

    images: dict[str, bytes] = {}
    wanted = [(chart, format_) for chart in charts if chart.figure is not None for format_ in FORMATS]
    run.check()
    with TemporaryDirectory() as folder:
        font = Path(folder) / "font.js"
        said = {"family": FAMILY, "weights": WEIGHTS, "url": font_url()}
        font.write_text(f"const FONT = {json.dumps(said)}", encoding="utf-8")
        # By default kaleido would fetch MathJax from another machine.
        page = kaleido.PageGenerator(mathjax=False, others=[font.as_uri(), SCRIPT.as_uri()])
        options = {"n": 1, "timeout": SECONDS_AN_IMAGE, "page_generator": page, "proxy_server": NOWHERE}
        async with kaleido.Kaleido(**options) as drawing:
            for place, (chart, format_) in enumerate(wanted, 1):
                run.check()
                figure = framed(chart)
                size = {"width": WIDTH, "height": figure.layout.height, "scale": SCALE}
                images[f"{chart.name}.{format_}"] = await drawing.calc_fig(figure, {"format": format_, **size})
                run.progress(place / len(wanted))
    return images


def framed(chart: Card) -> go.Figure:
    """The figure with its question above it and a margin around, to stand by itself."""
    figure = go.Figure(chart.figure)
    own, colour = figure.layout.margin, figure.layout.font.color
    question = {
        "text": bold(escape(chart.question)), "font": {"size": LABEL + 4, "family": FONT, "color": colour},
        "x": MARGIN / WIDTH, "xanchor": "left", "yref": "container", "y": 1, "yanchor": "top", "pad": {"t": MARGIN},
    }  # fmt: skip
    figure.update_layout(
        title=question, width=WIDTH, height=figure.layout.height + HEAD + 2 * MARGIN, autosize=False,
        margin={"l": own.l + MARGIN, "r": own.r + MARGIN, "t": HEAD + MARGIN, "b": MARGIN},
    )  # fmt: skip
    return figure
