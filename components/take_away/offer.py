"""Everything that a person can take along of what is shown, each made when it is asked for."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from components import projects
from components.palette import LIGHT
from components.state.view import View
from components.take_away import images
from components.take_away.beside_drawn import beside_charts
from components.take_away.drawn import Chart, charts
from components.take_away.recipes import recipe_of
from components.take_away.report import WIDTH, report
from explainers import archive, sentences, sentences_asked, spreadsheets, wording
from explainers.explanation import Explanation
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS
from explainers.run import Run


def file_name(view: View, what: str, ending: str) -> str:
    """A file's name that every system takes."""
    data = projects.of(view.data).table_name.rsplit(".", 1)[0]
    parts = ("flipside", data, f"case {view.case}", what)
    stem = "-".join(filter(None, (re.sub(r"[^A-Za-z0-9]+", "-", part).strip("-")[:40] for part in parts)))
    return f"{stem}.{ending}"


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

    def name(self, what: str, ending: str) -> str:
        """A file's name that every system takes."""
        return file_name(self.view, what, ending)

    def key(self) -> Hashable:
        """All that the images depend on."""
        results = hashlib.sha256(self.json().encode()).hexdigest()
        return results, self.view.selection, self.arrangement, self.view.beside, self.beside is None

    def report(self) -> bytes:
        """The page of HTML."""
        project = projects.of(self.view.data)
        subject = f"{project.table_name} · {self.problem.model.name}"
        return report(
            self.problem, self.case, self.explanation, self._charts(WIDTH), subject=subject, facts=self._facts()
        )

    def json(self) -> str:
        """The results to the last bit; `explainers.archive.from_json` reads them back."""
        return archive.to_json(self.explanation)

    def python(self) -> str:
        """The script that computes the same numbers."""
        return recipe_of(self.view).python()

    def tables(self) -> dict[str, pd.DataFrame]:
        """What there is as a table, by name."""
        beside = {chart.name: chart.table for chart in self._beside(images.WIDTH)}
        return spreadsheets.tables(self.explanation) | beside

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

    def _charts(self, width: int) -> tuple[Chart, ...]:
        marked = {"selection": self.view.selection, "width": width}
        return (*charts(self.explanation, LIGHT, arrangement=self.arrangement, **marked), *self._beside(width))

    def _beside(self, width: int) -> tuple[Chart, ...]:
        return beside_charts(self.view.beside, self.beside, LIGHT, selection=self.view.selection, width=width)

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
