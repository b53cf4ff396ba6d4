"""What is said of columns holds in the schema, comes back from a file, and is refused in one sentence."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.intake.refusal import Refused
from explainers.intake.schema_edits import (
    FeatureEdit,
    SchemaEdits,
    read_for_model,
    read_for_training,
)
from explainers.intake.schema_file import read_schema, write_schema
from explainers.schema import Direction, Kind, Schema, SchemaError

TABLE = pd.DataFrame({
    "age": [20, 30, -9, 50],
    "risk": ["low", "high", "mid", "low"],
    "when": pd.to_datetime(["2024-01-01", "2024-02-01", None, "2024-03-01"]),
    "red": [1, 0, 0, 1],
    "blue": [0, 1, 1, 0],
})  # fmt: skip
NAMES = st.text(min_size=1, max_size=6)
EDIT = st.builds(
    FeatureEdit,
    title=st.none() | st.text(max_size=5),
    unit=st.none() | st.text(max_size=5),
    description=st.none() | st.text(max_size=5),
    kind=st.none() | st.sampled_from(Kind),
    ordered=st.none() | st.booleans(),
    categories=st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=3).map(lambda d: tuple(d.items())),
    locked=st.none() | st.booleans(),
    direction=st.none() | st.sampled_from(Direction),
    allowed_low=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    allowed_high=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    missing=st.lists(st.text(max_size=4), max_size=2).map(tuple),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def said(**edits: FeatureEdit) -> SchemaEdits:
    found = SchemaEdits()
    for name, edit in edits.items():
        found = found.with_feature(name, edit)
    return found


def test_words_locks_and_limits() -> None:
    edit = FeatureEdit(title="Alter", unit="Jahre", locked=True, direction=Direction.UP, allowed_low=18.0)
    feature = read_for_training(TABLE, said(age=edit)).schema["age"]
    assert (feature.title, feature.unit, feature.locked, feature.direction) == ("Alter", "Jahre", True, Direction.UP)
    assert (feature.allowed_low, feature.allowed_high) == (18.0, None)


def test_categories_get_an_order_and_names() -> None:
    edit = FeatureEdit(ordered=True, categories=(("low", "Low"), ("mid", "mid")), direction=Direction.DOWN)
    schema = read_for_training(TABLE, said(risk=edit)).schema
    assert schema["risk"].labels == ("Low", "mid", "high")
    codes = schema.encode(TABLE.assign(age=1))[:, schema.index("risk")]
    assert codes.tolist() == [0, 2, 1, 0]


def test_numbers_as_categories_go_back_as_numbers() -> None:
    edits = said(age=FeatureEdit(kind=Kind.CATEGORY))
    schema = read_for_model(TABLE, edits)
    assert schema["age"].labels == ("-9", "20", "30", "50")
    pd.testing.assert_frame_equal(schema.decode(schema.encode(TABLE)), TABLE)


def test_a_code_is_missing_here_and_itself_for_the_model() -> None:
    edits = said(age=FeatureEdit(missing=("-9",)))
    schema = read_for_model(TABLE, edits)
    rows = schema.encode(TABLE)
    assert np.isnan(rows[2, 0])
    assert (schema["age"].low, schema["age"].high) == (20.0, 50.0)
    pd.testing.assert_frame_equal(schema.decode(rows), TABLE)
    learnt = read_for_training(TABLE, edits)
    assert learnt.table["age"].isna().tolist() == [False, False, True, False]


def test_dates_are_learnt_as_days() -> None:
    reading = read_for_training(TABLE, SchemaEdits())
    assert reading.schema["when"].is_date
    assert reading.table["when"].tolist()[:2] == [19723.0, 19754.0]
    pd.testing.assert_frame_equal(reading.schema.decode(reading.schema.encode(reading.table)), reading.table)


def test_a_group_is_one_feature_and_can_be_taken_apart() -> None:
    edits = said(red=FeatureEdit(title="rot")).with_group("colour", ["red", "blue"])
    schema = read_for_training(TABLE, edits).schema
    assert schema["colour"].labels == ("red", "blue")
    assert "red" not in schema.names
    assert not edits.with_group("colour", ()).features


@pytest.mark.parametrize(
    ("edits", "sentence"),
    [
        (said(age=FeatureEdit(title=" ")), "needs a name to be shown by"),
        (said(risk=FeatureEdit(direction=Direction.UP)), "has no order"),
        (said(risk=FeatureEdit(kind=Kind.NUMBER)), "holds no numbers"),
        (said(risk=FeatureEdit(allowed_low=1.0)), "is not a number"),
        (said(age=FeatureEdit(allowed_low=2.0, allowed_high=1.0)), "ends before it begins"),
        (said(age=FeatureEdit(missing=("77",))), "has no value '77'"),
        (said(risk=FeatureEdit(categories=(("low", "x"), ("mid", "x")))), "are called 'x'"),
        (said(risk=FeatureEdit(categories=(("low", ""),))), "has no name"),
    ],
)
def test_what_can_t_be_is_refused(edits: SchemaEdits, sentence: str) -> None:
    for read in (read_for_training, read_for_model):
        with pytest.raises(SchemaError, match=sentence):
            read(TABLE, edits)


def test_two_codes_can_t_go_back_to_a_model() -> None:
    edits = said(age=FeatureEdit(missing=("-9", "20")))
    assert read_for_training(TABLE, edits).table["age"].isna().sum() == 2
    with pytest.raises(SchemaError, match="choose one code"):
        read_for_model(TABLE, edits)


def test_only_what_models_learn_from_is_structure() -> None:
    words = said(age=FeatureEdit(title="Alter", locked=True), risk=FeatureEdit(categories=(("low", "Low"),)))
    relabelled = said(risk=FeatureEdit(categories=(("low", "niedrig"),)))
    assert words.structure == relabelled.structure
    assert words.structure != said(age=FeatureEdit(kind=Kind.CATEGORY)).structure


@given(
    edits=st.builds(
        lambda features, groups, uses, picture: SchemaEdits(
            tuple(sorted((n, e) for n, e in features.items() if e != FeatureEdit())),
            tuple(sorted((n, tuple(c)) for n, c in groups.items())),
            tuple(sorted(uses.items())),
            tuple(map(tuple, picture)),
        ),
        st.dictionaries(NAMES, EDIT, max_size=3),
        st.dictionaries(NAMES, st.lists(NAMES, max_size=3), max_size=2),
        st.dictionaries(NAMES, st.booleans(), max_size=2),
        st.lists(st.lists(NAMES, max_size=2), max_size=2),
    )
)
def test_edits_come_back_from_a_file(edits: SchemaEdits) -> None:
    assert read_schema("x.json", write_schema(Schema(()), edits)) == edits


def test_a_saved_schema_says_the_same_of_the_table() -> None:
    edits = said(
        age=FeatureEdit(title="Alter", missing=("-9",), locked=True),
        risk=FeatureEdit(ordered=True, categories=(("low", "Low"), ("mid", "m"))),
    ).with_group("colour", ["red", "blue"])
    reading = read_for_training(TABLE, edits)
    again = read_for_training(TABLE, read_schema("x.json", write_schema(reading.schema, edits)))
    assert again.schema.features == reading.schema.features


def test_a_picture_is_said_and_kept_and_a_model_learns_from_it() -> None:
    edits = SchemaEdits().with_picture((("red", "blue"), ("age", "left out")))
    for read in (read_for_training, read_for_model):
        schema = getattr(read(TABLE, edits), "schema", None) or read(TABLE, edits)
        assert schema.picture == (("red", "blue"), ("age", "left out"))
    assert edits.structure != SchemaEdits().structure
    with pytest.raises(SchemaError, match="risk is a category"):
        read_for_training(TABLE, edits.with_picture((("red", "blue"), ("age", "risk"))))


def refusal(content: object) -> str:
    """What is said against a file, if anything."""
    try:
        read_schema("x.json", json.dumps(content).encode())
    except Refused as refused:
        return str(refused)
    return ""


@given(content=JSON)
def test_no_json_does_more_than_be_refused(content: object) -> None:
    for tried in (content, {"flipside_schema": 1, "features": content}, {"flipside_schema": 1, "groups": content}):
        sentence = refusal(tried)
        assert not sentence or (sentence.startswith("x.json ") and sentence.endswith("."))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\xff\x00", "is no JSON"),
        (b"[1]", "holds no schema"),
        (b'{"flipside_schema": 2}', "is of version 2"),
        (b'{"flipside_schema": 1, "extra": 1}', "says 'extra'"),
        (b'{"flipside_schema": 1, "features": {"a": {"kindd": 1}}}', "says 'kindd' of 'a'"),
        (b'{"flipside_schema": 1, "features": {"a": {"kind": "date"}}}', "it can be number, category"),
        (b'{"flipside_schema": 1, "features": {"a": {"locked": 1}}}', "neither true nor false"),
        (b'{"flipside_schema": 1, "features": {"a": {"allowed_low": NaN}}}', "is no number"),
        (b'{"flipside_schema": 1, "picture": {"a": 1}}', "for the picture no rows of pixels"),
        (b'{"flipside_schema": 1, "picture": [["a", 1]]}', "for a row of the picture 1, which is no text"),
        (b"[" * 100_000, "is no JSON"),
    ],
)
def test_other_files_are_refused_in_one_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        read_schema("x.json", content)
