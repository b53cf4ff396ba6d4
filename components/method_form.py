"""How to find the other side: method, its options, and the decision; drawn from what methods declare."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import streamlit as st

from components.state import session, widgets
from components.state.widgets import seed
from explainers.decision import BinaryDecision, BinaryTarget, Target
from explainers.method import Options
from explainers.problem import Problem
from explainers.registry import GENERATORS

OTHER_SIDE = "the other side"
THRESHOLD_STEP = 0.01


def method_form(problem: Problem) -> None:
    """Choose the generator and set its options."""
    view = session.view()
    key = seed("method", view.method)
    st.selectbox(
        "How to find the other side", list(GENERATORS), key=key, format_func=lambda name: GENERATORS[name].title,
        on_change=widgets.choose_method, args=(key,),
        help="The method that looks for the changes. Each is named as in the literature.",
    )  # fmt: skip
    generator = GENERATORS[view.method]
    st.caption(generator.question)
    unfit = generator.unfit(problem)
    if unfit:
        st.caption(unfit)
        return
    options = view.method_options()
    for item in fields(options):
        _option(item.name, item.metadata, options)


def decision_form(problem: Problem, target: Target | None) -> None:
    """Set the threshold, as drawn, and which side is wanted."""
    decision = problem.decision
    if not isinstance(decision, BinaryDecision):
        return
    wants_one = target.wants_one if isinstance(target, BinaryTarget) else True
    drawn = decision.threshold if wants_one else 1.0 - decision.threshold
    key = seed("threshold", round(drawn, 4))
    st.slider(
        f"Threshold for {decision.classes[int(wants_one)]}", THRESHOLD_STEP, 1.0 - THRESHOLD_STEP, key=key,
        step=THRESHOLD_STEP, on_change=widgets.choose, args=("threshold", key, _undrawn(wants_one)),
        help="From this probability on a case counts as this class. It is the model's decision that moves, "
        "not the model.",
    )  # fmt: skip
    key = seed("wanted", session.view().wanted or OTHER_SIDE)
    st.selectbox(
        "Decision wanted", [OTHER_SIDE, *decision.classes], key=key, on_change=widgets.choose,
        args=("wanted", key, lambda side: None if side == OTHER_SIDE else side),
        help="By default the side that the case is not on. With a fixed side some cases already have it.",
    )  # fmt: skip


def _undrawn(wants_one: bool) -> Any:
    return (lambda drawn: drawn) if wants_one else (lambda drawn: round(1.0 - drawn, 4))


def _option(name: str, about: Any, options: Options) -> None:
    value = getattr(options, name)
    key = seed(f"option {name}", value)
    common = {"key": key, "help": about["help"], "on_change": widgets.choose_option, "args": (name, key)}
    if "choices" in about:
        st.selectbox(about["label"], list(about["choices"]), format_func=about["choices"].__getitem__, **common)
    elif "low" in about:
        st.slider(about["label"], about["low"], about["high"], **common)
    else:
        st.toggle(about["label"], **common)
