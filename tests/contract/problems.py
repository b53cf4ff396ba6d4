"""Small problems of every kind, and random rules for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from explainers.constraints import Constraints, Rule
from explainers.decision import ANY_OTHER, BinaryDecision, ClassDecision, Decision, IntervalDecision
from explainers.model import Model
from explainers.problem import Case, Problem
from explainers.schema import Direction, Feature, Schema
from explainers.training import forest

N = 160
GRADES = ["low", "middle", "high", "top"]
HOT = ("zone_north", "zone_south", "zone_west")


def numbers(seed: int = 1) -> pd.DataFrame:
    """Computed floats of 17 digits on every scale, a float32 and a whole number."""
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "tiny": random.normal(size=N) * 1e-5,
            "plain": random.normal(size=N) / 3,
            "large": random.normal(2e6, 3e5, N),
            "short": random.normal(size=N).astype(np.float32),
            "whole": random.integers(0, 9, N),
            "recorded": random.uniform(0, 5, N).round(2),
        }
    )


def names(seed: int = 2) -> pd.DataFrame:
    """Strings, an ordered category, a category of whole numbers and a boolean."""
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "colour <b>": pd.Series(random.choice(['<i>&"', "grün", "it's", "plain"], N), dtype="str"),
            "grade": pd.Categorical(random.choice(GRADES, N), GRADES, ordered=True),
            "code": pd.Categorical(random.choice([1, 10, 2], N)),
            "member": random.random(N) < 0.5,
        }
    )


def with_gaps() -> pd.DataFrame:
    """Missing in every dtype that can hold it."""
    random = np.random.default_rng(4)
    table = pd.concat([numbers(5)[["plain", "short", "recorded"]], names(6)[["colour <b>", "grade"]]], axis=1)
    table["count"] = pd.array(random.integers(0, 30, N), dtype="Int64")
    table["maybe"] = pd.array(random.random(N) < 0.5, dtype="boolean")
    for column in table.columns:
        table.loc[random.random(N) < 0.15, column] = None
    return table


def hot() -> pd.DataFrame:
    """A category spread by hand over columns that don't stand side by side."""
    random = np.random.default_rng(7)
    zone = random.integers(0, 4, N)
    table = numbers(8)[["plain", "recorded"]]
    table.insert(0, HOT[0], (zone == 0).astype(np.int8))
    table[HOT[1]] = zone == 1
    table["whole"] = random.integers(0, 9, N)
    table[HOT[2]] = (zone == 2).astype(np.float32)
    return table


def _scores(schema: Schema, rows: np.ndarray, seed: int) -> np.ndarray:
    """Something to learn: a noisy sum over standardised columns, missing as the mean."""
    random = np.random.default_rng(seed)
    spread = np.nanstd(rows, axis=0)
    known = np.nan_to_num((rows - np.nanmean(rows, axis=0)) / np.where(spread > 0, spread, 1))
    return np.asarray(known @ random.normal(size=len(schema)) + random.normal(scale=0.3, size=len(rows)))


class OnNumbers:
    """Something that is fitted to a table as plain numbers, which takes far less time than encoding it."""

    def __init__(self, schema: Schema, seed: int) -> None:
        self.seed = seed
        self.feature_names_in_ = np.array(schema.columns, dtype=object)
        self.codes = {
            feature.columns[0]: {values[0]: code for code, values in enumerate(feature.categories)}
            for feature in schema.features
            if not feature.is_number and len(feature.columns) == 1
        }

    def numbers(self, table: pd.DataFrame) -> np.ndarray:
        """As trees hold them, so that they need not look again."""
        columns = [self._numbers(name, table[name]) for name in table.columns]
        return np.column_stack(columns).astype(np.float32)

    def _numbers(self, name: str, column: pd.Series) -> Any:
        if name not in self.codes:
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        return [self.codes[name].get(value, np.nan) for value in column.tolist()]


class Trees(OnNumbers):
    """A few trees: as uneven as a forest, and quick to ask."""

    def fit(self, table: pd.DataFrame, labels: np.ndarray) -> Trees:
        from sklearn.tree import DecisionTreeClassifier

        rows = self.numbers(table)
        self.trees = [
            DecisionTreeClassifier(max_depth=5, max_features=0.6, random_state=self.seed + i).fit(rows, labels)
            for i in range(3)
        ]
        self.classes_ = self.trees[0].classes_
        return self

    def predict_proba(self, table: pd.DataFrame) -> np.ndarray:
        rows = self.numbers(table)
        return np.asarray(np.mean([tree.predict_proba(rows, check_input=False) for tree in self.trees], axis=0))


