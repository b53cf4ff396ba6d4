"""Text that is not UTF-8 is read as what it is where its script tells, and always with a sentence that says so."""

from __future__ import annotations

import pytest

from explainers.intake.tables import read_table

JAPANESE = ["名前,年齢", "山田|表,34", "ソニー,28"]
RUSSIAN = ["имя,возраст,город", "Иван,34,Москва", "Мария,28,Казань"]
OTHERS = {
    "Shift-JIS": ("cp932", JAPANESE),
    "EUC-JP": ("euc_jp", JAPANESE),
    "GB 18030": ("gb18030", ["姓名,年龄", "张三,34", "李四,28"]),
    "Big5": ("big5", ["姓名,年齡", "張三,34", "李四,28"]),
    "EUC-KR": ("cp949", ["이름,나이", "김철수,34", "이영희,28"]),
    "Windows-1251": ("cp1251", RUSSIAN),
    "KOI8": ("koi8_r", RUSSIAN),
    "Greek": ("cp1253", ["όνομα,ηλικία,πόλη", "Γιώργος,34,Αθήνα", "Μαρία,28,Πάτρα"]),
    "Hebrew": ("cp1255", ["שם,גיל,עיר", "דוד,34,חיפה", "רות,28,ירושלים"]),
    "Arabic": ("cp1256", ["اسم,عمر,مدينة", "علي,34,القاهرة", "فاطمة,28,الرياض"]),
    "Windows-1252": ("cp1252", ["straße,größe", "Müller,34", "Grüner Weg,28"]),
}


@pytest.mark.parametrize("late", [False, True], ids=["early", "late"])
@pytest.mark.parametrize("what", OTHERS)
def test_a_table_is_read_in_its_own_script_and_told(what: str, late: bool) -> None:
    encoding, (header, *rows) = OTHERS[what]
    plain = [",".join([f"x{place}"] * len(header.split(","))) for place in range(20_000 if late else 0)]
    content = "\n".join([header, *plain, *rows * 5]).encode(encoding)
    table = read_table("t.csv", content)
    assert list(table.frame.columns) == header.split(",")
    assert table.frame.iloc[-len(rows) :, 0].tolist() == [row.split(",")[0] for row in rows]
    assert f"t.csv is not UTF-8 and is read as {what} text; where letters look wrong, save it as UTF-8." in table.notes
