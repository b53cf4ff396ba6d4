"""Results go through strict JSON and come back equal to the last bit."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.archive import CLASSES, DTYPES, ArchiveError, from_dict, from_json, to_dict, to_json
from explainers.constraints import Constraints, Rule
from explainers.counterfactuals.candidates import SampledCounterfactuals
from explainers.counterfactuals.mcce import Mcce, McceOptions
from explainers.counterfactuals.nice import Nice
from explainers.decision import IntervalTarget
from explainers.explanation import Explanation, explain_changes
from explainers.results import Counterfactuals, FeatureChange, Importance, NoneFound, Origin
from tests.contract.asking import assert_equal
from tests.contract.problems import BUILDERS, cases_of, problem_called
from tests.explainers.tables import counterfactual, posed


def through_json(result: Any) -> Any:
    return from_dict(json.loads(json.dumps(to_dict(result), allow_nan=False)))


def explanation_of(name: str) -> tuple[Counterfactuals, Explanation]:
    problem = problem_called(name)
    case = cases_of(problem)[2]
    found = Nice().explain(problem, case, Constraints())
    return found, explain_changes(problem, case, found.found[0])


@pytest.mark.parametrize("name", BUILDERS)
def test_every_result_comes_back(name: str) -> None:
    found, explanation = explanation_of(name)
    for result in (found, found.found[0], explanation, explanation.greedy, explanation.coalitions, found.target):
        assert_equal(through_json(result), result)


def test_none_found_comes_back() -> None:
    problem = problem_called("mixed")
    rules = Constraints(tuple((feature, Rule(locked=True)) for feature in problem.schema.names))
    result = Nice().explain(problem, cases_of(problem)[0], rules)
    assert result.none_found is not None
    assert_equal(through_json(result), result)


@pytest.mark.parametrize("bound", [None, 1e-6])
def test_many_candidates_come_back_and_why_bounds_leave_none(bound: float | None) -> None:
    problem = problem_called("missing")
    options = McceOptions(samples=200, most_distance=bound)
    result = Mcce().explain(problem, cases_of(problem)[0], Constraints(), options)
    assert (result.none_found is None) == (bound is None)
    assert isinstance(result, SampledCounterfactuals) == (bound is None)
    assert_equal(through_json(result), result)


def many_changes() -> Explanation:
    """Sampled importances and some of the combinations."""
    table = pd.DataFrame(np.array([[0] * 18, [1] * 18]), columns=[f"f{i}" for i in range(18)])
    problem = posed(table, lambda rows: rows.mean(axis=1) ** 2)
    case = problem.case(0)
    return explain_changes(problem, case, counterfactual(problem, case, problem.rows[1]))


def test_what_is_not_exact_comes_back_with_its_errors_and_its_cost() -> None:
    result = many_changes()
    assert result.countershapley is not None and result.countershapley.orders and result.some is not None
    assert_equal(through_json(result), result)
    without = replace(result, countershapley=None)
    assert_equal(through_json(without), without)


def test_what_was_kept_before_there_were_errors_and_costs_is_read() -> None:
    """Version 2 knew exact importances alone, and of more changes Greedy's."""
    _, explanation = explanation_of("numbers")
    kept = to_dict(explanation) | {"version": 2}
    parts = kept["result"]["fields"]
    for name in ("some", "way"):
        del parts[name]
    for name in ("greedy", "countershapley"):
        for added in ("standard_errors", "orders", "cost", "is_complete"):
            del parts[name]["fields"][added]
    back = from_dict(json.loads(json.dumps(kept)))
    assert explanation.countershapley is not None
    exact = replace(explanation.countershapley, cost=None)
    assert_equal(back, replace(explanation, way="", countershapley=exact))


