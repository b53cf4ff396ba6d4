"""Models as ONNX; needs onnxruntime, which is optional."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers.intake.loaded import Expectation, LoadedModel
from explainers.intake.refusal import Refused, first_line

NAME = "ONNX"
ENDINGS = (".onnx",)
NUMBERS = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
}
TEXT = "tensor(string)"
# protobuf writes the place of weights kept in another file so
OUTSIDE = b"\x0a\x08location\x12"
PRODUCER = re.compile(rb"\x12.([\w.\- ]+?)\x1a.([\w.+\-]+)", re.DOTALL)
HIGHEST_VERSION = 64


def missing() -> str | None:
    """The line that installs what ONNX models need, or nothing if it is there."""
    return None if find_spec("onnxruntime") else "pip install onnxruntime==1.32.0"


def recognises(content: bytes) -> bool:
    """By the version at its start, followed by a field that a model has."""
    return (
        len(content) > 8
        and content[0] == 8
        and 0 < content[1] < HIGHEST_VERSION
        and content[2] in b"\x12\x1a\x22\x28\x32\x3a\x42"
    )


def read(name: str, content: bytes, *, allow_pickle: bool) -> LoadedModel:
    """Load an ONNX model; it is a graph of computations and runs no code of its own.

    Raises
    ------
    Refused
        If it is damaged, keeps its weights elsewhere, or wants something else than columns.
    """
    install = missing()
    if install:
        raise Refused(f"{name} is an ONNX model, which needs onnxruntime here; install it with {install}.", install)
    if OUTSIDE in content:
        raise Refused(f"{name} keeps its weights in another file; save the ONNX model as one file.")
    graph = _Graph.of(name, _session(name, content))
    return LoadedModel(
        name=name,
        format=NAME,
        predict=graph.predict,
        estimator=graph,
        columns=graph.columns,
        n_columns=graph.n_columns,
        classes=() if not graph.is_classifier else None,
        spelling=_spelled,
        name_classes=graph.name_classes if graph.is_classifier else None,
        expectations=graph.expectations(),
        versions=_versions(content),
        notes=graph.notes(),
        fingerprint=hashlib.sha256(content).hexdigest(),
    )


def _session(name: str, content: bytes) -> Any:
    runtime: Any = import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        return runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has a class for each code, without a common base
        raise Refused(
            f"{name} is not an ONNX model that onnxruntime runs, for {first_line(error)}; export it again."
        ) from error


def _versions(content: bytes) -> dict[str, str]:
    found = PRODUCER.search(content[:200])
    return {found[1].decode(): found[2].decode()} if found else {}


@dataclass(frozen=True, eq=False)
class _Graph:
    """A session behind a table.

    `inputs` has the name, type and width of each; `output` is the name of the one that is read.
    """

    name: str
    session: Any
    inputs: tuple[tuple[str, str, int | None], ...]
    output: str
    label: str | None
    is_classifier: bool

    @classmethod
    def of(cls, name: str, session: Any) -> _Graph:
        inputs = tuple((item.name, item.type, _width(item.shape)) for item in session.get_inputs())
        strange = next((item for item in inputs if item[1] != TEXT and item[1] not in NUMBERS), None)
        if strange:
            raise Refused(f"{name} wants {strange[0]!r} as {strange[1]}, which no column is; export it with tensors.")
        if len(inputs) > 1 and any(width != 1 for _, _, width in inputs):
            wide = next(item[0] for item in inputs if item[2] != 1)
            raise Refused(
                f"{name} wants several columns at once as {wide!r} beside other inputs; export it with one input a"
                " column, or with one input for all."
            )
        output, label, is_classifier = _outputs(session.get_outputs())
        return cls(name, session, inputs, output, label, is_classifier)

    @property
    def by_name(self) -> bool:
        return len(self.inputs) > 1

    @property
    def columns(self) -> tuple[str, ...] | None:
        return tuple(name for name, _, _ in self.inputs) if self.by_name else None

    @property
    def n_columns(self) -> int | None:
        return len(self.inputs) if self.by_name else self.inputs[0][2]

    def expectations(self) -> dict[str | int, Expectation]:
        if self.by_name:
            return {name: Expectation(type_ != TEXT) for name, type_, _ in self.inputs}
        return dict.fromkeys(range(self.n_columns or 0), Expectation(self.inputs[0][1] != TEXT))

    def notes(self) -> tuple[str, ...]:
        types = {type_ for _, type_, _ in self.inputs}
        notes: list[str] = []
        if "tensor(float)" in types:
            notes.append(
                f"{self.name} computes in float32, so its scores agree to about six digits with the original's."
            )
        if TEXT in types:
            notes.append(f"{self.name} takes no missing text, so missing text is handed to it as an empty text.")
        return tuple(notes)

    def predict(self, table: pd.DataFrame) -> NDArray[np.float64]:
        (values,) = self.session.run([self.output], self._fed(table))
        return _as_array(values)

    def name_classes(self, table: pd.DataFrame) -> tuple[str, ...]:
        """Names from the keys of the output, or from which label goes with which column."""
        if self.label is None:
            (values,) = self.session.run([self.output], self._fed(table))
            keys = list(values[0]) if _is_mapped(values) else None
            return tuple(map(str, keys or (f"class {place}" for place in range(_as_array(values).shape[1]))))
        found: dict[int, str] = {}
        count = 0
        for rows in (table, _stretched(table)):
            values, labels = self.session.run([self.output, self.label], self._fed(rows))
            if _is_mapped(values):
                return tuple(map(str, values[0]))
            scores = _as_array(values)
            count = scores.shape[1]
            clear = (scores == scores.max(axis=1, keepdims=True)).sum(axis=1) == 1
            pairs = zip(scores.argmax(axis=1)[clear], np.ravel(labels)[clear], strict=True)
            found = {int(place): str(label) for place, label in pairs} | found
            if len(found) == count:
                break
        return tuple(found.get(place, f"class {place}") for place in range(count))

    def _fed(self, table: pd.DataFrame) -> dict[str, NDArray[Any]]:
        if self.by_name:
            return {
                name: _tensor(table.iloc[:, [place]], type_) if width else _tensor(table.iloc[:, [place]], type_)[:, 0]
                for place, (name, type_, width) in enumerate(self.inputs)
            }
        name, type_, _ = self.inputs[0]
        return {name: _tensor(table, type_)}


def _width(shape: Sequence[Any]) -> int | None:
    """Columns of an input; one for a plain list of values, nothing if it is open."""
    if len(shape) < 2:
        return 1
    return shape[-1] if isinstance(shape[-1], int) else None


def _outputs(outputs: Sequence[Any]) -> tuple[str, str | None, bool]:
    """Which output is read, which one has the labels, and whether it is a classifier's."""
    for item in outputs:
        if item.type.startswith("seq(map("):
            return item.name, next((other.name for other in outputs if other is not item), None), True
    if len(outputs) > 1:
        label, scores = outputs[0], outputs[1]
        return scores.name, label.name, True
    width = _width(outputs[0].shape)
    return outputs[0].name, None, len(outputs[0].shape) > 1 and width is not None and width > 1


