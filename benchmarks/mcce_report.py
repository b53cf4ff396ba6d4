"""The figures of `benchmarks.mcce` as a page, beside what the paper prints."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

ABOUT = (
    "Times are CPU seconds of one thread; those of Adult among the figures are the smaller ones of two runs.",
    "L1 is summed, as the paper's tables have it.",
    "Of Give Me Some Credit the test part alone is at hand, 28 882 rows, and the model refuses no more of them than"
    " stand under n; the paper draws 1 000 from a larger table.",
)
PRINTED: dict[str, dict[Any, str]] = {
    "Table 2": {
        "Adult": "L0 2.70 (0.73), L1 0.56 (0.45), found 1000, 15.00 s, AUC .90",
        "Give Me Some Credit": "L0 4.52 (0.97), L1 0.61 (0.32), found 1000, 19.58 s, AUC .82",
        "German Credit": "L0 3.62 (0.93), L1 1.90 (0.76), found 200, 3.71 s, AUC .80",
        "FICO": "L0 12.67 (1.91), L1 1.95 (0.78), found 1000, 15.47 s, AUC .76",
    },
    "Table 4": {
        10: "3.98 (1.1), 1.59 (0.94), 999; 3.8, 0.38, 5.56 s",
        50: "3.39 (0.94), 1.1 (0.77), 1000; 3.8, 0.58, 5.61 s",
        100: "3.18 (0.9), 0.93 (0.69), 1000; 3.8, 0.76, 5.72 s",
        1000: "2.7 (0.73), 0.56 (0.45), 1000; 3.8, 4.39, 7.23 s",
        5000: "2.51 (0.66), 0.45 (0.39), 1000; 3.8, 21.29, 12.34 s",
        10_000: "2.43 (0.64), 0.43 (0.37), 1000; 3.8, 42.61, 17.71 s",
        25_000: "2.39 (0.64), 0.41 (0.36), 1000; 3.8, 106.93, 29.50 s",
    },
    "Table 6": {
        "Adult": "11 of 1000",
        "Give Me Some Credit": "4 of 1000",
        "FICO": "0 of 1000",
        "German Credit": "2 of 200",
    },
    "Table 7": {"up to 4 levels": "3.14 (0.98), 0.9 (0.76), 1000", "all levels": ""},
    "Table 8": {"forest of 200": "2.48 (0.83), 0.42 (0.43), 1000"},
    "Table 9": {
        10: "4.66 (1.4), 2.19 (1.22), 633",
        50: "4.04 (1.27), 1.71 (1.09), 837",
        100: "3.79 (1.24), 1.50 (1.05), 875",
        1000: "3.19 (1.13), 1.00 (0.85), 974",
        5000: "2.78 (0.9), 0.69 (0.59), 1000",
        10_000: "2.64 (0.82), 0.62 (0.54), 1000",
        25_000: "2.45 (0.81), 0.55 (0.50), 1000",
    },
    "Section 3.3": {"Adult": ".628", "Give Me Some Credit": ".565", "FICO": ".591", "German Credit": ".557"},
}
TABLE_5 = {
    (1, 1000, 5, 10_000): (0.04, 0.11, 0.09), (1, 1000, 5, 100_000): (0.04, 0.75, 0.12),
    (1, 1000, 30, 10_000): (1.25, 0.83, 0.09), (1, 1000, 30, 100_000): (1.25, 5.10, 0.15),
    (1, 10_000, 5, 10_000): (0.48, 0.07, 0.09), (1, 10_000, 5, 100_000): (0.48, 0.46, 0.12),
    (1, 10_000, 30, 10_000): (12.05, 0.95, 0.10), (1, 10_000, 30, 100_000): (12.05, 5.39, 0.15),
    (50, 1000, 5, 10_000): (0.05, 3.70, 0.99), (50, 1000, 5, 100_000): (0.04, 38.26, 3.36),
    (50, 1000, 30, 10_000): (1.24, 24.89, 1.03), (50, 1000, 30, 100_000): (1.24, 264.63, 6.21),
    (50, 10_000, 5, 10_000): (0.48, 2.07, 0.70), (50, 10_000, 5, 100_000): (0.49, 25.16, 3.01),
    (50, 10_000, 30, 10_000): (12.06, 24.87, 1.04), (50, 10_000, 30, 100_000): (12.00, 268.76, 6.03),
}  # fmt: skip


def measured_on() -> dict[str, Any]:
    """What the figures depend on besides the code."""
    names = ("numpy", "pandas", "scikit-learn")
    machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
    return {**machine, **{name: version(name) for name in names}}


def markdown(report: Mapping[str, Any]) -> str:
    """The whole report."""
    lines = [
        "# MCCE, ours beside the paper",
        "",
        " ".join(ABOUT),
        "",
    ]
    lines += ["| figure | ours | aim |", "|---|---|---|"]
    lines += [f"| {name} | {value:.4g} | {report['bars'].get(name, '')} |" for name, value in report["figures"].items()]
    for name, printed in PRINTED.items():
        rows = report["tables"][name]
        heads = list(next(iter(rows.values())))
        lines += ["", f"## {name}", "", f"| | {' | '.join(heads)} | paper |", f"|{'---|' * (len(heads) + 2)}"]
        for key, row in rows.items():
            lines.append(f"| {key} | {' | '.join(str(row[head]) for head in heads)} | {printed[key]} |")
    heads = list(report["tables"]["Table 5"][0])
    lines += ["", "## Table 5", "", f"| {' | '.join(heads)} | paper |", f"|{'---|' * (len(heads) + 1)}"]
    for row in report["tables"]["Table 5"]:
        seconds = TABLE_5[row["n_test"], row["n_train"], row["p"], row["K"]]
        lines.append(f"| {' | '.join(str(row[head]) for head in heads)} | {', '.join(map(str, seconds))} |")
    without = [f"- {told}: {amount}" for told, amount in report["fico_without"].items()] or ["- none"]
    lines += ["", "## FICO cases for which nothing was found, and why", "", *without, ""]
    return "\n".join(lines)
