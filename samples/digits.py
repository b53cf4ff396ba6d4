"""Digits: which one was written by hand?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from explainers.picture import arranged
from explainers.problem import Problem
from explainers.schema import Schema
from explainers.training import TRAINERS
from samples.sample import DataCard, Sample, trained_problem

TARGET = "target"
CLASSES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TRAINER = TRAINERS["mlp"]
SIDE = 8


def _features() -> dict[str, dict[str, Any]]:
    return {
        f"pixel_{row}_{column}": {
            "title": f"row {row + 1}, column {column + 1}",
            "description": f"Ink in row {row + 1} from above and column {column + 1} from the left, from 0 to 16:"
            " so many of 4×4 finer pixels are black.",
        }
        for row in range(SIDE)
        for column in range(SIDE)
    }


FEATURES = _features()
PICTURE = arranged(tuple(FEATURES), SIDE)

CARD = DataCard(
    title="Handwritten digits",
    summary="1797 digits written by hand by 13 people, as pictures of 8×8 pixels.",
    origin="Ethem Alpaydin and Cevdet Kaynak, Boğaziçi University, with software of the National Institute of Standards"
    " and Technology: Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998; its test set,"
    " in the copy that comes with scikit-learn.",
    licence="Creative Commons Attribution 4.0 International (CC BY 4.0)",
    citation="Alpaydin, E., Kaynak, C. (1998). Optical Recognition of Handwritten Digits. UCI Machine Learning"
    " Repository. doi:10.24432/C50P49.",
    rows=1797,
    columns=tuple((column, about["description"]) for column, about in FEATURES.items()),
    target=TARGET,
    target_description="The digit that was meant, from 0 to 9.",
    caveats=(
        "The pixels are features of their own here: the model knows nothing of which ones are side by side.",
        "Three pixels at the edge are empty in every picture, so nothing is learnt of them.",
        "The people who wrote are not told apart, so the same hand may be in the rows trained on and in the others.",
    ),
)


def read() -> pd.DataFrame:
    """The pixels row by row, and the digit."""
    from sklearn.datasets import load_digits

    table: pd.DataFrame = load_digits(as_frame=True)["frame"]
    return table


def load() -> Problem:
    """Read the table, train the network and pose the problem."""
    table = read()
    labels = np.asarray(table.pop(TARGET), dtype=np.intp)
    schema = Schema.infer(table).described(FEATURES).pictured(PICTURE)
    return trained_problem(table, labels, schema, TRAINER, classes=CLASSES)


DIGITS = Sample("digits", "Handwritten digits", TRAINER.title, load, CARD)
