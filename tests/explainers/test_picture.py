"""Which features are the pixels of a picture, and where each is seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from explainers.picture import arranged, places_of, scale_of, seen, with_one_deviation
from explainers.schema import Schema, SchemaError

TABLE = pd.DataFrame({"f": [5, 9.0], "a": [0, 1.0], "d": [3, 3.0], "b": [np.nan, 7.0], "hue": ["red", "blue"]})
PIXELS = (("a", "b", "gone"), ("d", "left out", "f"))


def schema() -> Schema:
    return Schema.infer(TABLE).pictured(PIXELS)


def test_pixels_are_found_by_name_whatever_the_table_s_order() -> None:
    rows = schema().encode(TABLE)
    expected = [[[0, np.nan, np.nan], [3, np.nan, 5]], [[1, 7, np.nan], [3, np.nan, 9]]]
    np.testing.assert_array_equal(seen(schema(), rows), expected)
    shuffled = TABLE[["b", "hue", "f", "d", "a"]]
    other = Schema.infer(shuffled).pictured(PIXELS)
    np.testing.assert_array_equal(seen(other, other.encode(shuffled)), expected)
    assert places_of(schema()) == {"a": (0, 0), "b": (0, 1), "d": (1, 0), "f": (1, 2)}


def test_the_scale_is_that_of_all_pixels_in_the_table() -> None:
    assert scale_of(schema()) == (0, 9)


def test_pixels_share_one_deviation_and_other_features_keep_theirs() -> None:
    table = TABLE.assign(weight=[1.0, 2.0])
    own = np.array([3.0, 1.0, 0.0, 4.0, 0.0, 7.0])
    assert list(table) == ["f", "a", "d", "b", "hue", "weight"]
    shared = with_one_deviation(Schema.infer(table).pictured(PIXELS), own)
    np.testing.assert_allclose(shared, [*[((9 + 1 + 0 + 16) / 4) ** 0.5] * 4, 0.0, 7.0])
    np.testing.assert_array_equal(with_one_deviation(Schema.infer(table), own), own)


def test_a_picture_comes_and_goes_with_the_rest_kept() -> None:
    bare = Schema.infer(TABLE)
    assert bare.picture == () and schema().features == bare.features
    assert schema().described({"a": {"title": "A"}}).picture == PIXELS
    assert replace(schema(), features=bare.features[1:]).picture == PIXELS
    assert schema().pictured(()).picture == ()


def test_names_in_one_go_are_cut_into_rows() -> None:
    assert arranged(["a", "b", "c", "d", "e", "f"], 2) == (("a", "b"), ("c", "d"), ("e", "f"))
    with pytest.raises(ValueError, match=r"6 numbers can't be cut into rows of 4 pixels"):
        arranged(["a", "b", "c", "d", "e", "f"], 4)


@pytest.mark.parametrize(
    ("pixels", "sentence"),
    [
        ((("a", "b"), ("d",)), "of different lengths"),
        ((("a", "b"),), "has 4 to 4096 pixels, and this has 2"),
        ((("a", "b"), ("d", "a")), "the pixel 'a' twice"),
        ((("w", "x"), ("y", "z")), "No pixel of the picture is a feature"),
        ((("a", "b"), ("d", "hue")), "hue is a category"),
    ],
)
def test_what_is_no_picture_is_refused_in_a_sentence(pixels: tuple[tuple[str, ...], ...], sentence: str) -> None:
    with pytest.raises(SchemaError, match=rf"{sentence}.*\.$"):
        Schema.infer(TABLE).pictured(pixels)
