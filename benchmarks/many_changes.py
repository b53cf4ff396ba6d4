"""Importances of more changes than can be combined: how long they take, and how far off they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.measuring import Times, by_hand, forest_problem, posed
from explainers.importance.countershapley import CounterShapley
from explainers.importance.sampled import Sampled
from explainers.importance.tree_shap import TreeShap

PAIRS = 40


def trees(repetitions: int = 9) -> dict[str, Any]:
    """200 changes read off a forest of 100; and how far that is from every combination of 12, on many pairs."""
    problem, case, found, _ = forest_problem(200)
    times = Times()
    TreeShap().explain(problem, case, found)
    for _ in range(repetitions):
        times.of(lambda: TreeShap().explain(problem, case, found))
    few, *_ = forest_problem(12)
    sides = few.decision.sides(few.outputs)
    pairs = list(zip(np.flatnonzero(sides == 0)[:PAIRS], np.flatnonzero(sides == 1)[:PAIRS], strict=True))
    differences = []
    for position, there in pairs:
        one = few.case(int(position))
        changed = by_hand(few, one, few.rows[there])
        exact = CounterShapley().explain(few, one, changed).values
        differences.append(float(np.abs(TreeShap().explain(few, one, changed).values - exact).max()))
    return {
        "k200": times.medians(),
        "trees": 100,
        "repetitions": repetitions,
        "max_abs_difference_k12": max(differences),
        "pairs": len(pairs),
    }


def sampled_k30(repetitions: int = 5) -> dict[str, Any]:
    """An MLP and 30 changes, which nobody can combine."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = load_breast_cancer(as_frame=True)
    labels = data["target"].to_numpy(dtype=np.intp)
    network = make_pipeline(StandardScaler(), MLPClassifier((32,), max_iter=500, random_state=0))
    problem = posed(data["data"], labels, network.fit(data["data"], labels), 0.5)
    sides = problem.decision.sides(problem.outputs)
    case = problem.case(int(np.flatnonzero(sides == 0)[0]))
    found = by_hand(problem, case, problem.rows[np.flatnonzero(sides == 1)[0]])
    assert len(found) == 30
    times = Times()
    importance = Sampled().explain(problem, case, found)
    for _ in range(repetitions):
        importance = times.of(lambda: Sampled().explain(problem, case, found))
    assert importance.standard_errors is not None and importance.cost is not None
    return {
        "largest_standard_error": float(importance.standard_errors.max()),
        "orders": importance.orders,
        "rows": importance.cost.rows,
        "repetitions": repetitions,
        "sampled": times.medians(),
    }
