"""What stands beside the charts goes along, in every kind of file, and comes back as it was."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pandas as pd
import pytest

from components import catalogue
from components.palette import LIGHT
from components.state.view import View
from components.take_away.beside_drawn import beside_charts, shown
from components.take_away.offer import Offer
from explainers import archive, how_to_read_beside, sentences_beside, sentences_compared, wording
from explainers.attributions.together import Attributions
from explainers.constraints import Constraints
from explainers.real_case import real_frame
from explainers.shown import compared
from explainers.usualness import usual_frame
from tests.components.take_away.shown import computed_beside, offered
from tests.components.take_away.test_report import Page
from tests.contract.asking import assert_equal

KINDS = ("usual", "nearest", "attributions")


@cache
def offer(beside: str) -> Offer:
    view = View(case=catalogue.beginning("german_credit"), beside=beside)
    without = offered(view)
    return replace(without, beside=computed_beside(without.problem, without.explanation, beside))


@pytest.mark.parametrize("beside", KINDS)
def test_what_stands_beside_is_in_the_report_with_its_help_and_its_numbers(beside: str) -> None:
    taken = offer(beside)
    page = Page(taken.report())
    assert [own["id"] for own in page.all("h2")][4] == beside
    (card,) = beside_charts(taken.shown, taken.problem.schema, LIGHT, width=680)
    assert card.help_ and wording.plain(card.about) in page.texts["p"]
    for sentence in (*card.help_, *card.notes):
        assert all(span.text in page.texts["span"] for span in sentence)
    drawn = [own.get("aria-label") for own in page.all("div") if own.get("role") == "img"]
    assert (drawn[-1] == wording.plain(card.alt)) == (card.figure is not None)


def test_the_tables_are_those_that_the_cards_show() -> None:
    usual, nearest, told = (offer(beside) for beside in KINDS)
    assert set(offered(usual.view).tables()) == {"changes", "importances", "combinations"}
    pd.testing.assert_frame_equal(usual.tables()["usual"], usual_frame(usual.shown.usual))
    real = nearest.shown.nearest
    assert real is not None
    frame = real_frame(nearest.problem.schema, nearest.explanation.counterfactual, real)
    pd.testing.assert_frame_equal(nearest.tables()["nearest"], frame)
    assert told.shown.attributions is not None
    comparison = compared(told.problem.schema, told.explanation, told.shown.attributions)
    pd.testing.assert_frame_equal(told.tables()["attributions"], comparison.to_frame())
    said = told.tables()["reasons"]
    assert [f"{kind}. {reason}" for kind, reason in zip(said["kind"], said["reason"], strict=True)] == [
        wording.plain(reason) for reason in told.shown.reasons
    ]


@pytest.mark.parametrize("beside", KINDS)
def test_it_comes_back_from_json_and_is_drawn_as_it_was(beside: str) -> None:
    taken = offer(beside)
    back = archive.from_json(taken.json())
    assert_equal(back, taken.shown)
    cards = [beside_charts(one, taken.problem.schema, LIGHT, width=700) for one in (back, taken.shown)]
    ((kept,), (own,)) = cards
    assert (kept.figure and kept.figure.to_json()) == (own.figure and own.figure.to_json())
    assert (kept.help_, kept.notes) == (own.help_, own.notes)


def test_the_explainers_are_named_with_background_seed_and_cost() -> None:
    told = offer("attributions").shown
    assert told.attributions is not None
    shap, lime = told.attributions.told
    comparison = compared(offer("attributions").problem.schema, told.explanation, told.attributions)
    one, two = (text.replace(wording.SPACE, " ") for text in sentences_compared.explainers_named(comparison))
    assert one.startswith("SHAP: interventional SHAP, Flipside's own, by antithetic permutation sampling, ")
    scored = wording.number(shap.evaluations, 0).replace(wording.SPACE, " ")
    assert f". Background: 100 training rows, drawn with seed 0; {scored} rows scored; standard error at most " in one
    assert two.startswith("LIME: LimeTabularExplainer of lime 0.")
    assert "5 000 rows around the case, drawn with seed 0; " in two and lime.evaluations > 0


def test_where_nothing_can_stand_beside_the_report_says_why() -> None:
    usual = offer("usual")
    constraints = Constraints.default(usual.problem.schema)
    none = shown(usual.problem, usual.explanation, constraints, "nearest", (None,))
    assert_equal(archive.from_json(archive.to_json(none)), none)
    taken = replace(usual, view=usual.view.changed(beside="nearest"), beside=(None,))
    why = wording.plain(sentences_beside.no_real_case(usual.explanation.counterfactual))
    assert why in Page(taken.report()).texts["p"]
    refused = Attributions((), ("LIME needs a package.",), True)
    taken = replace(usual, view=usual.view.changed(beside="attributions"), beside=refused)
    assert "LIME needs a package." in Page(taken.report()).texts["p"] and "reasons" not in taken.tables()


def test_help_beside_counts_rows_and_features_of_this_case() -> None:
    usual, nearest = offer("usual").shown, offer("nearest").shown
    first = usual.usual[0]
    said = " ".join(map(wording.plain, how_to_read_beside.of_usual(usual.usual))).replace(wording.SPACE, " ")
    assert f"which {first.old.n_equal} of 1 000 rows ha" in said
    beyond = {
        one.feature.title: min(one.new.n_below, one.new.n_above) + one.new.n_equal
        if one.feature.has_order
        else one.new.n_equal
        for one in usual.usual
    }
    least = min(beyond, key=lambda title: beyond[title])
    assert f"Least usual of the new values is {least} " in said and f": {beyond[least]} of 1 000 rows" in said
    real, counterfactual = nearest.nearest, nearest.explanation.counterfactual
    assert real is not None
    schema = offer("nearest").problem.schema
    told = " ".join(map(wording.plain, how_to_read_beside.of_nearest(schema, counterfactual, real)))
    largest = schema.features[int(real.parts.argmax())].title
    assert f"{wording.number(real.distance, 3)} for the real case ({largest} " in told
