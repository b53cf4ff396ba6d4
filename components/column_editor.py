"""One column closely: its categories' order and names; and columns that belong together, as a feature or a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from components import project_acts
from components.html import plain_label
from components.project_acts import of_table
from components.state import session, widgets
from components.subject import Subject
from explainers.intake.schema_edits import SchemaEdits
from explainers.picture import FEWEST_PIXELS, arranged
from explainers.schema import Feature, Schema, SchemaError

FEWEST_TOGETHER = 2


def column_editor(subject: Subject) -> None:
    """Draw what doesn't fit into a row of the table, behind two buttons."""
    assert subject.schema is not None
    categories = [feature for feature in subject.schema.features if not feature.is_number]
    if categories:
        with st.popover("Categories", icon=":material/format_list_numbered:", help="Their order and their names."):
            _categories(subject, categories)
    if len(subject.schema.columns) > 1:
        with st.popover("Groups", icon=":material/join:", help="Columns that make sense only together."):
            _groups(subject)
    numbers = [feature.name for feature in subject.schema.features if feature.is_number]
    if len(numbers) >= FEWEST_PIXELS:
        with st.popover("Picture", icon=":material/grid_on:", help="Columns that are the pixels of a picture."):
            _picture(subject.schema, numbers)


def _categories(subject: Subject, categories: Sequence[Feature]) -> None:
    names = {feature.name: feature for feature in categories}
    chosen = widgets.chosen("categories of", categories[0].name)
    key = widgets.seed("which categories", chosen if chosen in names else categories[0].name)
    st.selectbox(
        "Categories of", list(names), key=key, format_func=lambda name: names[name].title,
        on_change=widgets.take, args=("categories of", key), help="The feature whose categories are shown.",
    )  # fmt: skip
    feature = names[widgets.value(key)]
    key = f"ordered {feature.name} {session.view().data}"
    st.toggle(
        "They have an order", value=feature.ordered, key=key, on_change=of_table(_order), args=(feature, key),
        help="Then it may be told to rise or fall only, from the first category up to the last.",
    )  # fmt: skip
    frame = pd.DataFrame({"place": range(1, len(feature.labels) + 1), "label": feature.labels})
    key = f"categories {feature.name} {session.view().data} {widgets.round_of('categories')}"
    st.data_editor(
        frame, key=key, hide_index=True, num_rows="fixed", on_change=of_table(_relabel), args=(key, feature),
        column_config={
            "place": st.column_config.NumberColumn("Place", step=1, help="A new place moves the category there."),
            "label": st.column_config.TextColumn("Called", help="How the category is called everywhere here."),
        },
    )  # fmt: skip


def _order(feature: Feature, key: str) -> None:
    ordered = bool(widgets.value(key))

    def change(edits: SchemaEdits) -> SchemaEdits:
        edit = replace(edits[feature.name], ordered=ordered)
        return edits.with_feature(feature.name, edit if ordered else replace(edit, direction=None))

    project_acts.edit(change, [feature.name])


def _relabel(key: str, feature: Feature) -> None:
    edited: Mapping[Any, Mapping[str, Any]] = widgets.value(key)["edited_rows"]
    widgets.next_round("categories")
    project_acts.edit(partial(_with_categories, edited, feature), [feature.name])


def _with_categories(edited: Mapping[Any, Mapping[str, Any]], feature: Feature, edits: SchemaEdits) -> SchemaEdits:
    """The categories under their names as read, in the new order."""
    as_read = {wanted.strip(): own for own, wanted in edits[feature.name].categories}
    order = list(range(len(feature.labels)))
    labels = list(feature.labels)
    for row, cells in edited.items():
        place = int(row)
        if "label" in cells:
            labels[place] = (cells["label"] or "").strip()
        if cells.get("place") is not None:
            order.remove(place)
            order.insert(max(0, int(cells["place"]) - 1), place)
    pairs = tuple((as_read.get(feature.labels[place], feature.labels[place]), labels[place]) for place in order)
    return edits.with_feature(feature.name, replace(edits[feature.name], categories=pairs))


def _groups(subject: Subject) -> None:
    assert subject.schema is not None
    for feature in subject.schema.features:
        if len(feature.columns) == 1:
            continue
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(plain_label(f"{feature.title}: {', '.join(feature.columns)}"))
            st.button(
                f"Take {plain_label(feature.title)} apart", key=f"ungroup {feature.name}", type="tertiary",
                on_click=of_table(_ungroup), args=(feature.name,),
                help="Each column is a feature of its own again.",
            )  # fmt: skip
    free = [feature.name for feature in subject.schema.features if len(feature.columns) == 1]
    with st.form(f"group {session.view().data}", border=False):
        st.multiselect(
            "Columns that belong together", free, key="grouped columns",
            help="Such as a category spread over columns of 0 and 1: together they are one feature.",
        )  # fmt: skip
        st.text_input("The feature they are together", key="name of group", help="How it is called.")
        st.form_submit_button("Group them", key="group", on_click=of_table(_group), help="Makes one feature of them.")


def _picture(schema: Schema, numbers: Sequence[str]) -> None:
    """All numbers in the table's order make the picture; another order can be said in a file."""
    if schema.picture:
        st.caption(f"{len(schema.picture)} rows of {len(schema.picture[0])} pixels.")
        st.button(
            "It is no picture", key="no picture", on_click=of_table(project_acts.edit),
            args=(lambda edits: edits.with_picture(()),), help="The columns are shown as numbers only.",
        )  # fmt: skip
        return
    st.caption(f"The {len(numbers)} numbers, in the table's order, are pixels row by row.")
    with st.form(f"picture {session.view().data}", border=False):
        st.number_input(
            "Pixels in a row", min_value=1, max_value=len(numbers), value=round(len(numbers) ** 0.5), step=1,
            key="width of picture", help="How wide the picture is.",
        )  # fmt: skip
        st.form_submit_button(
            "Show them as a picture", key="picture", on_click=of_table(_pictured), args=(tuple(numbers),),
            help="Cases and what would change are then drawn, too.",
        )  # fmt: skip


def _pictured(numbers: Sequence[str]) -> None:
    width = int(widgets.value("width of picture"))
    project_acts.edit(lambda edits: edits.with_picture(arranged(numbers, width)))


def _group() -> None:
    columns, name = list(widgets.value("grouped columns")), widgets.value("name of group").strip()

    def change(edits: SchemaEdits) -> SchemaEdits:
        if len(columns) < FEWEST_TOGETHER or not name:
            raise SchemaError("A group needs two columns or more, and a name of its own.")
        return edits.with_group(name, columns)

    project_acts.edit(change, columns)


def _ungroup(name: str) -> None:
    project_acts.edit(lambda edits: edits.with_group(name, ()), [name])
