"""ONNX models give the scores of the scikit-learn models they were made of."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from explainers.intake import onnx_files
from explainers.intake.models import read_model
from explainers.intake.refusal import Refused
from explainers.intake.trial import Trial, try_model

pytest.importorskip("onnxruntime", reason="ONNX is NOT TESTED: pip install onnxruntime==1.32.0")
skl2onnx = pytest.importorskip("skl2onnx", reason="ONNX is NOT TESTED: pip install skl2onnx==1.20.0")
types = pytest.importorskip("skl2onnx.common.data_types")

N = 150


def table() -> pd.DataFrame:
    random = np.random.default_rng(2)
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, N),
            "loan amount": random.normal(2000, 600, N).round(2),
            "purpose": pd.Series(random.choice(["car", "home", "Öl"], N), dtype="str"),
        }
    )


def numbers() -> pd.DataFrame:
    return table()[["age", "loan amount"]]


def target(frame: pd.DataFrame) -> np.ndarray:
    return np.where(frame["age"] > 50, "good", "bad")


def exported(model: Any, inputs: list[tuple[str, Any]], *, raw: Any = None) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        options = None if raw is None else {id(raw): {"zipmap": False}}
        return bytes(skl2onnx.convert_sklearn(model, initial_types=inputs, options=options).SerializeToString())


def inside(trial: Trial, frame: pd.DataFrame) -> np.ndarray:
    assert trial.model, trial.problems
    return trial.model.score(trial.model.schema.encode(frame))


def one_tensor(width: int = 2, kind: str = "FloatTensorType") -> list[tuple[str, Any]]:
    return [("X", getattr(types, kind)([None, width]))]


def one_each() -> list[tuple[str, Any]]:
    return [
        ("age", types.FloatTensorType([None, 1])),
        ("loan amount", types.FloatTensorType([None, 1])),
        ("purpose", types.StringTensorType([None, 1])),
    ]


def mixed() -> Any:
    return make_pipeline(
        ColumnTransformer(
            [
                ("numbers", StandardScaler(), ["age", "loan amount"]),
                ("words", OneHotEncoder(handle_unknown="ignore"), ["purpose"]),
            ]
        ),
        LogisticRegression(),
    )


@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(9, random_state=0),
        make_pipeline(StandardScaler(), MLPClassifier((5,), max_iter=90, random_state=0)),
    ],
)
@pytest.mark.parametrize(
    ("kind", "zipmap"), [("FloatTensorType", True), ("FloatTensorType", False), ("DoubleTensorType", False)]
)
def test_a_classifier_of_one_tensor(model: Any, zipmap: bool, kind: str) -> None:
    frame = numbers()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(frame.to_numpy(), target(frame))
    last = model if not hasattr(model, "steps") else model[-1]
    content = exported(model, one_tensor(kind=kind), raw=None if zipmap else last)
    loaded = read_model("m.skops", content)
    assert (loaded.format, loaded.columns, loaded.n_columns) == ("ONNX", None, 2)
    trial = try_model(loaded, frame.assign(y=0), ignore=["y"])
    assert trial.model and trial.model.classes == ("bad", "good")
    assert any("float32" in note for note in trial.notes) == (kind == "FloatTensorType")
    np.testing.assert_allclose(inside(trial, frame), model.predict_proba(frame.to_numpy()), atol=1e-5)


def test_a_pipeline_with_text_by_name() -> None:
    frame = table()
    model = mixed().fit(frame, target(frame))
    loaded = read_model("m.onnx", exported(model, one_each()))
    assert loaded.columns == ("age", "loan_amount", "purpose")
    assert loaded.versions == {"skl2onnx": skl2onnx.__version__}
    trial = try_model(loaded, frame[["purpose", "loan amount", "age"]].assign(extra=1))
    np.testing.assert_allclose(inside(trial, frame), model.predict_proba(frame), atol=1e-5)
    gapped = frame.assign(purpose=frame["purpose"].where(frame.index % 5 > 0))
    np.testing.assert_allclose(inside(try_model(loaded, gapped), gapped), model.predict_proba(gapped), atol=1e-5)
    (problem,) = try_model(loaded, frame.drop(columns="purpose")).problems
    assert "wants a column 'purpose', which the table lacks" in problem
    (problem,) = try_model(loaded, frame.assign(age="old")).problems
    assert "wants numbers in the column 'age'" in problem and "'old'" in problem


def test_a_regressor_and_numbers_as_classes() -> None:
    frame = numbers()
    model = RandomForestRegressor(9, random_state=0).fit(frame.to_numpy(), frame["age"] * 2.0)
    loaded = read_model("m.onnx", exported(model, one_tensor()))
    assert loaded.classes == ()
    np.testing.assert_allclose(
        inside(try_model(loaded, frame), frame)[:, 0], model.predict(frame.to_numpy()), rtol=1e-5
    )
    classes = RandomForestClassifier(9, random_state=0).fit(frame.to_numpy(), np.digitize(frame["age"], [30, 60]) + 5)
    content = exported(classes, one_tensor(), raw=classes)
    trial = try_model(read_model("m.onnx", content), frame)
    assert trial.model and trial.model.classes == ("5", "6", "7")


def test_columns_of_another_number_are_said() -> None:
    frame = numbers()
    model = RandomForestClassifier(3).fit(frame.to_numpy(), target(frame))
    (problem,) = try_model(read_model("m.onnx", exported(model, one_tensor())), table()).problems
    assert "fitted on 2 columns without names, but the table offers 3" in problem


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x08\x09\x12\x03abc and no more", "not an ONNX model that onnxruntime runs"),
        (b"\x08\x09\x12\x03abc\x0a\x08location\x12\x05/etc/", "keeps its weights in another file"),
    ],
)
def test_a_damaged_file_is_refused(content: bytes, said: str) -> None:
    with pytest.raises(Refused, match=said) as refusal:
        read_model("m.onnx", content)
    assert "\n" not in str(refusal.value)


def test_without_onnxruntime_its_install_line_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_files, "find_spec", lambda name: None)
    with pytest.raises(Refused, match=r"needs onnxruntime here; install it with pip install onnxruntime=="):
        read_model("m.onnx", b"\x08\x09\x12\x03abc and no more")
