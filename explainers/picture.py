"""Features that are the pixels of a picture: which, where, and what is seen of a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from explainers.schema import Rows, Schema

Pixels = tuple[tuple[str, ...], ...]
"""Names of features, row by row from above and each row from the left; a name that is no feature's is left blank."""

FEWEST_PIXELS = 4
MOST_PIXELS = 64 * 64


def arranged(names: Sequence[str], width: int) -> Pixels:
    """Pixels from their names in one go, as most tables have them.

    Raises
    ------
    ValueError
        If they fill no rectangle.
    """
    if width < 1 or len(names) % width:
        raise ValueError(f"{len(names)} numbers can't be cut into rows of {width} pixels; choose another width.")
    return tuple(tuple(names[start : start + width]) for start in range(0, len(names), width))


def wrong_with(pixels: Pixels, schema: Schema) -> str:
    """Why these can't be the pixels of a picture, as a sentence; empty if they can."""
    names = [name for row in pixels for name in row]
    if len({len(row) for row in pixels}) > 1:
        return "The rows of the picture are of different lengths; give each as many pixels."
    if not FEWEST_PIXELS <= len(names) <= MOST_PIXELS:
        return f"A picture has {FEWEST_PIXELS} to {MOST_PIXELS} pixels, and this has {len(names)}; choose others."
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        return f"The picture has the pixel {twice!r} twice; name each once."
    known = [schema[name] for name in names if name in schema.names]
    if not known:
        return "No pixel of the picture is a feature; name columns that are."
    named = [feature for feature in known if not feature.is_number]
    return f"{named[0].title} is a category, so it is no pixel; make it a number." if named else ""


def seen(schema: Schema, rows: Rows) -> NDArray[np.float64]:
    """Rows as pictures, shape (n_rows, height, width); NaN where a pixel is no feature or missing."""
    pictures = np.full((len(rows), len(schema.picture), len(schema.picture[0])), np.nan)
    for name, (down, across) in places_of(schema).items():
        pictures[:, down, across] = rows[:, schema.index(name)]
    return pictures


def places_of(schema: Schema) -> dict[str, tuple[int, int]]:
    """Row and column of each feature that is a pixel, from 0."""
    return {
        name: (down, across)
        for down, row in enumerate(schema.picture)
        for across, name in enumerate(row)
        if name in schema.names
    }


def scale_of(schema: Schema) -> tuple[float, float]:
    """Smallest and largest number of any pixel in the table: from here to there all pictures of it are drawn."""
    pixels = [schema[name] for name in places_of(schema)]
    return min(feature.low for feature in pixels), max(feature.high for feature in pixels)


def with_one_deviation(schema: Schema, deviations: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standard deviations of the features, those of all pixels replaced by their root mean square.

    Pixels are on one scale already. Standardised one by one, those that are nearly always
    blank would count as much as all others, and a trace of ink there as more than a digit.
    """
    pixels = [schema.index(name) for name in places_of(schema)]
    if not pixels:
        return deviations
    shared = deviations.copy()
    shared[pixels] = np.sqrt(np.mean(deviations[pixels] ** 2))
    return shared
