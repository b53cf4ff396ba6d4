"""Categories that somebody spread by hand over columns of 0 and 1, found by names and values."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.schema_inference import SEPARATORS

FEWEST_ROWS = 10
"""In fewer, columns that have nothing to do with each other may complement each other by chance."""


def one_hot_groups(table: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    """Groups of columns with a common beginning of which exactly one is 1 in every row.

    The beginning ends with a separator, as in ``job_clerk`` and ``job_manager``, and is what
    the group is called. Where longer and shorter ones would do, the longest does. A group
    that would be called like a column isn't one.

    Parameters
    ----------
    table : DataFrame
        Columns of truth values, of integers or of floats may be 0 and 1; none of them with
        a value missing.

    Returns
    -------
    dict of name to columns
        Both in the table's order; two columns or more, two of which at least are 1 somewhere.
    """
    if len(table) < FEWEST_ROWS:
        return {}
    hot = {str(column): values for column in table.columns if (values := _zeros_and_ones(table[column])) is not None}
    sharing: dict[str, list[str]] = {}
    for column in hot:
        for end in range(1, len(column)):
            if column[end - 1] in SEPARATORS:
                sharing.setdefault(column[:end], []).append(column)
    found: dict[str, tuple[str, ...]] = {}
    taken: set[str] = set()
    for beginning in sorted(sharing, key=len, reverse=True):
        columns = [column for column in sharing[beginning] if column not in taken]
        name = beginning.rstrip(SEPARATORS)
        if (
            name
            and name not in found
            and name not in table.columns
            and _is_one_each([hot[column] for column in columns])
        ):
            found[name] = tuple(columns)
            taken.update(columns)
    return dict(sorted(found.items(), key=lambda item: list(hot).index(item[1][0])))


def said_of(found: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """What was found, a sentence a group, with how to take it back."""
    return tuple(
        f"Of the {len(columns)} columns from {columns[0]!r} to {columns[-1]!r} exactly one is 1 in every row, so they"
        f" are taken as one feature, {name!r}; if they are not, take them apart under Groups."
        for name, columns in found.items()
    )


def _zeros_and_ones(column: pd.Series) -> NDArray[np.bool_] | None:
    """Where a column is 1, if it is 0 elsewhere."""
    if not pd.api.types.is_numeric_dtype(column.dtype) or column.hasnans:
        return None
    values = column.to_numpy()
    if values.dtype.kind not in "buif":
        values = column.to_numpy(dtype=np.float64)
    ones = values == 1
    return np.asarray(ones, dtype=bool) if bool((ones | (values == 0)).all()) else None


def _is_one_each(columns: list[NDArray[np.bool_]]) -> bool:
    if sum(bool(ones.any()) for ones in columns) < 2:
        return False
    return bool((np.sum(columns, axis=0) == 1).all())
