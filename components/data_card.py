"""What is known about the data and the model: the card, the columns, how well the model does."""

from __future__ import annotations

from html import escape

import streamlit as st

import samples
from components.html import heading
from components.palette import Palette
from explainers import wording
from explainers.decision import Decision, IntervalDecision
from explainers.problem import Problem
from explainers.training import HeldOut, held_out


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


def model_facts(problem: Problem, palette: Palette) -> str:
    """What the model was trained on, and how often it is right where it wasn't."""
    names = problem.decision.side_names()
    unseen = problem.unseen
    sides = problem.decision.sides(problem.outputs[unseen])
    counts = ", ".join(f"{wording.number(int((sides == side).sum()), 0)} {name}" for side, name in enumerate(names))
    if not problem.knows_training:
        facts = {
            "Trained on": "not known: any of these rows may have been among them",
            "Agrees with what was observed": _agreement(problem),
            "Decided": counts,
        }
        return _facts(facts, palette)
    facts = {
        "Trained on": wording.count(int(problem.training.sum()), "row"),
        "Not seen": wording.count(int(unseen.sum()), "row"),
        "Right on rows not seen" if problem.model.classes else "On rows not seen": accuracy_text(problem),
        "Decided on rows not seen": counts,
    }
    return _facts(facts, palette)


def _agreement(problem: Problem) -> str:
    """Share of the rows decided as they turned out, seen or not."""
    observed = problem.observed_sides
    if observed is None or not problem.model.classes or not (observed >= 0).any():
        return "not known"
    known = int((observed >= 0).sum())
    right = known - int(problem.wrong().sum())
    return f"{100 * right / known:.1f}{wording.SPACE}% of {wording.count(known, 'row')}, if seen in training or not"


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


def _facts(facts: dict[str, str], palette: Palette) -> str:
    rows = "".join(
        f'<dt style="color:{palette.ink_secondary}">{escape(name)}</dt><dd>{escape(text)}</dd>'
        for name, text in facts.items()
    )
    return f'<dl class="facts">{rows}</dl>'
