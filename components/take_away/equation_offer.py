"""What a person can take along of the page Equation: a report, its tables, its results, its charts, and Python."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import pandas as pd

from components import projects
from components.state.view import View
from components.take_away import images, report
from components.take_away.drawn import Card, values_card
from components.take_away.equation_drawn import equation_cards
from components.take_away.offer import file_name
from components.take_away.recipes import equation_recipe_of
from explainers import archive, sentences_asked, sentences_equation, spreadsheets, wording
from explainers.labelled import LabelledTable
from explainers.run import Run
from explainers.surrogates.bella import STEPS
from explainers.surrogates.shown import ShownEquations


@dataclass(frozen=True, eq=False)
class EquationOffer:
    """What is shown, ready to be made into files.

    Attributes
    ----------
    view : View
    labelled : LabelledTable
    shown : ShownEquations
    model : str
        What the model is called; empty where there is none.
    link : str
        The address of what is shown.
    """

    view: View
    labelled: LabelledTable
    shown: ShownEquations
    model: str
    link: str

    def name(self, what: str, ending: str) -> str:
        """A file's name that every system takes."""
        return file_name(self.view, f"equation {what}", ending)

    def key(self) -> Hashable:
        """All that the images depend on."""
        return hashlib.sha256(self.json().encode()).hexdigest()

    def report(self) -> bytes:
        """The page of HTML."""
        found, table = self.shown.found, projects.of(self.view.data).table_name
        return report.report(
            self._cards(report.WIDTH),
            title=f"Case {found.case}: {found.target.quantity}",
            subject=" · ".join(filter(None, (table, self.model))),
            answer=[sentences_equation.answer(self.labelled, found, self.shown.place)],
            target=found.target,
            closing=[values_card("case", "The case", self.labelled.schema, found.row)],
            facts=self._facts(),
        )

    def json(self) -> str:
        """The results to the last bit; `explainers.archive.from_json` reads them back."""
        return archive.to_json(self.shown)

    def python(self) -> str:
        """The script that computes the same numbers."""
        return equation_recipe_of(self.view).python()

    def tables(self) -> dict[str, pd.DataFrame]:
        """What there is as a table, by name."""
        return {card.name: card.table for card in self._cards(report.WIDTH) if len(card.table)}

    def csv(self, name: str) -> Callable[[], bytes]:
        """Makes one of the tables as CSV."""
        return lambda: spreadsheets.to_csv(self.tables()[name])

    def images(self, run: Run) -> bytes:
        """All charts as PNG and SVG, in a ZIP archive."""
        return images.drawn(self._cards(images.WIDTH - 2 * images.MARGIN), run)

    def _cards(self, width: int) -> tuple[Card, ...]:
        return equation_cards(self.labelled, self.shown, width)

    def _facts(self) -> list[tuple[str, str]]:
        schema, view, found = self.labelled.schema, self.view, self.shown.found
        facts = [
            ("Number explained", f"{found.target.quantity}, the {sentences_equation.source(self.labelled)}"),
            ("The neighbourhood grows", STEPS[view.step]),
            ("Looked at", wording.count(int(found.sizes[self.shown.place]), "row")),
            ("Rules", sentences_asked.rules(schema, view.constraints(schema)) if self.shown.reference else ""),
            ("Checked", " ".join(sentences_equation.checked(self.labelled, found))),
            ("Link", self.link),
        ]
        return [(name, text) for name, text in facts if text]
