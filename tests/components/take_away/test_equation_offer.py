"""What is taken along of an equation says what the page says, and its script computes it again."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest

from components import catalogue, projects
from components.projects import Project
from components.state.view import View
from components.take_away.equation_offer import EquationOffer
from explainers import how_to_read_equation, sentences_equation, wording
from explainers.archive import from_json
from explainers.constraints import Constraints, Rule
from explainers.intake.posing import pose
from explainers.intake.roles import Plan, Way
from explainers.intake.tables import read_table
from explainers.labelled import LabelledTable
from explainers.run import Run
from explainers.surrogates.bella import Bella, BellaOptions
from explainers.surrogates.comparison import compare
from explainers.surrogates.reference_value import towards_reference
from explainers.surrogates.shown import ShownEquations, try_values
from tests.components.take_away.test_recipes import run
from tests.components.take_away.test_report import Page
from tests.contract.asking import assert_equal
from tests.explainers.surrogates.labelled_tables import bent, labelled, mixed

LINK = "http://localhost/equation?case=3"


@pytest.fixture(scope="module")
def offer() -> EquationOffer:
    table = labelled(mixed(), bent(mixed()))
    case = table.case("3")
    found = Bella().explain(table, case)
    feature = found.best.terms[0].feature
    edits = {"town": "west"} if feature == "town" else {"age": "4.5"}
    tried = try_values(table, case, found.best, edits)
    reference = towards_reference(table, case, float(table.labels.max()))
    return EquationOffer(
        View(data="auto_mpg", case="3"), table, ShownEquations(found, found.chosen, tried, reference), "", LINK
    )


def test_the_results_come_back_to_the_last_bit(offer: EquationOffer) -> None:
    assert_equal(from_json(offer.json()), offer.shown)


def test_tables_hold_the_terms_what_was_tried_the_sizes_and_the_neighbours(offer: EquationOffer) -> None:
    found, place = offer.shown.found, offer.shown.place
    read = {name: pd.read_csv(io.BytesIO(offer.csv(name)())) for name in offer.tables()}
    assert list(read) == ["equation", "tried", "reference", "sizes", "neighbours"]
    assert read["equation"]["contribution"].sum() == pytest.approx(found.best.explained - found.best.intercept)
    assert read["sizes"]["rows"].tolist() == found.sizes.tolist()
    near = found.neighbours(place)
    assert read["neighbours"]["case"].tolist() == near.tolist()
    assert read["neighbours"]["price"].to_numpy() == pytest.approx(offer.labelled.labels[near])
    assert offer.shown.reference is not None and offer.shown.reference.towards is not None
    assert read["reference"]["feature"].tolist() == [c.title for c in offer.shown.reference.towards.changes]
    assert offer.name("sizes", "csv") == "flipside-Auto-MPG-case-3-equation-sizes.csv"


def test_the_report_says_draws_and_explains_what_is_on_the_page(offer: EquationOffer) -> None:
    page = Page(offer.report())
    assert [own["id"] for own in page.all("h2")] == [
        "equation", "tried", "reference", "sizes", "neighbours", "case", "made",
    ]  # fmt: skip
    drawn = [own["id"] for own in page.all("div") if own.get("role") == "img"]
    assert drawn == ["chart-equation", "chart-sizes", "chart-neighbours"]
    table, shown = offer.labelled, offer.shown
    assert shown.reference is not None and shown.tried is not None
    said = (
        sentences_equation.answer(table, shown.found, shown.place),
        sentences_equation.tried(table, shown.tried.value, shown.tried.asked),
        sentences_equation.towards(table, shown.reference),
        *(sentences_equation.equation_text(shown.found.best, shown.found.target, u) for u in sentences_equation.UNITS),
        *how_to_read_equation.of_equation(shown.found, shown.place),
        *how_to_read_equation.of_reach(shown.found, shown.place),
        *how_to_read_equation.of_neighbours(table, shown.found, shown.place),
    )
    for sentence in said:
        assert all(span.text in page.texts["span"] for span in sentence)
    bound = wording.significant(float(shown.found.bounds[0]))
    assert bound in page.texts["td"] and f"+{bound}" not in page.texts["td"], "no step, so no sign"
    assert LINK in page.texts["dd"] and page.texts["h1"] == ["Case 3: price"]


def test_another_size_is_another_image(offer: EquationOffer) -> None:
    place = (offer.shown.place + 1) % len(offer.shown.found.sizes)
    assert replace(offer, shown=replace(offer.shown, place=place)).key() != offer.key()
    assert replace(offer, link="elsewhere").key() == offer.key()


def assert_printed(said: str, table: LabelledTable, shown: ShownEquations) -> None:
    """What the script prints is what is shown, to the last bit."""
    found, place = shown.found, shown.place
    equation = found.equation(place)
    assert said.splitlines()[0] == wording.plain(sentences_equation.answer(table, found, place))
    for frame in (equation.to_frame(), found.to_frame(), found.neighbours_frame(table, place)):
        assert frame.to_csv(index=False) in said
    if shown.tried is not None:
        assert wording.plain(sentences_equation.tried(table, shown.tried.value, shown.tried.asked)) in said
    if shown.reference is not None:
        assert wording.plain(sentences_equation.towards(table, shown.reference)) in said
        assert shown.reference.to_frame().to_csv(index=False) in said
    if shown.comparison is not None:
        assert shown.comparison.to_frame().to_csv(index=False) in said


def test_a_sample_s_script_computes_the_same(tmp_path: Path) -> None:
    """With another size, other values, a lock, a number wanted, and the other explanations."""
    problem = catalogue.sample_problem("auto_mpg")
    case = problem.case("7")
    table = LabelledTable.of_model(problem, problem.target(case))
    found = Bella().explain(table, case, BellaOptions("10"))
    place = 0 if found.chosen else 1
    edits, rules = {"Horsepower": "100"}, (("Cylinders", Rule(locked=True)),)
    wanted = found.label + 4.0
    view = View(
        data="auto_mpg", case="7", size=int(found.sizes[place]), edits=tuple(edits.items()), rules=rules,
        reference=wanted, tolerance=8, compares=True,
    )  # fmt: skip
    constraints = Constraints.default(problem.schema).with_rule(*rules[0])
    shown = ShownEquations(
        found,
        place,
        try_values(table, case, found.equation(place), edits),
        towards_reference(table, case, wanted, constraints, tolerance=0.08),
        compare(problem, case, found, place),
    )
    assert_printed(run(EquationOffer(view, table, shown, "", LINK).python(), tmp_path), table, shown)


def test_an_observed_column_s_script_reads_the_table_that_was_brought(tmp_path: Path) -> None:
    name = "houses & <b>'2024'.csv"
    frame = mixed().assign(price=bent(mixed()))
    content = frame.to_csv(index=False).encode()
    (tmp_path / name).write_bytes(content)
    plan = Plan(Way.OBSERVED, target="price", quantity='the "price"')
    project = Project(name, table=projects.keep_file(projects.TABLE, name, content), plan=plan)
    posed = pose(read_table(name, content), plan)
    assert posed.labelled is not None
    case = posed.labelled.case(posed.labelled.ids[3])
    found = Bella().explain(posed.labelled, case)
    shown = ShownEquations(found, found.chosen)
    view = View(data=projects.keep(project), case=case.id)
    script = EquationOffer(view, posed.labelled, shown, "", LINK).python()
    assert_printed(run(script, tmp_path), posed.labelled, shown)


@pytest.mark.usefixtures("has_chromium")
@pytest.mark.browser
def test_the_three_charts_are_drawn(offer: EquationOffer) -> None:
    with zipfile.ZipFile(io.BytesIO(offer.images(Run()))) as archive:
        drawn = {name: archive.read(name) for name in archive.namelist()}
    names = ("equation", "sizes", "neighbours")
    assert set(drawn) == {f"{name}.{ending}" for name in names for ending in ("png", "svg")}
    words = " ".join(ElementTree.fromstring(drawn["equation.svg"]).itertext())
    assert Bella.question in words and "explained value" in words
