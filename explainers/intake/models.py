"""Any model file, by its content; a further format is a file and a line in `FORMATS`."""

from __future__ import annotations

from types import ModuleType

from explainers.intake import onnx_files, pickles, skops_files
from explainers.intake.loaded import LoadedModel
from explainers.intake.refusal import Refused

FORMATS: tuple[ModuleType, ...] = (skops_files, onnx_files, pickles)
ENDINGS: tuple[str, ...] = tuple(ending for format_ in FORMATS for ending in format_.ENDINGS)
OUTSIDE = "save the scikit-learn pipeline with skops, or convert the model to ONNX"
FOREIGN = {
    b"\x93NUMPY": "a NumPy array, not a model; save the fitted model itself with skops",
    b"PK\x03\x04": "an archive without a model in it; save the fitted model itself with skops",
    b"\x89HDF": f"a Keras or HDF5 file, which is not read here; {OUTSIDE}",
    b"tree\n": f"a LightGBM text file, which is not read here; {OUTSIDE}",
    b"CBM1": f"a CatBoost file, which is not read here; {OUTSIDE}",
    b"{": f"JSON, as XGBoost writes it, and is not read here; {OUTSIDE}",
    b"<": f"XML or PMML, which is not read here; {OUTSIDE}",
}


def format_of(content: bytes) -> ModuleType | None:
    """The format of a file, one of `FORMATS`, if it is known here."""
    return next((format_ for format_ in FORMATS if format_.recognises(content)), None)


def read_model(name: str, content: bytes, *, allow_pickle: bool = False) -> LoadedModel:
    """Read a model from a file's content.

    Parameters
    ----------
    name : str
        What the file is called; its ending counts for nothing.
    content : bytes
    allow_pickle : bool, optional
        Whether formats are opened that run code from the file.

    Raises
    ------
    Refused
        If it is no model that can be used here; the message is one sentence.
    """
    if not content:
        raise Refused(f"{name} is empty; choose a file with a model.")
    format_ = format_of(content)
    if format_ is not None:
        loaded: LoadedModel = format_.read(name, content, allow_pickle=allow_pickle)
        return loaded
    for sign, what in FOREIGN.items():
        if content.startswith(sign):
            raise Refused(f"{name} is {what}.")
    raise Refused(f"{name} is not a model file that is known here; {OUTSIDE}.")
