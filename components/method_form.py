"""How to find the other side: method, its options, and the decision; drawn from what methods declare."""

from __future__ import annotations

from dataclasses import fields, replace
from html import escape
from typing import Any

import streamlit as st

from components.state import session, widgets
from components.state.session import of_data
from components.state.view import View
from components.state.widgets import seed
from explainers import standing
from explainers.decision import (
    ANY_OTHER,
    BinaryDecision,
    BinaryTarget,
    ClassDecision,
    IntervalDecision,
    OneVsRestDecision,
    Target,
)
from explainers.method import Options
from explainers.problem import Problem
from explainers.registry import GENERATORS

OTHER_SIDE = "the other side"
RUNNER_UP = "the runner-up"
THRESHOLD_STEP = 0.01


def method_form(problem: Problem) -> None:
    """Choose the generator and set its options."""
    view = session.view()
    key = seed("method", view.method)
    st.selectbox(
        "How to find the other side", list(GENERATORS), key=key, format_func=lambda name: GENERATORS[name].title,
        on_change=of_data(widgets.choose_method), args=(key,),
        help="The method that looks for the changes. Each is named as in the literature.",
    )  # fmt: skip
    generator = GENERATORS[view.method]
    st.caption(generator.question)
    unfit = generator.unfit(problem)
    if unfit:
        st.caption(unfit)
        return
    options_form(view)


def options_form(view: View) -> None:
    """Set the options of a view's generator, which is the one that is asked from then on."""
    options = view.method_options()
    for item in fields(options):
        option_form(view.method, item.name, options)


def option_form(method: str, name: str, options: Options) -> None:
    """Set one option of a generator, which is the one that is asked from then on."""
    item = next(item for item in fields(options) if item.name == name)
    about, key = item.metadata, seed(f"option {name}", getattr(options, name))
    choose = of_data(widgets.choose_option)
    common = {"key": key, "help": about["help"], "on_change": choose, "args": (method, name, key)}
    if "choices" in about:
        st.selectbox(about["label"], list(about["choices"]), format_func=about["choices"].__getitem__, **common)
    elif "low" not in about:
        st.toggle(about["label"], **common)
    elif item.default is None:
        st.number_input(about["label"], about["low"], about["high"], value=None, placeholder="no bound", **common)
    else:
        st.slider(about["label"], about["low"], about["high"], **common)


def decision_form(problem: Problem, target: Target | None) -> None:
    """Set what is wanted, as it is drawn, and see how many rows are on each side."""
    decision = problem.decision
    if isinstance(decision, BinaryDecision):
        _binary_form(decision, target)
    elif isinstance(decision, ClassDecision | OneVsRestDecision):
        _class_form(decision)
    elif isinstance(decision, IntervalDecision):
        _interval_form(decision)
    st.html(f'<div class="counts">{escape(standing.side_counts(problem))}</div>')


def _binary_form(decision: BinaryDecision, target: Target | None) -> None:
    wants_one = target.wants_one if isinstance(target, BinaryTarget) else True
    drawn = decision.threshold if wants_one else 1.0 - decision.threshold
    key = seed("threshold", round(drawn, 4))
    st.slider(
        f"Threshold for {decision.classes[int(wants_one)]}", THRESHOLD_STEP, 1.0 - THRESHOLD_STEP, key=key,
        step=THRESHOLD_STEP, on_change=of_data(widgets.choose), args=("threshold", key, _undrawn(wants_one)),
        help="From this probability on a case counts as this class. It is the model's decision that moves, "
        "not the model. Where the case changes sides by it, the other class is wanted, and the slider turns over.",
    )  # fmt: skip
    key = seed("wanted", session.view().wanted or OTHER_SIDE)
    st.selectbox(
        "Decision wanted", [OTHER_SIDE, *decision.classes], key=key, on_change=of_data(widgets.choose),
        args=("wanted", key, lambda side: None if side == OTHER_SIDE else side),
        help="By default the side that the case is not on. With a fixed side some cases already have it.",
    )  # fmt: skip


def _undrawn(wants_one: bool) -> Any:
    return (lambda drawn: drawn) if wants_one else (lambda drawn: round(1.0 - drawn, 4))


def _class_form(decision: ClassDecision | OneVsRestDecision) -> None:
    """Which class is wanted and, for one that is, from which probability on it counts."""
    rules = [RUNNER_UP, *([ANY_OTHER] if len(decision.classes) > 2 and ANY_OTHER not in decision.classes else [])]
    key = seed("wanted", decision.wanted or RUNNER_UP)
    st.selectbox(
        "Class wanted", [*rules, *decision.classes], key=key, on_change=of_data(_choose_class), args=(key,),
        help="By default the class that is the most probable one but for the case's own. With any other class a case "
        "flips wherever it leaves its own, and prototypes are those of the nearest other class. With a fixed class "
        "some cases already have it.",
    )  # fmt: skip
    if decision.wanted is None or (isinstance(decision, ClassDecision) and decision.wants_any_other):
        return
    key = seed("class threshold", decision.threshold if isinstance(decision, OneVsRestDecision) else None)
    st.number_input(
        f"Threshold for {decision.wanted}", THRESHOLD_STEP, 1.0 - THRESHOLD_STEP, key=key, step=THRESHOLD_STEP,
        placeholder="most probable", on_change=of_data(_choose_decision), args=("threshold", key),
        help="Empty, the most probable class is the decision. With a threshold the class stands against all others "
        "together: a case is of it from this probability on.",
    )  # fmt: skip


def _interval_form(decision: IntervalDecision) -> None:
    """From which number on and up to which; one field bounds the other, so that the range can't be empty."""
    bounds = {"low": decision.low, "high": decision.high}
    texts = {"low": "Wanted from", "high": "Wanted up to"}
    for name, bound in bounds.items():
        key = seed(name, bound)
        st.number_input(
            texts[name], key=key, placeholder="no bound", on_change=of_data(_choose_decision), args=(name, key),
            min_value=decision.low if name == "high" else None, max_value=decision.high if name == "low" else None,
            format=f"%.{decision.decimals}f", step=10.0**-decision.decimals,
            help=f"{decision.quantity}: the least that is wanted." if name == "low"
            else f"{decision.quantity}: the most that is wanted.",
        )  # fmt: skip
    if not decision.has_range:
        st.caption(standing.default_interval(decision))


def _choose_class(key: str) -> None:
    """Want another class, without the threshold of the one before."""
    name = widgets.value(key)
    _decide(wanted=None if name == RUNNER_UP else name, threshold=None)


def _choose_decision(name: str, key: str) -> None:
    _decide(**{name: widgets.value(key)})


def _decide(**changes: Any) -> None:
    """Change what is wanted; the sides then have other names, so a filter by side falls away."""
    widgets.change(**changes, query=replace(session.view().query, side=None))
