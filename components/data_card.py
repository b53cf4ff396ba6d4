"""What is known about the data and the model: the card, the columns, how well the model does."""

from __future__ import annotations

from html import escape

import pandas as pd
import streamlit as st

import samples
from components.html import heading
from components.palette import Palette
from explainers import wording
from explainers.decision import Decision, IntervalDecision
from explainers.problem import Problem
from explainers.schema import Direction, Feature
from explainers.training import HeldOut, held_out

DIRECTIONS = {Direction.ANY: "", Direction.UP: "may only rise", Direction.DOWN: "may only fall"}


def data_card(name: str, palette: Palette) -> None:
    """Where the table comes from, under which terms, and what is odd about it."""
    card = samples.get(name).card
    facts = {
        "Origin": card.origin,
        "Licence": card.licence,
        "Cite as": card.citation,
        "Rows": wording.number(card.rows, 0),
        "Predicted": f"{card.target}: {card.target_description}",
    }
    with st.container(border=True, key="card_data"):
        heading(card.title, "data card", card.summary, palette)
        st.html(_facts(facts, palette) + "".join(f'<p class="caveat">{escape(text)}</p>' for text in card.caveats))


def model_card(problem: Problem, palette: Palette) -> None:
    """What the model is, what it was trained on, and how often it is right where it wasn't."""
    names = problem.decision.side_names()
    sides = problem.decision.sides(problem.outputs)
    unseen = ~problem.training
    counts = ", ".join(
        f"{wording.number(int((sides[unseen] == side).sum()), 0)} {name}" for side, name in enumerate(names)
    )
    facts = {
        "Trained on": wording.count(int(problem.training.sum()), "row"),
        "Not seen": wording.count(int(unseen.sum()), "row"),
        "Right on rows not seen" if problem.model.classes else "On rows not seen": accuracy_text(problem),
        "Decided on rows not seen": counts,
    }
    with st.container(border=True, key="card_model"):
        heading(
            problem.model.name, "model", "What is explained is this model, not the world it was trained on.", palette
        )
        st.html(_facts(facts, palette))


def accuracy_text(problem: Problem) -> str:
    """How well the model does on unseen rows: share decided as observed, or R² and mean absolute error."""
    return "; ".join(_measured(measure, problem.decision) for measure in held_out(problem)) or "not known"


def _measured(measure: HeldOut, decision: Decision) -> str:
    if not isinstance(decision, IntervalDecision):
        return f"{100 * measure.value:.1f}{wording.SPACE}%"
    if measure.name == "R²":
        return f"R² {wording.number(measure.value, 2)}"
    off = f"{wording.number(measure.value, decision.decimals)} {decision.unit}".strip()
    return f"{measure.name} {off}"


def columns_table(problem: Problem) -> None:
    """Every feature: name, kind, unit, values, and what binds it by default."""
    st.dataframe(
        pd.DataFrame([_about(feature) for feature in problem.schema.features]), hide_index=True, key="columns",
        column_config={"meaning": st.column_config.TextColumn(width="large")},
    )  # fmt: skip


def _about(feature: Feature) -> dict[str, str]:
    if feature.is_number:
        values = f"{wording.value(feature, feature.low, unit=False)} to {wording.value(feature, feature.high)}"
    else:
        values = (" < " if feature.ordered else ", ").join(feature.labels)
    return {
        "feature": feature.title,
        "column": ", ".join(feature.columns),
        "kind": feature.kind.value,
        "unit": feature.unit,
        "values": values,
        "by default": "locked" if feature.locked else DIRECTIONS[feature.direction],
        "meaning": feature.description,
    }


def _facts(facts: dict[str, str], palette: Palette) -> str:
    rows = "".join(
        f'<dt style="color:{palette.ink_secondary}">{escape(name)}</dt><dd>{escape(text)}</dd>'
        for name, text in facts.items()
    )
    return f'<dl class="facts">{rows}</dl>'
