"""What the person tries on the page Equation: other values, and a number that the case should come to."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import streamlit as st

from components import equation_work
from components.card_parts import card
from components.html import heading, notes, plain_label, sentence_html
from components.palette import Palette
from components.state import equation_acts, session, widgets
from components.state.session import of_case, of_data
from components.state.view import TOLERANCES
from components.state.widgets import seed
from explainers import sentences_equation, wording
from explainers.intake.typed import missing_text, write_value
from explainers.labelled import LabelledTable
from explainers.problem import Case
from explainers.schema import Feature
from explainers.surrogates.bella import Bella
from explainers.surrogates.equation import LocalEquations
from explainers.surrogates.reference_value import ReferenceValue
from explainers.surrogates.shown import Tried, with_values

ACROSS = 3


def try_card(labelled: LabelledTable, case: Case, found: LocalEquations, place: int, palette: Palette) -> Tried | None:
    """What does the rule say of other values? Gives what is known of them."""
    view = session.view()
    equation = found.equation(place)
    names = list(dict.fromkeys(term.feature for term in equation.terms))
    with card("try"):
        heading(
            sentences_equation.TRY,
            Bella.title,
            "The equation's value beside the model's, as you move its features.",
            palette,
        )
        if not names:
            notes(["No feature counts around here, so the rule says the same of any values."], palette)
            return None
        row = with_values(labelled.schema, case, dict(view.edits))
        columns = st.columns(min(ACROSS, len(names)))
        for at, name in enumerate(names):
            with columns[at % len(columns)]:
                _control(labelled, case, labelled.schema[name], float(row[labelled.schema.index(name)]))
        tried = equation_work.tried(view, labelled, case, equation, palette)
        if tried is not None:
            st.html(sentence_html(sentences_equation.tried(labelled, tried.value, tried.asked), palette, 16))
            notes(sentences_equation.tried_notes(labelled, found, place, list(dict(view.edits)), row), palette)
        st.button(
            "Back to the case's own values", key="forget trials",
            on_click=of_case(widgets.change), kwargs={"edits": ()},
            disabled=not view.edits, help="Takes back all values that you tried.",
        )  # fmt: skip
    return tried


def _control(labelled: LabelledTable, case: Case, feature: Feature, value: float) -> None:
    """A slider in the feature's own unit, or the categories to choose from."""
    own = float(case.row[labelled.schema.index(feature.name)])
    known = [each for each in (feature.low, feature.high, own, value) if not math.isnan(each)]
    number = min(known, default=own) if math.isnan(value) else value
    key = seed(f"try {feature.name}", number if feature.is_number else write_value(feature, value))
    common: dict[str, Any] = {
        "key": key,
        "on_change": of_case(equation_acts.try_value),
        "args": (labelled.schema, case, feature.name, key),
        "help": f"This case has {plain_label(wording.value(feature, own))}. The value stays over pages as an edit.",
    }
    label = plain_label(f"{feature.title} ({feature.unit})" if feature.unit and not feature.is_date else feature.title)
    if not feature.is_number:
        options = [*feature.labels, *([missing_text(feature)] if math.isnan(own) else [])]
        st.selectbox(label, options, **common)
        return
    low, high = min(known), max(known)
    if low == high:
        st.caption(plain_label(f"{feature.title} is {wording.value(feature, low)} in all rows."))
        return
    step = 10.0**-feature.decimals
    st.slider(label, low, high, step=step, format=f"%.{feature.decimals}f", **common)


def reference_card(
    labelled: LabelledTable, case: Case, found: LocalEquations, palette: Palette
) -> ReferenceValue | None:
    """What would make it another number? Gives what was found, if a number is asked for."""
    view = session.view()
    target = found.target
    known = labelled.labels[pd.notna(labelled.labels)]
    step, decimals = 10.0**-target.decimals, target.decimals
    asked = round(found.label, decimals) if view.reference is None else view.reference
    # the slider counts its steps from its beginning
    low, high = (round(float(end), decimals) for end in (min(known.min(), asked), max(known.max(), asked)))
    with card("reference"):
        heading(
            sentences_equation.TOWARDS, Bella.title,
            "Values are taken over from a real case near the number, and the model is asked again. Locks and limits on"
            " the left hold.", palette,
        )  # fmt: skip
        left, right = st.columns(2)
        with left:
            key = seed("reference", round(asked, decimals))
            st.slider(
                plain_label(f"{target.quantity} wanted"), low, high, key=key, step=step, format=f"%.{decimals}f",
                on_change=of_data(equation_acts.ask_reference), args=(key, decimals),
                help="The number that the case should come to. It begins at the case's own.",
            )  # fmt: skip
        with right:
            key = seed("tolerance", view.tolerance)
            st.slider(
                "How near real cases must be (%)", *TOLERANCES, key=key, on_change=of_data(widgets.choose),
                args=("tolerance", key),
                help="In percent of the number wanted. Where none is near enough this is widened, and said.",
            )  # fmt: skip
        if view.reference is None:
            notes(["Move the slider to the number that this case should come to."], palette)
            return None
        answer = equation_work.reference(view, labelled, case, sentences_equation.TOWARDS, palette)
        if answer is not None:
            _show(labelled, answer, palette)
        return answer


def _show(labelled: LabelledTable, answer: ReferenceValue, palette: Palette) -> None:
    st.html(sentence_html(sentences_equation.towards(labelled, answer), palette, 16))
    if answer.was_widened and answer.towards is not None:
        notes([sentences_equation.widened(labelled, answer)], palette)
    if answer.towards is None:
        return
    changes = answer.towards.changes
    st.dataframe(answer.to_frame(), hide_index=True, key="reference changes")
    notes(filter(None, [sentences_equation.missed(labelled, answer), sentences_equation.searched(answer)]), palette)
    edits = tuple(
        sorted(
            (change.feature, write_value(labelled.schema[change.feature], float(answer.towards.row[place])))
            for change in changes
            for place in (labelled.schema.index(change.feature),)
        )
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Try these values above", key="try reference", on_click=of_case(widgets.change), kwargs={"edits": edits},
            help="Sets the features of the rule above to these values.",
        )  # fmt: skip
        st.button(
            f"Go to case {plain_label(answer.towards.neighbour)}", key="to neighbour", on_click=of_case(widgets.change),
            kwargs={"case": answer.towards.neighbour}, help="Shows the equation around the real case.",
        )  # fmt: skip
