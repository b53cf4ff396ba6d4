"""A real server, watched from inside, and a real browser, watched from outside."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "pages")]

from watching import GUARD, is_allowed, is_own  # noqa: E402

from benchmarks.browser import Server, Tab, chromium  # noqa: E402

Opened = Callable[..., Tab]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that makes a Python started with it on its path write down every connection off the machine."""
    folder = tmp_path_factory.mktemp("guard")
    (folder / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def store_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all servers of the tests keep uploads."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="session")
def start_server(has_chromium: None, guard: Path, store_folder: Path) -> Iterator[Callable[[], Server]]:
    """Starts servers nobody has asked anything; at the end none may have spoken with another machine."""
    connections = guard / "connections.txt"
    servers: list[Server] = []

    def start() -> Server:
        told = {"FLIPSIDE_TEST_CONNECTIONS": str(connections), "FLIPSIDE_STORE": str(store_folder)}
        servers.append(Server(guard, told))
        return servers[-1].wait()

    yield start
    for server in servers:
        server.stop()
    assert not connections.exists(), connections.read_text(encoding="utf-8")
    assert not any("Traceback" in line for server in servers for line in server.log)


@pytest.fixture(scope="session")
def server(start_server: Callable[[], Server]) -> Server:
    """The server that most tests share."""
    return start_server()


@pytest.fixture(scope="module")
def browser(has_chromium: None) -> Iterator[object]:
    with chromium() as started:
        yield started


@pytest.fixture
def open_tab(browser: object, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """Opens tabs; in the end none may have complained, nor asked anybody but its server.

    Given are ``path``, ``size``, ``dark`` and, as ``on``, another server than the shared
    one; all else is the address's parameters.
    """
    tabs: list[Tab] = []

    def open_(path: str = "/", on: Server | None = None, size=(1440, 1600), dark: bool = False, **query) -> Tab:
        tabs.append(Tab(browser, on or request.getfixturevalue("server"), size, dark))
        return tabs[-1].open(path, **query)

    yield open_
    for tab in tabs:
        tab.close()
    assert [complaint for tab in tabs for complaint in tab.complaints if not is_allowed(complaint)] == []
    assert [url for tab in tabs for url in tab.asked if not is_own(url, tab.server)] == []
