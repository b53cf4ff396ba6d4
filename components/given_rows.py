"""Counterfactuals that somebody brings: how they come here, what is wrong with some, and the way back."""

from __future__ import annotations

import csv
import io

import streamlit as st

from components import projects, sources
from components.html import empty, notes
from components.palette import Palette
from components.state import session, widgets
from components.state.session import of_case, of_data
from components.state.view import EDITS
from components.store_errors import StoreError
from explainers.intake.refusal import Refused
from explainers.intake.rows import MOST_BYTES, MOST_ROWS, read_rows
from explainers.intake.typed import write_value
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS
from explainers.results import Counterfactuals, Rejected
from explainers.wording import Span

MOST_LISTED = 5
MOST_FREED = 3
BRING = "bring rows"


def bring_rows(problem: Problem, case: Case, palette: Palette) -> None:
    """Take a file of counterfactuals, or go back to those that are searched for."""
    if session.view().given:
        st.button(
            f"Back to {GENERATORS[session.view().method].title}", key="search instead", width="stretch",
            on_click=of_case(widgets.change), kwargs={"given": ""}, help="Shows what this method finds.",
        )  # fmt: skip
    opened = st.popover(
        "Bring counterfactuals", icon=":material/upload:", key=BRING, on_change="rerun", width="stretch",
        help="Explains the counterfactuals of any other generator, or your own.",
    )  # fmt: skip
    if opened.open:
        with opened:
            _form(problem, case, palette)


def _form(problem: Problem, case: Case, palette: Palette) -> None:
    key = f"rows {widgets.round_of(BRING)}"
    with st.form("rows", border=False):
        st.file_uploader(
            "Rows as CSV", key=key, max_upload_size=MOST_BYTES // 10**6,
            help=f"At most {MOST_ROWS} rows. The first line names features; a feature that is not named, an empty cell"
            " and a dash stay as this case has them, and the word missing is missing.",
        )  # fmt: skip
        st.form_submit_button(
            "Check and show", key="use rows", on_click=of_case(_take), args=(problem, key),
            help="Scores every row; those that flip this case and keep all locks and limits are shown.",
        )  # fmt: skip
    st.download_button(
        "This case as CSV", lambda: _case_as_csv(problem, case), f"case_{case.id}.csv", "text/csv", key="case as rows",
        on_click="ignore", icon=":material/download:", help="One row to begin with: change some values, drop the rest.",
    )  # fmt: skip
    sentence, _ = session.said()
    if sentence:
        empty((Span(sentence),), palette)


def _take(problem: Problem, key: str) -> None:
    """Keep the file that an uploader holds, once it can be read, and look at its rows."""
    file = widgets.value(key)
    if file is None:
        session.say("No file is chosen; choose one whose first line names features.")
        return
    try:
        read_rows(problem.schema, file.name, file.getvalue())
        token = projects.keep_file(projects.ROWS, file.name, file.getvalue())
    except (Refused, StoreError) as refused:
        session.say(str(refused))
        return
    widgets.next_round(BRING)
    widgets.change(given=token)


def _case_as_csv(problem: Problem, case: Case) -> bytes:
    text = io.StringIO(newline="")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(problem.schema.names)
    lines.writerow([write_value(f, float(value)) for f, value in zip(problem.schema.features, case.row, strict=True)])
    return text.getvalue().encode()


def rejected(problem: Problem, found: Counterfactuals, palette: Palette) -> None:
    """Say of each row that is no counterfactual why, and offer to free what alone is in the way."""
    view = session.view()
    if not view.given:
        return
    left_out = () if view.given == EDITS else sources.brought_by(view, problem)[1].notes
    listed = found.rejected if found.found or len(found.rejected) > 1 else ()
    shown = listed if widgets.is_open("rejected") else listed[:MOST_LISTED]
    notes((*left_out, *(row.sentence for row in shown)), palette)
    if len(listed) > MOST_LISTED:
        more = len(listed) - MOST_LISTED
        st.button(
            "Show fewer" if widgets.is_open("rejected") else f"{more} more", key="more rejected", type="tertiary",
            on_click=widgets.toggle, args=("rejected",), help="Shows or hides the other rows that are none.",
        )  # fmt: skip
    _offer(problem, found.rejected)


def _offer(problem: Problem, rows: tuple[Rejected, ...]) -> None:
    """Free the features of one row, the first that flips."""
    binding = next((row.binding for row in rows if row.binding), ())
    for name in binding[:MOST_FREED]:
        title = problem.schema[name].title
        st.button(
            f"Unlock {title}", key=f"relax {name}", on_click=of_data(widgets.free), args=(problem.schema, name),
            help=f"Takes the lock and all limits off {title}.",
        )  # fmt: skip
