"""Hand the browser Streamlit's own front end without making the first visitor wait for it.

The first screen needs a hundred small files. Streamlit reads each through several threads,
which all wait while the server itself still loads, and names the files of a kind of element
only when the first of that kind arrives, after the model has answered.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import streamlit

FOLDER = Path(streamlit.__file__).parent / "static"
ELEMENTS = ("PageLink", "Selectbox", "Button", "Html", "Checkbox", "Slider", "PlotlyChart", "BidiComponent")
"""Kinds of elements on the first screen, as Streamlit's files are called."""
TYPES = {".js": b"text/javascript; charset=utf-8", ".css": b"text/css; charset=utf-8", ".woff2": b"font/woff2"}
UNCHANGING = b"public, immutable, max-age=31536000"
"""For files whose names change with what is in them."""

HEAD = 2**14
"""So many bytes of a module hold the names of those that it imports, which come first."""

_IMPORTED = re.compile(rb'(?:from|import)"\./([\w.-]+\.js)"')


class FrontEnd:
    """Answers requests for files from memory, and has every page load and run the first screen's code at once.

    Where a version of Streamlit has no such files, nothing is added and Streamlit answers.

    Parameters
    ----------
    app : callable
        The application that is wrapped, as ASGI has it.
    folder : Path
        Where the front end lies.
    """

    def __init__(self, app: Any, folder: Path = FOLDER) -> None:
        self.app = app
        self.paths = {
            f"/{path.relative_to(folder).as_posix()}": path
            for path in (folder / "static").glob("*/*")
            if path.suffix in TYPES
        }
        self.read: dict[str, bytes] = {}
        self.early = early_code(folder / "static" / "js").encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
        elif scope["path"] in self.paths:
            await self._answer(scope["path"], send)
        else:
            await self.app(scope, receive, _Page(send, self.early).send)

    async def _answer(self, name: str, send: Any) -> None:
        path = self.paths[name]
        if name not in self.read:
            self.read[name] = path.read_bytes()
        content = self.read[name]
        headers = [
            (b"content-type", TYPES[path.suffix]),
            (b"content-length", str(len(content)).encode()),
            (b"cache-control", UNCHANGING),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": content})


class _Page:
    """Passes an answer on; a page gets a piece of markup at the end of its head."""

    def __init__(self, send: Any, markup: bytes) -> None:
        self._send = send
        self._markup = markup
        self._start: Any = None
        self._body = b""

    async def send(self, message: Any) -> None:
        """Pass on one message, that of a page once it is whole."""
        if message["type"] == "http.response.start" and message["status"] == 200 and _is_page(message["headers"]):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._send_page()

    async def _send_page(self) -> None:
        body = self._body.replace(b"</head>", self._markup + b"</head>", 1)
        headers = [header for header in self._start["headers"] if header[0].lower() != b"content-length"]
        length = (b"content-length", str(len(body)).encode())
        await self._send({**self._start, "headers": [*headers, length]})
        await self._send({"type": "http.response.body", "body": body})


def _is_page(headers: Any) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers)


def early_code(folder: Path) -> str:
    """Markup that fetches the code of the first screen's elements at once, and runs it while nothing else does.

    Parameters
    ----------
    folder : Path
        Where the code lies, one module a file, each naming those that it imports.
    """
    begun = [path.name for element in ELEMENTS for path in sorted(folder.glob(f"{element}.*.js"))]
    if not begun:
        return ""
    needed: list[str] = []
    left = [*begun]
    while left:
        name = left.pop(0)
        if name not in needed:
            needed.append(name)
            with (folder / name).open("rb") as file:
                left += [imported.decode() for imported in _IMPORTED.findall(file.read(HEAD))]
    links = "".join(f'<link rel="modulepreload" crossorigin href="./static/js/{name}">' for name in needed)
    runs = "".join(f'import("./static/js/{name}");' for name in begun)
    # Safari knows of no idle time
    return f'{links}<script type="module">(self.requestIdleCallback ?? setTimeout)(() => {{{runs}}})</script>'
