"""Your model: from a file, trained here, or none."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from components import arrival
from components.data_card import model_facts
from components.html import heading
from components.palette import Palette
from components.project_acts import of_table, plan_by
from components.state.widgets import seed
from components.subject import Subject
from explainers.intake.posing import default_trainer
from explainers.intake.roles import Way
from explainers.training import TRAINERS, target_kind, trainers_of

WAYS = {Way.FILE: "From a file", Way.TRAIN: "Train one here", Way.OBSERVED: "No model"}
NUMBERS = "rows' numbers"
MOST_SEED = 2**31 - 1


def model_section(subject: Subject, palette: Palette) -> None:
    """Say where the model comes from and what it predicts; see how well it does."""
    plan, problem = subject.project.plan, subject.problem
    with st.container(border=True, key="card_model"):
        title = problem.model.name if problem else "no model"
        heading("Your model", title, "What is explained is this model, not the world it was trained on.", palette)
        key = seed("way", plan.way.value)
        st.segmented_control(
            "Where the model comes from", [way.value for way in WAYS], key=key, required=True,
            format_func=lambda way: WAYS[Way(way)], on_change=of_table(plan_by), args=("way", key, Way),
            kwargs={"target": None, "trainer": None, "classes": ()}, label_visibility="collapsed",
            help="A model of your own, one trained here on your table, or none: then a column of numbers is explained.",
        )  # fmt: skip
        if subject.table is not None:
            _form(subject)
        if problem is not None:
            st.html(model_facts(problem, palette))
        if plan.way is Way.TRAIN and problem is not None:
            _download(subject)
        if plan.way is Way.OBSERVED and subject.schema is not None:
            st.html(f'<p class="caveat">{escape(_no_model(subject))}</p>')


def _form(subject: Subject) -> None:
    plan = subject.project.plan
    columns = st.columns([0.3, 0.3, 0.18, 0.22], vertical_alignment="bottom")
    with columns[0]:
        _target(subject)
    if plan.way is Way.TRAIN:
        with columns[1]:
            _trainer(subject)
        with columns[2]:
            key = seed("training seed", plan.seed)
            st.number_input(
                "Seed", 0, MOST_SEED, key=key, step=1, on_change=of_table(plan_by), args=("seed", key),
                help="Draws the seven tenths of the rows that the model learns from, and all that it leaves to chance.",
            )  # fmt: skip
    with columns[3]:
        _id(subject)
    if subject.problem is not None and subject.problem.model.classes:
        _class_names(subject.problem.model.classes)
    elif subject.problem is not None:
        _quantity(subject)


def _target(subject: Subject) -> None:
    plan = subject.project.plan
    assert subject.table is not None
    columns = [str(column) for column in subject.table.frame.columns]
    chosen = subject.roles.target if subject.roles and subject.roles.target else plan.target
    key = seed("target", chosen if chosen in columns else None)
    asked = {
        Way.FILE: ("What was observed", "The column that says how each row turned out, if there is one."),
        Way.TRAIN: ("What is predicted", "The target. Text and few whole numbers are classes, the rest numbers."),
        Way.OBSERVED: ("What is explained", "A column of numbers, as observed."),
    }  # fmt: skip
    label, help_ = asked[plan.way]
    st.selectbox(
        label, columns, key=key, placeholder="not known",
        on_change=of_table(plan_by), args=("target", key, lambda c: c or ""),
        kwargs={} if plan.way is Way.FILE else {"trainer": None, "classes": (), "quantity": "", "unit": ""},
        help=help_,
    )  # fmt: skip


def _trainer(subject: Subject) -> None:
    assert subject.table is not None
    target = subject.roles.target if subject.roles else None
    kind = target_kind(subject.table.frame[target]) if target else "classes"
    offered = list(trainers_of(kind))
    chosen = subject.project.plan.trainer or default_trainer(kind, len(subject.table.frame))
    key = seed("trainer", chosen if chosen in offered else offered[0])
    st.selectbox(
        "How", offered, key=key, format_func=lambda name: TRAINERS[name].title, on_change=of_table(plan_by),
        args=("trainer", key), help=" ".join(f"{TRAINERS[name].title}: {TRAINERS[name].help}" for name in offered),
    )  # fmt: skip


def _id(subject: Subject) -> None:
    assert subject.table is not None
    columns = [str(column) for column in subject.table.frame.columns]
    chosen = subject.roles.id if subject.roles else None
    key = seed("id column", chosen or "")
    st.selectbox(
        "Rows are called by", ["", *columns], key=key, format_func=lambda column: column or NUMBERS,
        on_change=of_table(plan_by), args=("id", key),
        help="The column whose values name the cases; each must be different.",
    )  # fmt: skip


def _class_names(classes: Sequence[str]) -> None:
    key = seed("class names", "; ".join(classes))
    st.text_input(
        "Classes are called", key=key, on_change=of_table(plan_by), args=("classes", key, _names),
        help="How to call the classes, in this order, with semicolons between them.",
    )  # fmt: skip


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(";") if name.strip())


def _quantity(subject: Subject) -> None:
    plan = subject.project.plan
    one, other = st.columns([0.6, 0.4])
    with one:
        key = seed("quantity", plan.quantity)
        st.text_input(
            "The number is called", key=key, on_change=of_table(plan_by), args=("quantity", key, str.strip),
            placeholder=subject.roles.target if subject.roles and subject.roles.target else "prediction",
            help="How sentences call what the model predicts.",
        )  # fmt: skip
    with other:
        key = seed("unit of the number", plan.unit)
        st.text_input(
            "and measured in", key=key, placeholder="no unit",
            on_change=of_table(plan_by), args=("unit", key, str.strip),
            help="The unit of what the model predicts.",
        )  # fmt: skip


def _download(subject: Subject) -> None:
    project = subject.project
    st.download_button(
        "Download this model", lambda: arrival.trained_file(project), "model.skops", "application/octet-stream",
        key="download model", icon=":material/download:", on_click="ignore",
        help="Saved by skops. It takes a table's columns by name; dates as days since 1970, and codes that mean "
        "missing as empty cells.",
    )  # fmt: skip


def _no_model(subject: Subject) -> str:
    target = subject.roles.target if subject.roles else "The column"
    return (
        f"{target} is what the page Equation explains, by a simple rule around each row. The page Explain needs a"
        " model: train one here, or bring one."
    )