@given(
    low=st.floats(),
    value=st.one_of(st.none(), st.floats(), st.text()),
    array=st.lists(st.floats(), max_size=5),
    options=st.lists(st.tuples(st.text(), st.one_of(st.booleans(), st.integers(), st.floats(), st.text()))),
)
def test_odd_values_come_back(low: float, value: Any, array: list[float], options: list) -> None:
    _, explanation = explanation_of("categories")
    target = IntervalTarget("a", "b", "<b>&\"'", low, math.inf, False)
    change = FeatureChange("nan", "inf", value, None, "", "")
    counterfactual = replace(
        explanation.counterfactual,
        target=target,
        changes=(change,),
        row=np.array(array),
        origin=Origin("m", tuple(options), 0, "p"),
    )
    assert_equal(through_json(counterfactual), counterfactual)


def test_arrays_come_back_read_only() -> None:
    _, explanation = explanation_of("numbers")
    back: Importance = through_json(explanation.greedy)
    with pytest.raises(ValueError, match="read-only"):
        back.values[0] = 1.0


def kept() -> dict[str, Any]:
    return json.loads(json.dumps(to_dict(explanation_of("numbers")[1].greedy)))


def changed(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    whole = kept()
    part: Any = whole
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return whole


FIELDS = ("result", "fields")


@pytest.mark.parametrize(
    ("damaged", "sentence"),
    [
        (lambda: None, "not a result kept by Flipside"),
        (list, "not a result kept by Flipside"),
        (lambda: {"version": 1}, "not a result kept by Flipside"),
        (lambda: changed(("version",), 1), "version 1 of the format, and only 2 to 4 can be read"),
        (lambda: changed(("version",), None), "version None"),
        (lambda: changed(("result",), 5), "holds no result"),
        (lambda: changed(("result",), [kept()["result"]]), "holds no result"),
        (lambda: changed(("result", "class"), "Popen"), "not known here: 'Popen'"),
        (lambda: changed(("result", "class"), ["Origin"]), "not known here"),
        (lambda: changed(("result", "class"), "Origin"), "its Origin has other fields"),
        (lambda: changed(("result", "fields"), None), "other fields"),
        (lambda: changed((*FIELDS, "extra"), 1), "its Importance has other fields"),
        (lambda: changed((*FIELDS, "order"), [0.5]), "Importance.order is something else"),
        (lambda: changed((*FIELDS, "order"), [True]), "Importance.order is something else"),
        (lambda: changed((*FIELDS, "origin"), "x"), "Importance.origin is something else"),
        (lambda: changed((*FIELDS, "values"), [1.0]), "Importance.values is something else"),
        (lambda: changed((*FIELDS, "values", "array"), "|O"), "kind of array that is not known here"),
        (lambda: changed((*FIELDS, "values", "array"), "|b1"), "an array can't be read|is something else"),
        (lambda: changed((*FIELDS, "values", "shape"), [999]), "an array can't be read"),
        (lambda: changed((*FIELDS, "values", "data"), "!"), "an array can't be read"),
        (lambda: changed((*FIELDS, "order"), {"number": "1"}), "a number that is not known here"),
    ],
)
def test_what_can_t_be_read_is_said_in_a_sentence(damaged: Any, sentence: str) -> None:
    with pytest.raises(ArchiveError, match=sentence) as error:
        from_dict(damaged())
    assert str(error.value).endswith(".") and str(error.value).count("\n") == 0


def test_a_file_comes_back() -> None:
    found, explanation = explanation_of("mixed")
    for result in (found, explanation):
        text = to_json(result)
        assert_equal(from_json(text), result)
        assert_equal(from_json(text.encode()), result)


@pytest.mark.parametrize("text", ["", "{", b"\xff", "[" * 100_000, "NaN"])
def test_a_file_that_is_none_is_refused_in_a_sentence(text: str | bytes) -> None:
    with pytest.raises(ArchiveError, match="not a result kept by Flipside"):
        from_json(text)


def test_what_can_t_be_kept_is_said_in_a_sentence() -> None:
    for odd in (object(), {"a": 1}, [1], np.array(["a"]), NoneFound("stopped", binding={1})):  # type: ignore[arg-type]
        with pytest.raises(ArchiveError, match=r"can't be kept\.$"):
            to_dict(odd)


def test_classes_are_known_by_their_own_name() -> None:
    assert all(name == kind.__name__ for name, kind in CLASSES.items())
    assert all(np.dtype(dtype).str == dtype for dtype in DTYPES)
