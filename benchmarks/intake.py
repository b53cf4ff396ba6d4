"""What becomes of files that people bring, and how long it takes: ``python -m benchmarks.intake``."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser

from benchmarks.app import machine
from benchmarks.browser import ROOT, Server, Tab, chromium

RESULTS = Path(__file__).parent / "results" / "intake.json"
AWKWARD = ROOT / "tests" / "explainers" / "intake" / "test_awkward_tables.py"
HOSTILE = ROOT / "tests" / "explainers" / "intake" / "test_hostile_models.py"
SENTINEL = "ran"
N_FEATURES = 20
TARGET = "paid"
HEADER_PX, ROW_PX, CELL_PX = 17, 35, 170
WHAT = {
    "awkward_total": "awkward tables in the tests: to be read right, or refused in one sentence",
    "awkward_ok": "of them those with which that happens",
    "hostile_total": "hostile files in the tests, each read under every name of a model and as a table",
    "hostile_ran": "of them those that ran anything",
    "upload_to_explained_s": "10 000 x 20 as CSV and a forest as .skops: from choosing the files to the first case",
    "cases_100k_open_s": "100 000 x 20: from the click on Cases to the table drawn",
    "cases_100k_pick_s": "100 000 x 20: from the click on a row to that case explained",
}


class Tally:
    """Notes of the inputs that some tests are about which failed a test, and which ran something."""

    def __init__(self, parameter: str) -> None:
        self._parameter = parameter
        self.tried: set[str] = set()
        self.failed: set[str] = set()
        self.ran: set[str] = set()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: pytest.CallInfo[None]) -> Any:
        yield
        name = item.callspec.params[self._parameter]
        self.tried.add(name)
        if call.excinfo is not None:
            self.failed.add(name)
        folder: Path | None = item.funcargs.get("tmp_path")
        if folder is not None and (folder / SENTINEL).exists():
            self.ran.add(name)


def tally(path: Path, which: str, parameter: str) -> Tally:
    """Run some of a file's tests here, each about the input that a parameter names."""
    counted = Tally(parameter)
    with tempfile.TemporaryDirectory() as folder:
        pytest.main(
            ["-q", "--no-header", "-p", "no:cacheprovider", f"--basetemp={folder}/t", str(path), "-k", which], [counted]
        )
    return counted


def safety() -> dict[str, int]:
    """How the tests' awkward tables and hostile files fare."""
    awkward = tally(AWKWARD, "test_an_awkward_table_is", "case")
    hostile = tally(HOSTILE, "test_a_hostile_model_", "kind")
    return {
        "awkward_total": len(awkward.tried),
        "awkward_ok": len(awkward.tried - awkward.failed),
        "hostile_total": len(hostile.tried),
        "hostile_ran": len(hostile.ran),
    }


def table(n_rows: int, seed: int = 0) -> pd.DataFrame:
    """Fourteen measurements, three counts and three categories, and whether somebody paid."""
    random = np.random.default_rng(seed)
    measured = {f"x{place}": random.normal(50.0, 10.0, n_rows).round(3) for place in range(14)}
    counted = {f"n{place}": random.integers(0, 10 * 10**place, n_rows) for place in range(3)}
    named = {f"c{place}": random.choice(["red", "green", "blue", "grey"], n_rows) for place in range(3)}
    frame = pd.DataFrame(measured | counted | named)
    lean = frame["x0"] + frame["x1"] - 0.5 * frame["x2"] + 3.0 * (frame["c0"] == "red") + random.normal(0, 4, n_rows)
    frame[TARGET] = np.where(lean > lean.median(), "yes", "no")
    return frame


def forest(frame: pd.DataFrame, n_trees: int) -> bytes:
    """A forest fitted on a table, as a file."""
    import skops.io
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    encoder = make_column_transformer((OneHotEncoder(), ["c0", "c1", "c2"]), remainder="passthrough")
    trees = RandomForestClassifier(n_trees, max_depth=10, min_samples_leaf=5, random_state=0, n_jobs=1)
    content: bytes = skops.io.dumps(make_pipeline(encoder, trees).fit(frame.drop(columns=TARGET), frame[TARGET]))
    return content


