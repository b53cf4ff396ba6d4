"""Tables and problems for tests, from hypothesis and by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from explainers.constraints import Constraints
from explainers.counterfactuals.assembly import Candidate, assemble
from explainers.decision import BinaryDecision, Decision, IntervalDecision
from explainers.distances import value_ranges
from explainers.model import Model
from explainers.problem import Case, Problem
from explainers.results import Counterfactual, Origin
from explainers.run import Run
from explainers.schema import Schema

HOSTILE = "<b>&\"'"
NAMES = st.text(alphabet=st.sampled_from([*"abAB <>&\"'_.0", "ä", "ß", "東", "é"]), min_size=1, max_size=6)
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


@st.composite
def columns(draw: st.DrawFn, length: int) -> pd.Series:
    """A column of any dtype that the schema promises to keep."""
    kind = draw(st.sampled_from(["integer", "float", "bool", "str", "category", "ordered", "Int64", "boolean"]))
    missing = draw(st.lists(st.booleans(), min_size=length, max_size=length))
    if kind == "integer":
        dtype = np.dtype(draw(st.sampled_from(INTEGERS)))
        low, high = max(np.iinfo(dtype).min, -(2**53)), min(np.iinfo(dtype).max, 2**53)
        return pd.Series(draw(_values(st.integers(low, high), length)), dtype=dtype)
    if kind == "float":
        width = draw(st.sampled_from([32, 64]))
        values = st.floats(width=width, allow_nan=True, allow_infinity=False)
        return pd.Series(draw(_values(values, length)), dtype=f"float{width}")
    if kind == "bool":
        return pd.Series(draw(_values(st.booleans(), length)), dtype="bool")
    if kind in ("Int64", "boolean"):
        values = st.integers(-(2**53), 2**53) if kind == "Int64" else st.booleans()
        known = draw(_values(values, length))
        return pd.Series([None if m else v for v, m in zip(known, missing, strict=True)], dtype=kind)
    texts = pd.Series(draw(_values(st.sampled_from([HOSTILE, "grün", "", "東京", " x", "nan"]), length)), dtype="str")
    texts = texts.mask(pd.Series(missing))
    if kind == "str":
        return texts
    levels = draw(st.permutations(["", " x", HOSTILE, "grün", "nan", "東京"]))
    return pd.Series(pd.Categorical(texts, levels, ordered=kind == "ordered"))


def _values(values: st.SearchStrategy, length: int) -> st.SearchStrategy:
    return st.lists(values, min_size=length, max_size=length)


@st.composite
def tables(draw: st.DrawFn) -> pd.DataFrame:
    """A table with columns of any dtype and any name."""
    length = draw(st.integers(1, 6))
    names = draw(st.lists(NAMES, min_size=1, max_size=5, unique=True))
    return pd.DataFrame({name: draw(columns(length)) for name in names})


def numeric_table(n_rows: int, n_columns: int, seed: int = 0) -> pd.DataFrame:
    values = np.random.default_rng(seed).integers(0, 4, (n_rows, n_columns)).astype(float)
    return pd.DataFrame(values, columns=[f"f{i}" for i in range(n_columns)])


def posed(
    table: pd.DataFrame,
    score: Callable[[np.ndarray], np.ndarray],
    decision: Decision | None = None,
    schema: Schema | None = None,
) -> Problem:
    """A problem from a score of encoded rows; for two classes it is the probability of class 1."""
    schema = schema or Schema.infer(table)
    decision = decision or BinaryDecision(("0", "1"), 0.5)
    is_binary = isinstance(decision, BinaryDecision)

    def predict(asked: pd.DataFrame) -> np.ndarray:
        scores = np.asarray(score(schema.encode(asked)), dtype=float)
        return np.column_stack([1 - scores, scores]) if is_binary else scores

    classes = ("0", "1") if is_binary else ()
    model = Model(predict, schema, schema.columns, classes, "a formula", "a formula")
    return Problem(
        model, schema.encode(table), tuple(map(str, range(len(table)))), np.ones(len(table), dtype=bool), decision
    )


def game(scores: Sequence[float] | np.ndarray, threshold: float = 0.5) -> tuple[Problem, Case, Counterfactual]:
    """A problem whose changes f0, f1, ... (0 to 1) score as the table says, entry by bit mask."""
    table_of_scores = np.asarray(scores, dtype=float)
    n_changes = len(table_of_scores).bit_length() - 1
    table = pd.DataFrame(np.array([[0] * n_changes, [1] * n_changes]), columns=[f"f{i}" for i in range(n_changes)])
    bits = 1 << np.arange(n_changes)
    problem = posed(
        table, lambda rows: table_of_scores[(rows @ bits).astype(int)], BinaryDecision(("0", "1"), threshold)
    )
    case = problem.case("0")
    return problem, case, counterfactual(problem, case, problem.rows[1])


def game_of_numbers(
    scores: Sequence[float] | np.ndarray, low: float | None, high: float | None
) -> tuple[Problem, Case, Counterfactual]:
    """As `game`, of a number that is wanted between two bounds."""
    table_of_scores = np.asarray(scores, dtype=float)
    n_changes = len(table_of_scores).bit_length() - 1
    table = pd.DataFrame(np.array([[0] * n_changes, [1] * n_changes]), columns=[f"f{i}" for i in range(n_changes)])
    bits = 1 << np.arange(n_changes)
    decision = IntervalDecision("price", (0.0, 0.5, 1.0), low, high)
    problem = posed(table, lambda rows: table_of_scores[(rows @ bits).astype(int)], decision)
    case = problem.case("0")
    return problem, case, counterfactual(problem, case, problem.rows[1])


def counterfactual(problem: Problem, case: Case, row: np.ndarray) -> Counterfactual:
    """The result for a row that flips."""
    target = problem.target(case)
    drawn = target.drawn(problem.model.score(np.stack([case.row, row]))).tolist()
    made = assemble(
        problem,
        case,
        Constraints(),
        target,
        drawn[0],
        [Candidate(np.array(row), drawn[1])],
        value_ranges(problem.rows),
        Origin("hand", (), 0, problem.key),
        Run(),
    )
    return made[0]
