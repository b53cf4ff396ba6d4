"""A table with a column of every kind, and how usual two of its values are, for tests."""

from __future__ import annotations

import numpy as np
import pandas as pd

from explainers import wording
from explainers.results import Counterfactual, FeatureChange, Origin
from explainers.schema import Schema, same
from explainers.usualness import Usualness, usualness

N = 400


def table() -> pd.DataFrame:
    random = np.random.default_rng(0)
    made = pd.DataFrame(
        {
            "months": random.choice([6, 12, 18, 24, 36], N),
            "amount": random.integers(250, 18_000, N),
            "computed": random.normal(size=N) * 1e-4,
            "gaps": np.where(random.random(N) < 0.2, np.nan, random.normal(size=N).round(1)),
            "nothing": np.full(N, np.nan),
            "constant": np.full(N, 7),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 90, N), "D"),
            "colour": pd.Series(random.choice(["red", "green", "blue"], N), dtype="str"),
            "member": random.random(N) < 0.3,
            "street": pd.Series([f"street {i}" for i in random.integers(0, 300, N)], dtype="str"),
        }
    )
    made.loc[:40, "colour"] = None
    return made


def spread(schema: Schema, rows: np.ndarray, old: np.ndarray, new: np.ndarray) -> dict[str, Usualness]:
    """As seen by a case and a counterfactual that differ in every feature that the rows do."""
    changes = tuple(
        FeatureChange(f.name, f.title, None, None, wording.value(f, o), wording.value(f, n))
        for f, o, n in zip(schema.features, old, new, strict=True)
        if not same(o, n)
    )
    counterfactual = Counterfactual(
        "1", old.copy(), new.copy(), changes, 0.2, 0.8, None, (), 1.0, "", Origin("hand", (), 0, "")
    )
    return {one.feature.name: one for one in usualness(schema, rows, counterfactual)}


def of_every_kind() -> dict[str, Usualness]:
    """By feature; where two rows agree, the second value is missing, or 1 if the first is."""
    schema = Schema.infer(table())
    rows = schema.encode(table())
    differs = np.where(np.isnan(rows[1]), 1.0, np.nan)
    return spread(schema, rows, rows[1], np.where(same(rows[1], rows[0]), differs, rows[0]))
