"""Tables of numbers as charts and sentences print them, and in the order of what they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from explainers import wording
from explainers.decision import Target

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

SCORES, MARGIN, ERROR = ("score", "running total"), "margin", "standard error"
STEPS = ("importance", "contribution", "CounterShapley", "SHAP", "LIME")
"""Columns of steps between scores, which have one precision; any other number is printed by itself."""
MOST_STYLED = 25_000
"""Cells of a table, beyond which it takes too long to print each as it is printed elsewhere."""


def as_elsewhere(frame: pd.DataFrame, target: Target) -> tuple[pd.DataFrame | Styler, dict[str, str]]:
    """A table for the browser that shows its numbers as `printed` prints them, and what must be said of its columns.

    That is nothing, but where there are too many cells: then the browser prints them, all
    scores as exactly as the one that needs most decimals.
    """
    numbers = frame.select_dtypes("floating")
    if frame.size > MOST_STYLED:
        scores = numbers.filter(SCORES).to_numpy().ravel()
        decimals = wording.score_decimals(scores[~np.isnan(scores)], target)
        return frame, {name: f"%.{decimals if name in SCORES else 4}f" for name in numbers}
    shown = frame.style
    for name, texts in printed(numbers, target).items():
        shown = shown.format(dict(zip(frame[name], texts, strict=True)).__getitem__, subset=[name], na_rep="")
    return shown, {}


def printed(frame: pd.DataFrame, target: Target) -> dict[str, list[str]]:
    """The columns of a table as they are printed; what isn't known is empty."""
    steps = frame.filter(STEPS).to_numpy(dtype=float)
    known = steps[~np.isnan(steps)]
    signed = dict(zip(known.tolist(), wording.signed_column(known, target), strict=True))
    return {name: [_text(name, value, target, signed) for value in frame[name].tolist()] for name in frame.columns}


def _text(name: str, value: Any, target: Target, signed: Mapping[float, str]) -> str:
    if pd.isna(value):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return wording.number(value, 0)
    if not isinstance(value, float):
        return str(value)
    if name in SCORES:
        return wording.score(value, target)
    if name.endswith(ERROR):
        return wording.number(value, target.decimals + 2)
    if name in STEPS:
        return signed[value]
    if name == MARGIN:
        return wording.signed_column([value], target)[0].removeprefix("+")
    return wording.number(value, 0, wording.BARE_GROUPED_FROM) if value.is_integer() else wording.significant(value)
