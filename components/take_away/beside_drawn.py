"""What stands beside the charts, as it leaves the dashboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from components import beside_usual
from components.charts.distribution import distribution_chart
from components.palette import Palette
from components.take_away.drawn import Chart
from explainers import sentences_beside
from explainers.usualness import Usualness, usual_frame


def beside_charts(
    name: str, known: Any, palette: Palette, *, selection: Sequence[str] = (), width: int
) -> tuple[Chart, ...]:
    """The chart of a card beside; none where it has none, or isn't done.

    Parameters
    ----------
    name : str
        Of the card.
    known : object, optional
        What its work came to.
    palette : Palette
    selection : sequence of str
        Features that are marked.
    width : int
        In pixels.
    """
    if known is None or name != beside_usual.NAME:
        return ()
    return (_usual(known, palette, frozenset(selection), width),)


def _usual(found: tuple[Usualness, ...], palette: Palette, selected: frozenset[str], width: int) -> Chart:
    return Chart(
        name=beside_usual.NAME,
        question=beside_usual.QUESTION,
        method="",
        about=sentences_beside.about_usual(found),
        alt=sentences_beside.alt_usual(found),
        help_=(),
        figure=distribution_chart(found, palette, selected=selected, width=width),
        table=usual_frame(found),
    )
