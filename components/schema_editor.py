"""Columns: what each is called, means and may do, in a table to be edited; kept and loaded as a file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import project_acts
from components.charts.text import width_of
from components.column_editor import column_editor
from components.html import heading
from components.palette import Palette
from components.profiles import profile_grid
from components.project_acts import of_table
from components.state import session, widgets
from components.subject import Subject
from explainers import wording
from explainers.intake.schema_edits import FeatureEdit, SchemaEdits
from explainers.intake.schema_file import write_schema
from explainers.schema import Direction, Feature, Kind, SchemaError

DIRECTIONS = {Direction.ANY: "any way", Direction.UP: "only rise", Direction.DOWN: "only fall"}
ROWS_THAT_FIT, MOST_HEIGHT = 10, 470
NAMES_WIDTH, MOST_NAMES_WIDTH, CELL_FONT, CELL_PADDING = 190, 340, 14, 24
"""Pixels of the column of names, at least and at most, of a cell's letters and of what is left free beside them."""
BETWEEN = ";"


def columns_section(subject: Subject, palette: Palette) -> None:
    """Edit what was read off the columns, beside what they hold."""
    if subject.schema is None or subject.roles is None:
        return
    with st.container(border=True, key="card_columns"):
        heading(
            "What do the columns mean?", "schema",
            "Edit a cell and it holds at once, in this address only. A locked feature stays as it is in every"
            " counterfactual.", palette,
        )  # fmt: skip
        with st.container(key="schema"):
            said, held = st.columns(2, gap="medium")
        with said:
            _table(subject)
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                column_editor(subject)
                _file(subject)
        with held:
            st.html(f'<div class="about" style="color:{palette.ink_secondary}">What they hold, in all rows:</div>')
            profile_grid(subject.schema, subject.rows, palette, session.view().data)


def _table(subject: Subject) -> None:
    assert subject.schema is not None and subject.roles is not None
    features, left_out = subject.schema.features, [column for column, _ in subject.roles.left_out]
    edits = subject.project.plan.edits
    rows = [_row(feature, edits[feature.name]) for feature in features] + [_unused(column) for column in left_out]
    config = _config([row["column"] for row in rows])
    frame = pd.DataFrame(rows, columns=list(config))
    key = f"schema {session.view().data} {widgets.round_of('schema')}"
    st.data_editor(
        frame, key=key, hide_index=True, num_rows="fixed", column_config=config,
        height=MOST_HEIGHT if len(rows) > ROWS_THAT_FIT else "auto", on_change=of_table(_changed),
        args=(key, tuple(features), tuple(left_out)),
    )  # fmt: skip


def _config(names: Sequence[str]) -> dict[str, Any]:
    column = st.column_config
    text = column.TextColumn
    width = min(MOST_NAMES_WIDTH, max([NAMES_WIDTH, *map(_width, names)]))
    return {
        "column": text("Column", width=width, disabled=True, pinned=True, help="As the table and the model have it."),
        "use": column.CheckboxColumn("Use", help="Whether it is a feature. A model from a file takes its own columns."),
        "title": text("Called", width=150, help="How it is called everywhere here."),
        "unit": text("Unit", help="What it is measured in."),
        "kind": column.SelectboxColumn(
            "Kind", options=[kind.value for kind in Kind], required=True,
            help="A number is measured; a category is named. Numbers that are codes are categories.",
        ),
        "locked": column.CheckboxColumn("Locked", help="Stays as it is unless it is unlocked for a case."),
        "direction": column.SelectboxColumn(
            "May move", options=list(DIRECTIONS.values()), required=True,
            help="Which way it may change: an age only rises. Categories need an order for that, see below.",
        ),
        "at_least": text("At least", help="No change leads below this number or, for dates, year-month-day."),
        "at_most": text("At most", help="No change leads above this number or, for dates, year-month-day."),
        "missing": text(
            "Means missing", help="Values that stand for a missing one, such as -9 or unknown; semicolons between them."
        ),
        "description": text("Meaning", width="large", help="What it is, for whoever hovers over its name."),
    }  # fmt: skip


def _row(feature: Feature, edit: FeatureEdit) -> dict[str, Any]:
    grouped = len(feature.columns) > 1
    return {
        "column": _group(feature) if grouped else feature.name,
        "use": True,
        "title": feature.title,
        "unit": feature.unit,
        "kind": feature.kind.value,
        "locked": feature.locked,
        "direction": DIRECTIONS[feature.direction],
        "at_least": _bound(feature, feature.allowed_low),
        "at_most": _bound(feature, feature.allowed_high),
        "missing": f"{BETWEEN} ".join(edit.missing),
        "description": feature.description,
    }


