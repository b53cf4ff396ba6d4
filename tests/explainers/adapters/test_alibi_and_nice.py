"""Results of alibi and NICEx, as their sources make them (alibi 0.9.6, NICEx 0.2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from explainers.adapters.alibi_results import from_alibi
from explainers.adapters.nice_results import from_nice

COLUMNS = ("age", "income")


@dataclass
class Explanation:
    """What alibi's explainers return, as far as it is read."""

    data: Mapping[str, Any]


def of_counterfactual() -> Explanation:
    """As ``alibi.explainers.Counterfactual``: the best, and a list for each step of lambda."""
    best = {"X": np.array([[30.0, 2.0]], dtype=np.float32), "distance": 1.0, "lambda": 0.1, "class": 1}
    return Explanation({"cf": best, "all": {0: [], 1: [best, {**best, "X": np.array([[31.0, 2.0]])}]}, "success": True})


def test_the_best_of_counterfactual_is_taken() -> None:
    assert from_alibi(of_counterfactual(), COLUMNS).to_dict("list") == {"age": [30.0], "income": [2.0]}


def test_all_that_were_found_on_the_way_are_taken_once() -> None:
    assert from_alibi(of_counterfactual(), COLUMNS, every=True)["age"].tolist() == [30.0, 31.0]


def test_counterfactuals_by_prototypes_are_taken() -> None:
    """``CounterfactualProto`` keeps bare arrays of every iteration."""
    ways = {0: [np.array([[29.0, 1.0]])], 1: []}
    result = Explanation({"cf": {"X": np.array([[30.0, 2.0]]), "class": 1}, "all": ways})
    assert from_alibi(result, COLUMNS, every=True)["age"].tolist() == [30.0, 29.0]


def test_rows_of_counterfactual_rl_are_taken() -> None:
    result = Explanation({"cf": {"X": np.array([[30, 2], [31, 3]], dtype=object), "class": np.array([[1], [1]])}})
    assert from_alibi(result, COLUMNS)["income"].tolist() == [2, 3]


def test_pertinent_negatives_are_taken() -> None:
    assert from_alibi(Explanation({"PN": np.array([[30.0, 2.0]]), "PP": None}), COLUMNS)["age"].tolist() == [30.0]


def test_where_alibi_found_none_there_are_no_rows() -> None:
    assert from_alibi(Explanation({"cf": None, "all": []}), COLUMNS, every=True).shape == (0, 2)


def test_an_encoding_is_taken_back() -> None:
    result = Explanation({"cf": {"X": np.array([[0.3, 0.2]])}})
    assert from_alibi(result, COLUMNS, back=lambda rows: rows * 100)["age"].tolist() == [30.0]


def test_other_columns_than_alibi_s_are_refused() -> None:
    with pytest.raises(ValueError, match="Each row has 2 values, and 1 columns are named"):
        from_alibi(of_counterfactual(), ("age",))


@pytest.mark.parametrize("shape", [(1, 2), (2,)])
def test_the_row_of_nice_is_taken(shape: tuple[int, ...]) -> None:
    frame = from_nice(np.array([30, "clerk"], dtype=object).reshape(shape), ("age", "job"))
    assert frame.to_dict("list") == {"age": [30], "job": ["clerk"]}
    assert frame["age"].dtype == np.int64


def test_other_columns_than_nice_s_are_refused() -> None:
    with pytest.raises(ValueError, match="The result has 2 values, and 3 columns are named"):
        from_nice(np.array([[1.0, 2.0]]), ("a", "b", "c"))
