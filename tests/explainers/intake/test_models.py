"""Models come back from their files with the scores they give outside."""

from __future__ import annotations

import io
import json
import pickle
import re
import warnings
import zipfile
from collections.abc import Callable
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
import skops.io as sio
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
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from explainers.intake.models import read_model
from explainers.intake.refusal import Refused
from explainers.intake.tables import read_table
from explainers.intake.trial import Trial, try_model

N = 160


def table() -> pd.DataFrame:
    random = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, N),
            "amount": random.normal(2000, 600, N).round(2),
            "purpose": pd.Series(random.choice(["car", "home", "Öl <b>&\"'"], N), dtype="str"),
            "grade": pd.Series(random.choice(["low", "mid", "high"], N), dtype="str"),
        }
    )


def gapped() -> pd.DataFrame:
    with_gaps = table()
    with_gaps.loc[::9, "amount"] = np.nan
    with_gaps.loc[::11, "grade"] = np.nan
    return with_gaps


def target(frame: pd.DataFrame) -> np.ndarray:
    return np.where(frame["age"] + frame["amount"].fillna(0) / 50 > 90, "good", "bad")


def number(frame: pd.DataFrame) -> np.ndarray:
    return (frame["age"] * 2 + frame["amount"].fillna(0) / 10).to_numpy()


def mixed(model: Any, *, ordinal: bool = False, **how: Any) -> Any:
    encoder = OrdinalEncoder(**how) if ordinal else OneHotEncoder(**how)
    return make_pipeline(
        ColumnTransformer(
            [
                ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["age", "amount"]),
                ("words", make_pipeline(SimpleImputer(strategy="most_frequent"), encoder), ["grade", "purpose"]),
            ]
        ),
        model,
    )


def saved(model: Any) -> bytes:
    return bytes(sio.dumps(model))


def outside(model: Any, frame: pd.DataFrame) -> np.ndarray:
    call = model.predict_proba if hasattr(model, "classes_") else model.predict
    return np.asarray(call(frame)).reshape(len(frame), -1)


def inside(trial: Trial, frame: pd.DataFrame) -> np.ndarray:
    assert trial.model, trial.problems
    return trial.model.score(trial.model.schema.encode(frame))


