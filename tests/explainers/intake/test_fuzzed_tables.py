"""Whatever is written as CSV comes back the same, in every dialect."""

from __future__ import annotations

import csv
import io
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explainers.intake.refusal import Refused
from explainers.intake.tables import read_table
from explainers.intake.text_columns import MARKS, MISSING, TRUTH

LETTERS = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="\ufeff")
WORDS = st.text(LETTERS | st.sampled_from("<b>&\"';,|"), min_size=1, max_size=12)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12)


def word(name: str) -> str:
    """A text that no rule takes for a number, a date, missing or a blank."""
    return f"w{name}w"


@st.composite
def tables(draw: st.DrawFn) -> pd.DataFrame:
    count = draw(st.integers(2, 12))
    names = draw(st.lists(WORDS.map(word), min_size=3, max_size=5, unique=True))
    columns: dict[str, object] = {
        names[0]: draw(st.lists(NUMBERS, min_size=count, max_size=count)),
        names[1]: draw(st.lists(st.none() | WORDS.map(word), min_size=count, max_size=count)),
        names[2]: draw(st.lists(st.integers(-(2**53), 2**53), min_size=count, max_size=count)),
    }
    for name in names[3:]:
        columns[name] = draw(st.lists(st.none() | NUMBERS, min_size=count, max_size=count))
    return pd.DataFrame(columns).astype({names[0]: "float64", names[1]: "str", names[2]: "int64"})


@settings(max_examples=150)
@given(
    table=tables(),
    dialect=st.sampled_from([(",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ","), ("|", "."), (",", ",")]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_what_is_written_comes_back(
    table: pd.DataFrame, dialect: tuple[str, str], encoding: str, quoting: int, newline: str
) -> None:
    separator, decimal = dialect
    text = table.to_csv(index=False, sep=separator, decimal=decimal, quoting=quoting, lineterminator=newline)
    marked = encoding in ("utf-8-sig", "utf-16")
    if encoding.startswith("utf-16-") and not (marked or text.isascii()):
        encoding = "utf-8"
    read = read_table("t.csv", text.encode(encoding)).frame
    assert list(read.columns) == list(table.columns)
    for column in table.columns:
        if table[column].dtype == "str":
            assert read[column].dropna().to_dict() == table[column].dropna().to_dict()
        else:
            np.testing.assert_array_equal(read[column].to_numpy(float), table[column].to_numpy(float))


@settings(max_examples=100)
@given(
    content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode),
    name=st.sampled_from(["t.csv", "t.xlsx", "t"]),
)
def test_anything_is_read_or_refused(content: bytes, name: str) -> None:
    for start in (b"", b"PAR1", b"PK\x03\x04", b"\xff\xfe"):
        try:
            table = read_table(name, start + content)
        except Refused as refusal:
            said = str(refusal)
        else:
            said = "."
            assert table.frame.shape[1] > 1
        assert said.endswith(".") and "\n" not in said


@settings(max_examples=60)
@given(
    st.lists(
        st.sampled_from([*MISSING, *MARKS, *TRUTH, "1", "2,5", "1.5", "x", "1/2/2024", "5%"]), min_size=2, max_size=8
    )
)
def test_small_words_never_break_the_reading(cells: list[str]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer).writerows([("name", "b"), *((cell, number) for number, cell in enumerate(cells))])
    read = read_table("t.csv", buffer.getvalue().encode()).frame
    assert len(read) == len(cells)
    assert read["b"].tolist() == list(range(len(cells)))
    gaps = read["name"].isna().to_numpy()
    assert all(gaps[place] for place, cell in enumerate(cells) if cell in MISSING)


@pytest.mark.parametrize("dialect", [(",", "."), (";", ",")])
def test_a_hundred_thousand_rows_are_read_soon(dialect: tuple[str, str]) -> None:
    random, count = np.random.default_rng(0), 100_000
    table = pd.DataFrame(
        {f"number {place}": random.normal(size=count) for place in range(8)}
        | {f"count {place}": random.integers(0, 1000, count) for place in range(6)}
        | {f"kind {place}": random.choice(["alpha", "beta", "gamma"], count) for place in range(6)}
    )
    content = table.to_csv(index=False, sep=dialect[0], decimal=dialect[1]).encode()
    began = time.perf_counter()
    read = read_table("t.csv", content).frame
    assert time.perf_counter() - began < 6  # about one second on an idle machine
    pd.testing.assert_frame_equal(read, table.astype({name: "str" for name in table if name.startswith("kind")}))
