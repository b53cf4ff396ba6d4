"""What another library returned, as JSON and back: types, shapes and values stay what they were."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent
COLUMNS = ("age", "income", "job")
JOBS = ("clerk", "nurse", "smith")
N_PEOPLE = 200


def people() -> tuple[np.ndarray, np.ndarray]:
    """A small table with its jobs as codes, and which of three classes each row is of."""
    draw = np.random.default_rng(0)
    age, income = draw.integers(20, 70, N_PEOPLE), draw.normal(3, 1, N_PEOPLE).round(1)
    job = draw.integers(0, len(JOBS), N_PEOPLE)
    return np.array([age, income, job], dtype=float).T, np.digitize(0.05 * age + income + (job == 1), [5.0, 6.2])


def keep(library: str, results: dict[str, Any]) -> None:
    """Write what was returned beside this file, with the version that returned it."""
    told = {"library": library, "version": version(library), "results": _told(results)}
    path = FOLDER / f"{library.lower()}.json"
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def kept(library: str) -> dict[str, Any]:
    """What was returned, by name, as it was."""
    told = json.loads((FOLDER / f"{library.lower()}.json").read_text(encoding="utf-8"))
    results: dict[str, Any] = _back(told["results"])
    return results


def _told(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        values = [_told(one) for one in value.ravel().tolist()]
        return {"array": value.dtype.name, "shape": value.shape, "values": values}
    if isinstance(value, np.generic):
        return {"scalar": value.dtype.name, "value": value.item()}
    if isinstance(value, dict):
        return {"dict": [[_told(key), _told(one)] for key, one in value.items()]}
    return [_told(one) for one in value] if isinstance(value, list | tuple) else value


def _back(told: Any) -> Any:
    if isinstance(told, list):
        return [_back(one) for one in told]
    if not isinstance(told, dict):
        return told
    if "dict" in told:
        return {_back(key): _back(one) for key, one in told["dict"]}
    if "scalar" in told:
        return np.dtype(told["scalar"]).type(told["value"])
    return np.array(told["values"], dtype=told["array"]).reshape(told["shape"])
