"""What a model file turns into, before it has met a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Expectation:
    """What a model wants of one column.

    Attributes
    ----------
    is_number : bool, optional
        Whether it wants numbers, if that is known.
    categories : tuple, optional
        The values its encoder was fitted on, missing as NaN or None.
    takes_unknown : bool
        Whether the encoder takes other values too.
    is_filled : bool
        Whether missing values are filled in before they are encoded.
    """

    is_number: bool | None = None
    categories: tuple[Any, ...] | None = None
    takes_unknown: bool = True
    is_filled: bool = False


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model as its file describes it.

    Attributes
    ----------
    name : str
        What the file is called.
    format : str
        Name of the format in the registry.
    predict : callable
        From a table with the model's columns in its order to probabilities of the
        classes, or to numbers.
    estimator : object
        What the file held, such as a scikit-learn pipeline or an ONNX session.
    columns : tuple of str, optional
        What the model wants, in its order, if it knows names.
    n_columns : int, optional
        How many it wants.
    classes : tuple of str, optional
        In the order of the outputs; empty for a number; nothing if the file doesn't say.
    spelling : callable, optional
        How the format spells a column's name, where it can't spell every name.
    name_classes : callable, optional
        Finds the classes' names out from rows, where the file doesn't say them.
    expectations : mapping from a column's name or position to Expectation
    versions : mapping from library to version
        As read from the file.
    notes : tuple of str
        What a person should know, as sentences.
    unfit : str, optional
        Why it can't be explained whatever the table, as a sentence.
    fingerprint : str
        Hash of the file.
    """

    name: str
    format: str
    predict: Callable[[pd.DataFrame], ArrayLike]
    estimator: Any
    columns: tuple[str, ...] | None = None
    n_columns: int | None = None
    classes: tuple[str, ...] | None = None
    spelling: Callable[[str], str] | None = None
    name_classes: Callable[[pd.DataFrame], tuple[str, ...]] | None = None
    expectations: Mapping[str | int, Expectation] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    unfit: str | None = None
    fingerprint: str = ""
