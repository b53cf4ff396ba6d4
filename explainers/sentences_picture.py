"""Sentences about rows that are pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explainers import wording
from explainers.picture import places_of
from explainers.schema import Rows, Schema


def alt_pictures(schema: Schema, titles: Sequence[str], before: Rows, after: Rows) -> str:
    """What the pictures show, for who can't see them, and how the second differs from the first."""
    return f"{named(schema, titles)} {what_changes(schema, before, after)}"


def named(schema: Schema, titles: Sequence[str]) -> str:
    """Which pictures there are."""
    return f"Pictures of {len(schema.picture)} by {len(schema.picture[0])} pixels: {'; '.join(titles)}."


def what_changes(schema: Schema, before: Rows, after: Rows) -> str:
    """How many pixels rise and fall, and which changes most."""
    names = list(places_of(schema))
    places = [schema.index(name) for name in names]
    ways = np.nan_to_num(after[places] - before[places])
    if not ways.any():
        return "No pixel changes."
    rising, falling = int((ways > 0).sum()), int((ways < 0).sum())
    most = int(np.argmax(np.abs(ways)))
    feature = schema[names[most]]
    old, new = wording.change(feature, float(before[places[most]]), float(after[places[most]]))
    ways_told = ((rising, "up"), (falling, "down"))
    counts = [f"{wording.count(amount, 'pixel')} {way}" for amount, way in ways_told if amount]
    return f"{' and '.join(counts)}, most of all {feature.title}: {old} to {new}."


def scale(schema: Schema, low: float, high: float) -> tuple[str, str]:
    """The ends of the scale of all pixels."""
    feature = schema[next(iter(places_of(schema)))]
    return wording.change(feature, low, high)


def step_scale(schema: Schema, step: float) -> tuple[str, str]:
    """The ends of the scale of changes."""
    feature = schema[next(iter(places_of(schema)))]
    return wording.signed(-step, feature.decimals), wording.signed(step, feature.decimals)


def pixel(schema: Schema, name: str, row: Rows) -> str:
    """One pixel of one row."""
    feature = schema[name]
    return f"{feature.title}: {wording.value(feature, float(row[schema.index(name)]))}"


def pixel_change(schema: Schema, name: str, before: Rows, after: Rows) -> str:
    """What becomes of one pixel."""
    feature, place = schema[name], schema.index(name)
    old, new = wording.change(feature, float(before[place]), float(after[place]))
    return f"{feature.title}: {old} → {new}" if old != new else f"{feature.title}: {new}, as it is"
