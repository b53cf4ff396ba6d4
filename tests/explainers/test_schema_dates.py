"""Dates are numbers of days; a code may stand for a missing value."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.constraints import Constraints
from explainers.schema import Schema

MOMENTS = st.datetimes(pd.Timestamp("1900-01-01").to_pydatetime(), pd.Timestamp("2050-01-01").to_pydatetime())


@given(values=st.lists(MOMENTS | st.none(), min_size=1, max_size=8), zone=st.sampled_from([None, "UTC", "Asia/Tokyo"]))
def test_moments_go_there_and_back(values: list, zone: str | None) -> None:
    table = pd.DataFrame({"when": pd.Series(pd.to_datetime(values), dtype="datetime64[us]").dt.tz_localize(zone)})
    schema = Schema.infer(table)
    assert schema["when"].is_number and schema["when"].is_date
    pd.testing.assert_frame_equal(schema.decode(schema.encode(table)), table)


def test_whole_days_are_shown_as_whole_days() -> None:
    table = pd.DataFrame({"when": pd.to_datetime(["2024-02-29", "1969-12-31"])})
    feature = Schema.infer(table)["when"]
    assert feature.decimals == 0
    assert (feature.low, feature.high) == (-1.0, 19782.0)


def test_what_is_displayed_of_a_moment_is_a_whole_second() -> None:
    schema = Schema.infer(pd.DataFrame({"when": pd.to_datetime(["2024-02-29 12:30:01.25"])}))
    rows = schema.encode(pd.DataFrame({"when": pd.to_datetime(["2024-02-29 12:30:01.25"])}))
    shown = schema.decode(schema.displayed(rows, [schema["when"].decimals]))
    assert shown["when"].iloc[0] == pd.Timestamp("2024-02-29 12:30:01")
    assert schema.displayed(rows, [0])[0, 0] == 19783.0


@pytest.mark.parametrize("values", [[-9, 3, 4], [-9.0, 2.5, 4.0]])
def test_a_code_means_missing_and_goes_back_to_the_model(values: list) -> None:
    table = pd.DataFrame({"x": values})
    schema = Schema((replace(Schema.infer(table)["x"], missing_code=-9),))
    rows = schema.encode(table)
    assert np.isnan(rows[0, 0]) and rows[1, 0] == values[1]
    pd.testing.assert_frame_equal(schema.decode(rows), table)


def test_a_word_may_mean_missing() -> None:
    table = pd.DataFrame({"x": ["?", "red", "blue"]})
    feature = Schema.infer(table.iloc[1:])["x"]
    schema = Schema((replace(feature, dtypes=(table["x"].dtype,), missing_code="?"),))
    rows = schema.encode(table)
    assert np.isnan(rows[0, 0])
    pd.testing.assert_frame_equal(schema.decode(rows), table)


def test_a_range_that_the_schema_allows_binds_by_default() -> None:
    schema = Schema.infer(pd.DataFrame({"x": [1.0, 9.0]})).described({"x": {"allowed_low": 2.0}})
    assert Constraints.default(schema)["x"].low == 2.0
