"""What is taken along of an equation says what the page says."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

import pandas as pd
import pytest

from components.state.view import View
from components.take_away.equation_offer import EquationOffer
from explainers.archive import from_json
from explainers.run import Run
from explainers.surrogates.bella import Bella
from tests.contract.asking import assert_equal
from tests.explainers.surrogates.labelled_tables import bent, labelled, mixed


@pytest.fixture(scope="module")
def offer() -> EquationOffer:
    table = labelled(mixed(), bent(mixed()))
    found = Bella().explain(table, table.case("3"))
    return EquationOffer(View(data="auto_mpg", case="3"), table, found, found.chosen)


def test_the_results_come_back_to_the_last_bit(offer: EquationOffer) -> None:
    assert_equal(from_json(offer.json()), offer.found)


def test_tables_hold_the_terms_the_sizes_and_the_neighbours(offer: EquationOffer) -> None:
    read = {name: pd.read_csv(io.BytesIO(offer.csv(name)())) for name in offer.tables()}
    assert read["equation"]["contribution"].sum() == pytest.approx(
        offer.found.best.explained - offer.found.best.intercept
    )
    assert read["sizes"]["rows"].tolist() == offer.found.sizes.tolist()
    near = offer.found.neighbours(offer.place)
    assert read["neighbours"]["case"].tolist() == near.tolist()
    assert read["neighbours"]["price"].to_numpy() == pytest.approx(offer.labelled.labels[near])
    assert offer.name("sizes", "csv") == "flipside-Auto-MPG-case-3-equation-sizes.csv"


def test_another_size_is_another_image(offer: EquationOffer) -> None:
    other = EquationOffer(offer.view, offer.labelled, offer.found, (offer.place + 1) % len(offer.found.sizes))
    assert other.key() != offer.key()
    assert EquationOffer(offer.view, offer.labelled, offer.found, offer.place).key() == offer.key()


@pytest.mark.usefixtures("has_chromium")
@pytest.mark.browser
def test_the_three_charts_are_drawn(offer: EquationOffer) -> None:
    with zipfile.ZipFile(io.BytesIO(offer.images(Run()))) as archive:
        drawn = {name: archive.read(name) for name in archive.namelist()}
    names = ("equation", "sizes", "neighbours")
    assert set(drawn) == {f"{name}.{ending}" for name in names for ending in ("png", "svg")}
    words = " ".join(ElementTree.fromstring(drawn["equation.svg"]).itertext())
    assert Bella.question in words and "explained value" in words
