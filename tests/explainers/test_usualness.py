"""Distributions against plain pandas, and the words for them against counting one by one."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers import sentences_beside, wording
from explainers.schema import Schema
from explainers.sentences_beside import comparatives, usual
from explainers.usualness import MOST_BINS, Usualness, centred_bins, usual_frame
from explainers.wording import SPACE
from tests.contract.problems import problem_called
from tests.explainers.distributions import N, of_every_kind, spread, table


@pytest.fixture(scope="module")
def found() -> dict[str, Usualness]:
    return of_every_kind()


NUMBERS = ["months", "amount", "computed", "gaps", "constant"]


@pytest.mark.parametrize("name", NUMBERS)
def test_bins_hold_what_pandas_counts(found: dict[str, Usualness], name: str) -> None:
    one, column = found[name], table()[name]
    counted = pd.cut(column, one.edges, right=False).value_counts(sort=False)
    assert one.counts.tolist() == counted.tolist()
    assert one.counts.sum() + one.n_missing == N
    assert one.n_missing == column.isna().sum()
    assert (one.low, one.high) == (column.min(), column.max())


@pytest.mark.parametrize("name", [*NUMBERS, "day"])
def test_bins_are_centred_on_multiples_of_a_round_width(found: dict[str, Usualness], name: str) -> None:
    edges = found[name].edges
    width = edges[1] - edges[0]
    np.testing.assert_allclose(np.diff(edges), width)
    centres = (edges[1:] + edges[:-1]) / 2 / width
    np.testing.assert_allclose(centres, np.round(centres), atol=1e-6)
    assert f"{width:.0e}"[0] in "125"
    assert len(centres) <= MOST_BINS
    assert width >= 10.0 ** -found[name].feature.decimals * 0.999


def test_few_whole_numbers_have_a_bin_each(found: dict[str, Usualness]) -> None:
    one, column = found["months"], table()["months"]
    centres = (one.edges[1:] + one.edges[:-1]) / 2
    counted = dict(zip(centres, one.counts, strict=True))
    assert {value: n for value, n in counted.items() if n} == column.value_counts().to_dict()


def test_dates_are_counted_by_the_day(found: dict[str, Usualness]) -> None:
    one = found["day"]
    days = (table()["day"] - pd.Timestamp("1970-01-01")).dt.days
    assert one.counts.tolist() == np.histogram(days, one.edges)[0].tolist()


@pytest.mark.parametrize("name", ["colour", "member", "street"])
def test_categories_are_counted_in_the_schema_s_order(found: dict[str, Usualness], name: str) -> None:
    one, column = found[name], table()[name]
    counted = column.value_counts()
    categories = Schema.infer(table())[name].categories
    assert one.counts.tolist() == [counted.get(values[0], 0) for values in categories]
    assert one.n_missing == column.isna().sum()
    assert not len(one.edges)


def test_places_are_those_counted_one_by_one(found: dict[str, Usualness]) -> None:
    schema = Schema.infer(table())
    rows = schema.encode(table())
    for name, one in found.items():
        column = rows[:, schema.index(name)].tolist()
        known = [value for value in column if value == value]
        for place in (one.old, one.new):
            value = place.value
            same = [v for v in column if v == value or (v != v and value != value)]
            assert (place.n_equal, place.n_known, place.n_rows) == (len(same), len(known), N)
            if one.feature.is_number and value == value:
                assert place.n_below == sum(v < value for v in known)
                assert place.n_above == sum(v > value for v in known)
    frame = usual_frame(tuple(found.values()))
    assert frame["rows with it"].tolist() == [p.n_equal for one in found.values() for p in (one.old, one.new)]
    assert frame.loc[frame.feature == "colour", "rows with less"].isna().all()


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=40), st.integers(-6, 6))
def test_words_of_a_number_say_which_share_is_on_which_side(values: list[int], value: int) -> None:
    made = pd.DataFrame({"x": pd.Series(values, dtype=float)})
    schema = Schema.infer(made)
    other = np.array([float(value) + 20])
    one = spread(schema, schema.encode(made), np.array([float(value)]), other)["x"]
    below, above = (
        100 * sum(v < value for v in values) / len(values),
        100 * sum(v > value for v in values) / len(values),
    )
    text, tail = usual(one.feature, one.old).replace(SPACE, " ").split(": ")
    assert text == wording.value(one.feature, float(value))
    if 100 in (below, above):
        assert tail == ("more than all" if below else "less than all")
    elif below >= 0.5:
        assert tail == f"more than {min(99, math.floor(below + 0.5))} %"
    elif above >= 0.5:
        assert tail == f"less than {min(99, math.floor(above + 0.5))} %"
    else:
        assert tail == "all have it"
    assert usual(one.feature, one.new).endswith(f"more{SPACE}than{SPACE}all")


def words(one: Usualness, old: bool = True) -> str:
    return usual(one.feature, one.old if old else one.new).replace(SPACE, " ")


def test_words_of_every_kind(found: dict[str, Usualness]) -> None:
    colours, one = table()["colour"], found["colour"]
    labels = [wording.value(one.feature, place.value) for place in (one.old, one.new)]
    assert labels[0] == wording.MISSING
    assert words(one) == f"missing: {math.floor(100 * colours.isna().mean() + 0.5)} % have it"
    assert words(found["member"], old=False) == "missing: none has it"
    assert words(found["constant"]) == "7: all have it"
    assert words(found["constant"], old=False) == "missing: none has it"
    assert words(found["nothing"]) == "missing: all have it"
    assert words(found["nothing"], old=False) == "1: none has it"
    assert " later than " in words(found["day"]) or " earlier than " in words(found["day"])
    assert words(found["member"]).endswith(" % have it")


def test_a_tenth_of_a_percent_is_not_none_and_all_but_one_not_all() -> None:
    made = pd.DataFrame({"x": [0.0] * 999 + [1.0], "c": pd.Series(["a"] * 999 + ["b"], dtype="str")})
    schema = Schema.infer(made)
    one = spread(schema, schema.encode(made), np.array([0.0, 0.0]), np.array([1.0, 1.0]))
    assert words(one["x"]) == "0: more than 99 % have it"
    assert words(one["x"], old=False) == "1: more than 99 %"
    assert words(one["c"]) == "a: more than 99 % have it"
    assert words(one["c"], old=False) == "b: less than 1 % have it"


def test_what_lasts_is_longer_and_what_is_dated_later() -> None:
    feature = Schema.infer(pd.DataFrame({"x": [1, 2]})).features[0]

    def more(**about: object) -> str:
        return comparatives(replace(feature, **about))[0]

    assert (more(unit="months"), more(unit="s"), more(unit="hours")) == ("longer",) * 3
    assert (more(unit="DM"), more(unit="years"), more()) == ("more",) * 3
    assert more(is_date=True) == "later"


def test_about_names_the_numbers_with_gaps(found: dict[str, Usualness]) -> None:
    said = wording.plain(sentences_beside.about_usual(tuple(found.values())))
    assert "400" in said and "gaps, nothing" in said and "colour" not in said


@pytest.mark.parametrize("values", [[1e300, -1e300], [5e-324, 0.0], [3.0], [1e15, 1e15 + 2], [-0.1, 0.1, 0.3]])
def test_bins_of_any_size_hold_their_values(values: list[float]) -> None:
    edges = centred_bins(np.array(values), 1)
    assert 2 <= len(edges) <= MOST_BINS + 1
    assert np.isfinite(edges).all() and (np.diff(edges) > 0).all()


@pytest.mark.parametrize("name", ["mixed", "missing", "one-hot by hand"])
def test_every_row_is_counted_once(name: str) -> None:
    problem = problem_called(name)
    one = spread(problem.schema, problem.rows, problem.rows[0], problem.rows[5])
    assert one
    for usualness_ in one.values():
        assert usualness_.counts.sum() + usualness_.n_missing == len(problem.rows)
