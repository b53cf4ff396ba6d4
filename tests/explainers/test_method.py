"""What can be set on a method, and what is said about values that can't be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from explainers.method import Options, real, whole


@dataclass(frozen=True)
class Bounds(Options):
    rows: int = whole(3, label="Rows", help="How many.", low=1, high=5)
    share: float = real(0.5, label="Share", help="How much.", low=0.0, high=1.0)
    at_most: float | None = real(None, label="At most", help="No more.", low=0.25, high=2.0)
    changes: int | None = whole(None, label="Changes", help="No more.", low=1, high=9)


@pytest.mark.parametrize(
    "fitting", [{"share": 0.0}, {"share": 1.0}, {"at_most": 0.25}, {"changes": 9}, {"rows": 5}, {}]
)
def test_numbers_within_their_bounds_and_open_ones_fit(fitting: dict[str, Any]) -> None:
    assert Bounds(**fitting).check() == ()


@pytest.mark.parametrize(
    ("odd", "sentence"),
    [
        ({"rows": 2.0}, "Rows must be a whole number from 1 to 5, not 2.0."),
        ({"rows": None}, "Rows must be a whole number from 1 to 5, not None."),
        ({"rows": True}, "Rows must be a whole number from 1 to 5, not True."),
        ({"share": 1.01}, "Share must be a number from 0.0 to 1.0, not 1.01."),
        ({"share": float("nan")}, "Share must be a number from 0.0 to 1.0, not nan."),
        ({"share": None}, "Share must be a number from 0.0 to 1.0, not None."),
        ({"at_most": 0.2}, "At most must be a number from 0.25 to 2.0, not 0.2."),
        ({"changes": 10}, "Changes must be a whole number from 1 to 9, not 10."),
    ],
)
def test_others_are_told_in_a_sentence(odd: dict[str, Any], sentence: str) -> None:
    assert Bounds(**odd).check() == (sentence,)
