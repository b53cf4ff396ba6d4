"""What is said of pictures, in the numbers that were drawn."""

from __future__ import annotations

import numpy as np
import pandas as pd

from explainers import sentences_picture
from explainers.schema import Schema
from explainers.wording import MINUS, SPACE

TABLE = pd.DataFrame({"a": [0, 16], "b": [0, 16], "c": [3, 5], "d": [1, 2], "weight": [100, 900]}).astype(float)
SCHEMA = Schema.infer(TABLE).pictured((("a", "b"), ("c", "d")))
BEFORE = np.array([0.0, 16.0, 3.0, 1.0, 100.0])


def said(*after: float) -> str:
    return sentences_picture.what_changes(SCHEMA, BEFORE, np.array(after)).replace(SPACE, " ")


def test_how_many_pixels_rise_and_fall_and_which_changes_most() -> None:
    assert said(4, 9, 3, 2, 100) == "2 pixels up and 1 pixel down, most of all b: 16 to 9."
    assert said(0, 16, 5, 1, 100) == "1 pixel up, most of all c: 3 to 5."
    assert said(0, 15, 3, 1, 900) == "1 pixel down, most of all b: 16 to 15."
    assert said(0, 16, 3, 1, 900) == "No pixel changes."


def test_who_can_t_see_them_is_told_what_they_are() -> None:
    told = sentences_picture.alt_pictures(SCHEMA, ["this case: zero", "changed: nine"], BEFORE, BEFORE)
    assert told == "Pictures of 2 by 2 pixels: this case: zero; changed: nine. No pixel changes."


def test_pixels_and_scales_are_in_the_features_own_numbers() -> None:
    after = np.array([4.0, 16.0, 3.0, 1.0, 100.0])
    assert sentences_picture.pixel(SCHEMA, "b", BEFORE) == "b: 16"
    assert sentences_picture.pixel_change(SCHEMA, "a", BEFORE, after) == "a: 0 → 4"
    assert sentences_picture.pixel_change(SCHEMA, "b", BEFORE, after) == "b: 16, as it is"
    assert sentences_picture.scale(SCHEMA, 0, 16) == ("0", "16")
    assert sentences_picture.step_scale(SCHEMA, 16) == (f"{MINUS}16", "+16")