class TreeOfNumbers(OnNumbers):
    """One tree for a number."""

    def fit(self, table: pd.DataFrame, observed: np.ndarray) -> TreeOfNumbers:
        from sklearn.tree import DecisionTreeRegressor

        self.tree = DecisionTreeRegressor(max_depth=6, random_state=self.seed).fit(self.numbers(table), observed)
        return self

    def predict(self, table: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.tree.predict(self.numbers(table), check_input=False))


def _problem(
    table: pd.DataFrame,
    make: Callable[[Schema, int], Any],
    decision: Callable[[np.ndarray], Decision],
    *,
    label: Callable[[np.ndarray], np.ndarray],
    groups: dict[str, list[str]] | None = None,
    knows_labels: bool = True,
) -> Problem:
    schema = Schema.infer(table, groups)
    rows = schema.encode(table)
    labels = label(_scores(schema, rows, 0))
    training = np.arange(N) % 4 > 0
    estimator = make(schema, 0).fit(table.loc[training], labels[training])
    model = Model.of(estimator, schema)
    return Problem(
        model=model,
        rows=rows,
        ids=tuple(f"case {i}" for i in range(N)),
        training=training,
        decision=decision(model.score(rows)),
        observed=(labels if labels.dtype.kind == "f" else labels.astype(np.intp)) if knows_labels else None,
    )


def _binary(threshold: float) -> Callable[[np.ndarray], Decision]:
    return lambda outputs: BinaryDecision(("0", "1"), threshold)


def _halves(scores: np.ndarray) -> np.ndarray:
    return (scores > 0).astype(int)


def _mixed() -> Problem:
    table = pd.concat([numbers(), names()], axis=1)
    return _problem(table, forest(5).make, _binary(0.5), label=_halves)


def _numeric() -> Problem:
    def make(schema: Schema, seed: int) -> Any:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        return make_pipeline(StandardScaler(), LogisticRegression())

    return _problem(numbers(), make, _binary(0.35), label=_halves, knows_labels=False)


def _hot() -> Problem:
    return _problem(hot(), Trees, _binary(0.5), label=_halves, groups={"zone": list(HOT)})


def _classes() -> Problem:
    def three(scores: np.ndarray) -> np.ndarray:
        return np.digitize(scores, np.quantile(scores, [1 / 3, 2 / 3]))

    table = pd.concat([numbers(), names()], axis=1)
    return _problem(table, Trees, lambda outputs: ClassDecision(("0", "1", "2")), label=three)


def _linear(schema: Schema, seed: int) -> Any:
    from sklearn.linear_model import LinearRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LinearRegression())


def _interval() -> Problem:
    """A narrow interval, so that a rounded number falls out of it easily."""

    def narrow(outputs: np.ndarray) -> Decision:
        first, median, third = np.quantile(outputs, [0.25, 0.5, 0.75]).tolist()
        return IntervalDecision("yield", (first, median, third), third, third + 0.1)

    return _problem(numbers(), _linear, narrow, label=lambda s: s, knows_labels=False)


def _quartile() -> Problem:
    """The default interval of a number: one bound, on the side with more room."""

    def quartiles(outputs: np.ndarray) -> Decision:
        first, median, third = np.quantile(outputs, [0.25, 0.5, 0.75]).tolist()
        return IntervalDecision("yield", (first, median, third))

    return _problem(numbers(), _linear, quartiles, label=lambda s: s)


def _below() -> Problem:
    """A number that should fall, of a model that jumps."""

    def low(outputs: np.ndarray) -> Decision:
        first, median, third = np.quantile(outputs, [0.25, 0.5, 0.75]).tolist()
        return IntervalDecision("yield", (first, median, third), high=first)

    return _problem(with_gaps(), TreeOfNumbers, low, label=lambda s: s)


def _one_of_three() -> Problem:
    """A class with a threshold of its own, against both others."""
    posed = _classes()
    return posed.with_decision(posed.decision.adjusted(wanted="1", threshold=0.4))


def _any_other_class() -> Problem:
    """Any class but the case's own."""
    posed = _classes()
    return posed.with_decision(posed.decision.adjusted(wanted=ANY_OTHER))


