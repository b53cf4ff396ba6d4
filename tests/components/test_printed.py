"""The numbers of a table read as charts and sentences print them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from components.printed import MOST_STYLED, as_elsewhere, printed
from explainers import wording
from explainers.decision import BinaryDecision
from explainers.wording import MINUS

TARGET = BinaryDecision(("bad", "good"), 0.5).target(np.array([0.9, 0.1]))
FRAME = pd.DataFrame(
    {
        "feature": ["a", "b", "c"],
        "flips": [True, False, True],
        "changes": [1, 2, 1204],
        "score": [0.505, 0.4996, np.nan],
        "margin": [0.325, 0.0004, np.nan],
        "SHAP": [0.25, -0.014, 0.1],
        "LIME": [np.nan, 0.001, 0.2],
        "SHAP, standard error": [0.00125, 0.5, np.nan],
        "distance": [12.3456, 1974.0, 0.00012346],
    }
)


def test_each_kind_of_column_is_printed_in_its_way() -> None:
    assert printed(FRAME, TARGET) == {
        "feature": ["a", "b", "c"],
        "flips": ["yes", "no", "yes"],
        "changes": ["1", "2", f"1{wording.SPACE}204"],
        "score": ["0.51", "0.4996", ""],
        "margin": ["0.33", "0.0004", ""],
        "SHAP": ["+0.250", f"{MINUS}0.014", "+0.100"],
        "LIME": ["", "+0.001", "+0.200"],
        "SHAP, standard error": ["0.0013", "0.5", ""],
        "distance": ["12.35", "1974", "0.0001235"],
    }


def test_a_table_keeps_its_numbers_under_what_is_read() -> None:
    """So that it can be ordered by them."""
    shown, formats = as_elsewhere(FRAME, TARGET)
    assert formats == {} and shown.data is FRAME
    html = shown.to_html()
    assert all(f">{text}<" in html for text in ("0.51", "0.4996", "+0.250", "12.35")) and "nan" not in html


def test_a_table_of_very_many_is_printed_by_the_browser() -> None:
    many = pd.DataFrame({"score": np.linspace(0.49, 0.52, MOST_STYLED + 1), "SHAP": 0.1})
    many.loc[0, "score"] = np.nan
    shown, formats = as_elsewhere(many, TARGET)
    decimals = wording.score_decimals(many["score"].to_numpy()[1:], TARGET)
    assert shown is many and formats == {"score": f"%.{decimals}f", "SHAP": "%.4f"}
