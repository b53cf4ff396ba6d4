"""Palmer penguins: which of three species is a bird?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from explainers.problem import Problem
from explainers.schema import Schema
from explainers.training import forest
from samples.sample import DataCard, Sample, trained_problem

FILE = Path(__file__).parent / "data" / "penguins.csv"
TARGET = "species"
CLASSES = ("Adelie", "Chinstrap", "Gentoo")
TRAINER = forest()

FEATURES: dict[str, dict[str, Any]] = {
    "island": {
        "title": "island",
        "description": "Island of the Palmer Archipelago, Antarctica, on which the bird was nesting.",
    },
    "bill_length_mm": {
        "title": "bill length",
        "unit": "mm",
        "description": "Length of the bill along its upper ridge, the culmen.",
    },
    "bill_depth_mm": {
        "title": "bill depth",
        "unit": "mm",
        "description": "Depth of the bill at its upper ridge, the culmen.",
    },
    "flipper_length_mm": {
        "title": "flipper length",
        "unit": "mm",
        "description": "Length of the flipper.",
    },
    "body_mass_g": {
        "title": "body mass",
        "unit": "g",
        "description": "Weight of the bird.",
    },
    "sex": {
        "title": "sex",
        "description": "Sex of the bird, found from its blood.",
        "labels": {"female": "female", "male": "male"},
    },
    "year": {
        "title": "year",
        "locked": True,
        "description": "Year of the breeding season in which the bird was measured. Locked because it says when"
        " somebody looked and not what the bird is like; unlock it to see whether the model uses it.",
    },
}

CARD = DataCard(
    title="Palmer penguins",
    summary="344 adult penguins of three species, measured on three islands of Antarctica from 2007 to 2009.",
    origin="Kristen Gorman and the Palmer Station, Antarctica LTER; put together by Allison Horst, Alison Hill and"
    " Kristen Gorman in the R package palmerpenguins; the copy from Muhammad Chenariyan Nakhaee's Python package of"
    " that name (MIT licence).",
    licence="Creative Commons Zero 1.0 Universal (CC0 1.0)",
    citation="Gorman, K. B., Williams, T. D., Fraser, W. R. (2014). Ecological sexual dimorphism and environmental"
    " variability within a community of Antarctic penguins (genus Pygoscelis). PLoS ONE 9(3): e90081. Horst, A. M.,"
    " Hill, A. P., Gorman, K. B. (2020). palmerpenguins: Palmer Archipelago (Antarctica) penguin data."
    " doi:10.5281/zenodo.3960218.",
    rows=344,
    columns=tuple((column, about["description"]) for column, about in FEATURES.items()),
    target=TARGET,
    target_description="Species of the bird: Adelie, Chinstrap or Gentoo.",
    caveats=(
        "Two birds have no measurements at all, and the sex of nine more is missing.",
        "Chinstraps were found on Dream and Gentoos on Biscoe only, so the island alone says much about the species"
        " here; elsewhere it wouldn't.",
        "Nobody can change a penguin: a counterfactual here shows what tells the species apart, not what to do.",
    ),
)


def load() -> Problem:
    """Read the table, train the forest and pose the problem."""
    table = pd.read_csv(FILE)
    labels = np.asarray(table.pop(TARGET).map(CLASSES.index), dtype=np.intp)
    schema = Schema.infer(table).described(FEATURES)
    return trained_problem(table, labels, schema, TRAINER, classes=CLASSES)


PENGUINS = Sample("penguins", "Palmer penguins", TRAINER.title, load, CARD)
