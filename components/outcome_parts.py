"""What stands around the charts: the ways found, what to do next, what was checked, and why nothing was found."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from components import explaining
from components.html import empty, plain_label
from components.palette import Palette
from components.state import session, widgets
from components.state.session import of_case, of_data
from components.state.widgets import seed
from explainers import sentences
from explainers.counterfactuals.prototype_path import PrototypePath
from explainers.decision import BinaryDecision
from explainers.explanation import Explanation
from explainers.problem import Problem
from explainers.results import Counterfactuals
from explainers.sentences_none_found import none_found
from explainers.wording import Span

MOST_SIDE_BY_SIDE = 5
MOST_OFFERED = 3
WISHES = ("wanted", "threshold", "low", "high")
NO_WAY_DOWN = ("flat", "exhausted")
"""Why a search by slopes that no real case guides finds nothing."""


def alternatives(found: Counterfactuals | None) -> None:
    """Choose between the counterfactuals found."""
    if found is None or len(found.found) < 2 or session.view().kept:
        return
    texts = _told_apart(sentences.alternatives(found))
    help_ = (
        "Those of your rows that flip this case, in their order."
        if session.view().given
        else "Counterfactuals towards different real cases: fewest changes first, then the nearest."
        " Other methods may need fewer changes: the page Compare asks them all."
    )
    label = sentences.ways(found)
    if len(texts) <= MOST_SIDE_BY_SIDE:
        _side_by_side(label, texts, help_)
        return
    key = seed("shown", session.view().counterfactual)
    st.selectbox(
        label, range(len(texts)), format_func=texts.__getitem__, key=key, help=help_,
        on_change=of_case(widgets.choose), args=("counterfactual", key),
    )  # fmt: skip


def _side_by_side(label: str, texts: tuple[str, ...], help_: str) -> None:
    """One button a way: unlike a segmented control they leave the arrow keys to the case bar."""
    st.html(f'<div class="ways">{escape(label)}</div>')
    with st.container(horizontal=True, gap="small", key="ways"):
        for place, text in enumerate(texts):
            is_shown = place == session.view().counterfactual
            st.button(
                f"**● {plain_label(text)}**" if is_shown else plain_label(text), key=f"shown {place}", help=help_,
                on_click=of_case(widgets.change), kwargs={"counterfactual": place},
            )  # fmt: skip


def _told_apart(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Options by number where two read the same: a select box knows an option by its text alone."""
    if len(set(texts)) == len(texts):
        return texts
    return tuple(f"{place}: {text}" for place, text in enumerate(texts, 1))


def actions(explanation: Explanation) -> None:
    """The best next act: keep only what is enough, or go back to all that was found."""
    coalitions = explanation.combinations
    if session.view().kept:
        st.button(
            "Show all changes found", key="keep all",
            on_click=of_case(widgets.change), kwargs={"kept": ()},
            help="Goes back to the counterfactual as it was found.",
        )  # fmt: skip
    enough = explanation.enough
    if enough is not None:
        size = coalitions.size(enough)
        verb = "is" if size == 1 else "are"
        st.button(
            f"Keep only the {size} that {verb} enough", key="reduce", type="primary",
            on_click=of_case(widgets.change), kwargs={"kept": coalitions.names(enough)},
            help="The smallest set of these changes that is known to flip the case.",
        )  # fmt: skip


def checked_list(explanation: Explanation, palette: Palette) -> None:
    """What was checked about what is shown."""
    checked_lines(sentences.checked(explanation), palette)


def checked_lines(lines: Sequence[str], palette: Palette) -> None:
    """What was checked, a line each."""
    st.html(
        f'<div style="font-size:14px;line-height:1.45;border-top:1px solid {palette.grid};padding-top:9px">'
        f'<b style="font-weight:600">Checked</b><br>'
        f'<span style="color:{palette.ink_secondary}">{"<br>".join(map(escape, lines))}</span></div>'
    )


def _no_wish(problem: Problem) -> dict[str, None]:
    """What has to go so that the other side is wanted; the threshold of two classes wishes nothing."""
    wishes = ("wanted", "low", "high") if isinstance(problem.decision, BinaryDecision) else WISHES
    return dict.fromkeys(wishes)


def failed(sentence: str, palette: Palette) -> None:
    """Why nothing can be shown, and the way back to what was found."""
    empty((Span(sentence),), palette)
    st.button(
        "Show what was found", key="found", on_click=of_case(widgets.change),
        kwargs={"counterfactual": 0, "kept": (), "given": ""},
        help="Goes to the first counterfactual of this case, with all its changes.",
    )  # fmt: skip


def none_found_strip(problem: Problem, found: Counterfactuals, palette: Palette) -> None:
    """Why nothing was found, and the one act that helps."""
    none = found.none_found
    if none is None:
        return
    empty(none_found(problem.schema, found.target, found.factual_score, none), palette)
    if none.reason == "stopped":
        st.button("Search again", key="again", on_click=explaining.again, help="Starts the search anew.")
    if none.reason == "bounded":
        st.button(
            "Reset the options", key="reset options", on_click=of_case(widgets.change),
            kwargs={"method": found.origin.method, "options": ()},
            help="Sets the method as it is at first, without bounds.",
        )  # fmt: skip
    if none.reason in NO_WAY_DOWN:
        st.button(
            "Take the prototype path", key="take the path", on_click=of_case(widgets.change),
            kwargs={"method": PrototypePath.name, "options": ()},
            help="Looks for the other side on the way to real cases, which any model allows.",
        )  # fmt: skip
    if none.reason == "reached":
        st.button(
            "Ask for the other side", key="other side", on_click=of_case(widgets.change), kwargs=_no_wish(problem),
            help="Looks for what would take the decision away.",
        )  # fmt: skip
    for name in none.relaxing[:MOST_OFFERED]:
        title = problem.schema[name].title
        st.button(
            f"Unlock {title}", key=f"relax {name}", on_click=of_data(widgets.free), args=(problem.schema, name),
            help=f"Takes the lock and all limits off {title}; that alone is enough.",
        )  # fmt: skip
    if none.together:
        titles = sentences.listed([problem.schema[name].title for name in none.together])
        st.button(
            plain_label(f"Unlock {titles}"), key="relax together", on_click=of_data(widgets.free),
            args=(problem.schema, *none.together), help="Takes their locks and limits off; fewer are not enough.",
        )  # fmt: skip
