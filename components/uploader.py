"""Your data: a sample, or a table and a model of one's own; and what was noticed in reading."""

from __future__ import annotations

import streamlit as st

import samples
from components import project_acts
from components.html import empty, heading, notes
from components.palette import Palette
from components.project_acts import of_table
from components.state import session, widgets
from components.state.widgets import seed
from components.subject import Subject
from explainers import wording
from explainers.wording import Span
from samples import as_tables

FEW_NOTES = 4
OWN = ""
TABLES = "CSV (any separator, decimal comma or encoding), Parquet or Excel"
MODELS = "scikit-learn saved by skops, or ONNX"


def data_section(subject: Subject, palette: Palette) -> None:
    """Choose what is explained, or bring it."""
    with st.container(border=True, key="card_source"):
        heading("Your data", "table and model", _about(subject), palette)
        left, right = st.columns([0.36, 0.64], gap="medium")
        with left:
            _samples(subject)
            _sheet(subject)
            _example()
        with right:
            _files()
        _told(palette)
        if subject.posed and subject.posed.problems:
            for sentence in subject.posed.problems:
                empty((Span(sentence),), palette)
            if subject.code:
                st.code(subject.code, language="python")
        _notes(subject, palette)


def _about(subject: Subject) -> str:
    edited = ", edited" if subject.project.sample and not subject.is_sample else ""
    title = f"{subject.project.table_name}{edited}"
    if subject.table is None:
        return title
    rows, columns = subject.table.frame.shape
    return f"{title}: {wording.count(rows, 'row')}, {wording.count(columns, 'column')}."


def _samples(subject: Subject) -> None:
    key = seed("sample", subject.project.sample or None)
    st.selectbox(
        "Take a sample", list(samples.SAMPLES), key=key, placeholder="none, your own file",
        format_func=lambda name: samples.SAMPLES[name].title, on_change=_choose_sample, args=(key,),
        help="Built-in tables, each with a model, its origin and its licence.",
    )  # fmt: skip


def _choose_sample(key: str) -> None:
    if widgets.value(key):
        widgets.choose_data(key)


def _sheet(subject: Subject) -> None:
    sheets = subject.sheets
    if len(sheets) > 1:
        key = seed("sheet", subject.project.sheet or None)
        st.selectbox(
            "Sheet", sheets, key=key, placeholder="the first that holds anything",
            on_change=of_table(project_acts.choose_sheet), args=(key,),
            help="Which sheet of the workbook holds the table.",
        )  # fmt: skip


def _files() -> None:
    """Both files go together, so that a table isn't trained on while its model is still on the way."""
    data = session.view().data
    with st.form(f"files {data}", border=False):
        one, other = st.columns(2)
        with one:
            st.file_uploader(
                "Bring a table", key=f"table file {data}",
                help=f"{TABLES}; one row a case. It stays on this server, under an address that can't be guessed.",
            )  # fmt: skip
        with other:
            st.file_uploader(
                "and a model, if you have one", key=f"model file {data}",
                help=f"{MODELS}. Without one a model is trained here; alone, it is tried on the table that is shown.",
            )  # fmt: skip
        st.form_submit_button(
            "Use these files", key=f"use files {data}", on_click=project_acts.bring,
            args=(f"table file {data}", f"model file {data}"),
            help="Reads the table, and tries the model on it or trains one.",
        )  # fmt: skip


def _example() -> None:
    st.caption("Or try with a pair of files made of German credit:")
    with st.container(horizontal=True, gap="small"):
        st.download_button(
            "Table", as_tables.example_table, "german_credit.csv", "text/csv", key="example table", on_click="ignore",
            icon=":material/download:", help="1 000 rows as CSV, the target in the last column.",
        )  # fmt: skip
        st.download_button(
            "Model", as_tables.example_model, "german_credit.skops", "application/octet-stream", key="example model",
            icon=":material/download:", on_click="ignore", help="A random forest fitted on them, saved by skops.",
        )  # fmt: skip


def _told(palette: Palette) -> None:
    """What the last act came to, if it came to nothing."""
    sentence, code = session.said()
    if sentence:
        empty((Span(sentence),), palette)
    if code:
        st.code(code, language="python")


def _notes(subject: Subject, palette: Palette) -> None:
    noticed = subject.notes
    open_ = widgets.is_open("notes") or len(noticed) <= FEW_NOTES + 1
    notes(noticed if open_ else noticed[:FEW_NOTES], palette)
    if len(noticed) > FEW_NOTES + 1:
        st.button(
            "Show fewer" if open_ else f"{len(noticed) - FEW_NOTES} more", key="more notes", type="tertiary",
            on_click=widgets.toggle, args=("notes",), help="Shows or hides what else was noticed in the table.",
        )  # fmt: skip
