"""The cards of the page Prototypes: the path, its steps feature by feature, and the line of a category."""

from __future__ import annotations

from html import escape

import streamlit as st

from components import catalogue, explaining
from components.card_parts import CONFIG, card
from components.charts.category_line import category_line_chart
from components.charts.pictures import Picture
from components.charts.prototype_path import prototype_path_chart, step_at
from components.comparing import options_of
from components.html import heading
from components.jobs import Ticket
from components.method_form import option_form
from components.palette import Palette
from components.picture_card import picture_card
from components.state import session, widgets
from components.state.session import of_case
from components.state.view import View
from components.state.widgets import seed
from explainers import sentences_ways, wording
from explainers.counterfactuals.prototype_path import Path, PrototypePath, TracedPaths, trace_paths
from explainers.importance.coalitions import changed_features
from explainers.problem import Case, Problem
from explainers.run import Run
from explainers.schema import Rows

QUESTION = "How far towards a typical case of the wanted side does it take?"


def tracing(view: View, problem: Problem, case: Case) -> Ticket[TracedPaths]:
    """The paths of the view's case, as a job."""
    constraints, method = view.constraints(problem.schema), PrototypePath()
    options = options_of(view, method.name)

    def work(run: Run) -> TracedPaths:
        prepared = catalogue.prepared(problem, method, constraints, options, run)
        return trace_paths(problem, case, constraints, prepared, run, options.prototypes)

    return explaining.held("paths", (problem.key, view.case, view.rules, options.likeness, options.prototypes), work)


def path_form(problem: Problem, traced: TracedPaths) -> None:
    """Choose the prototype and how far to go."""
    view, ids = session.view(), [path.prototype.id for path in traced.paths]
    has_choice = len(traced.target.parts()) > 1
    names = [f"Case {id_}, {problem.side_of(id_)}" if has_choice else f"Case {id_}" for id_ in ids]
    key = seed("prototype", view.prototype)
    st.selectbox(
        "Prototype", range(len(names)), key=key, format_func=names.__getitem__, on_change=of_case(widgets.choose),
        args=("prototype", key),
        help="The real cases of the wanted side that are nearest, the nearest first. Where a rule keeps a value of "
        "this case, the prototype is taken to have it, too.",
    )  # fmt: skip
    key = seed("along", _percent(view, traced.paths[view.prototype]))
    st.slider(
        "From sparse to typical", 0, 100, key=key, format="%d %%",
        on_change=of_case(widgets.choose), args=("along", key),
        help="0 is this case, 100 the prototype. It begins where the decision first flips.",
    )  # fmt: skip
    st.button(
        "Where it first flips", key="first flip", width="stretch", disabled=view.along is None,
        on_click=of_case(widgets.change), kwargs={"along": None},
        help="Goes back to the first step of the path that has the wanted decision.",
    )  # fmt: skip
    st.button(
        "Explain the paths", key="open prototype_path", width="stretch", on_click=of_case(widgets.open_counterfactual),
        args=("prototype_path", 0), help="Shows on the page Explain what counts where the paths first flip.",
    )  # fmt: skip


def path_card(problem: Problem, traced: TracedPaths, palette: Palette) -> None:
    """Score and typicality along the path."""
    view = session.view()
    path = traced.paths[view.prototype]
    step = step_at(path.shares, _percent(view, path))
    flips = step >= 0 and bool(path.flips[step])
    with card("path"):
        about = "Each feature goes its way to the prototype; the ones that differ most set out first."
        if len(traced.target.parts()) > 1:
            about += f" {wording.plain(sentences_ways.nearest_class(problem, traced.paths[0].prototype.id))}"
        heading(QUESTION, PrototypePath.title, about, palette)
        text = wording.score(float(path.scores[step]) if step >= 0 else traced.factual_score, traced.target)
        verdict = wording.verdict(flips)
        told = f"{_percent(view, path)} % of the way: score {text}, {verdict}."
        st.html(f'<div class="sentence" style="font-size:16px">{escape(told)}</div>')
        figure = prototype_path_chart(traced, view.prototype, step, palette)
        st.plotly_chart(figure, width="stretch", theme=None, key="path", alt=told, config=CONFIG)


