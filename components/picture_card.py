"""A case whose features are pixels, and what becomes of it, as pictures."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.card_parts import CONFIG, card
from components.charts.pictures import Picture, change_chart, width_of
from components.html import heading
from components.palette import Palette
from explainers import sentences_picture
from explainers.problem import Problem
from explainers.results import Counterfactual
from explainers.schema import Schema


def picture_card(schema: Schema, pictures: Sequence[Picture], palette: Palette) -> None:
    """Draw the pictures where the table has any; the second is what the first becomes."""
    if not schema.picture:
        return
    before, after = pictures[0].row, pictures[1].row
    with card("picture"):
        about = sentences_picture.what_changes(schema, before, after)
        heading("What does it look like?", "", about, palette)
        alt = sentences_picture.alt_pictures(schema, [picture.title for picture in pictures], before, after)
        figure = change_chart(schema, pictures, palette)
        st.plotly_chart(figure, width=width_of(len(pictures) + 1), theme=None, key="picture", alt=alt, config=CONFIG)


def changed_picture(problem: Problem, counterfactual: Counterfactual, palette: Palette) -> None:
    """A case, its counterfactual and the real case that it comes from, if there is one."""
    target = counterfactual.target
    pictures = [
        Picture(f"this case: {target.factual}", palette.factual, counterfactual.factual),
        Picture(f"changed: {target.desired}", palette.desired, counterfactual.row),
    ]
    if real := counterfactual.neighbour or counterfactual.prototype:
        pictures.append(Picture(f"case {real}: {problem.side_of(real)}", palette.desired, problem.case(real).row))
    picture_card(problem.schema, pictures, palette)
