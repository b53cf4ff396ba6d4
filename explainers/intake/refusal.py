"""Why a file is not taken."""

from __future__ import annotations

from collections.abc import Sequence

MOST_LISTED = 3


class Refused(ValueError):
    """A file can't be used as it is; the message is one sentence: what, where, and what to do."""


def listed(names: Sequence[object]) -> str:
    """Some names in quotes, and how many more there are."""
    shown = ", ".join(repr(str(name)) for name in names[:MOST_LISTED])
    return shown if len(names) <= MOST_LISTED else f"{shown} and {len(names) - MOST_LISTED} more"


def counted(count: int, noun: str) -> str:
    """A number and its noun: 1 value, 2 values."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}".replace(",", " ")
