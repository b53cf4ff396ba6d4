"""Auto MPG: how far does a car go on a gallon?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from explainers.problem import Problem
from explainers.schema import Schema
from explainers.training import forest_of_numbers
from samples.sample import DataCard, Sample, trained_problem

FILE = Path(__file__).parent / "data" / "cars.json"
TARGET = "Miles_per_Gallon"
QUANTITY = "miles per gallon"
NAME = "Name"
TRAINER = forest_of_numbers()

FEATURES: dict[str, dict[str, Any]] = {
    "Cylinders": {
        "title": "cylinders",
        "description": "How many cylinders the engine has.",
    },
    "Displacement": {
        "title": "displacement",
        "unit": "cu in",
        "description": "Volume that the pistons move through, in cubic inches.",
    },
    "Horsepower": {
        "title": "power",
        "unit": "hp",
        "description": "Power of the engine, in horsepower.",
    },
    "Weight_in_lbs": {
        "title": "weight",
        "unit": "lb",
        "description": "Weight of the car, in pounds.",
    },
    "Acceleration": {
        "title": "0 to 60 mph",
        "unit": "s",
        "description": "Time that the car takes from rest to 60 miles an hour: the more, the slower.",
    },
    "Year": {
        "title": "model year",
        "description": "Year of the model.",
    },
    "Origin": {
        "title": "origin",
        "description": "Where the car was made.",
    },
}

CARD = DataCard(
    title="Auto MPG",
    summary="398 car models of 1970 to 1982, from the USA, Europe and Japan, and how far they go on a gallon.",
    origin="Ernesto Ramos and David Donoho for the 1983 exposition of the American Statistical Association, in the"
    " StatLib library of Carnegie Mellon University; also Auto MPG in the UCI Machine Learning Repository, 1993; the"
    " copy from Jake Vanderplas' package vega_datasets (MIT licence).",
    licence="MIT as part of vega_datasets; UCI gives its edition under Creative Commons Attribution 4.0"
    " International (CC BY 4.0)",
    citation="Quinlan, R. (1993). Auto MPG. UCI Machine Learning Repository. doi:10.24432/C5859H.",
    rows=398,
    columns=tuple((column, about["description"]) for column, about in FEATURES.items()),
    target=TARGET,
    target_description="How far the car goes in the city, in miles per US gallon.",
    caveats=(
        "The 8 of 406 models whose miles per gallon aren't known are left out, as UCI leaves them out.",
        "The power of 6 models is missing.",
        "In this copy the models of 1981 are dated 1982, so the years jump from 1980 to 1982.",
        "The names of the models are left out: they name a row, and some name two.",
        "Displacement, power and weight go together in real cars, so a change of one alone may be no car.",
    ),
)


def read() -> pd.DataFrame:
    """The models whose miles per gallon are known, the year as a number."""
    table = pd.read_json(FILE, dtype=False).drop(columns=NAME)
    table["Year"] = table["Year"].str[:4].astype("int64")
    return table[table[TARGET].notna()].reset_index(drop=True)


def load() -> Problem:
    """Read the table, train the forest and pose the problem."""
    table = read()
    observed = np.array(table.pop(TARGET), dtype=np.float64)
    schema = Schema.infer(table).described(FEATURES)
    return trained_problem(table, observed, schema, TRAINER, quantity=QUANTITY, unit=QUANTITY)


AUTO_MPG = Sample("auto_mpg", "Auto MPG", TRAINER.title, load, CARD)
