"""The prototypes of the paper, and every generator side by side: `python -m benchmarks.prototypes`.

Van Looveren and Klaise, "Interpretable counterfactual explanations guided by prototypes",
2019: Section 4.2 in small on digits, Section 4.3 on breast cancer and Section 4.4 on Adult;
then all generators on German credit, Adult and breast cancer. Losses A, B and C of
Section 4.3 are A, C and E here.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

import numpy as np
import pandas as pd

import samples
from benchmarks import prototypes_digits, prototypes_peers
from benchmarks.prototypes_seeking import Counted, search_of, seek
from explainers.comparison import Yardstick
from explainers.constraints import Constraints
from explainers.counterfactuals.prototype_path import PathOptions, PrototypePath, paths_of
from explainers.counterfactuals.prototype_search import PrototypeOptions
from explainers.counterfactuals.prototype_space import prepare_space
from explainers.decision import BinaryDecision
from explainers.embedding import embed_by_context
from explainers.interpretability import Interpretability
from explainers.method import Generator, Options
from explainers.model import Model
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS
from explainers.results import Counterfactuals
from explainers.run import Run
from explainers.schema import Schema

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
SHARED = Path(os.environ.get("FLIPSIDE_SHARED", ROOT.parent / "shared"))
ADULT = SHARED / "data" / "adult.csv"
TRAINING_ROWS = 550
EPOCHS = 500
MODEL_SEEDS = 5
LOSSES = {"A": "A", "B": "C", "C": "E"}
DRAWS = 40
CASES_EACH = 10
ADULT_ROWS = 4_000
LIMIT_S = 60.0
Explain = Callable[[Case, Run], Counterfactuals | None]


def cancer(kind: str, seed: int) -> tuple[Problem, Counted]:
    """Section 4.3's set-up: the first 550 rows train, the last 19 are explained.

    The network is fitted by plain gradient descent through all 500 epochs (Appendix A).
    """
    from sklearn.datasets import load_breast_cancer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = load_breast_cancer(as_frame=True)
    makers: dict[str, Callable[[], Any]] = {
        "mlp": lambda: MLPClassifier(
            (40, 40),
            solver="sgd",
            learning_rate_init=0.01,
            momentum=0.0,
            alpha=0.0,
            batch_size=128,
            max_iter=EPOCHS,
            n_iter_no_change=EPOCHS,
            random_state=seed,
        ),
        "logistic": lambda: LogisticRegression(max_iter=1000),
        "forest": lambda: RandomForestClassifier(100, random_state=seed),
    }
    table, labels = data["data"], np.asarray(data["target"], dtype=np.intp)
    estimator = make_pipeline(StandardScaler(), makers[kind]())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        estimator.fit(table[:TRAINING_ROWS], labels[:TRAINING_ROWS])
    schema = Schema.infer(table)
    model = Model.of(estimator, schema)
    counted = Counted(model.predict)
    problem = Problem(
        model=replace(model, predict=counted),
        rows=schema.encode(table),
        ids=tuple(map(str, range(len(table)))),
        training=np.arange(len(table)) < TRAINING_ROWS,
        decision=BinaryDecision(("malignant", "benign")),
    )
    problem.scored()
    return problem, counted


def section_4_3() -> dict[str, Any]:
    """Table 2 with 95 % bounds over model seeds, and the path on three kinds of model."""
    asking: dict[str, PrototypeOptions | PathOptions] = {
        **{name: PrototypeOptions(loss=loss, theta=100) for name, loss in LOSSES.items()},
        "path": PathOptions(prototypes=1),
    }
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in asking}
    asked = 0
    for seed in range(MODEL_SEEDS):
        problem, counted = cancer("mlp", seed)
        prepared = prepare_space(problem, Run(seed))
        judges: dict[int, Interpretability] = {}
        for position in range(TRAINING_ROWS, len(problem.rows)):
            asked += 1
            case = problem.case(position)
            side = int(problem.decision.sides(problem.outputs[[position]])[0])
            if side not in judges:
                judge = Interpretability.of(problem, case, problem.target(case), Run(seed))
                assert judge is not None
                judges[side] = judge
            for name, options in asking.items():
                one = seek(problem, counted, case, prepared, options, judges[side])
                if one is not None:
                    found[name].append(one | {"seed": seed})
    shares = {name: len(ones) / asked for name, ones in found.items()}
    return {"found_share": shares, "rows": {name: bounded(ones) for name, ones in found.items()}}


def bounded(ones: Sequence[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """Mean over the seeds' means of each measure, and half the width of its 95 % bounds."""
    measures = [name for name in ones[0] if name != "seed"] if ones else []
    told: dict[str, tuple[float, float]] = {}
    for name in measures:
        by_seed = [
            mean(one[name] for one in ones if one["seed"] == seed) for seed in sorted({one["seed"] for one in ones})
        ]
        half = 2.776 * stdev(by_seed) / len(by_seed) ** 0.5 if len(by_seed) == MODEL_SEEDS else float("nan")
        told[name] = (mean(by_seed), half)
    return told