def _group(feature: Feature) -> str:
    """The name of a group with its columns, or with how many they are where there is no room for all."""
    whole = f"{feature.name}: {', '.join(feature.columns)}"
    return whole if _width(whole) <= MOST_NAMES_WIDTH else f"{feature.name}: {len(feature.columns)} columns"


def _width(name: str) -> int:
    return math.ceil(width_of(name, CELL_FONT)) + CELL_PADDING


def _unused(column: str) -> dict[str, Any]:
    return {
        "column": column, "use": False, "title": column, "unit": "", "kind": Kind.CATEGORY.value, "locked": False,
        "direction": DIRECTIONS[Direction.ANY], "at_least": "", "at_most": "", "missing": "",
        "description": "",
    }  # fmt: skip


def _bound(feature: Feature, bound: float | None) -> str:
    if bound is None:
        return ""
    return wording.date(bound, feature.decimals) if feature.is_date else f"{bound:.12g}"


def _changed(key: str, features: Sequence[Feature], left_out: Sequence[str]) -> None:
    """Take over what was edited; what can't be is told, and the table shows again what holds."""
    edited: Mapping[Any, Mapping[str, Any]] = widgets.value(key)["edited_rows"]
    widgets.next_round("schema")
    touched = [features[int(row)].name for row in edited if int(row) < len(features)]
    project_acts.edit(partial(_with_cells, edited, features, left_out), touched)


def _with_cells(
    edited: Mapping[Any, Mapping[str, Any]], features: Sequence[Feature], left_out: Sequence[str], edits: SchemaEdits
) -> SchemaEdits:
    for row, cells in edited.items():
        place = int(row)
        if place >= len(features):
            if cells.get("use"):
                edits = edits.with_use(left_out[place - len(features)], True)
            continue
        feature = features[place]
        if cells.get("use") is False:
            edits = _without(edits, feature)
            continue
        said = {name: _read(feature, name, cell) for name, cell in cells.items() if name != "use"}
        names = {"at_least": "allowed_low", "at_most": "allowed_high"}
        edit = replace(edits[feature.name], **{names.get(name, name): value for name, value in said.items()})
        if "kind" in said and said["kind"] is not feature.kind:
            edit = replace(edit, categories=(), ordered=None, direction=None, allowed_low=None, allowed_high=None)
        edits = edits.with_feature(feature.name, edit)
    return edits


def _without(edits: SchemaEdits, feature: Feature) -> SchemaEdits:
    if len(feature.columns) > 1:
        edits = edits.with_group(feature.name, ())
    for column in feature.columns:
        edits = edits.with_use(column, False)
    return edits


def _read(feature: Feature, name: str, cell: Any) -> Any:
    """What a cell says, as an edit holds it."""
    text = "" if cell is None else cell
    if name == "title":
        return text.strip() or None
    if name in ("unit", "description"):
        return text.strip()
    if name == "kind":
        return Kind(cell)
    if name == "locked":
        return bool(cell)
    if name == "direction":
        return next(direction for direction, words in DIRECTIONS.items() if words == cell)
    if name == "missing":
        return _codes(feature, text)
    return _read_bound(feature, text.strip())


def _codes(feature: Feature, text: str) -> tuple[str, ...]:
    codes = tuple(part.strip() for part in text.split(BETWEEN) if part.strip())
    if codes and len(feature.columns) > 1:
        raise SchemaError(f"{feature.title} is a group of columns, which has no code for missing; leave it empty.")
    return codes


def _read_bound(feature: Feature, text: str) -> float | None:
    if not text:
        return None
    try:
        value = _date(text) if feature.is_date else float(text.replace(",", ".").replace("\u2212", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        what = "a date as year-month-day" if feature.is_date else "a number"
        raise SchemaError(f"{text!r} is no bound for {feature.title}; type {what}, or nothing.")
    return value


def _date(text: str) -> float:
    day = np.datetime64(text, "D")
    return math.nan if np.isnat(day) else float(day.astype(int))


def _file(subject: Subject) -> None:
    """Keep what is said of the columns, or take it from a file."""
    assert subject.schema is not None
    st.download_button(
        "Save as a file", partial(write_schema, subject.schema, subject.project.plan.edits),
        "columns.json", "application/json", key="save schema", icon=":material/download:", on_click="ignore",
        help="All that is said of the columns, as JSON, for another day or another table of the same kind.",
    )  # fmt: skip
    with st.popover("Load from a file", icon=":material/upload:", help="Takes what a saved file says."):
        key = f"schema file {session.view().data}"
        st.file_uploader(
            "A file saved here", key=key, on_change=of_table(project_acts.load_schema), args=(key,),
            help="It replaces what is said of the columns now.",
        )  # fmt: skip
    st.button(
        "As read from the table", key="forget edits", type="tertiary", on_click=of_table(project_acts.forget_edits),
        disabled=subject.project.plan.edits == SchemaEdits(), help="Forgets all that was said of the columns.",
    )  # fmt: skip
