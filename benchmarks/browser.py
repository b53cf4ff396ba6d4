"""A real server of the dashboard and a real browser on it: for the benchmark and for the tests that drive one."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Download, Locator, Page, Request, WebSocket, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
HEALTH = "/_stcore/health"
CHARTS = ("countershapley", "greedy", "constellation")
PATIENCE = 60.0
"""Seconds after which something is broken."""

_SETTLED = """() =>
    document.querySelector('[data-test-connection-state=CONNECTED]') !== null
    && document.querySelector('[data-test-script-state=notRunning]') !== null
    && document.querySelector('[data-stale=true], .st-key-card_pending') === null
"""
_FIGURES = """() => Object.fromEntries([...document.querySelectorAll('[class*=st-key-card_] .js-plotly-plot')].map(
    plot => [/st-key-card_(\\w+)/.exec(plot.closest('[class*=st-key-card_]').className)[1], plot.data ?? null]))"""
_DRAWN = """names => {
    const cards = [...document.querySelectorAll('[class*=st-key-card_]')]
    const whole = card => card.querySelector('.js-plotly-plot .main-svg, .empty, [data-testid=stDataFrame]')
    return cards.length > 0 && cards.every(whole) && names.every(
        name => document.querySelector(`.st-key-card_${name} .js-plotly-plot .main-svg`))
}"""
_PLACE = """([card, what]) => {
    const plot = document.querySelector(`.st-key-card_${card} .js-plotly-plot`)
    for (const [number, trace] of plot.data.entries()) {
        const place = [...(trace.customdata ?? [])].findIndex(own => String(own) === String(what))
        if (place < 0) continue
        const group = plot.querySelectorAll('.scatterlayer .trace, .barlayer .trace')
        const own = [...group].find(g => g.__data__?.[0]?.trace?.index === number)
        const box = own.querySelectorAll('.point')[place].getBoundingClientRect()
        return [box.x + box.width / 2, box.y + box.height / 2]
    }
}"""


class Server:
    """The dashboard in a process of its own.

    Parameters
    ----------
    guard : Path, optional
        A folder whose ``sitecustomize.py`` the server's Python runs first.
    environment : mapping, optional
        What else the server is told.
    """

    def __init__(self, guard: Path | None = None, environment: dict[str, str] | None = None) -> None:
        self.port = _free_port()
        path = os.pathsep.join(filter(None, [str(guard) if guard else "", os.environ.get("PYTHONPATH", "")]))
        options = {"server.headless": "true", "server.port": str(self.port)}
        flags = [part for name, value in options.items() for part in (f"--{name}", value)]
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", *flags],
            cwd=ROOT, env={**os.environ, "PYTHONPATH": path, **(environment or {})},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.log: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.log.extend(self.process.stdout)

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    def url(self, path: str = "/", **query: Any) -> str:
        """An address on this server."""
        return f"http://{self.host}{path}{'?' if query else ''}{urlencode(query, doseq=True)}"

    def wait(self) -> Server:
        """Wait until it says that it is well, as it does before it opens a browser."""
        nothing = threading.Event()
        while time.monotonic() - self.started < PATIENCE:
            if self.process.poll() is not None:
                raise RuntimeError(f"The server ended: {''.join(self.log)}")
            if self._is_well():
                return self
            nothing.wait(0.01)
        raise RuntimeError("The server did not answer.")

    def _is_well(self) -> bool:
        asking = HTTPConnection("localhost", self.port, timeout=PATIENCE)
        try:
            asking.request("GET", HEALTH)
            return asking.getresponse().status == 200
        except OSError:
            return False
        finally:
            asking.close()

    def cpu_seconds(self) -> float:
        """What the process has used so far, for itself and for the system in its name."""
        clock_of_process = (~self.process.pid << 3) | 2  # as clock_getcpuclockid(3) makes it on Linux
        return time.clock_gettime(clock_of_process)

    def stop(self) -> None:
        """End it; the port is free afterwards."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("localhost", 0))
        port: int = asking.getsockname()[1]
        return port


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's Chromium, without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Tab:
    """One visitor: a page of its own with all that it asked for and complained of.

    Parameters
    ----------
    browser : Browser
    server : Server
    size : (int, int)
    dark : bool
        Whether the person's system is set to dark colours.
    """

    def __init__(self, browser: Browser, server: Server, size: tuple[int, int] = (1440, 1600), dark: bool = False):
        self.server = server
        scheme = "dark" if dark else "light"
        self._context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.complaints: list[tuple[str, str, str]] = []
        self.asked: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(("error", str(error), "")))
        self.page.on("request", self._note)
        self.page.on("websocket", self._note)

    def _hear(self, message: ConsoleMessage) -> None:
        self.complaints.append((message.type, message.text, message.location.get("url", "")))

    def _note(self, request: Request | WebSocket) -> None:
        self.asked.append(request.url)

    def open(self, path: str = "/", **query: Any) -> Tab:
        """Go to an address of the server and wait for what it shows."""
        self.page.goto(self.server.url(path, **query))
        return self.settle()

    def settle(self) -> Tab:
        """Wait until the page is connected, has run and shows nothing old."""
        self.page.wait_for_selector("[data-test-connection-state=CONNECTED]", state="attached")
        self.page.wait_for_function(_SETTLED)
        return self

    def wait_for_address(self, **query: Any) -> Tab:
        """Wait until the address has these parameters, or has none of a name where ``None`` is asked."""
        wanted = {name: value if isinstance(value, list | None) else [value] for name, value in query.items()}
        self.page.wait_for_function(
            """wanted => {
                const asked = new URLSearchParams(location.search)
                return Object.entries(wanted).every(([name, values]) =>
                    JSON.stringify(asked.getAll(name)) === JSON.stringify(values ?? []))
            }""",
            arg=wanted,
        )
        return self.settle()

    def wait_for_sentence(self, sentence: str) -> Tab:
        """Wait until the answer above the cards is this one, blanks aside."""
        self.page.wait_for_function(
            """text => document.querySelector('.sentence')?.textContent.replace(/\\s+/g, ' ').trim() === text""",
            arg=" ".join(sentence.split()),
        )
        return self.settle()

    def wait_for_charts(self, *charts: str) -> Tab:
        """Wait until each card has its chart or what stands in its place; these charts must be drawn."""
        self.settle()
        self.page.wait_for_function(_DRAWN, arg=list(charts))
        return self

    @property
    def address(self) -> dict[str, list[str]]:
        """The parameters in the address."""
        return parse_qs(urlsplit(self.page.url).query, keep_blank_values=True)

    @property
    def path(self) -> str:
        return urlsplit(self.page.url).path

    @property
    def sentence(self) -> str:
        """The answer above the cards."""
        return " ".join(self.page.locator(".sentence").first.inner_text().split())

    def texts(self, css: str) -> list[str]:
        """What stands in all such elements once the page has run."""
        self.settle()
        return [" ".join(text.split()) for text in self.page.locator(css).all_inner_texts()]

    def figures(self) -> dict[str, Any]:
        """The data of the charts on the page, by card."""
        return {name: _values(data) for name, data in self.page.evaluate(_FIGURES).items()}

    def drawn_text(self, chart: str) -> str:
        """All words of a chart, as drawn."""
        return " ".join(self.page.locator(f".st-key-card_{chart} .js-plotly-plot svg").all_text_contents())

    def marks(self, chart: str) -> set[str]:
        """What the marks of a chart stand for."""
        traces = self.figures()[chart]
        return {str(what) for trace in traces for what in trace.get("customdata") or () if what != ""}

    def pick(self, chart: str, what: Any) -> None:
        """Click the mark of a chart that stands for something."""
        self.page.locator(f".st-key-card_{chart} .js-plotly-plot").scroll_into_view_if_needed()
        x, y = self.page.evaluate(_PLACE, [chart, what])
        self.page.mouse.click(x, y)

    def press(self, key: str) -> Tab:
        """Press a key of the keyboard."""
        self.page.keyboard.press(key)
        return self

    def button(self, key: str) -> Locator:
        """The button with this key; Streamlit hides a second one for narrow screens."""
        return self.page.locator(f".st-key-{re.sub('[^A-Za-z0-9_-]', '-', key)} button:visible")

    def take(self, label: str) -> Download:
        """Open "Take it away", if it isn't open, and take the file whose button begins so."""
        offers = self.page.locator(".st-key-taken")
        if not offers.count():
            self.button("take away").click()
            offers.wait_for()
            self.settle()
        self.page.mouse.move(0, 0)  # or the help of the button pressed before would lie over this one
        with self.page.expect_download() as told:
            offers.get_by_role("button", name=label).first.click()
        return told.value

    def close(self) -> None:
        self._context.close()


def _values(data: Any) -> Any:
    """Data as told by the page, so that equal figures are equal: typed arrays come as objects."""
    return json.loads(json.dumps(data))
