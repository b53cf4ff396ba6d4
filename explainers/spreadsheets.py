"""Results as CSV that a spreadsheet opens, with nothing in it that a spreadsheet would run."""

from __future__ import annotations

from typing import Any

import pandas as pd

from explainers.explanation import Explanation

RUN = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A cell of text that begins so is taken for a formula by one spreadsheet or another."""


def to_csv(frame: pd.DataFrame) -> bytes:
    """A table as CSV, in UTF-8 with the mark by which spreadsheets know it.

    Text that a spreadsheet would take for a formula begins with an apostrophe; numbers
    stay as they are, in full precision.
    """
    harmless = frame.map(_harmless).rename(columns=_harmless)
    return str(harmless.to_csv(index=False, lineterminator="\r\n")).encode("utf-8-sig", "replace")


def tables(explanation: Explanation) -> dict[str, pd.DataFrame]:
    """What there is to be taken along as a table, by name: the changes, their importances, the combinations."""
    measured = {"CounterShapley": explanation.countershapley, "Greedy": explanation.greedy}
    importances = [
        importance.to_frame().assign(method=name) for name, importance in measured.items() if importance is not None
    ]
    stacked = pd.concat(importances, ignore_index=True)
    found = {
        "changes": explanation.counterfactual.to_frame(),
        "importances": stacked[["method", *(name for name in stacked.columns if name != "method")]],
    }
    return found | {"combinations": explanation.combinations.to_frame()}


def _harmless(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(RUN) else value
