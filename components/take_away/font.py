"""The dashboard's own font, to go along with what is taken away."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

FAMILY = "Source Sans"
WEIGHTS = "200 900"


@cache
def font_url() -> str:
    """The font as a data URL, as it comes with Streamlit; empty where it doesn't, for then another one serves."""
    import streamlit

    folder = Path(streamlit.__file__).parent / "static" / "static" / "media"
    found = next(iter(sorted(folder.glob("SourceSans*Upright*.woff2"))), None)
    return "" if found is None else f"data:font/woff2;base64,{base64.b64encode(found.read_bytes()).decode('ascii')}"


def font_face() -> str:
    """The rule of a style sheet that brings the font."""
    if not font_url():
        return ""
    return f'@font-face{{font-family:"{FAMILY}";font-weight:{WEIGHTS};src:url({font_url()}) format("woff2")}}'
