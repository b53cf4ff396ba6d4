"""Models saved by pickle or joblib: they run code when they are opened, so mostly they aren't."""

from __future__ import annotations

import io
import pickletools
import re
import warnings
from typing import Any

from explainers.intake.estimators import from_estimator, skew
from explainers.intake.loaded import LoadedModel
from explainers.intake.refusal import Refused, first_line

NAME = "pickle"
ENDINGS = (".pkl", ".pickle", ".joblib", ".sav")
# joblib compresses with any of these
COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x5d\x00\x00", b"\x04\x22\x4d\x18")
ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
FEWEST_INSTRUCTIONS = 2
VERSION = re.compile(rb"_sklearn_version.{1,8}?(\d+\.\d+[\w.]*)", re.DOTALL)


def recognises(content: bytes) -> bool:
    """By its first bytes or, for the oldest protocols, by reading it as instructions; nothing is run."""
    return (
        (content[:1] == b"\x80" and content[1:2] <= b"\x05")
        or content.startswith(COMPRESSED)
        or content.startswith(ZLIB)
        or _is_old_pickle(content)
    )


def read(name: str, content: bytes, *, allow_pickle: bool) -> LoadedModel:
    """Refuse, or load where the operator allows it.

    Raises
    ------
    Refused
        With the two lines that convert the model, unless `allow_pickle`.
    """
    if not allow_pickle:
        stem = name.rsplit(".", 1)[0] or "model"
        code = f"import joblib, skops.io\nskops.io.dump(joblib.load({name!r}), {stem + '.skops'!r})"
        raise Refused(
            f"{name} is a pickle, which can run any code when it is opened, and is not taken; convert it to skops where"
            f" it was made with the two lines: {'; '.join(code.splitlines())}.",
            code,
        )
    estimator, saved_with = _loaded(name, content)
    return from_estimator(name, NAME, estimator, content, saved_with)


def _loaded(name: str, content: bytes) -> tuple[Any, str | None]:
    import joblib
    from sklearn.exceptions import InconsistentVersionWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            estimator = joblib.load(io.BytesIO(content))
        except Exception as error:
            saved_with = _saved_with(caught, InconsistentVersionWarning) or _version_within(content)
            raise Refused(_failed(name, error, saved_with)) from error
    return estimator, _saved_with(caught, InconsistentVersionWarning)


def _failed(name: str, error: Exception, saved_with: str | None) -> str:
    versions = {"scikit-learn": saved_with} if saved_with else {}
    return skew(name, versions) or (
        f"{name} can't be opened here, for {first_line(error)}; save it with the versions that run here, or convert it"
        " to ONNX where it was fitted."
    )


def _saved_with(caught: list[warnings.WarningMessage], kind: type[Warning]) -> str | None:
    versions = [str(item.message.original_sklearn_version) for item in caught if isinstance(item.message, kind)]  # type: ignore[attr-defined]
    return versions[0] if versions else None


def _version_within(content: bytes) -> str | None:
    """As far as it stands there uncompressed."""
    found = VERSION.search(content)
    return found[1].decode() if found else None


def _is_old_pickle(content: bytes) -> bool:
    """Protocols 0 and 1 have no mark of their own."""
    if not content.rstrip().endswith(b"."):
        return False
    try:
        return sum(1 for _ in pickletools.genops(content)) >= FEWEST_INSTRUCTIONS
    except Exception:  # it stumbles over other formats in many ways
        return False
