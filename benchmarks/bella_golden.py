"""The reference implementation's recorded outputs against ours, number by number."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from explainers.labelled import LabelledTable, observed_target
from explainers.schema import Schema
from explainers.surrogates.bella import Bella
from explainers.surrogates.equation import Equation, LocalEquations

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("FLIPSIDE_SHARED", ROOT.parent / "shared"))
DIABETES = ROOT / "tests" / "explainers" / "surrogates" / "golden_diabetes.json"
OTHERS = ("concrete", "electrical_grid", "real_estate", "wine_quality_white")
"""Recorded too, but of data that isn't kept here."""


def recorded(name: str) -> dict[str, Any]:
    """What the reference said of a data set."""
    path = DIABETES if name == "diabetes" else SHARED / "golden" / "bella" / f"{name}.json"
    outputs: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return outputs


def labelled_table(name: str) -> LabelledTable:
    """A data set with its observed column, all features as numbers."""
    if name == "diabetes":
        from sklearn.datasets import load_diabetes

        frame = load_diabetes(as_frame=True).frame
    else:
        frame = pd.read_csv(SHARED / "data" / f"{name}.csv")
    labels = frame.pop("target").to_numpy(dtype=np.float64)
    frame = frame.astype(np.float64)
    schema = Schema.infer(frame)
    ids = tuple(map(str, range(len(frame))))
    return LabelledTable.of_column(schema, schema.encode(frame), ids, labels, observed_target("target", labels))


def largest_difference(name: str) -> float:
    """The largest difference in any number.

    Raises
    ------
    AssertionError
        If sizes, features, the size chosen or the order of neighbours differ.
    """
    golden, table = recorded(name), labelled_table(name)
    differences = [0.0]
    for expected in golden["explanations"]:
        found = Bella().explain(table, table.case(str(expected["row"])))
        differences += _of_neighbours(expected, found)
        differences += [abs(found.best.explained - expected["predicted"])]
        assert found.best.size == expected["chosen_n"]
        assert found.sizes.tolist() == [size["n"] for size in expected["sizes"]]
        for place, size in enumerate(expected["sizes"]):
            differences += _of_size(size, found.equation(place))
    return max(differences)


def _of_neighbours(expected: dict[str, Any], found: LocalEquations) -> list[float]:
    order = [int(expected["row"]), *found.others.tolist()]
    assert order[:25] == expected["neighbours_first_25"]
    assert hashlib.sha256(",".join(map(str, order)).encode()).hexdigest() == expected["order_sha256"]
    distances = np.concatenate([[0.0], found.distances])[:25]
    return np.abs(distances - expected["distances_first_25"]).tolist()


def _of_size(expected: dict[str, Any], found: Equation) -> list[float]:
    assert [term.feature for term in found.terms] == (expected["features"] or [])
    differences = [abs(found.bound - expected["lower_bound"])]
    if found.terms:
        differences += [abs(found.intercept - expected["intercept"])]
        ours = [term.coefficient for term in found.terms]
        differences += np.abs(np.subtract(ours, expected["coefficients"])).tolist()
    return differences
