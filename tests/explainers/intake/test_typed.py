"""Values as people type them: read exactly, or refused in a sentence; and what is written is read back the same."""

from __future__ import annotations

import datetime
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from explainers import wording
from explainers.intake.numerals import Decimal
from explainers.intake.refusal import Refused
from explainers.intake.typed import missing_text, read_value, write_value
from explainers.schema import Schema
from tests.explainers.tables import tables

TABLE = pd.DataFrame(
    {
        "whole": [1, 2],
        "number": [1.5, 2.5],
        "single": np.array([1.5, 2.0], dtype="float32"),
        "byte": np.array([1, 2], dtype="int8"),
        "natural": np.array([1, 2], dtype="uint16"),
        "colour": ["red", "Blue"],
        "size": ["s", "S"],
        "truth": [True, False],
        "day": pd.to_datetime(["2020-01-01", "2021-01-02"]),
        "moment": pd.to_datetime(["2020-01-01 10:00", "2021-01-02 00:00"]),
        "count": pd.array([1, None], dtype="Int64"),
        "code": pd.Categorical([1, 10]),
    }
)
SCHEMA = Schema.infer(TABLE).described({"number": {"unit": "DM", "title": "Amount"}})
DAY = 18262.0


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("whole", " 3 ", 3.0),
        ("whole", "1 204", 1204.0),
        ("whole", 3.0, 3.0),
        ("number", "1 204,5 DM", 1204.5),
        ("number", "1 204.5 dm", 1204.5),
        ("number", "−3", -3.0),
        ("number", "1e3", 1000.0),
        ("single", "0.1", float(np.float32(0.1))),
        ("colour", "blue", 0.0),
        ("colour", " red ", 1.0),
        ("size", "S", 0.0),
        ("size", "s", 1.0),
        ("truth", "TRUE", 1.0),
        ("truth", "no", 0.0),
        ("truth", np.True_, 1.0),
        ("truth", 0, 0.0),
        ("code", 10, 1.0),
        ("code", "10", 1.0),
        ("code", 1.0, 0.0),
        ("day", "2020-01-01", DAY),
        ("day", "31.12.2019", DAY - 1),
        ("day", datetime.date(2020, 1, 2), DAY + 1),
        ("day", pd.Timestamp("2020-01-01"), DAY),
        ("moment", "2020-01-01 06:00", DAY + 0.25),
        ("day", "missing", math.nan),
        ("number", "", math.nan),
        ("number", "NA", math.nan),
        ("count", None, math.nan),
        ("colour", None, math.nan),
        ("moment", pd.NaT, math.nan),
    ],
)
def test_what_people_type_is_read(name: str, typed: Any, value: float) -> None:
    assert same(read_value(SCHEMA[name], typed), value)


@pytest.mark.parametrize(
    ("name", "typed", "sentence"),
    [
        ("whole", "3.5", "whole takes whole numbers only, not 3.5."),
        ("whole", None, "whole can't be missing; its column has no place for that."),
        ("byte", "300", "The column of byte holds numbers from −128 to 127 only."),
        ("natural", -1, "The column of natural holds numbers from 0 to 65 535 only."),
        ("number", "much", "Amount should be a number, such as 1.5 DM, not 'much'."),
        ("number", "inf", "Amount should be a number, such as 1.5 DM, not 'inf'."),
        ("number", float("inf"), "Amount should be a number, such as 1.5 DM, not 'inf'."),
        ("single", "1e60", "The column of single can't hold 1e+60; type a value nearer to those of the table."),
        ("colour", "green", "colour has no category called 'green'; it has Blue, red."),
        ("code", "3", "code has no category called '3'; it has 1, 10."),
        ("day", "03/04/2020", "Day and month can't be told apart in '03/04/2020' of day; write year-month-day."),
        ("day", "soon", "day should be a date, such as 2020-01-01, not 'soon'."),
    ],
)
def test_what_a_feature_can_not_be_is_refused_in_a_sentence(name: str, typed: Any, sentence: str) -> None:
    with pytest.raises(Refused) as caught:
        read_value(SCHEMA[name], typed)
    assert str(caught.value).replace(wording.SPACE, " ") == sentence


@pytest.mark.parametrize(
    ("typed", "decimal", "value"), [("1.204", Decimal.COMMA, 1204.0), ("1,204", Decimal.POINT, 1204.0)]
)
def test_what_stands_before_decimals_decides_where_it_is_known(typed: str, decimal: Decimal, value: float) -> None:
    assert read_value(SCHEMA["number"], typed, decimal) == value


@given(tables())
def test_every_value_of_a_table_comes_back_from_what_is_written(table: pd.DataFrame) -> None:
    schema = Schema.infer(table)
    for feature, column in zip(schema.features, schema.encode(table).T, strict=True):
        for value in column:
            assert same(read_value(feature, write_value(feature, float(value))), float(value))


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["number", "single", "whole", "moment"]))
def test_a_number_typed_comes_back_from_what_is_written(number: float, name: str) -> None:
    feature = SCHEMA[name]
    try:
        read = read_value(feature, number if name != "moment" else wording.date(number % 1e5, 5))
    except Refused:
        assume(False)
        raise
    assert same(read_value(feature, write_value(feature, read)), read)


@given(st.integers(-(10**9), 10**9), st.integers(0, 4), st.sampled_from(["DM", ""]))
def test_a_number_is_read_as_it_is_printed(digits: int, decimals: int, unit: str) -> None:
    feature = Schema.infer(TABLE).described({"number": {"unit": unit}})["number"]
    number = digits / 10**decimals
    assert read_value(feature, wording.value(feature, number, decimals), Decimal.POINT) == number


def test_a_code_for_missing_is_no_number() -> None:
    feature = SCHEMA.described({"whole": {"missing_code": -9}})["whole"]
    with pytest.raises(Refused, match="-9 means missing in the column of whole"):
        read_value(feature, "-9")
    assert math.isnan(read_value(feature, "missing"))


def test_missing_has_a_name_that_no_category_has() -> None:
    schema = Schema.infer(pd.DataFrame({"state": ["missing", "", "known", None]}))
    text = missing_text(schema["state"])
    assert text not in schema["state"].labels
    assert math.isnan(read_value(schema["state"], text))
    assert schema["state"].labels[int(read_value(schema["state"], "missing"))] == "missing"
