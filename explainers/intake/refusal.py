"""Why a file is not taken."""

from __future__ import annotations

from collections.abc import Sequence

MOST_LISTED = 3


class Refused(ValueError):
    """A file can't be used as it is; the message is one sentence: what, where, and what to do.

    Attributes
    ----------
    code : str
        Lines of Python that help, to be shown as they are; mostly empty.
    """

    def __init__(self, sentence: str, code: str = "") -> None:
        super().__init__(sentence)
        self.code = code


def listed(names: Sequence[object]) -> str:
    """Some names in quotes, and how many more there are."""
    shown = ", ".join(repr(str(name)) for name in names[:MOST_LISTED])
    return shown if len(names) <= MOST_LISTED else f"{shown} and {len(names) - MOST_LISTED} more"


def first_line(error: BaseException) -> str:
    """What another library said, short and without the full stop."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:200].rstrip(". ")


def counted(count: int, noun: str) -> str:
    """A number and its noun: 1 value, 2 values."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}".replace(",", " ")