def shuffled(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(extra=1.0)[["extra", *reversed(frame.columns)]]


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


def fitted(model: Any, X: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


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


@pytest.mark.parametrize("kind", PIPELINES)
@pytest.mark.parametrize("suffix", ["csv", "parquet", "xlsx"])
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


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.astype({"age": "float64"}),
        lambda frame: frame.astype({"age": "Int64"}),
        lambda frame: frame.astype({"age": "int8"}),
        lambda frame: frame.astype({"age": "float32"}),
        lambda frame: frame.astype({"age": "str"}),
        lambda frame: frame.astype({"grade": "category"}),
        lambda frame: frame.astype({"grade": "object"}).assign(
            grade=lambda f: f["grade"].where(f["grade"].notna(), None)
        ),
    ],
)
def test_the_same_values_in_another_dtype_keep_their_scores(change: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    frame = gapped()
    model = fitted(mixed(RandomForestClassifier(9, random_state=0)), frame, target(frame))
    read = change(frame)
    trial = try_model(read_model("m.skops", saved(model)), shuffled(read), ignore=["extra"])
    np.testing.assert_array_equal(inside(trial, read), outside(model, frame))


def test_single_precision_is_handed_on_as_it_is() -> None:
    frame = table()[["age", "amount"]].astype("float32")
    model = fitted(MLPRegressor(hidden_layer_sizes=(6,), max_iter=20), frame, number(frame))
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    read = read_table("t.parquet", buffer.getvalue()).frame
    np.testing.assert_allclose(
        inside(try_model(read_model("m.skops", saved(model)), read), read), outside(model, frame), rtol=1e-6
    )


@pytest.mark.parametrize(
    ("values", "read"),
    [
        (["1", "2", "3"], [1, 2, 3]),
        ([1, 2, 3], ["1", "2", "3"]),
        ([1.0, 2.0, 3.0], [1, 2, 3]),
        (["True", "False", "True"], [True, False, True]),
        ([True, False, None], pd.array([True, False, None], "boolean")),
        (["a", "b", None], pd.array(["a", "b", None], "str")),
        (["a", "b", np.nan], pd.array(["a", "b", None], "str")),
        ([1, 2, np.nan], pd.array([1, 2, None], "Int64")),
    ],
)
def test_an_encoder_meets_its_values_whatever_their_type(values: list[Any], read: Any) -> None:
    column = pd.Series(values * 10, dtype=object if None in values else None)
    frame = pd.DataFrame({"kind": column, "n": np.arange(30.0)})
    model = make_pipeline(
        ColumnTransformer([("kind", OneHotEncoder(handle_unknown="ignore"), ["kind"])], remainder="passthrough"),
        RandomForestClassifier(9, random_state=0),
    )
    fitted(model, frame, np.where(np.arange(30) % 3, "x", "y"))
    table = pd.DataFrame({"n": np.arange(30.0), "kind": pd.concat([pd.Series(read)] * 10, ignore_index=True)})
    trial = try_model(read_model("m.skops", saved(model)), table)
    np.testing.assert_array_equal(inside(trial, table), outside(model, frame))


def test_a_model_fitted_on_an_array_takes_columns_in_their_order() -> None:
    frame = table()[["age", "amount"]]
    model = fitted(LogisticRegression(), frame.to_numpy(), target(frame))
    loaded = read_model("m.skops", saved(model))
    assert loaded.columns is None and loaded.n_columns == 2
    trial = try_model(loaded, frame.assign(y=1), ignore=["y"])
    np.testing.assert_array_equal(inside(trial, frame), model.predict_proba(frame.to_numpy()))
    assert (
        "fitted on 2 columns without names, but the table offers 3" in try_model(loaded, frame.assign(y=1)).problems[0]
    )


def test_several_classes_and_numbers_as_classes() -> None:
    frame = table()[["age", "amount"]]
    model = fitted(RandomForestClassifier(5, random_state=0), frame, np.digitize(frame["age"], [30, 60]))
    trial = try_model(read_model("m.skops", saved(model)), frame, classes=("young", "middle", "old"), title="Ages")
    assert trial.model and trial.model.classes == ("young", "middle", "old") and trial.model.name == "Ages"
    np.testing.assert_array_equal(inside(trial, frame), model.predict_proba(frame))


def small(change: Callable[[pd.DataFrame], pd.DataFrame]) -> Callable[[], tuple[Any, pd.DataFrame]]:
    def build() -> tuple[Any, pd.DataFrame]:
        frame = table()
        pipeline = make_pipeline(
            ColumnTransformer([("n", StandardScaler(), ["age", "amount"]), ("c", OneHotEncoder(), ["grade"])]),
            LogisticRegression(),
        )
        return fitted(pipeline, frame, target(frame)), change(frame)

    return build


def bare(change: Callable[[pd.DataFrame], pd.DataFrame], model: Any = None) -> Callable[[], tuple[Any, pd.DataFrame]]:
    def build() -> tuple[Any, pd.DataFrame]:
        frame = table()[["age", "amount"]]
        return fitted(model or LogisticRegression(), frame, target(frame)), change(frame)

    return build


def set_(frame: pd.DataFrame, column: str, row: int, value: Any) -> pd.DataFrame:
    values = frame[column].astype("object")
    values.iloc[row] = value
    return frame.assign(**{column: values.infer_objects()})


DOES_NOT_FIT: dict[str, tuple[Callable[[], tuple[Any, pd.DataFrame]], str]] = {
    "a column is missing": (small(lambda f: f.drop(columns="amount")), r"wants a column 'amount', which the table la"),
    "two are missing": (small(lambda f: f[["grade"]]), r"wants the columns 'age', 'amount', 'purpose', which"),
    "another name": (small(lambda f: f.rename(columns={"age": " Age"})), r"'age', which the table calls ' Age';"),
    "text for numbers": (small(lambda f: set_(f, "amount", 77, "much")), r"numbers in the column 'amount'.*'much'"),
    "text for bare numbers": (bare(lambda f: set_(f, "amount", 3, "much")), r"numbers in the column 'amount'.*'much'"),
    "dates for numbers": (
        bare(lambda f: f.assign(age=pd.date_range("2020", periods=N))), r"numbers in the column 'age', but it holds"
    ),
    "a category unseen": (small(lambda f: set_(f, "grade", 150, "vast")), r"'grade' holds 'vast', .*never saw"),
    "no category known": (small(lambda f: f.assign(grade="x")), r"knows no value of the column 'grade'.*'high', 'low'"),
    "missing numbers": (
        bare(lambda f: set_(f, "amount", 140, None).astype({"amount": float})),
        r"no missing values, but the column 'amount' has 1 missing value;",
    ),
    "only missing numbers": (bare(lambda f: f.assign(amount=np.nan)), r"no missing values.*'amount' has 160 missing"),
    "a missing category": (
        small(lambda f: set_(f, "grade", 140, None).astype({"grade": "str"})), r"no missing values.*'grade' has 1 "
    ),
    "infinite": (bare(lambda f: set_(f, "amount", 2, np.inf).astype({"amount": float})), r"value 'inf' of the col"),
    "no probabilities": (bare(lambda f: f, LinearSVC()), r"LinearSVC, which gives classes but no probab.*Calibrated"),
}  # fmt: skip


@pytest.mark.parametrize("case", DOES_NOT_FIT)
def test_what_does_not_fit_is_one_sentence(case: str) -> None:
    build, said = DOES_NOT_FIT[case]
    model, frame = build()
    trial = try_model(read_model("m.skops", saved(model)), frame)
    assert trial.model is None and len(trial.problems) == 1
    assert re.search(said, trial.problems[0])
    assert trial.problems[0].endswith(".") and "\n" not in trial.problems[0]


def test_an_unseen_category_is_only_noted_where_the_encoder_takes_it() -> None:
    frame = table()
    model = fitted(mixed(LogisticRegression(), handle_unknown="ignore"), frame, target(frame))
    read = set_(frame, "grade", 150, "vast").astype({"grade": "str"})
    trial = try_model(read_model("m.skops", saved(model)), read)
    assert any("'grade' holds 'vast', which the model never saw" in note for note in trial.notes)
    np.testing.assert_allclose(inside(trial, read), outside(model, read))


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
    old = rewritten(saved(model), lambda schema: schema.replace('\\"1.9.1\\"', '\\"1.5.2\\"'))
    loaded = read_model("m.skops", old)
    assert loaded.versions == {"scikit-learn": "1.5.2"}
    assert any("1.5.2" in note and "ONNX" in note for note in loaded.notes)
    assert try_model(loaded, frame).model
    broken = rewritten(old, lambda schema: schema.replace('"intercept_"', '"intercept_of_old"'))
    (problem,) = try_model(read_model("m.skops", broken), frame).problems
    assert "saved with scikit-learn 1.5.2" in problem and "ONNX" in problem


@pytest.mark.parametrize("suffix", ["pkl", "joblib", "skops", "onnx"])
@pytest.mark.parametrize(
    "write",
    [
        pickle.dumps,
        lambda model: pickle.dumps(model, protocol=0),
        lambda model: joblibbed(model, 0),
        lambda model: joblibbed(model, 3),
        lambda model: joblibbed(model, ("gzip", 3)),
        lambda model: joblibbed(model, ("xz", 3)),
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
