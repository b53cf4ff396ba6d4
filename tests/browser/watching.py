"""What servers and pages are watched for."""

from __future__ import annotations

from urllib.parse import urlsplit

from benchmarks.browser import Server

GUARD = '''
import os, sys

def note(event, arguments):
    """Write down whom a socket is connected to, or a name is asked for, unless that is this machine."""
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else ""
    elif event == "socket.getaddrinfo":
        host = arguments[0] or ""
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host not in ("", "localhost", "::", "::1", "0.0.0.0") and not host.startswith("127."):
        with open(os.environ["FLIPSIDE_TEST_CONNECTIONS"], "a") as file:
            file.write(f"{event} {host}\\n")

sys.addaudithook(note)
'''


def is_allowed(complaint: tuple[str, str, str]) -> bool:
    """What every deep link says of its own health and settings, and what Chromium says without a graphics card."""
    _, text, url = complaint
    asks_itself = urlsplit(url).path.endswith(("/_stcore/health", "/_stcore/host-config"))
    not_at_the_root = not urlsplit(url).path.startswith("/_stcore/")
    return ("404" in text and asks_itself and not_at_the_root) or "WebGL" in text


def is_own(url: str, server: Server) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob") or parts.netloc == server.host
