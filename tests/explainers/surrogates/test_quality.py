"""Measures by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from explainers.surrogates.bella import Bella
from explainers.surrogates.quality import Errors, counterfactual_fidelity, fidelity, robustness, share_found
from explainers.surrogates.reference_value import towards_reference
from tests.explainers.surrogates.labelled_tables import bent, labelled, mixed


def test_errors() -> None:
    assert Errors.of([3.0, -4.0]) == Errors(math.sqrt(12.5), 3.5)
    assert math.isnan(Errors.of([]).mae)


def test_robustness_is_the_paper_s_equation_5() -> None:
    one = np.array([2.0, 0.0, -1.0, 0.0])
    same, other = one.copy(), np.array([1.0, 0.0, 1.0, 3.0])
    # 1/3 apart, nothing to compare, opposite signs, one alone.
    assert robustness(one, other[None]) == pytest.approx(1 - (1 / 3 + 0 + 1 + 1) / 4)
    assert robustness(one, other[None], used_only=True) == pytest.approx(1 - (1 / 3 + 1 + 1) / 3)
    assert robustness(one, same[None]) == robustness(one, same[None], used_only=True) == 1.0
    assert robustness(one, np.stack([same, other])) == pytest.approx((1 + 1 - (7 / 3) / 4) / 2)
    nothing = np.zeros(4)
    assert robustness(nothing, nothing[None], used_only=True) == 1.0


def test_fidelity_generality_and_features_found() -> None:
    table = labelled(mixed(), bent(mixed()))
    found = [Bella().explain(table, table.case(id_)) for id_ in ("3", "17")]
    differences = [found[0].best.explained - table.labels[3], found[1].best.explained - table.labels[17]]
    assert fidelity(found).mae == pytest.approx(np.abs(differences).mean())
    assert found[0].generality(found[0].chosen) == (found[0].best.size - 1) / 239
    used = {term.feature for term in found[0].best.terms}
    assert share_found([min(used)], found[0]) == 1.0
    assert share_found([min(used), "no such"], found[0]) == 0.5
    towards = towards_reference(table, table.case("3"), 40.0)
    assert towards.towards is not None
    by_equation, by_model = counterfactual_fidelity([towards])
    assert by_equation.mae == pytest.approx(abs(towards.towards.value - 40.0)) and math.isnan(by_model.mae)