BUILDERS: dict[str, Callable[[], Problem]] = {
    "mixed": _mixed,
    "numbers": _numeric,
    "categories": lambda: _problem(names(), Trees, _binary(0.5), label=_halves),
    "missing": lambda: _problem(with_gaps(), Trees, _binary(0.5), label=_halves),
    "one-hot by hand": _hot,
    "three classes": _classes,
    "narrow interval": _interval,
    "quartile": _quartile,
    "less is wanted": _below,
    "one of three": _one_of_three,
}


def _forest_with_gaps() -> Problem:
    """A forest on the numbers as they are, some of them missing."""

    def make(schema: Schema, seed: int) -> Any:
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(10, random_state=seed)

    table = pd.concat([numbers(), numbers(9).add_suffix(" too")], axis=1).astype("float64")
    for column in table.columns:
        table.loc[np.random.default_rng(len(column)).random(N) < 0.1, column] = None
    return _problem(table, make, _binary(0.5), label=_halves)


def _boosted() -> Problem:
    """Boosted trees for a number."""

    def make(schema: Schema, seed: int) -> Any:
        from sklearn.ensemble import HistGradientBoostingRegressor

        return HistGradientBoostingRegressor(max_iter=10, min_samples_leaf=5, random_state=seed)

    def quartiles(outputs: np.ndarray) -> Decision:
        first, median, third = np.quantile(outputs, [0.25, 0.5, 0.75]).tolist()
        return IntervalDecision("yield", (first, median, third))

    return _problem(numbers(), make, quartiles, label=lambda s: s)


MORE: dict[str, Callable[[], Problem]] = {"any other class": _any_other_class}
"""Problems so like another one that all is not asked of them again."""
TREES: dict[str, Callable[[], Problem]] = {"forest with gaps": _forest_with_gaps, "boosted": _boosted}
"""Problems of trees that see each column as it is, for what reads trees."""


@cache
def problem_called(name: str) -> Problem:
    """A problem, built once a session."""
    return (BUILDERS | MORE | TREES)[name]()


def cases_of(problem: Problem, most: int = 5) -> list[Case]:
    """Cases of both sides, those nearest to the edge first, and one that is not in the table."""
    scores = [problem.decision.target(out) for out in problem.outputs]
    way = np.array(
        [
            np.inf if t.is_reached else abs(float(t.closeness(out[None])[0]) - _edge(t))
            for t, out in zip(scores, problem.outputs, strict=True)
        ]
    )
    order = np.argsort(way, kind="stable")
    chosen = [*order[: most - 2], *np.random.default_rng(0).choice(order[: N // 2], 2, replace=False)]
    cases = [problem.case(problem.ids[i]) for i in chosen]
    first, last = problem.rows[order[0]], problem.rows[order[N // 3]]
    return [*cases, Case("typed by hand", np.where(np.arange(len(first)) % 2, first, last))]


def _edge(target: Any) -> float:
    if np.isinf(target.high):
        return float(target.low)
    return -float(target.high) if np.isinf(target.low) else 0.0


def random_rules(problem: Problem, case: Case, seed: int, share: float = 0.6) -> Constraints:
    """Rules of every kind on about this share of the features."""
    random = np.random.default_rng(seed)
    rules = [
        (feature.name, _random_rule(feature, problem.rows[:, place], float(case.row[place]), random))
        for place, feature in enumerate(problem.schema.features)
        if random.random() < share
    ]
    return Constraints(tuple(rules))


def _random_rule(feature: Feature, values: np.ndarray, own: float, random: np.random.Generator) -> Rule:
    kind = random.integers(0, 4)
    if kind == 0:
        return Rule(locked=True)
    direction = random.choice([Direction.UP, Direction.DOWN]) if feature.has_order else Direction.ANY
    if kind == 1:
        return Rule(direction=direction)
    if feature.is_number:
        low, high = np.sort(random.choice(values[~np.isnan(values)], 2)).tolist()
        bounds = [(low, high), (low, None), (None, high), (own, None) if own == own else (low, high)]
        low, high = bounds[random.integers(0, 4)]
        return Rule(low=low, high=high, direction=direction if kind == 3 else Direction.ANY)
    some = random.choice(feature.labels, random.integers(1, len(feature.labels) + 1), replace=False)
    return Rule(categories=frozenset(map(str, some)), direction=direction if kind == 3 else Direction.ANY)
