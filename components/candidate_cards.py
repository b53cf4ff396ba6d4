"""The cards of the page Candidates: which way is cheaper, and whether candidates look real."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from components import catalogue
from components.beside_work import worked
from components.card_parts import card, chart, headed, table
from components.charts import association
from components.charts.distribution import distribution_chart
from components.charts.tradeoff import drawn, tradeoff_chart
from components.html import heading, sentence_html
from components.palette import Palette
from components.state import picks, session, widgets
from components.state.session import of_case
from components.state.view import View
from explainers import sentences_beside, sentences_candidates, wording
from explainers.counterfactuals.candidates import SampledCounterfactuals
from explainers.counterfactuals.realism import Correlations, ToldApart, alike, correlations, told_apart
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS
from explainers.results import Counterfactual
from explainers.run import Run
from explainers.usualness import usual_frame, usualness

T = TypeVar("T")

TRADEOFF = "Fewer changes or a shorter way?"
REALISTIC = "Is it realistic?"
ASKS = {
    "correlations": ("Do features go together as they should?", "Compares how strongly every two features go together "
                     "among real and among sampled rows."),
    "apart": ("Can sampled rows be told from real ones?", "Lets a random forest try to tell them apart."),
}  # fmt: skip


def tradeoff_card(found: SampledCounterfactuals, method: str, shown: int, palette: Palette) -> None:
    """Every candidate by its changes and its distance."""
    candidates = found.candidates
    about = wording.plain(sentences_candidates.about_tradeoff(candidates, drawn(candidates)))
    with card("tradeoff"):
        if headed("tradeoff", TRADEOFF, "", about, palette):
            table(candidates.to_frame(), "tradeoff", found.target)
            return
        figure = tradeoff_chart(candidates, found.target, palette, shown=shown)
        alt = wording.plain(sentences_candidates.alt_tradeoff(candidates))
        chart("tradeoff", figure, alt, lambda name: picks.pick_candidate_dot(method, name))


def realistic_card(problem: Problem, case: Case, counterfactual: Counterfactual, view: View, palette: Palette) -> None:
    """How usual each new value is among rows with the case's locked values."""
    rows = alike(problem, case, view.constraints(problem.schema))
    values = usualness(problem.schema, rows.rows, counterfactual)
    about = wording.plain(sentences_candidates.about_alike(problem.schema, rows))
    with card("realistic"):
        if headed("realistic", REALISTIC, "", about, palette):
            table(usual_frame(values), "realistic")
            return
        figure = distribution_chart(values, palette, selected=frozenset(session.view().selection))
        chart("realistic", figure, wording.plain(sentences_beside.alt_usual(values)), picks.pick_change)


def realism_asks(problem: Problem, case: Case, view: View, palette: Palette) -> None:
    """What can be asked about all sampled rows, one at a time; pressing its button again puts it away."""
    with st.container(key="realism", horizontal=True, gap="small"):
        for name, (label, help_) in ASKS.items():
            is_shown = name == view.realism
            st.button(
                label, key=f"realism {name}", type="primary" if is_shown else "secondary",
                on_click=of_case(widgets.change),
                kwargs={"realism": "" if is_shown else name}, help="Puts it away." if is_shown else help_,
            )  # fmt: skip
    if view.realism == "correlations":
        _correlations_card(_asked(problem, case, view, correlations, palette), palette)
    elif view.realism == "apart":
        _apart_card(_asked(problem, case, view, told_apart, palette), palette)


def _asked(problem: Problem, case: Case, view: View, ask: Callable[..., T], palette: Palette) -> T | None:
    """What is known about the sampled rows, computed as a job."""
    generator, options, locks = GENERATORS[view.method], view.method_options(), view.constraints(problem.schema)
    target, order = problem.target(case), dict(options.items())["visits"]

    def work(run: Run) -> T:
        prepared = catalogue.prepared(problem, generator, locks, options, run)
        return ask(problem, target, locks, prepared, order, run)

    return worked(ASKS[view.realism][0], (view.realism, problem.key, target, view.rules, order), work, palette)


def _correlations_card(compared: Correlations | None, palette: Palette) -> None:
    if compared is None:
        return
    with card("correlations"):
        about = wording.plain(sentences_candidates.about_correlations(compared, len(association.drawn(compared))))
        if headed("correlations", ASKS["correlations"][0], "", about, palette):
            table(compared.to_frame(), "correlations")
            return
        st.plotly_chart(
            association.association_chart(compared, palette), width="stretch", theme=None, key="correlations",
            alt=about, config={"displayModeBar": False},
        )  # fmt: skip


def _apart_card(told: ToldApart | None, palette: Palette) -> None:
    if told is None:
        return
    with card("apart"):
        heading(ASKS["apart"][0], "", "", palette)
        st.html(sentence_html(sentences_candidates.told_apart(told), palette, 16))
