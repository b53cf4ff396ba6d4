"""What the store can't do; apart from it, so that nobody loads a database to name an error."""

from __future__ import annotations


class StoreError(Exception):
    """Something can't be kept or found; the message is a sentence for the person."""


class Gone(StoreError):
    """Nothing is kept under this token, or not any more: nobody remembers which."""

    def __init__(self) -> None:
        super().__init__("This link's data has expired or never was here; upload it again.")


class TooLarge(StoreError):
    """The item is larger than any may be."""
