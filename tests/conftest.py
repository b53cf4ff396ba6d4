"""What holds for every test: none pins a time, and some need Chromium."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from benchmarks.browser import CHROMIUM

MISSING = f"NO TEST IN A BROWSER WAS RUN: there is no {CHROMIUM}; install the system's package chromium."

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", ())
    if any(MISSING in str(report.longrepr) for report in skipped):
        terminalreporter.write_line(MISSING, red=True, bold=True)


@pytest.fixture(scope="session")
def has_chromium() -> None:
    if not CHROMIUM.exists():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(MISSING)
