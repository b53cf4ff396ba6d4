"""The reference's own numbers, to 1e-8: bounds, features and equations at every size, and the order of neighbours."""

from __future__ import annotations

import pytest

from benchmarks.bella_golden import OTHERS, SHARED, largest_difference


def test_diabetes() -> None:
    assert largest_difference("diabetes") < 1e-8


@pytest.mark.parametrize("name", OTHERS)
def test_data_that_is_not_kept_here(name: str) -> None:
    if not (SHARED / "golden" / "bella" / f"{name}.json").exists():
        pytest.skip(f"no recorded outputs of {name}; set FLIPSIDE_SHARED")
    assert largest_difference(name) < 1e-8
