"""Samples as what somebody would bring: a table, what is said of it, and a pair of files to try."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

import pandas as pd

from explainers.intake.inspection import inspect
from explainers.intake.roles import Plan
from explainers.intake.schema_edits import FeatureEdit, SchemaEdits
from explainers.intake.table import Table
from explainers.schema import Schema
from explainers.training import read_outcome, split, train
from samples import auto_mpg, breast_cancer, digits, german_credit, penguins

EXAMPLE = "german_credit"


def table(name: str) -> Table:
    """The table of a sample, its target included."""
    frame = _READERS[name]()
    findings = inspect([frame[column] for column in frame.columns])
    return Table(frame, (), "sample", findings)


def plan(name: str) -> Plan:
    """What is said of a sample's table."""
    return _PLANS[name]


@cache
def example_table() -> bytes:
    """A table to bring, as CSV."""
    return german_credit.FILE.read_bytes()


@cache
def example_model() -> bytes:
    """A model that was fitted on the table, saved by skops."""
    sio: Any = import_module("skops.io")
    frame = _READERS[EXAMPLE]()
    outcome = read_outcome(frame.pop(german_credit.TARGET))
    schema = Schema.infer(frame)
    training = split(outcome.observed)
    trained = train(german_credit.TRAINER, frame, outcome.observed, schema, training, values=outcome.values)
    content: bytes = sio.dumps(trained.estimator)
    return content


def _edits(features: Mapping[str, Mapping[str, Any]]) -> SchemaEdits:
    """Descriptions of features as edits; labels are told in their order."""
    edits = SchemaEdits()
    for name, about in features.items():
        said = {key: value for key, value in about.items() if key != "labels"}
        edits = edits.with_feature(name, FeatureEdit(**said, categories=tuple(about.get("labels", {}).items())))
    return edits


def _breast_cancer() -> pd.DataFrame:
    from sklearn.datasets import load_breast_cancer

    frame: pd.DataFrame = load_breast_cancer(as_frame=True)["frame"]
    return frame


_READERS = {
    "german_credit": lambda: pd.read_csv(german_credit.FILE, keep_default_na=False),
    "breast_cancer": _breast_cancer,
    "penguins": lambda: pd.read_csv(penguins.FILE),
    "auto_mpg": auto_mpg.read,
    "digits": digits.read,
}
_PLANS = {
    "german_credit": Plan(
        target=german_credit.TARGET, id="", classes=german_credit.CLASSES, edits=_edits(german_credit.FEATURES)
    ),
    "breast_cancer": Plan(
        target=breast_cancer.TARGET, id="", classes=breast_cancer.CLASSES, edits=_edits(breast_cancer.FEATURES)
    ),
    "penguins": Plan(target=penguins.TARGET, id="", classes=penguins.CLASSES, edits=_edits(penguins.FEATURES)),
    "auto_mpg": Plan(
        target=auto_mpg.TARGET,
        id="",
        quantity=auto_mpg.QUANTITY,
        unit=auto_mpg.QUANTITY,
        edits=_edits(auto_mpg.FEATURES),
    ),
    "digits": Plan(
        target=digits.TARGET,
        id="",
        trainer=digits.TRAINER.name,
        classes=digits.CLASSES,
        edits=_edits(digits.FEATURES).with_picture(digits.PICTURE),
    ),
}