def path_found() -> dict[str, float]:
    """The share of the 19 cases that the path flips, by kind of model."""
    shares = {}
    for kind in ("mlp", "logistic", "forest"):
        problem, _ = cancer(kind, 0)
        prepared = prepare_space(problem, Run())
        cases = [problem.case(at) for at in range(TRAINING_ROWS, len(problem.rows))]
        shares[kind] = mean(bool(paths_of(search_of(problem, case, prepared), prepared, 1)) for case in cases)
    return shares


def path_ms() -> float:
    """What a path takes without the model's predict: the median of the 19 cases asked for in a row, the second time."""
    problem, counted = cancer("mlp", 0)
    prepared, seconds = prepare_space(problem, Run()), []
    for at in [*range(TRAINING_ROWS, len(problem.rows))] * 2:
        search = search_of(problem, problem.case(at), prepared)
        counted.reset()
        began = time.perf_counter()
        PrototypePath().seek(search, PathOptions(prototypes=1), prepared)
        seconds.append(time.perf_counter() - began - counted.seconds)
    return 1000 * median(seconds[len(seconds) // 2 :])


def education() -> dict[str, float]:
    """Section 4.4: how well the line of Education keeps the order of the years at school."""
    from scipy.stats import spearmanr

    table = pd.read_csv(ADULT, skipinitialspace=True)
    years = table.groupby("education")["education-num"].first()

    def correlation(part: pd.DataFrame) -> float:
        known = part.drop(columns=["education-num", "fnlwgt", "income"]).reset_index(drop=True)
        schema = Schema.infer(known)
        at = schema.index("education")
        places = embed_by_context(schema, schema.encode(known)).places[at]
        return abs(float(spearmanr(places, years[list(schema.features[at].labels)])[0]))

    return {
        "education_abdm_spearman": correlation(table),
        "education_abdm_spearman_1000": mean(correlation(table.sample(1000, random_state=i)) for i in range(DRAWS)),
        "education_abdm_spearman_5000": mean(correlation(table.sample(5000, random_state=i)) for i in range(DRAWS)),
    }


def adult() -> Problem:
    """A forest on some rows of Adult."""
    from explainers.training import default_decision, forest, split, train

    table = pd.read_csv(ADULT, skipinitialspace=True).sample(ADULT_ROWS, random_state=0).reset_index(drop=True)
    labels = (table.pop("income") == ">50K").to_numpy(dtype=np.intp)
    table = table.drop(columns=["fnlwgt", "education-num"])
    schema = Schema.infer(table)
    trained = train(forest(50), table, labels, schema, split(labels, seed=0), seed=0)
    classes = ("up to 50K", "more")
    model = Model.of(trained.estimator, schema, classes=classes)
    rows = schema.encode(table)
    decision = default_decision(model.score(rows[trained.training]), classes, "")
    return Problem(model, rows, tuple(map(str, range(len(table)))), trained.training, decision, labels)


def side_by_side() -> list[dict[str, Any]]:
    """Every generator on the same unseen cases of each data set, by every measure."""
    told: list[dict[str, Any]] = []
    problems = {name: samples.get(name).load for name in ("german_credit", "breast_cancer")}
    if ADULT.exists():
        problems["adult"] = adult
    for data, load in problems.items():
        problem = load()
        problem.scored()
        cases = [problem.case(problem.ids[at]) for at in np.flatnonzero(problem.unseen)[:CASES_EACH]]
        yards = [Yardstick.of(problem, case) for case in cases]
        for name, explain in searches(problem).items():
            row = {"data": data, "method": name, **measured(problem, cases, yards, explain)}
            told.append(row)
            print(data, name, {k: round(v, 3) for k, v in row.items() if isinstance(v, float)}, flush=True)
    return told


def searches(problem: Problem) -> dict[str, Explain]:
    """Every generator, and dice-ml where it is installed; all prepared."""
    constraints = Constraints.default(problem.schema)
    found: dict[str, Explain] = {}
    for name, generator in GENERATORS.items():
        options = generator.options_type()
        prepared = generator.prepare(problem, constraints, options, Run())
        found[name] = partial(_explain, generator, problem, constraints, options, prepared)
    if prototypes_peers.is_installed():
        found[prototypes_peers.NAME] = prototypes_peers.Dice.of(problem, constraints).explain
    return found


def _explain(
    generator: Generator,
    problem: Problem,
    constraints: Constraints,
    options: Options,
    prepared: Any,
    case: Case,
    run: Run,
) -> Counterfactuals:
    return generator.explain(problem, case, constraints, options, run, prepared)


def measured(
    problem: Problem, cases: Sequence[Case], yards: Sequence[Yardstick], explain: Explain
) -> dict[str, float | None]:
    """What one method comes to: the first counterfactual of each case, in the mean; a row that is none isn't valid."""
    constraints = Constraints.default(problem.schema)
    seconds, measures, n_rejected = [], [], 0
    for case, yard in zip(cases, yards, strict=True):
        began = time.perf_counter()
        result = explain(case, Run.within(LIMIT_S))
        seconds.append(time.perf_counter() - began)
        if result is not None:
            measures += yard.measured(problem, constraints, result.found[:1])
            n_rejected += len(result.rejected)
    row: dict[str, float | None] = {"found_share": len(measures) / len(cases), "median_s": median(seconds)}
    for measure in ("changes", "distance", "violations", "im1", "im2", "to_real", "robustness"):
        known = [float(v) for m in measures if (v := getattr(m, measure)) is not None]
        row[measure] = mean(known) if known else None
    valid = [*(m.is_valid for m in measures), *[False] * n_rejected]
    row["is_valid"] = mean(map(float, valid)) if valid else None
    return row


def markdown(
    figures: dict[str, Any], table_1: dict[str, Any], table_2: dict[str, Any], told: Sequence[dict[str, Any]]
) -> str:
    """The report as a person reads it."""
    lines = ["# Prototypes, and every generator on the same cases", "", "| figure | value |", "|---|---|"]
    lines += [f"| {name} | {value:.4g} |" for name, value in figures.items() if isinstance(value, float)]
    lines += prototypes_digits.markdown(table_1)
    names = list(next(iter(table_2["rows"].values())))
    lines += ["", "## Section 4.3 (breast cancer, five models), mean ± 95 % bound", ""]
    lines += ["| loss | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for loss, row in table_2["rows"].items():
        cells = (f"{row[name][0]:.3g} ± {row[name][1]:.2g}" for name in names)
        lines.append(f"| {loss} | " + " | ".join(cells) + " |")
    columns = list(told[0])
    lines += ["", "## All generators, the first counterfactual of each case", ""]
    lines += ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for row in told:
        cells = (f"{v:.3g}" if isinstance(v, float) else str(v if v is not None else "") for v in row.values())
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    table_1, table_2, by_kind = prototypes_digits.section_4_2(), section_4_3(), path_found()
    digits, rows = table_1["rows"], table_2["rows"]
    figures: dict[str, Any] = {
        **{f"found_share_{name}": share for name, share in table_2["found_share"].items()},
        **{f"found_share_path_{kind}": float(share) for kind, share in by_kind.items()},
        "time_a_over_path": rows["A"]["seconds"][0] / rows["path"]["seconds"][0],
        "model_calls_a": rows["A"]["calls"][0],
        "model_calls_path": rows["path"]["calls"][0],
        "im2_a_over_c": rows["A"]["IM2x10"][0] / rows["C"]["IM2x10"][0],
        **{f"digits_found_share_{loss}": share for loss, share in table_1["found_share"].items()},
        "digits_im1_a_over_e": digits["A"]["IM1"][0] / digits["E"]["IM1"][0],
        "digits_im2_a_over_e": digits["A"]["IM2x10"][0] / digits["E"]["IM2x10"][0],
        "digits_time_a_over_e": digits["A"]["seconds"][0] / digits["E"]["seconds"][0],
        "path_ms": path_ms(),
    }
    if ADULT.exists():
        figures |= education()
    told = side_by_side()
    for name, methods in {"generators": set(GENERATORS), "dice": {prototypes_peers.NAME}}.items():
        rows = [row for row in told if row["method"] in methods]
        if rows:
            figures[f"{name}_valid_share"] = mean(row["is_valid"] for row in rows if row["is_valid"] is not None)
            figures[f"{name}_found_share"] = mean(row["found_share"] for row in rows)
            figures[f"{name}_median_s"] = median(row["median_s"] for row in rows)
    for name, value in figures.items():
        print(f"{name:36} {value:.5g}")
    measured_on = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        **{name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
    }
    report = {
        "figures": figures,
        "table_1": table_1,
        "table_2": table_2,
        "generators": told,
        "measured_on": measured_on,
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "prototypes.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    (RESULTS / "prototypes.md").write_text(markdown(figures, table_1, table_2, told), encoding="utf-8")
    return 0 if figures["generators_valid_share"] == 1.0 and min(by_kind.values()) == 1.0 else 1


if __name__ == "__main__":
    sys.exit(main())
