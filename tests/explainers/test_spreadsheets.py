"""Tables as CSV hold what the results hold, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.explanation import explain_changes
from explainers.spreadsheets import RUN, tables, to_csv
from tests.explainers.tables import game


def test_the_tables_are_those_of_the_results_to_the_last_bit() -> None:
    problem, case, found = game([0.1, 0.6, 0.2, 0.4, 0.3, 0.6, 0.7, 0.9], 0.5)
    explanation = explain_changes(problem, case, found)
    read = {name: pd.read_csv(io.BytesIO(to_csv(frame)), dtype={"old": str, "new": str})
            for name, frame in tables(explanation).items()}  # fmt: skip
    assert explanation.coalitions is not None and explanation.countershapley is not None
    pd.testing.assert_frame_equal(read["changes"], found.to_frame(), check_dtype=False, check_exact=True)
    pd.testing.assert_frame_equal(
        read["combinations"], explanation.coalitions.to_frame(), check_dtype=False, check_exact=True
    )
    for name, result in (("CounterShapley", explanation.countershapley), ("Greedy", explanation.greedy)):
        importances = read["importances"]
        own = importances[importances["method"] == name].drop(columns="method").reset_index(drop=True)
        pd.testing.assert_frame_equal(own, result.to_frame(), check_dtype=False, check_exact=True)


@pytest.mark.parametrize("begin", RUN)
def test_text_that_would_be_run_is_text_again(begin: str) -> None:
    frame = pd.DataFrame({f"{begin}A1": [f"{begin}cmd|' /C calc'!A0", "harmless"]})
    (head,), (risky,), (plain,) = csv.reader(io.StringIO(to_csv(frame).decode("utf-8-sig"), newline=""))
    assert head == f"'{begin}A1" and risky == f"'{begin}cmd|' /C calc'!A0" and plain == "harmless"


def test_numbers_stay_numbers() -> None:
    read = pd.read_csv(io.BytesIO(to_csv(pd.DataFrame({"score": [-0.1, 1 / 3], "flips": [True, False]}))))
    assert read["score"].tolist() == [-0.1, 1 / 3] and read["flips"].tolist() == [True, False]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_no_cell_of_text_begins_like_a_formula(texts: list[str]) -> None:
    rows = list(csv.reader(io.StringIO(to_csv(pd.DataFrame({"text": texts})).decode("utf-8-sig"), newline="")))
    cells = [row[0] if row else "" for row in rows[1:]]
    assert not any(cell.startswith(RUN) for cell in cells)
    for cell, own in zip(cells, texts, strict=True):
        assert (cell.removeprefix("'") if own.startswith(RUN) else cell) == own