def _tensor(part: pd.DataFrame, type_: str) -> NDArray[Any]:
    if type_ == TEXT:
        return np.column_stack([_texts(part[column]) for column in part])
    kind = NUMBERS[type_]
    values: NDArray[Any] = part.to_numpy(dtype=np.float64, na_value=np.nan)
    if np.dtype(kind).kind != "f" and np.isnan(values).any():
        column = part.columns[np.isnan(values).any(axis=0)][0]
        raise ValueError(f"the model wants whole numbers in {column!r}, where some are missing")
    return values.astype(kind)


def _stretched(table: pd.DataFrame) -> pd.DataFrame:
    """Rows far beyond the table's own, on which classes come up that its rows never are."""
    random = np.random.default_rng(0)
    columns: dict[str, Any] = {}
    for name in table:
        values = table[name].sample(len(table), replace=True, random_state=random).reset_index(drop=True)
        if pd.api.types.is_numeric_dtype(values.dtype):
            numbers = values.to_numpy(dtype=np.float64, na_value=0.0)
            values = pd.Series(np.trunc(numbers + random.normal(scale=10 * (np.ptp(numbers) + 1), size=len(numbers))))
        columns[str(name)] = values
    return pd.DataFrame(columns)


def _spelled(name: str) -> str:
    """As skl2onnx names the input of a column."""
    return re.sub(r"[^\w+]", "_", name)


def _texts(column: pd.Series) -> NDArray[np.object_]:
    values = column.to_numpy(dtype=object, na_value=None)
    return np.array(["" if value is None or value != value else str(value) for value in values], dtype=object)


def _is_mapped(values: Any) -> bool:
    return isinstance(values, list) and len(values) > 0 and isinstance(values[0], dict)


def _as_array(values: Any) -> NDArray[np.float64]:
    if isinstance(values, list):
        keys = list(values[0]) if values else []
        return np.array([[row[key] for key in keys] for row in values], dtype=np.float64)
    array = np.asarray(values, dtype=np.float64)
    return array.reshape(len(array), -1)
