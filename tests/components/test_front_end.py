"""What the browser is handed before anything is drawn."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from components.front_end import ELEMENTS, FOLDER, FrontEnd, early_code

PAGE = b"<html><head><title>it</title></head><body>kept</body></html>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A front end of which a slider needs two more modules, one through the other."""
    code = tmp_path / "static" / "js"
    code.mkdir(parents=True)
    (code / "Slider.a1.js").write_text('import{o as e}from"./rail.b2.js";import("./never.c3.js")')
    (code / "rail.b2.js").write_text('import"./base.d4.js";import{a}from"./Slider.a1.js"')
    (code / "base.d4.js").write_text("export{}")
    (code / "never.c3.js").write_text("export{}")
    (tmp_path / "index.html").write_bytes(PAGE)
    return tmp_path


def answer(
    folder: Path, path: str, method: str = "GET", kind: bytes = b"text/html; charset=utf-8", status: int = 200
) -> tuple[Any, bytes]:
    """What comes back where Streamlit would answer everything with the page, in two pieces."""
    sent: list[Any] = []

    async def streamlit(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"Content-Type", kind), (b"Content-Length", str(len(PAGE)).encode()), (b"etag", b"e")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": PAGE[:20], "more_body": True})
        await send({"type": "http.response.body", "body": PAGE[20:]})

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path}
    asyncio.run(FrontEnd(streamlit, folder)(scope, None, send))
    start, *rest = sent
    headers = {name.lower(): value for name, value in start["headers"]}
    return headers, b"".join(message["body"] for message in rest)


def test_a_file_is_answered_whole_and_may_be_kept(folder: Path) -> None:
    headers, body = answer(folder, "/static/js/rail.b2.js")
    assert body == (folder / "static/js/rail.b2.js").read_bytes()
    assert headers[b"content-length"] == str(len(body)).encode()
    assert headers[b"content-type"].startswith(b"text/javascript")
    assert b"immutable" in headers[b"cache-control"]


@pytest.mark.parametrize("path", ["/static/js/other.js", "/index.html", "/static/js/../../index.html", "/static/js"])
def test_nothing_else_is_answered_from_the_folder(folder: Path, path: str) -> None:
    assert answer(folder, path, kind=b"text/plain")[1] == PAGE


def test_a_page_fetches_what_an_element_needs_and_runs_the_element(folder: Path) -> None:
    headers, body = answer(folder, "/cases")
    assert headers[b"content-length"] == str(len(body)).encode()
    assert headers[b"etag"] == b"e"
    before, after = body.split(b"</head>")
    assert after == b"<body>kept</body></html>"
    for name in (b"Slider.a1.js", b"rail.b2.js", b"base.d4.js"):
        assert before.count(b'<link rel="modulepreload" crossorigin href="./static/js/' + name) == 1
    assert before.count(b"import(") == 1
    assert b'import("./static/js/Slider.a1.js")' in before
    assert b"never" not in before


@pytest.mark.parametrize(
    "other", [{"method": "HEAD"}, {"method": "POST"}, {"kind": b"application/json"}, {"status": 404}]
)
def test_what_is_no_page_is_passed_on_as_it_is(folder: Path, other: dict[str, Any]) -> None:
    headers, body = answer(folder, "/", **other)
    assert body == PAGE
    assert headers[b"content-length"] == str(len(PAGE)).encode()


def test_a_front_end_without_such_files_is_left_alone(tmp_path: Path) -> None:
    assert answer(tmp_path, "/")[1] == PAGE


def test_streamlit_has_one_file_for_each_kind_of_element() -> None:
    code = FOLDER / "static" / "js"
    assert {element: len([*code.glob(f"{element}.*.js")]) for element in ELEMENTS} == dict.fromkeys(ELEMENTS, 1)
    assert f'import("./static/js/{next(code.glob("PlotlyChart.*.js")).name}")' in early_code(code)
