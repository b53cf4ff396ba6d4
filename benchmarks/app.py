"""How long a person waits for the dashboard, and what a case costs the server: ``python -m benchmarks.app``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from itertools import islice, pairwise
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from playwright.sync_api import Browser

import samples
from benchmarks.browser import CHARTS, Server, Tab, chromium
from components.feature_list import ROWS_THAT_FIT
from explainers import standing, wording
from explainers.explanation import case_to_begin_with, explain_changes
from explainers.importance.coalitions import MOST_CHANGES
from explainers.problem import Case, Problem
from explainers.registry import GENERATORS
from explainers.what_if import what_if

RESULTS = Path(__file__).parent / "results" / "app.json"
DATA = "german_credit"
VALUES_TRIED = 200
ONE_COUNTERFACTUAL = {"nice.neighbours": "1"}
WIDE = "breast_cancer"
WHOLE = {"nice.reward": "none", "nice.neighbours": "1"}
DOZEN = 12
PACKAGES = ("streamlit", "plotly", "scikit-learn", "numpy", "pandas", "playwright")
WHAT = {
    "case_switch_cpu_s": "server CPU (user and system) to go to the next case: one NICE counterfactual, all charts",
    "case_switch_wall_s": "from the key pressed to the new charts drawn",
    "first_case_s": "from the first request, made as soon as the server says it is well, to the first explained case",
    "start_to_first_case_s": "from the start of the server's process to the first explained case",
    "second_visitor_s": "from the request to the first explained case, for the next person on that server",
    "html_bytes": "size of the report of the first screen's case, taken away as HTML",
    "html_offline_requests": "what that report asks for besides itself, opened in a browser without a network",
    "constellation_k12_draw_s": "from the click that leaves 12 changes to their 4 095 combinations drawn, all charts",
    "what_if_wall_s": "from the key that ends an edit to the new score drawn, on every sample, all charts beside it",
}

_DOTS = """dots => {
    const card = document.querySelector('.st-key-card_constellation')
    const drawn = card?.querySelectorAll('.scatterlayer .point')
    const traces = [...(card?.querySelector('.js-plotly-plot')?.data ?? [])]
    const told = traces.flatMap(trace => [...(trace.customdata ?? [])])
    return new Set(told).size === dots && drawn.length >= dots
}"""


def switches(browser: Browser, n_cases: int) -> dict[str, list[float]]:
    """Go through unseen cases by keyboard, each once."""
    problem = samples.get(DATA).load()
    order = [id_ for id_, seen in zip(problem.ids, problem.training, strict=True) if not seen]
    server = Server().wait()
    cpu, wall = [], []
    try:
        tab = Tab(browser, server)
        tab.open(data=DATA, case=order[0], **ONE_COUNTERFACTUAL).wait_for_charts()
        for case in order[1 : n_cases + 1]:
            cpu_before, wall_before = server.cpu_seconds(), perf_counter()
            tab.press("ArrowRight")
            tab.wait_for_address(case=case).wait_for_charts()
            wall.append(perf_counter() - wall_before)
            cpu.append(server.cpu_seconds() - cpu_before)
        tab.close()
    finally:
        server.stop()
    return {"case_switch_cpu_s": cpu, "case_switch_wall_s": wall}


def starts(browser: Browser, n_servers: int) -> dict[str, list[float]]:
    """Start servers and ask each for the first screen as soon as it answers, then once more."""
    times: dict[str, list[float]] = {"first_case_s": [], "start_to_first_case_s": [], "second_visitor_s": []}
    for _ in range(n_servers):
        begun = perf_counter()
        server = Server().wait()
        try:
            asked, shown = _visit(browser, server)
            times["first_case_s"].append(shown - asked)
            times["start_to_first_case_s"].append(shown - begun)
            asked, shown = _visit(browser, server)
            times["second_visitor_s"].append(shown - asked)
        finally:
            server.stop()
    return times


def _visit(browser: Browser, server: Server) -> tuple[float, float]:
    """When a new visitor asks, and when the first case is drawn."""
    tab = Tab(browser, server)
    asked = perf_counter()
    tab.page.goto(server.url())
    tab.page.wait_for_selector(".st-key-card_constellation .main-svg")
    tab.wait_for_charts()
    shown = perf_counter()
    tab.close()
    return asked, shown


def what_ifs(browser: Browser, n_edits: int) -> dict[str, list[float]]:
    """Edit the first case of every sample, each time to another score than the one before."""
    wall: list[float] = []
    for data in samples.SAMPLES:
        problem = samples.get(data).load()
        case = case_to_begin_with(problem, GENERATORS["nice"])
        name, edits = max(_edits(problem, case), key=lambda item: len(item[1]))
        server = Server().wait()
        try:
            tab = Tab(browser, server)
            tab.open(data=data, case=case.id, **{"what-if": "open"}).wait_for_charts()
            field = tab.page.locator(f".st-key-edit-{re.sub('[^A-Za-z0-9_-]', '-', name)} input")
            for typed, text in edits[:n_edits]:
                field.fill(typed)
                begun = perf_counter()
                field.press("Enter")
                tab.page.wait_for_function("text => document.querySelector('.tried')?.textContent === text", arg=text)
                wall.append(perf_counter() - begun)
                tab.wait_for_charts()
            tab.close()
        finally:
            server.stop()
    return {"what_if_wall_s": wall}


def _edits(problem: Problem, case: Case) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Of each number whose field is shown, what may be typed and what is then read, never the same twice in a row."""
    for place, feature in enumerate(problem.schema.features[:ROWS_THAT_FIT]):
        if feature.is_number and not feature.is_date:
            values = np.unique(np.linspace(feature.low, feature.high, VALUES_TRIED).round(feature.decimals))
            rows = np.repeat(case.row[None], len(values), axis=0)
            rows[:, place] = values
            told = [wording.plain(standing.as_it_might_be(one)) for one in what_if(problem, case, list(rows))]
            edits = [(f"{value:.{feature.decimals}f}", text) for value, text in zip(values, told, strict=True)]
            yield feature.name, [edit for before, edit in pairwise([("", ""), *edits]) if edit[1] != before[1]]