def bring(tab: Tab, folder: Path) -> None:
    """Choose the folder's files on the page, use them, and go to the first case."""
    for which, name in (("table", "table.csv"), ("model", "model.skops")):
        box = tab.page.locator(f"[class*=st-key-{which}-file]")
        box.locator("input[type=file]").set_input_files(folder / name)
        box.get_by_text(name, exact=True).wait_for()
    tab.page.get_by_role("button", name="Use these files", exact=True).click()
    tab.page.get_by_role("button", name="Explain the first case", exact=True).wait_for(timeout=300_000)
    tab.page.wait_for_function("() => (new URLSearchParams(location.search).get('data') ?? '').length === 22")
    tab.settle()
    tab.page.get_by_role("button", name="Explain the first case", exact=True).click()
    explained(tab)


def explained(tab: Tab) -> None:
    """Wait for the charts of a case."""
    tab.page.wait_for_selector(".st-key-card_greedy .main-svg")
    tab.wait_for_charts("greedy")


def in_browser(browser: Browser, n_rows: int, n_trees: int, act: Callable[[Tab, Path], None]) -> None:
    """Do something on Data & model of a server of its own, with a table and a model in a folder."""
    frame = table(n_rows)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frame.to_csv(folder / "table.csv", index=False)
        (folder / "model.skops").write_bytes(forest(frame.head(10_000), n_trees))
        server = Server(environment={"FLIPSIDE_STORE": str(folder / "store")}).wait()
        try:
            warm = Tab(browser, server)
            warm.open()
            warm.wait_for_charts("greedy").close()
            tab = Tab(browser, server)
            act(tab.open("/data_and_model"), folder)
            tab.close()
        finally:
            server.stop()


def upload(browser: Browser, n_times: int) -> list[float]:
    """From choosing the files to the first explained case, each time on a server that knows neither."""
    times: list[float] = []

    def act(tab: Tab, folder: Path) -> None:
        begun = perf_counter()
        bring(tab, folder)
        times.append(perf_counter() - begun)

    for _ in range(n_times):
        in_browser(browser, 10_000, 100, act)
    return times


def many_cases(browser: Browser, n_times: int) -> dict[str, list[float]]:
    """Open the table of 100 000 cases and pick one, each time another."""
    times: dict[str, list[float]] = {"cases_100k_open_s": [], "cases_100k_pick_s": []}

    def act(tab: Tab, folder: Path) -> None:
        bring(tab, folder)
        for place in range(n_times):
            begun = perf_counter()
            tab.page.get_by_role("link", name="Cases", exact=True).click()
            canvas = tab.page.get_by_test_id("data-grid-canvas")
            canvas.wait_for()
            tab.page.get_by_test_id("glide-cell-2-0").wait_for(state="attached")
            tab.settle()
            times["cases_100k_open_s"].append(perf_counter() - begun)
            box = canvas.bounding_box()
            assert box is not None
            begun = perf_counter()
            tab.page.mouse.click(box["x"] + CELL_PX, box["y"] + HEADER_PX + (place + 2) * ROW_PX)
            explained(tab)
            times["cases_100k_pick_s"].append(perf_counter() - begun)

    in_browser(browser, 100_000, 20, act)
    return times


def spread(times: Sequence[float]) -> dict[str, float | int]:
    """Median, range and number."""
    return {"median": round(median(times), 3), "least": round(min(times), 3), "most": round(max(times), 3),
            "n": len(times)}  # fmt: skip


def printed(figures: dict[str, Any]) -> str:
    """The figures for people."""
    lines = [f"{'figure':<24}{'value':>9}{'least':>9}{'most':>9}  what"]
    for name, figure in figures.items():
        if isinstance(figure, dict):
            numbers = "".join(f"{figure[part]:>9.3f}" for part in ("median", "least", "most"))
        else:
            numbers = f"{figure:>9}{'':>18}"
        lines.append(f"{name:<24}{numbers}  {WHAT[name]}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="how often each wait is measured")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the figures go as JSON")
    asked = parser.parse_args(arguments)
    figures: dict[str, Any] = dict(safety())
    with chromium() as browser:
        figures["upload_to_explained_s"] = spread(upload(browser, asked.times))
        figures |= {name: spread(times) for name, times in many_cases(browser, asked.times).items()}
        about = machine(browser)
    print(printed(figures))
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(json.dumps({"figures": figures, "machine": about}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
