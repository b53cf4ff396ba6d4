"""What is said of an equation is what it is: printed numbers give the printed value."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from explainers import how_to_read_equation, sentences_equation
from explainers.labelled import LabelledTable
from explainers.surrogates.bella import Bella
from explainers.surrogates.equation import LocalEquations
from explainers.surrogates.reference_value import towards_reference
from explainers.wording import MINUS, SPACE, Role, plain, significant
from tests.explainers.surrogates.labelled_tables import bent, labelled, mixed


@pytest.fixture(scope="module")
def table() -> LabelledTable:
    return labelled(mixed(), bent(mixed()))


@pytest.fixture(scope="module")
def found(table: LabelledTable) -> LocalEquations:
    return Bella().explain(table, table.case("8"))


def test_coefficients_have_four_significant_digits() -> None:
    assert [significant(each) for each in (0.0012345, 1.5, 123456.0, -0.25, 0.0, math.inf)] == [
        "0.001234", "1.500", f"123{SPACE}456", f"{MINUS}0.2500", "0", "0",
    ]  # fmt: skip


@pytest.mark.parametrize("units", sentences_equation.UNITS)
def test_the_equation_as_printed_gives_the_explained_value(found: LocalEquations, units: str) -> None:
    text = plain(sentences_equation.equation_text(found.best, found.target, units)).replace(SPACE, "")
    numbers = [
        float(each.replace(MINUS, "-").replace("+", ""))
        for each in re.findall(rf"[{MINUS}+]?[\d.]+(?=[·{MINUS}+(]|$|\s)", text)
    ]
    base, weights = numbers[0], numbers[1 : 1 + len(found.best.terms)]
    own = [term.standardised if units == "standardised" or term.category else term.raw for term in found.best.terms]
    assert base + float(np.dot(weights, own)) == pytest.approx(found.best.explained, rel=5e-3, abs=0.05)


def test_a_term_has_the_colour_of_its_effect_not_of_its_sign(found: LocalEquations) -> None:
    upwards = found.target
    downwards = replace(upwards, low=-math.inf, high=5.0)
    for term in found.best.terms:
        if term.contribution:
            is_up = term.contribution > 0
            assert sentences_equation.role_of(term, upwards) is (Role.DESIRED if is_up else Role.FACTUAL)
            assert sentences_equation.role_of(term, downwards) is (Role.FACTUAL if is_up else Role.DESIRED)


def test_the_answer_of_a_mean_says_that_no_feature_counts() -> None:
    table = labelled(mixed(), np.full(240, 5.0))
    told = sentences_equation.answer(table, Bella().explain(table, table.case("3")), 0)
    assert "No feature counts around here: the best that can be said is the mean" in plain(told)


def test_how_to_read_names_the_largest_contribution(found: LocalEquations) -> None:
    told = " ".join(plain(sentence) for sentence in how_to_read_equation.of_equation(found, found.chosen))
    largest = max(found.best.terms, key=lambda term: abs(term.contribution))
    assert f"{sentences_equation.term_title(largest)} moves it most" in told


def test_values_outside_the_neighbourhood_are_named(table: LabelledTable, found: LocalEquations) -> None:
    row = found.row.copy()
    assert sentences_equation.tried_notes(table, found, found.chosen, [], row) == ()
    name = next(term.feature for term in found.best.terms if not term.category)
    row[table.schema.index(name)] = 1e4
    (told,) = sentences_equation.tried_notes(table, found, found.chosen, [], row)
    assert told.startswith(f"{name} 10") and told.endswith("where the rule holds.")


def test_a_reference_says_that_it_was_widened(table: LabelledTable) -> None:
    answer = towards_reference(table, table.case("8"), float(table.labels.max()) * 1.5)
    assert answer.was_widened and "no real case serves, so those within" in sentences_equation.widened(table, answer)
    reached = towards_reference(table, table.case("8"), float(table.labels[8]))
    assert "already, which is near enough" in plain(sentences_equation.towards(table, reached))


def test_a_reference_says_where_the_model_does_not_come_near_it(table: LabelledTable) -> None:
    answer = towards_reference(table, table.case("8"), 60.0)
    assert answer.towards is not None
    assert sentences_equation.missed(table, answer) == "", "there is no model to ask"
    for share, is_missed in ((0.9, False), (1.5, True)):
        asked = replace(answer.towards, asked=60.0 - share * answer.tolerance)
        told = sentences_equation.missed(table, replace(answer, towards=asked))
        assert bool(told) is is_missed
    assert f"stays {significant(1.5 * answer.tolerance, 2)} away from 60" in told
