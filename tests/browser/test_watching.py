"""The watchmen are awake: what they are to report, they do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from watching import is_allowed


@pytest.mark.parametrize(
    ("act", "noted"),
    [
        # 192.0.2.0/24 belongs to nobody, and connecting a datagram socket sends nothing
        ("socket.socket(type=socket.SOCK_DGRAM).connect(('192.0.2.1', 9))", "socket.connect 192.0.2.1\n"),
        ("socket.socket(type=socket.SOCK_DGRAM).connect(('127.0.0.1', 9))", ""),
        ("socket.getaddrinfo('localhost', 9)", ""),
    ],
)
def test_a_connection_off_the_machine_is_written_down(guard: Path, tmp_path: Path, act: str, noted: str) -> None:
    connections = tmp_path / "connections.txt"
    environment = {**os.environ, "PYTHONPATH": str(guard), "FLIPSIDE_TEST_CONNECTIONS": str(connections)}
    subprocess.run([sys.executable, "-c", f"import socket; {act}"], env=environment, check=True)
    assert (connections.read_text() if connections.exists() else "") == noted


@pytest.mark.parametrize(
    ("complaint", "allowed"),
    [
        (("error", "status of 404 (Not Found)", "http://localhost:1/data_and_model/_stcore/health"), True),
        (("error", "status of 404 (Not Found)", "http://localhost:1/data_and_model/_stcore/host-config"), True),
        (("error", "status of 404 (Not Found)", "http://localhost:1/_stcore/health"), False),
        (("error", "status of 404 (Not Found)", "http://localhost:1/static/chart.js"), False),
        (("warning", "WebGL is not supported", ""), True),
        (("error", "TypeError: x is undefined", ""), False),
    ],
)
def test_only_what_streamlit_always_says_is_passed_over(complaint: tuple[str, str, str], allowed: bool) -> None:
    assert is_allowed(complaint) == allowed