def way_card(problem: Problem, case: Case, traced: TracedPaths, palette: Palette) -> None:
    """The case, the step that is looked at and the prototype as pictures, where the table has any."""
    path, target = traced.paths[session.view().prototype], traced.target
    percent = _percent(session.view(), path)
    step = step_at(path.shares, percent)
    here, flips = (path.rows[step], bool(path.flips[step])) if step >= 0 else (case.row, False)
    pictures = (
        Picture(f"this case: {target.factual}", palette.factual, case.row),
        Picture(f"{percent} % of the way: {wording.verdict(flips)}", palette.side(flips), here),
        Picture(f"case {path.prototype.id}: {problem.side_of(path.prototype.id)}", palette.desired, path.prototype.row),
    )
    picture_card(problem.schema, pictures, palette)


def steps_card(problem: Problem, case: Case, traced: TracedPaths, palette: Palette) -> None:
    """The case, the step that is looked at and the prototype, feature by feature."""
    view = session.view()
    path = traced.paths[view.prototype]
    step = step_at(path.shares, _percent(view, path))
    here = path.rows[step] if step >= 0 else case.row
    with card("steps"):
        changed = len(changed_features(case.row, here))
        at_end = len(changed_features(case.row, path.prototype.row))
        about = f"{wording.count(changed, 'change')} here, {at_end} at the end."
        heading("What changes on the way?", "", about, palette)
        st.html(_steps_table(problem, case, here, path, palette))


def line_card(problem: Problem, case: Case, traced: TracedPaths, palette: Palette) -> None:
    """The categories of a feature in the order in which a path passes them."""
    schema = problem.schema
    named = [feature.name for feature in schema.features if not feature.is_number and len(feature.labels) > 2]
    if not named:
        return
    with card("line"):
        heading("Which categories are alike?", traced.embedding.likeness.upper(), "", palette)
        one, other = st.columns(2)
        name = one.selectbox(
            "Category", named, key="line of", format_func=lambda name: schema[name].title,
            help="The feature whose categories are put on a line: a path passes them in this order.",
        )  # fmt: skip
        with other:
            option_form(PrototypePath.name, "likeness", options_of(session.view(), PrototypePath.name))
        place, goal = schema.index(name), traced.paths[session.view().prototype].prototype.row
        figure = category_line_chart(traced.embedding, place, float(case.row[place]), float(goal[place]), palette)
        labels = schema[name].labels
        alt = "In order: " + ", ".join(labels[code] for code in traced.embedding.order(place)) + "."
        st.plotly_chart(figure, width="stretch", theme=None, key="line", alt=alt, config=CONFIG)


def _percent(view: View, path: Path) -> int:
    """How far along the view looks: by default at the first flip."""
    return view.along if view.along is not None else int(-(-100 * path.shares[path.stop(0)] // 1))


def _steps_table(problem: Problem, case: Case, here: Rows, path: Path, palette: Palette) -> str:
    goal = path.prototype.row
    moving = changed_features(case.row, goal)
    rows = "".join(
        f'<tr><th scope="row">{escape(feature.title)}</th>'
        f'<td style="color:{palette.factual}">{escape(wording.value(feature, float(case.row[place])))}</td>'
        f"<td>{_here(wording.value(feature, float(here[place])), place in now)}</td>"
        f'<td style="color:{palette.desired}">{escape(wording.value(feature, float(goal[place])))}</td></tr>'
        for now in (changed_features(case.row, here),)
        for place, feature in enumerate(problem.schema.features)
        if place in moving
    )
    kept = len(problem.schema) - len(moving)
    return (
        f'<div class="wide"><table class="ways"><thead><tr><th></th><th>this case</th><th>here</th>'
        f"<th>case {escape(path.prototype.id)}</th></tr></thead><tbody>{rows}</tbody></table></div>"
        + (f'<div class="about">{wording.count(kept, "feature")} alike in both.</div>' if kept else "")
    )


def _here(text: str, is_changed: bool) -> str:
    return f"<b>{escape(text)}</b>" if is_changed else escape(text)
