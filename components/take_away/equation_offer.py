"""What a person can take along of the page Equation: its tables, its results and its charts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from components.charts.bella import bella_chart
from components.charts.neighbourhoods import agreement_chart, bound_chart
from components.palette import LIGHT
from components.state import session
from components.state.view import View
from components.take_away.popover import download, images_and_link
from explainers import sentences_equation
from explainers.labelled import LabelledTable
from explainers.run import Run
from explainers.surrogates.bella import Bella
from explainers.surrogates.equation import LocalEquations

TABLES = {
    "equation": "Each term: coefficient, value and what it counts.",
    "sizes": "Each neighbourhood: rows, bound and terms.",
    "neighbours": "The rows that the rule holds for, with what it says of them.",
}


@dataclass(frozen=True, eq=False)
class EquationOffer:
    """What is shown, ready to be made into files.

    Attributes
    ----------
    view : View
    labelled : LabelledTable
    found : LocalEquations
    place : int
        Of the neighbourhood that is looked at.
    """

    view: View
    labelled: LabelledTable
    found: LocalEquations
    place: int

    def name(self, what: str, ending: str) -> str:
        """A file's name that every system takes."""
        from components.take_away.offer import file_name

        return file_name(self.view, f"equation {what}", ending)

    def key(self) -> Hashable:
        """All that the images depend on."""
        return hashlib.sha256(self.json().encode()).hexdigest(), self.place

    def json(self) -> str:
        """The equations of all sizes to the last bit; `explainers.archive.from_json` reads them back."""
        from explainers import archive

        return archive.to_json(self.found)

    def tables(self) -> dict[str, pd.DataFrame]:
        """What there is as a table, by name."""
        return {
            "equation": self.found.equation(self.place).to_frame(),
            "sizes": self.found.to_frame(),
            "neighbours": self.found.neighbours_frame(self.labelled, self.place),
        }

    def csv(self, name: str) -> Callable[[], bytes]:
        """Makes one of the tables as CSV."""
        from explainers import spreadsheets

        return lambda: spreadsheets.to_csv(self.tables()[name])

    def images(self, run: Run) -> bytes:
        """All charts as PNG and SVG, in a ZIP archive."""
        from components.take_away import images
        from components.take_away.drawn import Card

        width = images.WIDTH - 2 * images.MARGIN
        found, place, tables = self.found, self.place, self.tables()
        near = found.neighbours(place)
        equation = found.equation(place)
        end_name = sentences_equation.source(self.labelled)
        figures = {
            "equation": bella_chart(found, place, self.labelled.schema, LIGHT, end_name=end_name, width=width),
            "sizes": bound_chart(found, place, LIGHT, width=width),
            "neighbours": agreement_chart(
                equation.values(self.labelled.rows[near]), self.labelled.labels[near],
                [self.labelled.ids[position] for position in near], (equation.explained, found.label), found.target,
                LIGHT, width=width,
            ),
        }  # fmt: skip
        said = {
            "equation": (Bella.question, sentences_equation.about(equation, found.target)),
            "sizes": (sentences_equation.REACH, sentences_equation.about_curve(found)),
            "neighbours": (
                sentences_equation.NEAREST,
                sentences_equation.about_neighbours(self.labelled, found, place),
            ),
        }
        drawn = [
            Card(name, said[name][0], Bella.title, said[name][1], said[name][1], (), figure, tables[name])
            for name, figure in figures.items()
        ]
        return images.drawn(drawn, run)


def take_away_equation(labelled: LabelledTable, found: LocalEquations, place: int) -> None:
    """Offer files; none is made before it is asked for, nor is the list of them before it is opened."""

    @st.fragment
    def part() -> None:
        opened = st.popover(
            "Take it away", icon=":material/download:", key="take away", type="tertiary", on_change="rerun",
            help="The numbers, the charts, or a link.",
        )  # fmt: skip
        if opened.open:
            with opened, st.container(key="taken"):
                _offers(EquationOffer(session.view(), labelled, found, place))

    part()


def _offers(offer: EquationOffer) -> None:
    with st.container(horizontal=True, gap="small"):
        for name, help_ in TABLES.items():
            download(f"{name.capitalize()} (CSV)", offer.csv(name), offer.name(name, "csv"), "text/csv", help_)
    download(
        "All equations, to the last bit (JSON)", offer.json, offer.name("", "json"), "application/json",
        "explainers.archive.from_json reads them back.",
    )  # fmt: skip
    images_and_link(offer)
