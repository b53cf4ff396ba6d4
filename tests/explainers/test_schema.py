"""What a schema reads off a table, and that rows go there and back unharmed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explainers.schema import Direction, Kind, Schema, SchemaError, same
from tests.explainers.tables import HOSTILE, tables

FLOATS = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12)


@settings(max_examples=150)
@given(table=tables(), seed=st.integers(0, 99))
def test_rows_go_there_and_back(table: pd.DataFrame, seed: int) -> None:
    before = table.copy(deep=True)
    schema = Schema.infer(table)
    rows = schema.encode(table)
    pd.testing.assert_frame_equal(schema.decode(rows), table, check_exact=True, check_index_type=False)
    shuffled = table[np.random.default_rng(seed).permutation(table.columns)]
    np.testing.assert_array_equal(schema.encode(shuffled), rows)
    np.testing.assert_array_equal(schema.encode(schema.decode(rows)), rows)
    pd.testing.assert_frame_equal(table, before, check_exact=True)


@settings(max_examples=150)
@given(table=tables())
def test_enough_decimals_display_any_number_exactly(table: pd.DataFrame) -> None:
    schema = Schema.infer(table)
    rows = schema.encode(table)
    shown = schema.displayed(rows, [17 if f.dtypes[0] == "float32" else 400 for f in schema.features])
    for place, feature in enumerate(schema.features):
        if feature.dtypes[0] != "float32":
            np.testing.assert_array_equal(shown[:, place], rows[:, place])


@given(st.lists(st.decimals(-9999, 9999, places=2), min_size=1, max_size=9))
def test_decimals_print_recorded_numbers_exactly(values: list) -> None:
    table = pd.DataFrame({"price": [float(value) for value in values]})
    schema = Schema.infer(table)
    assert schema["price"].decimals <= 2
    rows = schema.encode(table)
    np.testing.assert_array_equal(schema.displayed(rows, [schema["price"].decimals]), rows)


@pytest.mark.parametrize(("scale", "decimals"), [(1.0, 3), (1e3, 0), (1e-3, 6), (1e6, 0), (1e-20, 12)])
def test_computed_numbers_have_about_four_digits(scale: float, decimals: int) -> None:
    values = scale * np.array([1.0, 2.0, 3.0]) * np.sqrt(2)
    assert Schema.infer(pd.DataFrame({"x": values}))["x"].decimals == decimals


def test_float32_prints_as_it_was_recorded() -> None:
    table = pd.DataFrame({"x": np.array([0.1, 0.2, 2.5], dtype=np.float32)})
    schema = Schema.infer(table)
    assert schema["x"].decimals == 1
    np.testing.assert_array_equal(schema.displayed(schema.encode(table), [1]), schema.encode(table))


def test_kinds_ranges_and_labels() -> None:
    table = pd.DataFrame(
        {
            "age": [30, 20],
            "empty": [np.nan, np.nan],
            HOSTILE: ["b", "a"],
            "size": pd.Categorical(["s", "s"], ["s", "l"], ordered=True),
            "member": [True, True],
        }
    )
    schema = Schema.infer(table)
    assert [f.kind for f in schema.features] == [Kind.NUMBER, Kind.NUMBER, *[Kind.CATEGORY] * 3]
    assert (schema["age"].low, schema["age"].high) == (20, 30)
    assert np.isnan([schema["empty"].low, schema["empty"].high]).all()
    assert schema[HOSTILE].labels == ("a", "b") and not schema[HOSTILE].has_order
    assert schema["size"].labels == ("s", "l") and schema["size"].has_order
    assert schema["member"].labels == ("no", "yes")
    assert schema["size"].code("l") == 1.0


def test_missing_is_shown_as_missing_in_every_dtype() -> None:
    table = pd.DataFrame({"a": pd.array([1, None], dtype="Int64"), "b": [np.nan, 0.25]})
    schema = Schema.infer(table)
    rows = schema.encode(table)
    np.testing.assert_array_equal(schema.displayed(rows, [0, 2]), rows)


@pytest.mark.parametrize("values", [[np.nan, np.nan], [None, None]])
def test_a_column_of_nothing_but_missing(values: list) -> None:
    table = pd.DataFrame({"x": values, "y": pd.Series([None, None], dtype="str")})
    schema = Schema.infer(table)
    rows = schema.encode(table)
    assert np.isnan(rows).all()
    assert schema.decode(rows).isna().all(axis=None)


def group() -> pd.DataFrame:
    return pd.DataFrame({"zone_n": [1, 0, 0], "x": [1.5, 2.5, 3.5], "zone_s": [False, True, False]})


def test_a_group_is_one_category_and_keeps_the_table_s_order() -> None:
    table = group()
    schema = Schema.infer(table, {"zone": ["zone_s", "zone_n"]})
    assert schema.names == ("zone", "x")
    assert schema["zone"].labels == ("n", "s", "none of these")
    assert schema.columns == ("zone_n", "x", "zone_s")
    pd.testing.assert_frame_equal(schema.decode(schema.encode(table)), table)
    described = schema.described({"zone": {"title": "Zone"}})
    assert described.columns == schema.columns


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ({"zone": ["zone_n", "nowhere"]}, "'nowhere', which is not in the table"),
        ({"x": ["zone_n", "zone_s"]}, "'x' is called like a column"),
        ({"a": ["zone_n", "zone_s"], "b": ["zone_s"]}, "'zone_s' is in two groups"),
    ],
)
def test_groups_that_can_t_be_are_refused(groups: dict, sentence: str) -> None:
    with pytest.raises(SchemaError, match=sentence):
        Schema.infer(group(), groups)


def test_a_combination_that_never_occurred_is_refused() -> None:
    schema = Schema.infer(group(), {"zone": ["zone_s", "zone_n"]})
    with pytest.raises(SchemaError, match="zone holds"):
        schema.encode(group().assign(zone_n=1, zone_s=True))


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(SchemaError, match="Two columns are called 'a'"):
        Schema.infer(pd.DataFrame([[1, 2]], columns=["a", "a"]))


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"kind": ["a"]}, "'age' is not in the table"),
        ({"kind": ["z"], "age": [1]}, "kind holds 'z'"),
        ({"kind": ["a"], "age": ["old"]}, "'age' should hold numbers, but holds 'old'"),
    ],
)
def test_tables_that_do_not_fit_are_refused(table: dict, sentence: str) -> None:
    schema = Schema.infer(pd.DataFrame({"kind": ["a", "b"], "age": [1, 2]}))
    with pytest.raises(SchemaError, match=sentence):
        schema.encode(pd.DataFrame(table))


def test_numbers_written_as_text_are_read() -> None:
    schema = Schema.infer(pd.DataFrame({"age": [1, 2]}))
    np.testing.assert_array_equal(schema.encode(pd.DataFrame({"age": ["3"]})), [[3.0]])


def test_a_whole_number_that_can_t_be_missing_says_so() -> None:
    schema = Schema.infer(pd.DataFrame({"age": [1, 2]}))
    with pytest.raises(SchemaError, match="can't be missing"):
        schema.decode(np.array([[np.nan]]))


def test_descriptions_replace_and_order() -> None:
    schema = Schema.infer(pd.DataFrame({"size": ["s", "l", "m"], "age": [1, 2, 3]}))
    described = schema.described(
        {
            "size": {"labels": {"s": "small", "m": "medium", "l": "large"}, "ordered": True},
            "age": {"title": "Age", "unit": "years", "direction": Direction.UP},
        }
    )
    assert described["size"].labels == ("small", "medium", "large")
    np.testing.assert_array_equal(described.encode(pd.DataFrame({"size": ["l", "s"], "age": [1, 2]}))[:, 0], [2, 0])
    assert described["age"].direction is Direction.UP
    with pytest.raises(SchemaError, match="no label for its category 'l'"):
        schema.described({"size": {"labels": {"s": "small", "m": "medium"}}})
    with pytest.raises(SchemaError, match="3 categories and 1 labels"):
        schema.described({"size": {"labels": ["small"]}})
    with pytest.raises(SchemaError, match="no feature called 'height'"):
        schema.described({"height": {"unit": "cm"}})


def test_categories_that_read_alike_stay_apart() -> None:
    schema = Schema.infer(pd.DataFrame({"x": pd.Series([1, "1", 2], dtype=object)}))
    assert len(set(schema["x"].labels)) == 3


def test_unknown_names_are_refused() -> None:
    schema = Schema.infer(pd.DataFrame({"size": ["s", "l"]}))
    with pytest.raises(SchemaError, match="no feature called 'age'"):
        schema.index("age")
    with pytest.raises(SchemaError, match="no category called 'xl'; it has l, s"):
        schema["size"].code("xl")


def test_missing_agrees_with_missing() -> None:
    one, other = np.array([1.0, np.nan, np.nan, 2.0]), np.array([1.0, np.nan, 1.0, np.nan])
    assert same(one, other).tolist() == [True, True, False, False]
