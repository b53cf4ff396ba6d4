"""Labelled tables for tests."""

from __future__ import annotations

import numpy as np
import pandas as pd

from explainers.labelled import LabelledTable, observed_target
from explainers.schema import Schema


def labelled(table: pd.DataFrame, labels: np.ndarray, quantity: str = "price") -> LabelledTable:
    """A table without a model."""
    schema = Schema.infer(table)
    ids = tuple(map(str, range(len(table))))
    return LabelledTable.of_column(schema, schema.encode(table), ids, labels, observed_target(quantity, labels))


def mixed(n: int = 240, seed: int = 0) -> pd.DataFrame:
    """Numbers, two of which go together, a binary and a category of four."""
    random = np.random.default_rng(seed)
    width = random.normal(10, 3, n)
    towns = ["north", "south", "west", "east"]
    return pd.DataFrame(
        {
            "width": width,
            "height": width * 0.98 + random.normal(0, 0.3, n),
            "age": random.gamma(2.0, 4.0, n),
            "garden": random.random(n) < 0.4,
            "town": pd.Series(random.choice(towns, n, p=[0.4, 0.3, 0.2, 0.1]), dtype="str"),
        }
    )


def bent(table: pd.DataFrame, seed: int = 1, noise: float = 2.0) -> np.ndarray:
    """Labels that are linear only nearby."""
    random = np.random.default_rng(seed)
    town = table["town"].map({"north": 0.0, "south": 8.0, "west": -5.0, "east": 3.0}).to_numpy()
    return np.asarray(
        table["width"] ** 2 / 4 - table["age"] * (1 + table["garden"]) + town + random.normal(0, noise, len(table))
    )
