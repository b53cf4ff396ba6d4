"""The cards of the page Compare: measures side by side, what each way changes, and a few that differ."""

from __future__ import annotations

from html import escape

import streamlit as st

from components import comparing, explaining
from components.card_parts import card, chart, headed, table
from components.charts.ways import drawn, ways_chart
from components.comparing import Comparison
from components.html import empty, heading, plain_label
from components.palette import Palette
from components.printed import as_elsewhere
from components.state import picks, session, widgets
from components.state.session import of_case
from components.state.widgets import seed
from explainers import sentences_ways, wording
from explainers.comparison import comparison_frame
from explainers.distances import value_ranges
from explainers.diversity import most_diverse
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS
from explainers.results import Counterfactual
from explainers.sentences_none_found import none_found
from explainers.ways import ways_of

MOST_DIVERSE = 4
TITLES = {name: generator.title for name, generator in GENERATORS.items()}


def methods_form() -> None:
    """Choose what is compared."""
    key = seed("compared", list(comparing.chosen(session.view())))
    st.pills(
        "Compared", list(GENERATORS), selection_mode="multi", key=key, format_func=TITLES.__getitem__,
        on_change=widgets.choose, args=("compared", key, _as_compared),
        help="The methods that look for the other side of this case. With none chosen all of them do.",
    )  # fmt: skip


def measures_card(problem: Problem, case: Case, comparison: Comparison, palette: Palette) -> None:
    """Every method by every measure."""
    with card("measures"):
        about = "The first counterfactual of each method. Less is better but for the score and for holding."
        heading("Which way to the other side is best?", "", about, palette)
        frame = comparison_frame(TITLES, comparison.done)
        shown, formats = as_elsewhere(frame, problem.target(case))
        st.dataframe(shown, hide_index=True, key="frame measures", column_config=_columns(formats.get("score")))
        if fewest := sentences_ways.fewest(TITLES, comparison.done):
            st.caption(wording.plain(fewest))
        real = next((row for row in comparison.done if row.real_im1 is not None), None)
        if real is not None:
            st.caption(
                f"Real cases of the wanted side have an IM1 of {real.real_im1:.2f} and an IM2 of {real.real_im2:.3f}"
                " in the median: it is these that values are to be held against."
            )
        for row in comparison.done:
            result = row.result
            if result.none_found is not None:
                why = none_found(problem.schema, result.target, result.factual_score, result.none_found)
                st.caption(f"{TITLES[row.method]}: {plain_label(wording.plain(why))}")
            elif not row.is_complete:
                st.caption(f"{TITLES[row.method]}: {wording.plain(sentences_ways.cut_short(row))}")
        for name, sentence in comparison.failures:
            st.caption(f"{TITLES[name]}: {plain_label(sentence)}")
        if comparison.was_stopped and comparison.waiting:
            st.caption(wording.plain(sentences_ways.not_asked([TITLES[name] for name in comparison.waiting])))
        if comparison.was_stopped or not all(row.is_complete for row in comparison.done):
            st.button(
                "Go on", key="again", on_click=explaining.again,
                help="Starts anew what ended early, and asks the methods that were not asked yet.",
            )  # fmt: skip


def changes_card(problem: Problem, comparison: Comparison, palette: Palette) -> None:
    """What each method's first counterfactual changes, side by side."""
    shown = [(row.method, row.result.found[0]) for row in comparison.done if row.result.found]
    if not shown:
        if not comparison.pending and not comparison.was_stopped:
            empty(sentences_ways.none_of_them(len(comparison.done) + len(comparison.failures)), palette)
        return
    ranges = value_ranges(problem.rows[problem.training])
    ways = ways_of(problem.schema, ranges, [(TITLES[method], found) for method, found in shown])
    with card("ways"):
        about = wording.plain(sentences_ways.about_ways(len(ways.features) - len(drawn(ways))))
        if headed("ways", "What would each of them change?", "", about, palette):
            table(ways.to_frame(), "ways")
        else:
            figure = ways_chart(ways, tuple(method for method, _ in shown), palette)
            chart("ways", figure, wording.plain(sentences_ways.alt_ways(ways)), picks.open_way)
        with st.container(horizontal=True, gap="small"):
            for method, _ in shown:
                _open_button(method, 0, f"Open {TITLES[method]}")


def diverse_card(problem: Problem, comparison: Comparison, palette: Palette) -> None:
    """A few of all that was found which differ most from each other."""
    pool = [found for row in comparison.done for found in row.result.found]
    if len(pool) < 2:
        return
    places = {id(found): (row.method, at) for row in comparison.done for at, found in enumerate(row.result.found)}
    ranges = value_ranges(problem.rows[problem.training])
    with card("diverse"):
        heading(
            "Which few of them differ most?", "greedy determinant",
            f"Of {wording.count(len(pool), 'counterfactual')} found by all methods: near the case, unlike each other.",
            palette,
        )  # fmt: skip
        for found in most_diverse(problem.schema, ranges, pool, MOST_DIVERSE):
            method, at = places[id(found)]
            with st.container(horizontal=True, vertical_alignment="center", key=f"diverse_{method}_{at}"):
                st.html(_described(method, found, palette), width="stretch")
                _open_button(method, at, "Open", f" {at}")


def _described(method: str, found: Counterfactual, palette: Palette) -> str:
    changes = "; ".join(
        f"{escape(c.title)} {escape(c.old_text)} → "
        f'<span style="color:{palette.desired};font-weight:600">{escape(c.new_text)}</span>'
        for c in found.changes
    )
    return (
        f'<div class="diverse"><b>{escape(TITLES[method])}</b>, {wording.count(len(found), "change")}, '
        f"{wording.score(found.score, found.target)}: {changes}</div>"
    )


def _open_button(method: str, place: int, label: str, suffix: str = "") -> None:
    st.button(
        plain_label(label), key=f"open {method}{suffix}",
        on_click=of_case(widgets.open_counterfactual), args=(method, place),
        help="Shows on the page Explain what counts in it and which of its changes are enough.",
    )  # fmt: skip


def _as_compared(names: list[str]) -> tuple[str, ...]:
    kept = tuple(name for name in GENERATORS if name in names)
    return () if len(kept) == len(GENERATORS) else kept


def _columns(score: str | None) -> dict[str, object]:
    number = st.column_config.NumberColumn
    return {
        "method": st.column_config.TextColumn("Method", width=180),
        "found": number("Found", help="How many counterfactuals it shows."),
        "valid": st.column_config.CheckboxColumn("Valid", help="Whether it has the wanted decision when scored anew."),
        "changes": number("Changes", help="How many features change (L0)."),
        "distance": number("Distance", format="%.2f", help="Differences over each feature's range, summed (L1)."),
        "score": number("Score", format=score, help="The score that is drawn everywhere."),
        "violations": number("Violations", help="Changes that break a lock, a range or a direction."),
        "IM1": number(format="%.2f", help="How badly an autoencoder of the wanted side knows the row, over how badly "
                      "one of the case's own side does. Below 1 it looks more like the wanted side."),
        "IM2": number(format="%.3f", help="How differently an autoencoder of the wanted side and one of all rows see "
                      "the row. Less is more usual."),
        "to real": number("To a real case", format="%.2f", help="L1 to the nearest real case of the wanted side; 0 is "
                          "a real case."),
        "robustness": number("Holds when retrained", format="percent", help="Under how many of five models of the "
                             "same kind, each fitted to another draw of the training rows, it still has the wanted "
                             "decision. Empty where the model can't be fitted again."),
        "seconds": number("Seconds", format="%.2f", help="How long the search took here."),
    }  # fmt: skip
