"""What a person tries on a case: each act makes other edits, and can be undone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from components.state import session, widgets
from components.state.session import own
from components.state.view import EDITS, View
from explainers.intake.refusal import Refused
from explainers.intake.rows import Proposal
from explainers.intake.typed import read_value, write_value
from explainers.problem import Case, Problem
from explainers.schema import same
from explainers.what_if import proposed_row

HISTORY, REFUSED = "history of edits", "refused edit"
MOST_STEPS = 100

Edits = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class History:
    """The edits of one case as they followed each other.

    Attributes
    ----------
    of : (str, str or None)
        Data and case.
    present : tuple of (feature name, text)
    past, future : tuple of edits
        What `undone` and `redone` lead to, the nearest last.
    """

    of: tuple[str, str | None]
    present: Edits = ()
    past: tuple[Edits, ...] = ()
    future: tuple[Edits, ...] = ()

    def changed(self, edits: Edits) -> History:
        """After another edit, from where nothing can be redone."""
        if edits == self.present:
            return self
        return History(self.of, edits, (*self.past, self.present)[-MOST_STEPS:])

    def undone(self) -> History:
        """Before the last edit."""
        return replace(self, present=self.past[-1], past=self.past[:-1], future=(*self.future, self.present))

    def redone(self) -> History:
        """After the edit that was undone last."""
        return replace(self, present=self.future[-1], past=(*self.past, self.present), future=self.future[:-1])


def history() -> History:
    """How the view's edits came about; an address that says other ones begins anew."""
    view = session.view()
    known: History | None = own().get(HISTORY)
    if known is not None and (known.of, known.present) == (_of(view), view.edits):
        return known
    return History(_of(view), view.edits)


def edit(problem: Problem, case: Case, name: str, key: str) -> None:
    """Try what a field holds as the value of a feature; the case's own value is no edit.

    What the feature can't be is refused, and the value before stays.
    """
    feature, typed = problem.schema[name], widgets.value(key)
    try:
        value = read_value(feature, typed)
        row = proposed_row(problem, case, Proposal("", ((name, value),)))
    except Refused as refused:
        own()[REFUSED] = (_of(session.view()), name, str(refused))
        return
    edits = {other: text for other, text in session.view().edits if other != name}
    if not same(row, case.row).all():
        edits[name] = write_value(feature, value)
    _go(history().changed(tuple(sorted(edits.items()))))


def refusal(name: str) -> str:
    """Why the last value typed for a feature could not be, as a sentence; empty if it could."""
    of, refused, sentence = own().get(REFUSED, (None, "", ""))
    return sentence if (of, refused) == (_of(session.view()), name) else ""


def undo() -> None:
    """Take back the last edit."""
    _go(history().undone())


def redo() -> None:
    """Make the edit again that was taken back."""
    _go(history().redone())


def reset() -> None:
    """Take the case as it is."""
    _go(history().changed(()))


def adopt() -> None:
    """Make the edits the counterfactual."""
    widgets.change(given=EDITS)


def ask(key: str) -> None:
    """Turn the list of features into a form, or back."""
    widgets.change(asks_what_if=widgets.value(key))


def _go(to: History) -> None:
    own()[HISTORY] = to
    own().pop(REFUSED, None)
    widgets.change(edits=to.present)


def _of(view: View) -> tuple[str, str | None]:
    return view.data, view.case
