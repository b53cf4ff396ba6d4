"""Models come back from their files with the scores they give outside."""

from __future__ import annotations

import io
import json
import pickle
import re
import zipfile
from collections.abc import Callable
from typing import Any

import joblib
import numpy as np
import pytest
import sklearn
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor, make_column_selector
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from explainers.intake.models import read_model
from explainers.intake.refusal import Refused
from explainers.intake.tables import read_table
from explainers.intake.trial import try_model
from tests.explainers.intake.intake_models import (
    bare,
    fitted,
    gapped,
    inside,
    mixed,
    number,
    outside,
    saved,
    shuffled,
    table,
    target,
)

NOW = sklearn.__version__
OLD = "0" + NOW[1:]

CLASSIFIERS: dict[str, Callable[[], Any]] = {
    "logistic": LogisticRegression,
    "forest": lambda: RandomForestClassifier(9, random_state=0),
    "extra trees": lambda: ExtraTreesClassifier(5, random_state=0),
    "one tree": lambda: DecisionTreeClassifier(random_state=0),
    "boosted histograms": lambda: HistGradientBoostingClassifier(max_iter=8),
    "boosted trees": lambda: GradientBoostingClassifier(n_estimators=8),
    "perceptron by Adam": lambda: MLPClassifier((6,), max_iter=20),
    "perceptron by SGD": lambda: MLPClassifier((6,), max_iter=20, solver="sgd", learning_rate_init=1e-4),
    "calibrated by sigmoid": lambda: CalibratedClassifierCV(LogisticRegression(), cv=2),
    "calibrated by steps": lambda: CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=2),
    "neighbours": KNeighborsClassifier,
    "neighbours in balls": lambda: KNeighborsClassifier(algorithm="ball_tree", p=1),
    "Bayes": GaussianNB,
    "AdaBoost": lambda: AdaBoostClassifier(n_estimators=4),
    "bagged": lambda: BaggingClassifier(n_estimators=3),
    "voting": lambda: VotingClassifier([("a", LogisticRegression()), ("b", GaussianNB())], voting="soft"),
    "stacked": lambda: StackingClassifier([("a", LogisticRegression()), ("b", GaussianNB())], cv=2),
    "searched": lambda: GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2),
}
REGRESSORS: dict[str, Callable[[], Any]] = {
    "linear": LinearRegression,
    "forest": lambda: RandomForestRegressor(9, random_state=0),
    "boosted histograms": lambda: HistGradientBoostingRegressor(max_iter=8),
    "boosted trees": lambda: GradientBoostingRegressor(n_estimators=8),
    "perceptron": lambda: MLPRegressor(hidden_layer_sizes=(6,), max_iter=20),
    "neighbours": KNeighborsRegressor,
    "on a log target": lambda: TransformedTargetRegressor(LinearRegression(), func=np.log, inverse_func=np.exp),
}
PIPELINES: dict[str, Callable[[], Any]] = {
    "one-hot": lambda: mixed(LogisticRegression(), handle_unknown="ignore"),
    "one-hot, strict": lambda: mixed(RandomForestClassifier(7, random_state=0)),
    "ordinal": lambda: mixed(RandomForestClassifier(7, random_state=0), ordinal=True),
    "ordinal with histograms": lambda: mixed(HistGradientBoostingClassifier(max_iter=5), ordinal=True),
    "calibrated": lambda: CalibratedClassifierCV(mixed(LogisticRegression()), cv=2),
    "columns by kind": lambda: make_pipeline(
        ColumnTransformer(
            [
                ("numbers", SimpleImputer(), make_column_selector(dtype_include="number")),
                ("words", OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
            ]
        ),
        RandomForestClassifier(7, random_state=0),
    ),
}


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_a_classifier_saved_by_skops_gives_its_scores(kind: str) -> None:
    frame = table()[["age", "amount"]]
    model = fitted(CLASSIFIERS[kind](), frame, target(frame))
    loaded = read_model("m.skops", saved(model))
    assert (loaded.format, loaded.columns, loaded.classes) == ("skops", ("age", "amount"), ("bad", "good"))
    trial = try_model(loaded, shuffled(frame))
    assert any("'extra'" in note for note in trial.notes)
    np.testing.assert_allclose(inside(trial, frame), outside(model, frame), rtol=1e-12)


@pytest.mark.parametrize("kind", REGRESSORS)
def test_a_regressor_saved_by_skops_gives_its_numbers(kind: str) -> None:
    frame = table()[["age", "amount"]]
    model = fitted(REGRESSORS[kind](), frame, number(frame))
    loaded = read_model("m.skops", saved(model))
    assert loaded.classes == ()
    np.testing.assert_allclose(inside(try_model(loaded, shuffled(frame)), frame), outside(model, frame), rtol=1e-9)


@pytest.mark.parametrize(
    ("kind", "suffix"),
    [*((kind, "csv") for kind in PIPELINES), ("one-hot, strict", "parquet"), ("one-hot, strict", "xlsx")],
)
def test_a_pipeline_gives_its_scores_on_the_table_read_from_a_file(kind: str, suffix: str) -> None:
    frame = gapped()
    model = fitted(PIPELINES[kind](), frame, target(frame))
    buffer = io.BytesIO()
    if suffix == "csv":
        shuffled(frame).to_csv(buffer, index=False, sep=";", decimal=",")
    elif suffix == "parquet":
        shuffled(frame).to_parquet(buffer)
    else:
        shuffled(frame).to_excel(buffer, index=False)
    read = read_table(f"t.{suffix}", buffer.getvalue()).frame
    trial = try_model(read_model("m.skops", saved(model)), read, ignore=["extra"])
    np.testing.assert_allclose(inside(trial, read), outside(model, frame), rtol=1e-12)


def test_categories_of_pandas_keep_their_scores() -> None:
    frame = gapped().astype({"grade": "category", "purpose": "category"})
    model = fitted(HistGradientBoostingClassifier(max_iter=8, categorical_features="from_dtype"), frame, target(frame))
    loaded = read_model("m.skops", saved(model))
    expected = outside(model, frame)
    recoded = frame.assign(grade=frame["grade"].cat.set_categories(["mid", "high", "low"]))
    for read in (frame, recoded, frame.astype({"grade": "str", "purpose": "str"})):
        np.testing.assert_allclose(inside(try_model(loaded, read), read), expected)


def test_what_is_no_fitted_model_is_refused() -> None:
    for thing, said in [
        ({"a": 1}, "'dict', which has no predict"),
        (StandardScaler().fit([[1.0]]), "'StandardScaler', which has no predict"),
        (LogisticRegression(), "isn't fitted"),
    ]:
        with pytest.raises(Refused, match=said):
            read_model("m.skops", saved(thing))


def rewritten(content: bytes, change: Callable[[str], str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        for entry in old.namelist():
            data = old.read(entry)
            new.writestr(entry, change(data.decode()) if entry == "schema.json" else data)
    return buffer.getvalue()


def test_another_version_is_said_and_the_way_out() -> None:
    model, frame = bare(lambda f: f)()
    old = rewritten(saved(model), lambda schema: schema.replace(f'\\"{NOW}\\"', f'\\"{OLD}\\"'))
    loaded = read_model("m.skops", old)
    assert loaded.versions == {"scikit-learn": OLD}
    assert any(OLD in note and "ONNX" in note for note in loaded.notes)
    assert try_model(loaded, frame).model
    broken = rewritten(old, lambda schema: schema.replace('"intercept_"', '"intercept_of_old"'))
    (problem,) = try_model(read_model("m.skops", broken), frame).problems
    assert f"saved with scikit-learn {OLD}" in problem and "ONNX" in problem


def test_a_type_that_is_gone_is_told_by_its_version_but_a_foreign_one_by_its_name() -> None:
    model, _ = bare(lambda f: f, MLPClassifier((2,), max_iter=2))()

    def renamed(module: str) -> Callable[[str], str]:
        old = '"sklearn.neural_network._stochastic_optimizers"'
        return lambda schema: schema.replace(f'\\"{NOW}\\"', f'\\"{OLD}\\"').replace(old, f'"{module}"')

    with pytest.raises(Refused, match=f"saved with scikit-learn {re.escape(OLD)} and does not work with"):
        read_model("m.skops", rewritten(saved(model), renamed("sklearn.gone")))
    with pytest.raises(Refused, match=r"holds 'foreign\.AdamOptimizer', which is not on the list"):
        read_model("m.skops", rewritten(saved(model), renamed("foreign")))


def test_a_pickle_of_another_version_that_can_t_be_opened_says_so() -> None:
    model, _ = bare(lambda f: f)()
    content = (
        pickle.dumps(model)
        .replace(NOW.encode(), OLD.encode())
        .replace(b"sklearn.linear_model", b"sklearn.linear_gonel")
    )
    with pytest.raises(Refused, match=f"saved with scikit-learn {re.escape(OLD)} and does not work with"):
        read_model("m.pkl", content, allow_pickle=True)


@pytest.mark.parametrize(
    ("suffix", "write"),
    [
        ("pkl", pickle.dumps),
        ("onnx", pickle.dumps),
        ("skops", lambda model: pickle.dumps(model, protocol=0)),
        ("joblib", lambda model: joblibbed(model, 0)),
        ("onnx", lambda model: joblibbed(model, 3)),
        ("skops", lambda model: joblibbed(model, ("gzip", 3))),
        ("pkl", lambda model: joblibbed(model, ("xz", 3))),
    ],
)
def test_a_pickle_is_known_by_its_content(suffix: str, write: Callable[[Any], bytes]) -> None:
    model, frame = bare(lambda f: f)()
    content = write(model)
    name = f"m.{suffix}"
    with pytest.raises(Refused, match="is a pickle, which can run any code") as refusal:
        read_model(name, content)
    assert refusal.value.code == f"import joblib, skops.io\nskops.io.dump(joblib.load({name!r}), 'm.skops')"
    loaded = read_model(name, content, allow_pickle=True)
    assert loaded.format == "pickle"
    np.testing.assert_array_equal(inside(try_model(loaded, frame), frame), outside(model, frame))


def joblibbed(model: Any, compress: Any) -> bytes:
    buffer = io.BytesIO()
    joblib.dump(model, buffer, compress=compress)
    return buffer.getvalue()


def test_the_two_lines_convert(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model, frame = bare(lambda f: f)()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.pkl").write_bytes(pickle.dumps(model))
    with pytest.raises(Refused) as refusal:
        read_model("m.pkl", (tmp_path / "m.pkl").read_bytes())
    exec(refusal.value.code, {})
    loaded = read_model("m.skops", (tmp_path / "m.skops").read_bytes())
    np.testing.assert_array_equal(inside(try_model(loaded, frame), frame), outside(model, frame))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"tree\nversion=v4", "LightGBM"),
        (json.dumps({"learner": {}}).encode(), "XGBoost"),
        (b"CBM1\x00", "CatBoost"),
        (b"<PMML/>", "PMML"),
        (b"\x89HDF\r\n", "Keras"),
        (b"a,b\n1,2\n", "not a model file that is known"),
        (b"PK\x03\x04broken", "an archive without a model"),
        (b"\x80\x04broken", "pickle"),
    ],
)
def test_other_files_are_named(content: bytes, said: str) -> None:
    with pytest.raises(Refused, match=said):
        read_model("m.skops", content)


def test_a_forged_pickle_is_refused_even_where_pickles_are_taken() -> None:
    with pytest.raises(Refused, match="can't be opened here"):
        read_model("m.pkl", b"\x80\x04broken", allow_pickle=True)
