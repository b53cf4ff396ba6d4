"""Dates as a calendar gives them, and as numbers of days since 1970."""

from __future__ import annotations

import math
from datetime import date

import numpy as np

from explainers.schema import SECONDS_A_DAY, Feature

FIRST_DATE, LAST_DATE = date(1, 1, 1), date(9999, 12, 31)
"""Beyond them no calendar goes."""


def days_of(chosen: date, is_end: bool) -> float:
    """A day as its first moment or, at the end of a range, as its last second."""
    return (chosen - date(1970, 1, 1)).days + ((SECONDS_A_DAY - 1) / SECONDS_A_DAY if is_end else 0.0)


def date_of(days: float) -> date:
    """The day on which a moment lies, as far as there are days."""
    within = np.clip(days, days_of(FIRST_DATE, False), days_of(LAST_DATE, False))
    chosen: date = np.datetime64(int(np.floor(within)), "D").astype(object)
    return chosen


def field_value(feature: Feature, number: float | None) -> date | float | None:
    """What a field holds for a number: the day on which a moment lies, nothing where there is no number."""
    if number is None or math.isnan(number):
        return None
    return date_of(number) if feature.is_date else number
