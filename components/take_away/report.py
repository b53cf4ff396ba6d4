"""An explanation as one page of HTML that needs nothing else: it opens offline, reads aloud and prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from components.html import sentence_html, spans_html
from components.palette import FONT, LIGHT
from components.take_away.drawn import Chart
from components.take_away.font import FAMILY, font_face
from explainers import sentences, wording
from explainers.decision import Target
from explainers.explanation import Explanation
from explainers.problem import Case, Problem

WIDTH = 680
"""Pixels across a chart: as wide as a printed page, so that screen and paper show the same."""
PADDING = 16
MOST_PRINTED = 64
MOST_ROWS = 4096
TEMPLATE = Path(__file__).with_name("report.html.jinja")
SCORES, ERROR = ("score", "running total"), "standard error"
FLAGS = {True: "yes", False: "no"}


@dataclass(frozen=True)
class _Table:
    names: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class _Part:
    """A chart as the template takes it."""

    name: str
    question: str
    method: str
    about: str
    alt: str
    help_: tuple[Any, ...]
    spec: Any
    height: int
    table: _Table
    prints: bool


def report(
    problem: Problem,
    case: Case,
    explanation: Explanation,
    charts: Sequence[Chart],
    *,
    subject: str,
    facts: Sequence[tuple[str, str]],
) -> bytes:
    """The page.

    Parameters
    ----------
    problem : Problem
    case : Case
    explanation : Explanation
    charts : sequence of Chart
        Drawn `WIDTH` wide, in the light palette.
    subject : str
        Which data and which model.
    facts : sequence of (name, text)
        How it came about.
    """
    from markupsafe import Markup
    from plotly.offline import get_plotlyjs

    target, n_changes = explanation.counterfactual.target, len(explanation.counterfactual)
    page: str = _template().render(
        title=f"Case {case.id}: {target.factual} → {target.desired}",
        subject=subject,
        answer=Markup(sentence_html(sentences.answer(explanation), LIGHT)),
        changes=_table(explanation.counterfactual.to_frame(), target),
        unchanged=_unchanged(problem, case, explanation),
        charts=[_part(chart, target) for chart in charts],
        missing=[] if explanation.countershapley else [wording.plain(sentences.not_valued(n_changes))],
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


def _part(chart: Chart, target: Target) -> _Part:
    from markupsafe import Markup

    # Within a script nothing is an entity; there only a "<" could end it.
    spec = str(chart.figure.to_json()).replace("<", "\\u003c")
    return _Part(
        name=chart.name,
        question=chart.question,
        method=chart.method,
        about=wording.plain(chart.about),
        alt=wording.plain(chart.alt),
        help_=tuple(Markup(spans_html(sentence, LIGHT)) for sentence in chart.help_),
        spec=Markup(spec),
        height=int(chart.figure.layout.height),
        table=_table(chart.table, target),
        prints=len(chart.table) <= MOST_PRINTED,
    )


def _unchanged(problem: Problem, case: Case, explanation: Explanation) -> _Table:
    changed = {change.feature for change in explanation.counterfactual.changes}
    rows = tuple(
        (feature.title, wording.value(feature, float(own)))
        for feature, own in zip(problem.schema.features, case.row, strict=True)
        if feature.name not in changed
    )
    return _Table(("feature", "value"), (False, False), rows)


def _table(frame: pd.DataFrame, target: Target) -> _Table:
    shown = frame.head(MOST_ROWS)
    columns = [_printed(name, shown[name], target) for name in shown.columns]
    left_out = len(frame) - len(shown)
    caption = f"{wording.count(left_out, 'more row')} in the table as CSV." if left_out else ""
    about = pd.api.types
    numeric = tuple(about.is_numeric_dtype(dtype) and not about.is_bool_dtype(dtype) for dtype in shown.dtypes)
    return _Table(tuple(map(str, shown.columns)), numeric, tuple(zip(*columns, strict=True)), caption)


def _printed(name: str, column: pd.Series, target: Target) -> Sequence[str]:
    """A column in the precision in which the charts print it; what isn't known is empty."""
    known = column[column.notna()]
    told = dict(zip(known.index, _texts(name, known, target), strict=True))
    return [told.get(place, "") for place in column.index]


def _texts(name: str, column: pd.Series, target: Target) -> Sequence[str]:
    if pd.api.types.is_bool_dtype(column.dtype):
        return [FLAGS[flag] for flag in column.tolist()]
    if not pd.api.types.is_numeric_dtype(column.dtype):
        return [str(text) for text in column]
    if pd.api.types.is_integer_dtype(column.dtype):
        return [wording.number(own, 0) for own in column.tolist()]
    if name in SCORES:
        return wording.scores(column.to_numpy(), target)
    if name.endswith(ERROR):
        return [wording.number(own, target.decimals + 2) for own in column.tolist()]
    return wording.signed_column(column.to_numpy(), target)
