"""How a person's acts on the page Equation change the view."""

from __future__ import annotations

from components.state import session, widgets
from explainers.intake.refusal import Refused
from explainers.intake.typed import read_value, write_value
from explainers.problem import Case
from explainers.schema import Schema


def try_value(schema: Schema, case: Case, name: str, key: str) -> None:
    """Try what a widget of this case holds as the value of a feature; the case's own value is no edit."""
    feature = schema[name]
    try:
        value = read_value(feature, widgets.value(key))
    except Refused:  # the widget offers what the feature can be; a whole number is met between two steps
        return
    edits = {other: text for other, text in session.view().edits if other != name}
    if value != float(case.row[schema.index(name)]):
        edits[name] = write_value(feature, value)
    widgets.change(edits=tuple(sorted(edits.items())))


def choose_number(key: str) -> None:
    """Explain another number."""
    widgets.change(number=widgets.value(key))


def ask_reference(key: str, decimals: int) -> None:
    """Ask for the reference value that a slider holds, as its steps mean it."""
    widgets.change(reference=round(widgets.value(key), decimals))
