"""What is asked of every counterfactual, and models that are watched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from explainers.constraints import Constraints, Rule
from explainers.method import Generator, Options
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS
from explainers.results import Counterfactual, Counterfactuals, FeatureChange
from explainers.run import Run
from explainers.schema import Direction, Feature
from explainers.wording import MINUS, MISSING, SPACE
from tests.contract.problems import BUILDERS, MORE, problem_called


def variants(options_type: type[Options]) -> Iterator[Options]:
    """The options as they are by default, and with each setting at every other value once.

    Bounds that are open by default stay so: with them there may be nothing to find.
    """
    default = options_type()
    yield default
    for item in fields(default):
        about = item.metadata
        values: tuple[Any, ...] = tuple(about.get("choices", ()))
        if item.default is None:
            continue
        if "low" in about:
            values = (about["low"],)
        elif not values:
            values = (True, False)
        for value in values:
            if value != getattr(default, item.name):
                yield replace(default, **{item.name: value})


DEFAULTS = [(name, method.options_type()) for name, method in GENERATORS.items()]
OTHERS = [
    (name, options)
    for name, method in GENERATORS.items()
    for options in variants(method.options_type)
    if options != method.options_type()
]
BUDGETS = ("population", "generations", "draws", "samples", "cases")
FRUGAL = [
    (name, replace(options, **{item.name: item.metadata["low"] for item in fields(options) if item.name in BUDGETS}))
    for name, options in DEFAULTS
]
"""Every method with the least effort, for what has to be asked of very many searches."""
WITH_OTHER_OPTIONS = ("three classes", "missing", "narrow interval")
ASKED = [
    *((problem, method) for method in DEFAULTS for problem in BUILDERS),
    *((problem, method) for method in OTHERS for problem in WITH_OTHER_OPTIONS),
    *((problem, method) for method in DEFAULTS for problem in MORE),
]
"""Every method on every problem, and with each other option on some that differ in all."""
MOST_MOMENTS = 10


def moments(n_calls: int) -> list[int]:
    """After how many calls a run is stopped: all of them, or the first and last ones and some between."""
    return sorted({*np.linspace(0, n_calls, MOST_MOMENTS).astype(int).tolist(), *range(min(4, n_calls + 1)), n_calls})


def may_find_nothing(method: tuple[str, Options], result: Counterfactuals) -> bool:
    """Whether a search that follows slopes alone, guided by no real case, said that they lead nowhere."""
    is_unguided = getattr(method[1], "loss", "") in ("A", "B")
    return is_unguided and result.none_found is not None and result.none_found.reason in ("flat", "exhausted")


def method_id(pair: tuple[str, Options]) -> str:
    name, options = pair
    default = type(options)()
    other = [f"{key}={value}" for key, value in options.items() if value != getattr(default, key)]
    return "-".join([name, *other])


@cache
def prepared(problem: str, method: str, options: Options) -> Any:
    """What a batch prepares, once a session."""
    posed = problem_called(problem)
    return GENERATORS[method].prepare(posed, Constraints(), options, Run())


def explain(
    problem: str,
    method: tuple[str, Options],
    case: Case,
    constraints: Constraints | None = None,
    run: Run | None = None,
) -> Counterfactuals:
    name, options = method
    posed = problem_called(problem)
    return GENERATORS[name].explain(posed, case, constraints, options, run, prepared(problem, name, options))


def check_result(problem: Problem, case: Case, constraints: Constraints, result: Counterfactuals) -> None:
    """Everything that holds of any result of any generator."""
    assert (result.none_found is None) == bool(result.found)
    assert result.case == case.id
    assert result.target == problem.target(case)
    if result.none_found is not None:
        assert result.none_found.reason in (
            "reached",
            "stopped",
            "unseen",
            "constrained",
            "bounded",
            "unsampled",
            "flat",
            "exhausted",
        )
        assert result.is_complete == (result.none_found.reason != "stopped")
    assert len({counterfactual.row.tobytes() for counterfactual in result.found}) == len(result.found)
    check_counterfactuals(problem, case, constraints, result.found)


def check_counterfactuals(
    problem: Problem, case: Case, constraints: Constraints, found: Sequence[Counterfactual]
) -> None:
    """The rows and the rows as displayed are scored again, all in one call."""
    pairs = [np.stack([case.row, counterfactual.row]) for counterfactual in found]
    shown = [problem.schema.displayed(pair, each.decimals) for pair, each in zip(pairs, found, strict=True)]
    if found:
        outputs = problem.model.score(np.concatenate([*pairs, *shown]))
        flips = problem.target(case).flips(outputs).reshape(-1, 2)
        assert (flips == [False, True]).all()
        scores = problem.target(case).drawn(outputs)[1 : 2 * len(found) : 2]
        np.testing.assert_allclose(scores, [each.score for each in found], rtol=1e-9, atol=1e-12)
    for counterfactual, displayed in zip(found, shown, strict=True):
        _check_changes(problem, case, constraints, counterfactual, displayed)


def _check_changes(
    problem: Problem, case: Case, constraints: Constraints, counterfactual: Counterfactual, displayed: np.ndarray
) -> None:
    schema = problem.schema
    np.testing.assert_array_equal(counterfactual.factual, case.row)
    for old, new in ((case.row, counterfactual.row), displayed):
        differing = [f.name for f, a, b in zip(schema.features, old, new, strict=True) if not is_same(a, b)]
        assert [change.feature for change in counterfactual.changes] == differing
        broken = [
            f.name
            for f, a, b in zip(schema.features, old, new, strict=True)
            if not is_same(a, b) and not may_change(f, constraints[f.name], a, b)
        ]
        assert not broken
    for change in counterfactual.changes:
        place = schema.index(change.feature)
        check_texts(schema.features[place], change, *displayed[:, place].tolist())


def check_texts(feature: Feature, change: FeatureChange, old: float, new: float) -> None:
    """The printed texts can be typed in again."""
    assert is_same(read(feature, change.old_text), old)
    assert is_same(read(feature, change.new_text), new)
    assert change.old_text != change.new_text


def read(feature: Feature, text: str) -> float:
    if text == MISSING:
        return float("nan")
    if not feature.is_number:
        return feature.code(text)
    bare = text.removesuffix(f"{SPACE}{feature.unit}") if feature.unit else text
    number = float(bare.replace(SPACE, "").replace(MINUS, "-"))
    dtype = np.dtype(getattr(feature.dtypes[0], "numpy_dtype", feature.dtypes[0]))
    return float(dtype.type(number))


def is_same(one: float, other: float) -> bool:
    return bool(one == other or (np.isnan(one) and np.isnan(other)))


def may_change(feature: Feature, rule: Rule, old: float, new: float) -> bool:
    """The rules, read literally."""
    if rule.locked:
        return False
    if rule.direction == Direction.UP and not new > old:
        return False
    if rule.direction == Direction.DOWN and not new < old:
        return False
    if rule.low is not None and not new >= rule.low:
        return False
    if rule.high is not None and not new <= rule.high:
        return False
    return rule.categories is None or (not np.isnan(new) and feature.labels[int(new)] in rule.categories)


def assert_equal(one: Any, other: Any) -> None:
    """Equal to the last bit, through every field."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    elif is_dataclass(one):
        for item in fields(one):
            assert_equal(getattr(one, item.name), getattr(other, item.name))
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_equal(a, b)
    else:
        assert one == other or (one != one and other != other)


@dataclass
class Watched:
    """A problem whose model counts its calls and their rows; nothing of it is scored yet."""

    problem: Problem
    calls: int = 0
    rows: int = 0

    @classmethod
    def of(cls, problem: Problem) -> Watched:
        watched = cls(problem)
        predict = problem.model.predict

        def counted(table: pd.DataFrame) -> Any:
            watched.calls += 1
            watched.rows += len(table)
            return predict(table)

        watched.problem = replace(problem, model=replace(problem.model, predict=counted))
        return watched


def calls_of(run: Callable[[Watched], Any], problem: Problem) -> int:
    """How many calls of the model it takes if nobody stops it."""
    watched = Watched.of(problem)
    run(watched)
    return watched.calls


def generator(method: tuple[str, Options]) -> Generator:
    return GENERATORS[method[0]]
