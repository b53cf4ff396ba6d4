"""Tables as people really bring them: each is read right or refused in one sentence."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from explainers.intake.refusal import Refused
from explainers.intake.table import FindingKind, Table
from explainers.intake.tables import read_table

Build = Callable[[], bytes]


def text(content: str, encoding: str = "utf-8") -> Build:
    return lambda: content.encode(encoding)


def excel(*frames: pd.DataFrame, header: bool = True, startrow: int = 0) -> Build:
    def build() -> bytes:
        buffer = io.BytesIO()
        with pd.ExcelWriter(buffer, engine="openpyxl") as writer:
            for number, frame in enumerate(frames):
                frame.to_excel(writer, sheet_name=f"Sheet {number}", index=False, header=header, startrow=startrow)
        return buffer.getvalue()

    return build


def parquet(frame: pd.DataFrame) -> Build:
    def build() -> bytes:
        buffer = io.BytesIO()
        frame.to_parquet(buffer)
        return buffer.getvalue()

    return build


def arrow(*columns: tuple[str, Any]) -> Build:
    def build() -> bytes:
        buffer = io.BytesIO()
        pq.write_table(pa.table([values for _, values in columns], names=[name for name, _ in columns]), buffer)
        return buffer.getvalue()

    return build


def zipped(entry: str) -> Build:
    def build() -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr(entry, "a,b\n1,2\n")
        return buffer.getvalue()

    return build


def rows(line: Callable[[int], str], header: str, count: int = 60) -> Build:
    return text(header + "\n" + "".join(line(number) + "\n" for number in range(count)))


def columns(**dtypes: str) -> dict[str, str]:
    return dtypes


LARGE = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})

# name of the file, how it is made, dtypes expected, some values expected (column -> first values), kinds of finding
READ: dict[str, tuple[str, Build, dict[str, str], dict[str, list[Any]], set[FindingKind]]] = {
    "plain": ("t.csv", text("a,b\n3,x\n2,y\n"), {"a": "int64", "b": "str"}, {"a": [3, 2], "b": ["x", "y"]}, set()),
    "semicolons and decimal comma": (
        "t.csv", text("a;b\n1,5;x\n-2,25;y\n"), {"a": "float64", "b": "str"}, {"a": [1.5, -2.25]},
        {FindingKind.NUMERAL},
    ),
    "decimal comma without header": (
        "t.csv", text("1,5;2,5\n3,5;4,5\n"), {"column 1": "float64", "column 2": "float64"}, {"column 2": [2.5, 4.5]},
        {FindingKind.NUMERAL},
    ),
    "quoted decimal comma between commas": (
        "t.csv", text('a,b\n"1,25",x\n"2,5",y\n'), {"a": "float64", "b": "str"}, {"a": [1.25, 2.5]},
        {FindingKind.NUMERAL},
    ),
    "thousands with commas": (
        "t.csv", text('a,b\n"1,234",1.5\n"22,000",2.5\n'), {"a": "int64", "b": "float64"}, {"a": [1234, 22000]},
        {FindingKind.NUMERAL},
    ),
    "thousands with points beside decimal commas": (
        "t.csv", text("a;b;c\n1.234,5;1.234;x\n2,25;2.000;y\n"), {"a": "float64", "b": "int64", "c": "str"},
        {"a": [1234.5, 2.25], "b": [1234, 2000]}, {FindingKind.NUMERAL},
    ),
    "three decimals are decimals": (
        "t.csv", text("a;b\n1.234;0.5\n2.500;7.25\n"), {"a": "float64", "b": "float64"}, {"a": [1.234, 2.5]}, set(),
    ),
    "thousands with narrow spaces": (
        "t.csv", text("a;b\n1 234;x\n22 345;y\n"), {"a": "int64", "b": "str"}, {"a": [1234, 22345]},
        {FindingKind.NUMERAL},
    ),
    "percent": (
        "t.csv", text("a,b\n12%,x\n3.5 %,y\n"), {"a": "float64", "b": "str"}, {"a": [12.0, 3.5]},
        {FindingKind.NUMERAL},
    ),
    "blanks around numbers": (
        "t.csv", text("a,b\n 1,x\n+2 ,y\n"), {"a": "int64", "b": "str"}, {"a": [1, 2]}, set(),
    ),
    "tabs": ("t.tsv", text("a\tb\n3\tx, y\n2\tz\n"), {"a": "int64", "b": "str"}, {"b": ["x, y", "z"]}, set()),
    "vertical bars": ("t.txt", text("a|b\n3|x\n2|y\n"), {"a": "int64", "b": "str"}, {"a": [3, 2]}, set()),
    "one semicolon a row in text": (
        "t.csv", text("a,b\n3,x;y\n2,z;w\n"), {"a": "int64", "b": "str"}, {"b": ["x;y", "z;w"]}, set(),
    ),
    "separator told on the first line": (
        "t.csv", text("sep=;\r\na;b\r\n3;2\r\n"), {"a": "int64", "b": "int64"}, {"b": [2]}, set(),
    ),
    "title above the header": (
        "t.csv", text("My report\n\na,b\n3,4\n5,6\n"), {"a": "int64", "b": "int64"}, {"a": [3, 5]}, set(),
    ),
    "no header": (
        "t.csv", text("5,1.5\n6,2.5\n"), {"column 1": "int64", "column 2": "float64"}, {"column 1": [5, 6]}, set(),
    ),
    "running numbers as header": (
        "t.csv", text("0,1\n4.5,5\n3.5,6\n"), {"0": "float64", "1": "int64"}, {"0": [4.5, 3.5]}, set(),
    ),
    "years in the header": (
        "t.csv", text("country,1990,1991\nx,1,2\ny,3,4\n"), {"country": "str", "1990": "int64", "1991": "int64"}, {},
        set(),
    ),
    "UTF-8 with mark": ("t.csv", text("ä,b\n3,ß\n2,y\n", "utf-8-sig"), {"ä": "int64", "b": "str"}, {"b": ["ß"]}, set()),
    "UTF-16": ("t.csv", text("ä,b\n3,猫\n2,y\n", "utf-16"), {"ä": "int64", "b": "str"}, {"b": ["猫"]}, set()),
    "UTF-16 without mark": ("t.csv", text("ä,b\n3,ß\n2,y\n", "utf-16-be"), {"ä": "int64", "b": "str"}, {}, set()),
    "Windows-1252": ("t.csv", text("ä,b\n3,5 €\n2,y\n", "cp1252"), {"ä": "int64", "b": "str"}, {"b": ["5 €"]}, set()),
    "Latin-1": ("t.csv", lambda: b"\xe4,b\n3,\x81\xdf\n2,y\n", {"ä": "int64", "b": "str"}, {}, set()),
    "carriage returns only": ("t.csv", text("a,b\r3,x\r2,y\r"), {"a": "int64", "b": "str"}, {"a": [3, 2]}, set()),
    "quotes, separators and lines in fields": (
        "t.csv", text('a,b\n"x, ""y""\nz",1\nq,2\n'), {"a": "str", "b": "int64"}, {"a": ['x, "y"\nz', "q"]}, set(),
    ),
    "markup in names and values": (
        "t.csv", text('"<b>&""\'",b\n<i>,1\n"&amp;",2\n'), {"<b>&\"'": "str", "b": "int64"},
        {"<b>&\"'": ["<i>", "&amp;"]}, set(),
    ),
    "names given twice": (
        "t.csv", text("a,b,a\n3,2,1\n6,5,4\n"), {"a": "int64", "b": "int64", "a.1": "int64"}, {"a.1": [1, 4]},
        {FindingKind.RENAMED},
    ),
    "index without a name": (
        "t.csv", text(",a,b\n0,x,1\n1,y,1\n2,z,3\n"), {"Unnamed: 0": "int64", "a": "str", "b": "int64"}, {},
        {FindingKind.INDEX},
    ),
    "index as R writes it": (
        "t.csv", text("a,b\nr1,1,2\nr2,3,4\n"), {"Unnamed: 0": "str", "a": "int64", "b": "int64"}, {"a": [1, 3]},
        {FindingKind.INDEX},
    ),
    "first column is a running number": (
        "t.csv", rows(lambda n: f"{n + 1},{n % 7}", "row,b"), {"row": "int64", "b": "int64"}, {}, {FindingKind.INDEX},
    ),
    "separator at the end of each line": (
        "t.csv", text("a,b,\n3,x,\n2,y,\n"), {"a": "int64", "b": "str"}, {"b": ["x", "y"]}, set(),
    ),
    "a column without a value": (
        "t.csv", text("a,b\n3,\n2,NA\n"), {"a": "int64", "b": "float64"}, {}, {FindingKind.ALL_MISSING},
    ),
    "a constant column": (
        "t.csv", text("a,b\n3,x\n2,x\n"), {"a": "int64", "b": "str"}, {"b": ["x"]}, {FindingKind.CONSTANT},
    ),
    "true and false": (
        "t.csv", text("a,b,c\ntrue,True,0\nfalse,,1\n"), {"a": "bool", "b": "boolean", "c": "int64"},
        {"a": [True, False], "c": [0, 1]}, {FindingKind.BOOLEAN},
    ),
    "yes and no stay words": (
        "t.csv", text("a,b\nyes,3\nno,2\n"), {"a": "str", "b": "int64"}, {"a": ["yes", "no"]}, {FindingKind.YES_NO},
    ),
    "dates in four ways": (
        "t.csv",
        text("a,b,c,d\n2024-01-02,31.12.2023,13/2/2024,2024-01-02T10:00:00+02:00\n"
             "2024-02-03 11:30,01.01.2024,1/2/2024,2024-01-02T10:00:00Z\n"),
        dict.fromkeys("abcd", "datetime64[us]"),
        {"b": [pd.Timestamp(2023, 12, 31)], "c": [pd.Timestamp(2024, 2, 13), pd.Timestamp(2024, 2, 1)],
         "d": [pd.Timestamp(2024, 1, 2, 8)]}, {FindingKind.DATE},
    ),
    "dates that may be either": (
        "t.csv", text("a,b\n1/2/2024,3\n2/3/2024,2\n"), {"a": "str", "b": "int64"}, {"a": ["1/2/2024"]},
        {FindingKind.AMBIGUOUS_DATE},
    ),
    "text among numbers": (
        "t.csv", text("a,b\n1,x\n2,y\nabc,z\n4,w\n"), {"a": "str", "b": "str"}, {"a": ["1", "2", "abc"]},
        {FindingKind.MIXED},
    ),
    "a question mark for missing": (
        "t.csv", text("a,b\n1,x\n?,y\n3,z\n"), {"a": "float64", "b": "str"}, {"a": [1.0]}, {FindingKind.MISSING_MARK},
    ),
    "codes with leading zeros": (
        "t.csv", text("a,b\n01234,x\n22345,y\n"), {"a": "str", "b": "str"}, {"a": ["01234", "22345"]},
        {FindingKind.CODE},
    ),
    "numbers of twenty digits": (
        "t.csv", text("a,b\n12345678901234567890,x\n12345678901234567891,y\n"), {"a": "str", "b": "str"},
        {"a": ["12345678901234567890"]}, {FindingKind.CODE},
    ),
    "whole numbers beyond what floats tell apart": (
        "t.csv", text("a,b\n9007199254740993,x\n9007199254740995,y\n"), {"a": "str", "b": "str"},
        {"a": ["9007199254740993"]}, {FindingKind.CODE},
    ),
    "hexadecimal stays text": ("t.csv", text("a,b\n0x1A,3\n0x1B,1\n"), {"a": "str"}, {"a": ["0x1A"]}, set()),
    "infinite": ("t.csv", text("a,b\ninf,3\n2,2\n"), {"a": "float64"}, {"a": [np.inf, 2.0]}, {FindingKind.INFINITE}),
    "free text, many categories and an identifier": (
        "t.csv", rows(lambda n: f"person {n},they said {n} things about it,{n // 2}x,k", "who,what,many,b", 200),
        {"who": "str", "what": "str", "many": "str"}, {},
        {FindingKind.IDENTIFIER, FindingKind.FREE_TEXT, FindingKind.MANY_CATEGORIES, FindingKind.CONSTANT},
    ),
    "one row": ("t.csv", text("a,b\n1,x"), {"a": "int64", "b": "str"}, {"a": [1]}, set()),
    "Excel": (
        "t.xlsx",
        excel(pd.DataFrame({"a": [3, 2], "b": ["x", None], "c": pd.to_datetime(["2024-01-01", "2024-02-01"]),
                            "d": [1.5, None], "e": [True, False]})),
        {"a": "int64", "b": "str", "c": "datetime64[s]", "d": "float64", "e": "bool"}, {"a": [3, 2]},
        {FindingKind.DATE},
    ),
    "Excel called CSV, of two sheets": ("t.csv", excel(LARGE, LARGE), {"a": "int64", "b": "str"}, {"a": [1, 2]}, set()),
    "Excel with rows left empty above": (
        "t.xlsx", excel(LARGE, startrow=3), {"a": "int64", "b": "str"}, {"a": [1, 2]}, set(),
    ),
    "Excel with words among numbers": (
        "t.xlsx", excel(pd.DataFrame({"a": [1, 2.5, "u"], "b": [1, 3, 2]})), {"a": "str", "b": "int64"},
        {"a": ["1", "2.5", "u"]}, {FindingKind.MIXED},
    ),
    "Parquet with an index, float32 and categories": (
        "t.parquet",
        parquet(pd.DataFrame({"a": np.array([1.5, 2], "float32"), "b": pd.Categorical(["u", "v"]),
                              "c": [True, None], "d": ["x", None]}, index=pd.Index(["p", "q"], name="who"))),
        {"a": "float32", "b": "category", "c": "boolean", "d": "str", "who": "str"}, {"who": ["p", "q"]}, set(),
    ),
    "Parquet called CSV": ("t.csv", parquet(LARGE), {"a": "int64", "b": "str"}, {"a": [1, 2]}, set()),
    "Parquet with decimals, days, zones, lists and nothing": (
        "t.parquet",
        arrow(
            ("dec", pa.array([1, 2], pa.decimal128(5, 2))),
            ("day", pa.array([0, 1], pa.date32())),
            ("zone", pa.array([0, 1], pa.timestamp("us", "Europe/Paris"))),
            ("list", pa.array([[1], [2]])),
            ("none", pa.nulls(2)),
            ("dec", pa.array([2, 1])),
        ),
        {"dec": "float64", "day": "datetime64[ms]", "zone": "datetime64[us]", "none": "float64", "dec.1": "int64"},
        {"day": [pd.Timestamp(1970, 1, 1)]}, {FindingKind.LEFT_OUT, FindingKind.ALL_MISSING, FindingKind.RENAMED},
    ),
}  # fmt: skip

# name of the file, how it is made, what the sentence must say
REFUSED: dict[str, tuple[str, Build, str]] = {
    "nothing": ("t.csv", lambda: b"", r"t\.csv is empty; choose"),
    "blanks only": ("t.csv", text(" \n\n\t\n"), r"t\.csv is empty; choose"),
    "a header only": ("t.csv", text("a,b\n"), r"header but no rows"),
    "a header without a line end": ("t.csv", text("a,b"), r"header but no rows"),
    "one column": ("t.csv", text("a\n1\n2\n"), r"only one column, 'a'"),
    "no value in any cell": ("t.csv", text("a,b\n,\n,NA\n"), r"no value in any cell"),
    "a row too long": ("t.csv", text("a,b\n1,2\n1,2,3\n"), r"Row 2 of t\.csv has 3 values where the header has 2"),
    "a row too short": ("t.csv", text("a,b\n1,2\n1\n"), r"Row 2 of t\.csv has 1 value where the header has 2"),
    "binary data": ("t.csv", lambda: bytes(range(256)) * 9, r"not text but binary"),
    "binary data called Excel": ("t.xlsx", lambda: np.random.default_rng(0).bytes(999), r"not text but binary"),
    "damaged UTF-16": ("t.csv", lambda: b"\xff\xfea\x00,\x00b\x00\n", r"UTF-16-LE text but is damaged"),
    "JSON": ("t.csv", text('{"a": 1}'), r"JSON, not a table; save it as CSV"),
    "a web page": ("t.csv", text("<!DOCTYPE html><table>"), r"web page"),
    "compressed": ("t.csv.gz", lambda: b"\x1f\x8b\x08\x00", r"unpack it first"),
    "an archive": ("t.zip", zipped("t.csv"), r"archive, not a table; unpack it first"),
    "a damaged Parquet file": ("t.parquet", lambda: parquet(LARGE)()[:-9], r"damaged Parquet"),
    "a damaged workbook": ("t.xlsx", zipped("xl/workbook.xml"), r"not a workbook that can be read"),
    "an old workbook cut off": ("t.xls", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" * 80, r"workbook that"),
    "an empty workbook": ("t.xlsx", excel(pd.DataFrame()), r"no values"),
    "a workbook with a header only": ("t.xlsx", excel(LARGE.head(0)), r"header but no rows"),
    "Parquet without rows": ("t.parquet", parquet(LARGE.head(0)), r"no rows"),
    "Parquet of one column": ("t.parquet", parquet(LARGE[["a"]]), r"only one column"),
}  # fmt: skip


@pytest.mark.parametrize("case", READ)
def test_an_awkward_table_is_read_right(case: str) -> None:
    name, build, dtypes, values, kinds = READ[case]
    table = read_table(name, build())
    assert dtypes.items() <= table.frame.dtypes.astype(str).to_dict().items()
    for column, first in values.items():
        assert table.frame[column].head(len(first)).tolist() == first
    assert {finding.kind for finding in table.findings} == kinds
    check_well_said(table)


@pytest.mark.parametrize("case", REFUSED)
def test_an_awkward_table_is_refused_in_one_sentence(case: str) -> None:
    name, build, said = REFUSED[case]
    with pytest.raises(Refused, match=said) as refusal:
        read_table(name, build())
    assert is_sentence(str(refusal.value))


def check_well_said(table: Table) -> None:
    assert not table.frame.columns.duplicated().any()
    assert list(table.frame.index) == list(range(len(table.frame)))
    assert not [dtype for dtype in table.frame.dtypes if str(dtype) == "object"]
    for finding in table.findings:
        assert repr(finding.column) in finding.sentence
        assert finding.column in table.frame.columns or finding.kind is FindingKind.LEFT_OUT
    for note in table.notes:
        assert is_sentence(note)


def is_sentence(said: str) -> bool:
    return said.endswith(".") and "\n" not in said and not re.search(r"\.\s+[A-Z]", said)


@pytest.mark.parametrize(
    ("case", "ids"),
    [
        ("index without a name", ("Unnamed: 0",)),
        ("first column is a running number", ("row",)),
        ("free text, many categories and an identifier", ("who",)),
        ("plain", ()),
    ],
)
def test_what_may_name_the_rows_is_offered(case: str, ids: tuple[str, ...]) -> None:
    name, build, *_ = READ[case]
    assert read_table(name, build()).ids == ids


def test_a_sheet_can_be_chosen() -> None:
    content = excel(LARGE, LARGE.assign(c=[1.5, 2.5]))()
    table = read_table("t.xlsx", content, sheet="Sheet 1")
    assert table.sheets == ("Sheet 0", "Sheet 1") and "c" in table.frame
    with pytest.raises(Refused, match="no sheet 'Sheet 9'"):
        read_table("t.xlsx", content, sheet="Sheet 9")


def test_what_the_name_promises_wrongly_is_said() -> None:
    assert "called like CSV, but its content is Parquet" in read_table("t.csv", parquet(LARGE)()).notes[0]


def test_there_is_an_end_to_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explainers.intake.tables.MOST_ROWS", 1)
    with pytest.raises(Refused, match=r"2 rows and 2 columns; at most 1 row "):
        read_table("t.csv", b"a,b\n1,2\n3,4\n")


def test_many_columns_alike_are_one_note() -> None:
    names = [f"n{number}" for number in range(9)]
    table = read_table(
        "t.csv", (";".join(names) + "\n" + ";".join(["1,5"] * 9) + "\n" + ";".join(["2,5"] * 9)).encode()
    )
    assert len(table.findings) == 9 and len(table.notes) == 1 and "8 more columns" in table.notes[0]
