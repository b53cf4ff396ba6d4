"""What is shown, as one page of HTML that needs nothing else: it opens offline, reads aloud and prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from components.html import sentence_html, spans_html
from components.palette import FONT, LIGHT
from components.printed import printed
from components.take_away.drawn import Card
from components.take_away.font import FAMILY, font_face
from explainers import wording
from explainers.decision import Target
from explainers.wording import Sentence

WIDTH = 680
"""Pixels across a chart: as wide as a printed page, so that screen and paper show the same."""
PADDING = 16
MOST_PRINTED = 64
MOST_ROWS = 4096
TEMPLATE = Path(__file__).with_name("report.html.jinja")


@dataclass(frozen=True)
class _Table:
    names: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class _Part:
    """A card as the template takes it; without a chart it has no height."""

    name: str
    question: str
    method: str
    about: str
    alt: str
    help_: tuple[Any, ...]
    notes: tuple[Any, ...]
    spec: Any
    height: int
    table: _Table
    prints: bool


def report(
    cards: Sequence[Card],
    *,
    title: str,
    subject: str,
    answer: Sequence[Sentence],
    target: Target,
    missing: Sequence[str] = (),
    closing: Sequence[Card] = (),
    facts: Sequence[tuple[str, str]],
) -> bytes:
    """The page.

    Parameters
    ----------
    cards : sequence of Card
        Drawn `WIDTH` wide, in the light palette.
    title : str
    subject : str
        Which data and which model.
    answer : sequence of Sentence
        What stands above all cards.
    target : Target
        Of the scores in the tables.
    missing : sequence of str
        What is said in the place of cards that there aren't.
    closing : sequence of Card
        What comes after that.
    facts : sequence of (name, text)
        How it came about.
    """
    from markupsafe import Markup
    from plotly.offline import get_plotlyjs

    page: str = _template().render(
        title=title,
        subject=subject,
        answer=[Markup(sentence_html(sentence, LIGHT)) for sentence in answer],
        parts=[_part(card, target) for card in cards],
        missing=missing,
        closing=[_part(card, target) for card in closing],
        facts=facts,
        palette=LIGHT,
        width=WIDTH,
        padding=PADDING,
        font_face=Markup(font_face()),
        family=Markup(FONT),
        own_family=FAMILY,
        plotly=Markup(get_plotlyjs()),
    )
    return page.encode("utf-8", "replace")


@cache
def _template() -> Any:
    import jinja2

    surroundings = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return surroundings.from_string(TEMPLATE.read_text(encoding="utf-8"))


def _part(card: Card, target: Target) -> _Part:
    from markupsafe import Markup

    # Within a script nothing is an entity; there only a "<" could end it.
    spec = "" if card.figure is None else str(card.figure.to_json()).replace("<", "\\u003c")
    help_, notes = (tuple(Markup(spans_html(one, LIGHT)) for one in told) for told in (card.help_, card.notes))
    return _Part(
        name=card.name,
        question=card.question,
        method=card.method,
        about=wording.plain(card.about),
        alt=wording.plain(card.alt),
        help_=help_,
        notes=notes,
        spec=Markup(spec),
        height=0 if card.figure is None else int(card.figure.layout.height),
        table=_table(card.table, target),
        prints=len(card.table) <= MOST_PRINTED,
    )


def _table(frame: pd.DataFrame, target: Target) -> _Table:
    shown = frame.head(MOST_ROWS)
    columns = printed(shown, target).values()
    left_out = len(frame) - len(shown)
    caption = f"{wording.count(left_out, 'more row')} in the table as CSV." if left_out else ""
    about = pd.api.types
    numeric = tuple(about.is_numeric_dtype(dtype) and not about.is_bool_dtype(dtype) for dtype in shown.dtypes)
    return _Table(tuple(map(str, shown.columns)), numeric, tuple(zip(*columns, strict=True)), caption)
