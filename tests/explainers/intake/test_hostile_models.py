"""Files made to run code or to crash: in default mode none does anything."""

from __future__ import annotations

import io
import json
import os
import pickle
import subprocess
import sys
import timeit
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
import skops.io as sio
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier

from explainers.intake.models import read_model
from explainers.intake.refusal import Refused
from explainers.intake.skops_files import TRUSTED
from explainers.intake.tables import read_table

ROOT = Path(__file__).parents[3]


class Payload:
    """Pickles as a call."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.call


def touching(sentinel: Path) -> str:
    return f"__import__('pathlib').Path({str(sentinel)!r}).touch()"


def shell(sentinel: Path) -> bytes:
    return pickle.dumps(Payload(os.system, f"touch '{sentinel}'"))


def evaluated(sentinel: Path) -> bytes:
    return pickle.dumps(Payload(eval, touching(sentinel)), protocol=0)


def timed(sentinel: Path) -> bytes:
    buffer = io.BytesIO()
    joblib.dump(Payload(timeit.timeit, touching(sentinel), "pass", timeit.default_timer, 1), buffer, compress=3)
    return buffer.getvalue()


def loaded_elsewhere(sentinel: Path) -> bytes:
    other = sentinel.with_suffix(".other")
    other.write_bytes(shell(sentinel))
    return pickle.dumps(Payload(joblib.load, str(other)))


def object_array(sentinel: Path) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.array([Payload(eval, touching(sentinel))], dtype=object), allow_pickle=True)
    return buffer.getvalue()


def object_arrays(sentinel: Path) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, model=np.array([Payload(eval, touching(sentinel))], dtype=object))
    return buffer.getvalue()


def model() -> RandomForestClassifier:
    return RandomForestClassifier(3, random_state=0).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])


def rewritten(content: bytes, change: Callable[[dict[str, Any]], None], **arrays: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        schema = json.loads(old.read("schema.json"))
        change(schema)
        for entry in old.namelist():
            data = json.dumps(schema).encode() if entry == "schema.json" else arrays.get(entry, old.read(entry))
            new.writestr(entry, data)
    return buffer.getvalue()


def forged(loader: str, module: str, name: str) -> Callable[[Path], bytes]:
    """A skops file whose root is a call of something else than a model."""

    def build(sentinel: Path) -> bytes:
        arguments = json.loads(zipfile.ZipFile(io.BytesIO(sio.dumps((f"touch '{sentinel}'",)))).read("schema.json"))

        def change(schema: dict[str, Any]) -> None:
            root = {"__class__": name, "__module__": module, "__loader__": loader, "__id__": 1, "content": arguments}
            content = {"func": name, "obj": arguments, "main": arguments, "module_path": module, "function": name}
            if loader != "ConstructorFromReduceNode":
                root["content"] = content
            schema.update(root)

        return rewritten(sio.dumps(model()), change)

    return build


def skops_holding_a_pickled_array(sentinel: Path) -> bytes:
    content = sio.dumps(model())
    arrays = [entry for entry in zipfile.ZipFile(io.BytesIO(content)).namelist() if entry.endswith(".npy")]
    return rewritten(content, lambda schema: None, **dict.fromkeys(arrays, object_array(sentinel)))


HOSTILE: dict[str, Callable[[Path], bytes]] = {
    "os.system in a pickle": shell,
    "eval in a pickle": evaluated,
    "timeit in a joblib file": timed,
    "joblib.load of another file": loaded_elsewhere,
    "an array of objects": object_array,
    "arrays of objects": object_arrays,
    "skops that constructs os.system": forged("ConstructorFromReduceNode", "os", "system"),
    "skops that names posix.system": forged("FunctionNode", "posix", "system"),
    "skops that names builtins.eval": forged("FunctionNode", "builtins", "eval"),
    "skops with a method": forged("MethodNode", "builtins", "eval"),
    "skops with an operator": forged("OperatorFuncNode", "operator", "methodcaller"),
    "skops with pickled arrays": skops_holding_a_pickled_array,
}


@pytest.mark.parametrize("name", ["m.pkl", "m.joblib", "m.skops", "m.onnx", "m.npy"])
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_model_runs_nothing_and_is_refused(kind: str, name: str, tmp_path: Path) -> None:
    sentinel = tmp_path / "ran"
    content = HOSTILE[kind](sentinel)
    with pytest.raises(Refused) as refusal:
        read_model(name, content)
    assert not sentinel.exists()
    said = str(refusal.value)
    assert said.startswith(name) and said.endswith(".") and "\n" not in said


@pytest.mark.parametrize("kind", [kind for kind in HOSTILE if "skops" not in kind and "objects" not in kind])
def test_the_hostile_files_would_run_if_they_were_opened(kind: str, tmp_path: Path) -> None:
    """Otherwise the test above would be green in vain."""
    sentinel = tmp_path / "ran"
    joblib.load(io.BytesIO(HOSTILE[kind](sentinel)))
    assert sentinel.exists()


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_model_is_no_table_either(kind: str, tmp_path: Path) -> None:
    sentinel = tmp_path / "ran"
    with pytest.raises(Refused):
        read_table("t.csv", HOSTILE[kind](sentinel))
    assert not sentinel.exists()


def test_the_first_type_that_is_not_trusted_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"m\.skops holds 'posix\.system', which is not on the list"):
        read_model("m.skops", HOSTILE["skops that names posix.system"](tmp_path / "ran"))


def test_what_is_trusted_is_fixed_and_can_do_nothing_else() -> None:
    assert len(TRUSTED) < 25
    assert not [name for name in TRUSTED if name.split(".")[0] not in ("numpy", "sklearn", "functools")]


def astray(kind: str) -> Any:
    """Models whose trees point outside themselves; scikit-learn would follow."""
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    if kind == "boosted histograms":
        boosted = HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=3).fit(X, y)
        boosted._predictors[0][0].nodes["left"][0] = 10**6
        return boosted
    if kind == "another column":
        boosted = HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=3).fit(X, y)
        boosted._predictors[0][0].nodes["feature_idx"][0] = 10**6
        return boosted
    if kind == "boosted trees":
        trees = GradientBoostingClassifier(n_estimators=2).fit(X, y)
        trees.estimators_[0, 0] = type(trees.estimators_[0, 0])(random_state=0).fit(np.tile(X, 2), y)
        return trees
    forest = RandomForestClassifier(2, random_state=0).fit(X, y)
    tree = forest.estimators_[0].tree_
    state = tree.__getstate__()
    nodes = state["nodes"].copy()
    nodes["left_child" if kind == "forest" else "right_child"][0] = 10**6 if kind == "forest" else 0
    tree.__setstate__(state | {"nodes": nodes})
    return forest


@pytest.mark.parametrize("kind", ["forest", "endless forest", "boosted histograms", "another column", "boosted trees"])
def test_a_forged_tree_is_refused_before_it_is_asked(kind: str) -> None:
    with pytest.raises(Refused, match="is damaged or forged, for a"):
        read_model("m.skops", sio.dumps(astray(kind)))


def test_neighbours_are_sought_among_the_rows_not_in_a_forged_tree() -> None:
    X, y = np.random.default_rng(0).normal(size=(99, 2)), np.arange(99) % 2
    neighbours = KNeighborsClassifier(algorithm="kd_tree").fit(X, y)
    expected = neighbours.predict_proba(X)
    state = list(neighbours._tree.__getstate__())
    state[1] = np.full_like(state[1], 10**9)
    neighbours._tree.__setstate__(tuple(state))
    loaded = read_model("m.skops", sio.dumps(neighbours))
    np.testing.assert_array_equal(loaded.estimator.predict_proba(X), expected)


def test_reading_a_model_imports_nothing_that_the_file_names(tmp_path: Path) -> None:
    """A module runs when it is imported, so that a name alone is enough."""
    (tmp_path / "trap.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n", encoding="utf-8")
    (tmp_path / "m.skops").write_bytes(forged("ObjectNode", "trap", "Model")(tmp_path / "unused"))
    code = (
        "from explainers.intake.models import read_model\n"
        "from explainers.intake.refusal import Refused\n"
        "try:\n    read_model('m.skops', open('m.skops', 'rb').read())\nexcept Refused as e:\n    print(e)\n"
    )
    search = os.pathsep.join([str(ROOT), str(tmp_path)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": search},
        capture_output=True,
        text=True,
    )
    assert "m.skops" in done.stdout and done.returncode == 0
    assert not (tmp_path / "ran").exists()


def test_an_archive_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explainers.intake.skops_files.MOST_UNPACKED", 1000)
    with pytest.raises(Refused, match="unpacks to"):
        read_model("m.skops", sio.dumps(model()))


def test_deep_nesting_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("schema.json", "[" * 200_000 + "]" * 200_000)
    with pytest.raises(Refused, match="damaged skops file"):
        read_model("m.skops", buffer.getvalue())