def reports(browser: Browser) -> dict[str, list[float]]:
    """Take the report of the first screen's case away, and open it where there is no network."""
    server = Server().wait()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        try:
            tab = Tab(browser, server)
            tab.open(data=DATA, case=case_to_begin_with(samples.get(DATA).load(), GENERATORS["nice"]).id)
            tab.take("Report").save_as(file)
            tab.close()
        finally:
            server.stop()
        context = browser.new_context(offline=True)
        page, asked = context.new_page(), []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        for chart in CHARTS:
            page.wait_for_selector(f"#chart-{chart} .main-svg")
        context.close()
        return {"html_bytes": [file.stat().st_size], "html_offline_requests": [len(asked) - 1]}


def constellations(browser: Browser, n_cases: int) -> dict[str, list[float]]:
    """Of cases that change in everything, make Greedy's first dozen changes the counterfactual, as a person would."""
    problem = samples.get(WIDE).load()
    server = Server().wait()
    wall: list[float] = []
    try:
        for case, dozen in islice(_dozens(problem), n_cases):
            tab = Tab(browser, server)
            tab.open(data=WIDE, case=case.id, **WHOLE).wait_for_charts(*CHARTS)
            tab.pick("constellation", dozen)
            tab.page.wait_for_selector(".st-key-adopt button:enabled")
            begun = perf_counter()
            tab.button("adopt").click()
            tab.page.wait_for_function(_DOTS, arg=2**DOZEN - 1)
            wall.append(perf_counter() - begun)
            tab.close()
    finally:
        server.stop()
    return {"constellation_k12_draw_s": wall}


def _dozens(problem: Problem) -> Iterator[tuple[Case, int]]:
    """Cases with more changes than are combined, and the id of Greedy's first dozen, which flips."""
    nice = GENERATORS["nice"]
    options = replace(nice.options_type(), neighbours=1, reward="none")  # type: ignore[call-arg]
    for id_ in problem.ids:
        case = problem.case(id_)
        found = nice.explain(problem, case, None, options).found
        if found and len(found[0]) > MOST_CHANGES:
            some = explain_changes(problem, case, found[0]).some
            if some is not None and some.flips[some.walk[DOZEN]]:
                yield case, some.walk[DOZEN]


def summary(times: dict[str, list[float]]) -> dict[str, dict[str, float | int]]:
    """Median, range and number of each measure."""
    return {
        name: {"median": round(median(values), 3), "least": round(min(values), 3), "most": round(max(values), 3),
               "n": len(values)}
        for name, values in times.items()
    }  # fmt: skip


def machine(browser: Browser) -> dict[str, Any]:
    """What the figures depend on; no names and no paths."""
    return {
        "cpus": os.cpu_count(),
        "architecture": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "chromium": browser.version,
        **{package: version(package) for package in PACKAGES},
    }


def table(figures: dict[str, dict[str, float | int]]) -> str:
    """The figures for people."""
    lines = [f"{'measure':<24}{'median':>12}{'least':>12}{'most':>12}{'n':>5}  what"]
    for name, figure in figures.items():
        numbers = "".join(f"{figure[part]:>12.3f}" for part in ("median", "least", "most"))
        lines.append(f"{name:<24}{numbers}{figure['n']:>5}  {WHAT[name]}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=50, help="cases to go through")
    parser.add_argument("--servers", type=int, default=5, help="servers to start")
    parser.add_argument("--edits", type=int, default=10, help="edits to make on each sample")
    parser.add_argument("--dozens", type=int, default=5, help="cases of which a dozen changes are combined")
    parser.add_argument("--only", nargs="+", choices=MEASURES, default=[*MEASURES], help="the others stay as they are")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the figures go as JSON")
    asked = parser.parse_args(arguments)
    with chromium() as browser:
        times = {name: values for part in asked.only for name, values in MEASURES[part](browser, asked).items()}
        about = machine(browser)
    print(table(summary(times)))
    known = json.loads(asked.out.read_text(encoding="utf-8"))["figures"] if asked.out.exists() else {}
    figures = {name: figure for name, figure in {**known, **summary(times)}.items() if name in WHAT}
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(json.dumps({"figures": figures, "machine": about}, indent=2) + "\n", encoding="utf-8")


MEASURES: dict[str, Callable[[Browser, argparse.Namespace], dict[str, list[float]]]] = {
    "switches": lambda browser, asked: switches(browser, asked.cases),
    "starts": lambda browser, asked: starts(browser, asked.servers),
    "what_ifs": lambda browser, asked: what_ifs(browser, asked.edits),
    "reports": lambda browser, asked: reports(browser),
    "constellations": lambda browser, asked: constellations(browser, asked.dozens),
}


if __name__ == "__main__":
    main()
