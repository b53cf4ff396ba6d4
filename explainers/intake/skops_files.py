"""Models saved by skops: no code runs, and only types named here come in."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from importlib import import_module
from typing import Any

from explainers.intake.estimators import from_estimator, skew
from explainers.intake.loaded import LoadedModel
from explainers.intake.refusal import Refused, first_line
from explainers.intake.soundness import unsound

NAME = "skops"
ENDINGS = (".skops",)
MOST_UNPACKED = 1 << 30
# Beyond skops' own list. None of them does anything but hold or compute numbers; never a file's own list.
TRUSTED = (
    "numpy.dtype",
    "functools.partial",
    "sklearn.utils.validation.check_array",
    "sklearn.tree._tree.Tree",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.calibration._TemperatureScaling",
    "sklearn.neighbors._kd_tree.KDTree",
    "sklearn.neighbors._ball_tree.BallTree",
    "sklearn.metrics._dist_metrics.EuclideanDistance64",
    "sklearn.metrics._dist_metrics.ManhattanDistance64",
    "sklearn.metrics._dist_metrics.MinkowskiDistance64",
    "sklearn.metrics._scorer._PassthroughScorer",
    "sklearn.model_selection._split.KFold",
    "sklearn.model_selection._split.StratifiedKFold",
    "sklearn.compose._column_transformer.make_column_selector",
    "sklearn.utils._bunch.Bunch",
)
VERSION = re.compile(rb'"_sklearn_version":\s*\{[^}]*?"content":\s*"\\"([\w.+]+)\\""')


def recognises(content: bytes) -> bool:
    """By the description inside the archive."""
    if not content.startswith(b"PK\x03\x04"):
        return False
    try:
        return "schema.json" in zipfile.ZipFile(io.BytesIO(content)).namelist()
    except zipfile.BadZipFile:
        return False


def read(name: str, content: bytes, *, allow_pickle: bool) -> LoadedModel:
    """Load a model if it is made of trusted types only.

    Raises
    ------
    Refused
        If it is damaged, forged, of another version, or names a type that isn't trusted.
    """
    sio: Any = import_module("skops.io")
    try:
        saved_with = _version(name, content)
        strange = [type_ for type_ in sio.get_untrusted_types(data=content) if type_ not in TRUSTED]
    except Refused:
        raise
    except Exception as error:  # whatever a forged file makes skops stumble over
        raise Refused(f"{name} is a damaged skops file; save the model again with skops.io.dump.") from error
    if strange:
        raise Refused(_strange(name, strange, saved_with))
    estimator = _loaded(name, content, saved_with)
    return from_estimator(name, NAME, estimator, content, saved_with)


def _strange(name: str, strange: list[str], saved_with: str | None) -> str:
    """Name the first type that isn't trusted; scikit-learn's own that are gone are told by the version."""
    foreign = [type_ for type_ in strange if not type_.startswith(("sklearn.", "_loss."))]
    old = skew(name, {"scikit-learn": saved_with} if saved_with else {})
    if old and not foreign:
        return old
    return (
        f"{name} holds {(foreign or strange)[0]!r}, which is not on the list of types that are safe to load; save the"
        " model without it, or convert the model to ONNX."
    )


def _loaded(name: str, content: bytes, saved_with: str | None) -> Any:
    sio: Any = import_module("skops.io")
    versions = {"scikit-learn": saved_with} if saved_with else {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the version is said in our words
            estimator = sio.loads(content, trusted=list(TRUSTED))
            wrong = unsound(estimator)
    except Exception as error:
        raise Refused(
            skew(name, versions)
            or f"{name} can't be loaded, for {first_line(error)}; save it again with skops.io.dump."
        ) from error
    if wrong:
        raise Refused(f"{name} is damaged or forged, for {wrong}; save the model again.")
    return estimator


def _version(name: str, content: bytes) -> str | None:
    archive = zipfile.ZipFile(io.BytesIO(content))
    size = sum(entry.file_size for entry in archive.infolist())
    if size > MOST_UNPACKED:
        raise Refused(f"{name} unpacks to {size >> 20} MB, more than is taken; fit a smaller model.")
    found = VERSION.search(archive.read("schema.json"))
    return found[1].decode() if found else None
