"""Everything that a person can take along of what is shown, each made when it is asked for."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from components import projects
from components.palette import LIGHT
from components.state.view import View
from components.take_away import images
from components.take_away.beside_drawn import beside_charts, left_out, shown
from components.take_away.drawn import Card, changes_card, charts, values_card
from components.take_away.recipes import recipe_of
from components.take_away.report import WIDTH, report
from explainers import archive, sentences, sentences_asked, spreadsheets, wording
from explainers.explanation import Explanation
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS
from explainers.run import Run
from explainers.schema import Schema
from explainers.shown import Shown, reasons_frame


def file_name(view: View, what: str, ending: str) -> str:
    """A file's name that every system takes."""
    data = projects.of(view.data).table_name.rsplit(".", 1)[0]
    parts = ("flipside", data, f"case {view.case}", what)
    stem = "-".join(filter(None, (re.sub(r"[^A-Za-z0-9]+", "-", part).strip("-")[:40] for part in parts)))
    return f"{stem}.{ending}"


def explanation_report(
    schema: Schema, shown: Shown, cards: Sequence[Card], *, subject: str, facts: Sequence[tuple[str, str]]
) -> bytes:
    """The page of HTML for an explanation and what stands beside it; see `report`."""
    explanation, counterfactual = shown.explanation, shown.explanation.counterfactual
    changed = {change.feature for change in counterfactual.changes}
    unvalued = () if explanation.countershapley else (sentences.not_valued(len(counterfactual)),)
    return report(
        (changes_card(counterfactual), *cards),
        title=f"Case {counterfactual.case}: {counterfactual.target.factual} → {counterfactual.target.desired}",
        subject=subject,
        answer=[sentences.answer(explanation)],
        target=counterfactual.target,
        missing=[*map(wording.plain, unvalued), *left_out(shown)],
        closing=[values_card("unchanged", "What stays as it is", schema, counterfactual.factual, changed)],
        facts=facts,
    )


@dataclass(frozen=True, eq=False)
class Offer:
    """What is shown, ready to be made into files.

    Attributes
    ----------
    view : View
    problem : Problem
    case : Case
    explanation : Explanation
    arrangement : {"height", "size"}, optional
        Of the combinations; see `constellation_chart`.
    link : str
        The address of what is shown.
    beside : object, optional
        What the card beside the charts has come to.
    """

    view: View
    problem: Problem
    case: Case
    explanation: Explanation
    arrangement: Any
    link: str
    beside: Any = None

    @cached_property
    def shown(self) -> Shown:
        """The explanation with what stands beside it."""
        constraints = self.view.constraints(self.problem.schema)
        return shown(self.problem, self.explanation, constraints, self.view.beside, self.beside)

    def name(self, what: str, ending: str) -> str:
        """A file's name that every system takes."""
        return file_name(self.view, what, ending)

    def key(self) -> Hashable:
        """All that the images depend on."""
        results = hashlib.sha256(self.json().encode()).hexdigest()
        return results, self.view.selection, self.arrangement

    def report(self) -> bytes:
        """The page of HTML."""
        project = projects.of(self.view.data)
        subject = f"{project.table_name} · {self.problem.model.name}"
        schema, cards = self.problem.schema, self._charts(WIDTH)
        return explanation_report(schema, self.shown, cards, subject=subject, facts=self._facts())

    def json(self) -> str:
        """The results to the last bit; `explainers.archive.from_json` reads them back."""
        return archive.to_json(self.shown)

    def python(self) -> str:
        """The script that computes the same numbers."""
        return recipe_of(self.view).python()

    def tables(self) -> dict[str, pd.DataFrame]:
        """What there is as a table, by name."""
        beside = {card.name: card.table for card in self._beside(images.WIDTH)}
        reasons = {"reasons": reasons_frame(self.shown)} if self.shown.reasons else {}
        return spreadsheets.tables(self.explanation) | beside | reasons

    def csv(self, name: str) -> Callable[[], bytes]:
        """Makes one of the tables as CSV."""
        return lambda: spreadsheets.to_csv(self.tables()[name])

    def images(self, run: Run) -> bytes:
        """All charts as PNG and SVG, in a ZIP archive."""
        return images.drawn(self._charts(images.WIDTH - 2 * images.MARGIN), run)

    def _source(self) -> tuple[str, str]:
        """What the counterfactual was found by, or how it was given."""
        recipe = recipe_of(self.view)
        if recipe.edits or recipe.rows:
            return "Given", f"in {recipe.rows}, way {recipe.place + 1}" if recipe.rows else "by hand"
        return "Found by", f"{GENERATORS[recipe.method].title}: {sentences_asked.options(recipe.options)}"

    def _charts(self, width: int) -> tuple[Card, ...]:
        marked = {"selection": self.view.selection, "width": width}
        return (*charts(self.explanation, LIGHT, arrangement=self.arrangement, **marked), *self._beside(width))

    def _beside(self, width: int) -> tuple[Card, ...]:
        return beside_charts(self.shown, self.problem.schema, LIGHT, selection=self.view.selection, width=width)

    def _facts(self) -> list[tuple[str, str]]:
        counterfactual, view = self.explanation.counterfactual, self.view
        schema = self.problem.schema
        kept = [schema[name].title for name in view.kept]
        facts = [
            ("Decision wanted", f"{counterfactual.target.desired}, {wording.wanted(counterfactual.target)}"),
            ("Score", counterfactual.target.quantity),
            self._source(),
            ("Kept of it", sentences.listed(kept)),
            ("Rules", sentences_asked.rules(schema, view.constraints(schema))),
            ("Checked", " ".join(sentences.checked(self.explanation))),
            ("Link", self.link),
        ]
        return [(name, text) for name, text in facts if text]
