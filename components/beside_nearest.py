"""The nearest real case of the other side, beside the case and its counterfactual."""

from __future__ import annotations

from html import escape

import streamlit as st

from components.beside_work import worked
from components.card_parts import card
from components.html import empty, heading, sentence_html
from components.palette import Palette
from components.state import widgets
from components.state.session import of_case
from explainers import how_to_read_beside, sentences_beside, wording
from explainers.explanation import Explanation
from explainers.problem import Case, Problem
from explainers.real_case import RealCase, differing, nearest_real_case
from explainers.results import Counterfactual
from explainers.run import Run
from explainers.schema import Schema, same

NAME = "nearest"
QUESTION = "Which real case of the other side is nearest?"
METHOD = "HEOM"


def nearest_card(problem: Problem, case: Case, explanation: Explanation, palette: Palette) -> None:
    """Draw the card."""
    counterfactual = explanation.counterfactual

    def work(run: Run) -> tuple[RealCase | None]:
        return (nearest_real_case(problem, case, counterfactual.target, run),)

    worked_out = worked(QUESTION, (NAME, problem.key, case.row.tobytes(), counterfactual.target), work, palette)
    if worked_out is None:
        return
    (real,) = worked_out
    with card(NAME):
        if real is None:
            heading(QUESTION, METHOD, "", palette)
            empty(sentences_beside.no_real_case(counterfactual), palette)
            return
        help_ = how_to_read_beside.of_nearest(problem.schema, counterfactual, real)
        heading(QUESTION, METHOD, "", palette, help_)
        st.html(sentence_html(sentences_beside.about_nearest(real, counterfactual), palette, 15))
        st.html(comparison_html(problem.schema, case, counterfactual, real, palette))
        st.button(
            f"Explain case {real.id}", key="open nearest", on_click=of_case(widgets.change), kwargs={"case": real.id},
            help="Goes to this real case and explains it in its turn.",
        )  # fmt: skip


def comparison_html(
    schema: Schema, case: Case, counterfactual: Counterfactual, real: RealCase, palette: Palette
) -> str:
    """The three side by side: what changes first, then what only the real case has otherwise; the rest by name."""
    is_changed, is_other = ~same(counterfactual.row, case.row), ~same(real.row, case.row)
    places = differing(case.row, counterfactual, real)
    lines = []
    for place in places:
        feature, places_shown = schema.features[place], counterfactual.decimals[place]
        cells = [
            (wording.value(feature, float(case.row[place])), False),
            (wording.value(feature, float(counterfactual.row[place]), places_shown), bool(is_changed[place])),
            (wording.value(feature, float(real.row[place])), bool(is_other[place])),
        ]
        lines.append(_line(feature.title, cells, palette))
    scores = wording.scores([counterfactual.factual_score, counterfactual.score, real.score], counterfactual.target)
    distances = [wording.number(distance, 3) for distance in (counterfactual.distance, real.distance)]
    lines.append(_line(f"Score ({counterfactual.target.quantity})", [(text, False) for text in scores], palette))
    lines.append(_line("Distance from the case", [("", False), *((text, False) for text in distances)], palette))
    heads = ("", f"Case {case.id}", "Counterfactual", f"Case {real.id}")
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    alike = [feature.title for place, feature in enumerate(schema.features) if place not in places]
    rest = f"The same in all three: {', '.join(alike)}." if alike else ""
    return (
        f'<table class="beside"><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table>'
        f'<div class="about" style="color:{palette.ink_secondary}">{escape(rest)}</div>'
    )


def _line(title: str, cells: list[tuple[str, bool]], palette: Palette) -> str:
    """A row of the table; what differs from the case is set in the colour of the other side and in bold."""
    styles = {True: f' style="color:{palette.desired};font-weight:600"', False: ""}
    told = "".join(f"<td{styles[differs]}>{escape(text)}</td>" for text, differs in cells)
    return f'<tr><th scope="row">{escape(title)}</th>{told}</tr>'
