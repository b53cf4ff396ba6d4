"""Rows that somebody brings: from one column or all, many or one, in any way that people write tables."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from explainers.intake.refusal import Refused
from explainers.intake.rows import MOST_BYTES, MOST_ROWS, read_rows, row_of_values, rows_of_frame
from explainers.intake.typed import write_value
from explainers.schema import Schema, SchemaError
from tests.explainers.tables import tables

TABLE = pd.DataFrame(
    {
        "age": [20, 60],
        "income": [1000.5, 2000.25],
        "job": ["none", "clerk"],
        "zone_north": [1, 0],
        "zone_south": [0, 1],
        "since": pd.to_datetime(["2020-01-01", "2021-01-01"]),
    }
)
SCHEMA = Schema.infer(TABLE, groups={"zone": ["zone_north", "zone_south"]}).described(
    {"income": {"title": "Yearly income", "unit": "DM"}}
)


def read(text: str, name: str = "mine.csv") -> list[dict[str, float]]:
    proposals = read_rows(SCHEMA, name, text.encode())
    assert not any(row.refusal for row in proposals.rows), proposals.rows
    return [dict(row.values) for row in proposals.rows]


def refused(text: str) -> str:
    with pytest.raises(Refused) as caught:
        read_rows(SCHEMA, "mine.csv", text.encode())
    return str(caught.value)


def test_one_column_and_one_row_are_enough() -> None:
    assert read("age\n30\n") == [{"age": 30.0}]


def test_many_rows_each_say_what_differs() -> None:
    rows = read("age;job;income\n30;;1.500,5 DM\n;clerk;-\n–;None;2.000\n")
    assert rows == [{"age": 30.0, "income": 1500.5}, {"job": 0.0}, {"job": 1.0, "income": 2000.0}]


def test_a_title_names_a_feature_too() -> None:
    assert read('yearly income\n"1,500.5"\n') == [{"income": 1500.5}]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_any_separator_will_do(separator: str) -> None:
    assert read(f"age{separator}since\n30{separator}2020-02-01\n") == [{"age": 30.0, "since": 18293.0}]


def test_blanks_round_a_name_do_not_matter() -> None:
    assert read("age , job,zone_north, zone_south\n30,clerk,0,1\n") == [{"age": 30.0, "job": 0.0, "zone": 1.0}]


def test_missing_is_said_by_name() -> None:
    (row,) = read("income,age\nmissing,\n")
    assert math.isnan(row["income"])
    assert "age" not in row


def test_columns_of_a_group_stand_for_its_category() -> None:
    assert read("zone_north,zone_south\n0,1\n1.0,0.0\n,\n") == [{"zone": 1.0}, {"zone": 0.0}, {}]
    assert read("zone\nsouth\n") == [{"zone": 1.0}]


def test_what_is_no_feature_is_left_out_and_said() -> None:
    proposals = read_rows(SCHEMA, "mine.csv", b"age,outcome,id\n30,good,7\n")
    assert [dict(row.values) for row in proposals.rows] == [{"age": 30.0}]
    assert proposals.notes == ("Of mine.csv, 'outcome', 'id' are no features of this data and left out.",)


def test_a_row_that_can_not_be_read_does_not_stop_the_others() -> None:
    rows = read_rows(SCHEMA, "mine.csv", b"age,job\n30,clerk\n31,pilot\n30.5,clerk\n").rows
    assert [row.name for row in rows] == ["Row 1", "Row 2", "Row 3"]
    assert [row.refusal for row in rows] == [
        "", "job has no category called 'pilot'; it has clerk, none.", "age takes whole numbers only, not 30.5.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "mine.csv is empty; its first line should name features, and each line below be a row."),
        ("age\n", "mine.csv has a header but no rows; put each counterfactual on a line of its own."),
        ("aeg\n30\n", "mine.csv names no feature of this data; its first line should have names such as"),
        ("age,age\n30,31\n", "mine.csv has two columns for 'age'; leave one of them."),
        ("income,Yearly income\n1,2\n", "mine.csv has two columns for 'Yearly income'; leave one of them."),
        ("age,job\n30\n", "Row 1 of mine.csv has 1 value where the header has 2; fill it up."),
        ("zone_north\n1\n", "'zone_north' goes together with 'zone_south', which mine.csv lacks;"),
        ("age\n" + "30\n" * (MOST_ROWS + 1), "mine.csv has 201 rows, and 200 are taken at most; leave the best ones."),
    ],
)
def test_a_file_that_is_none_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    assert refused(text).startswith(sentence)


def test_a_combination_that_no_category_has_is_refused() -> None:
    (row,) = read_rows(SCHEMA, "mine.csv", b"zone_north,zone_south\n1,1\n").rows
    assert row.refusal == "zone has no category with zone_north = 1, zone_south = 1."


def test_a_file_is_bounded() -> None:
    assert "larger than 2 MB" in refused("age\n" + "3" * MOST_BYTES)


def test_a_cell_longer_than_any_value_is_refused() -> None:
    assert refused("age\n" + "3" * (MOST_BYTES // 2)).startswith("mine.csv can't be cut into columns: field larger")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(Refused, match="not text"):
        read_rows(SCHEMA, "mine.csv", bytes(range(256)))


@given(tables(), st.sampled_from(",;\t|"))
def test_rows_written_to_a_file_come_back(table: pd.DataFrame, separator: str) -> None:
    assume(len(table.columns) > 1)  # a line of one empty cell is a blank one
    schema = Schema.infer(table)
    rows = schema.encode(table)
    text = io.StringIO(newline="")
    lines = csv.writer(text, delimiter=separator)
    lines.writerow(schema.names)
    for row in rows:
        lines.writerow([write_value(f, float(v)) for f, v in zip(schema.features, row, strict=True)])
    back = read_rows(schema, "mine.csv", text.getvalue().encode())
    assert back.notes == ()
    for row, proposal in zip(rows, back.rows, strict=True):
        assert proposal.refusal == ""
        assert np.array_equal([dict(proposal.values)[name] for name in schema.names], row, equal_nan=True)


@given(tables())
def test_a_table_s_own_rows_come_back(table: pd.DataFrame) -> None:
    schema = Schema.infer(table)
    for row, proposal in zip(schema.encode(table), rows_of_frame(schema, table).rows, strict=True):
        assert np.array_equal([dict(proposal.values)[name] for name in schema.names], row, equal_nan=True)


def test_values_by_name_are_one_row() -> None:
    assert row_of_values(SCHEMA, {"age": "30", "job": "clerk"}, "Mine").values == (("age", 30.0), ("job", 0.0))
    assert row_of_values(SCHEMA, {"age": "old"}, "Mine").refusal.startswith("age should be a number")
    with pytest.raises(SchemaError, match="no feature called 'size'"):
        row_of_values(SCHEMA, {"size": 1}, "Mine")
