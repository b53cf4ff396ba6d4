"""Values of every kind can be tried on a case of a table that somebody brought."""

from __future__ import annotations

import datetime
from functools import cache

import numpy as np
import pandas as pd
import pytest
from intake_driver import IntakeScreen
from page_driver import Screen

from components import catalogue


@cache
def table() -> bytes:
    """A whole number, one with decimals and gaps, a date, a moment, a truth value and a category."""
    random = np.random.default_rng(5)
    n = 160
    member, age = random.random(n) < 0.5, random.integers(18, 80, n)
    since = pd.Timestamp("2015-01-01") + pd.to_timedelta(random.integers(0, 2000, n), unit="D")
    frame = pd.DataFrame({
        "age": age,
        "income": pd.Series(random.normal(3000, 800, n).round(2)).mask(random.random(n) < 0.2),
        "since": since.strftime("%Y-%m-%d"),
        "seen": (since + pd.to_timedelta(random.integers(1, 86_400, n), unit="s")).strftime("%Y-%m-%d %H:%M:%S"),
        "member": member,
        "region": random.choice(["north", "south <b>"], n),
    })  # fmt: skip
    frame["paid"] = np.where(age + 30 * member + (since.year - 2015) * 5 > 75, "yes", "no")
    return frame.to_csv(index=False).encode()


@cache
def address() -> dict[str, list[str]]:
    """Where a case of the table without gaps is explained, as a form."""
    screen = IntakeScreen.at("data_and_model")
    assert isinstance(screen, IntakeScreen)
    screen.bring(("members.csv", table()))
    problem = catalogue.problem_at(screen.view.data)
    known = np.flatnonzero(~np.isnan(problem.rows).any(axis=1))
    return {**screen.address, "case": [problem.ids[int(known[0])]], "what-if": ["open"]}


@pytest.mark.parametrize(
    ("kind", "name", "typed", "written"),
    [
        ("number_input", "age", 33.0, "33"),
        ("number_input", "income", 1234.5, "1234.5"),
        ("number_input", "income", None, "missing"),
        ("date_input", "since", datetime.date(2018, 2, 3), "2018-02-03"),
        ("text_input", "seen", "3.2.2018 4:05", "2018-02-03 04:05:00"),
        ("selectbox", "region", "south <b>", "south <b>"),
        ("selectbox", "member", "yes", "yes"),
    ],
)
def test_a_value_of_any_kind_is_tried_and_comes_back(kind: str, name: str, typed: object, written: str) -> None:
    screen = Screen.at(**address())
    if name in ("region", "member"):  # from the other category, whichever the case has
        labels = screen.widget("selectbox", f"edit {name}").options
        typed = written = next(label for label in labels if label != screen.widget("selectbox", f"edit {name}").value)
    screen.set(kind, f"edit {name}", typed)
    assert dict(screen.view.edits) == {name: written}
    other = Screen.at(**screen.address)
    assert other.view.edits == screen.view.edits
    assert other.html("tried") == screen.html("tried") != []
    assert other.notes == []


def test_a_date_that_can_not_be_told_is_said() -> None:
    screen = Screen.at(**address()).set("text_input", "edit seen", "03/04/2018")
    assert screen.notes == ["Day and month can't be told apart in '03/04/2018' of seen; write year-month-day."]
    assert screen.view.edits == ()
