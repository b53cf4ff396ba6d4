"""Let the browser fetch the charts' code at once, not only when the first chart arrives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit

CHART_CODE = "static/static/js/PlotlyChart.*.js"


class PreloadCharts:
    """Adds to every page that is served a header that names the code of the charts.

    Streamlit fetches it, by far its largest part, when it meets the first chart; by then
    the model has answered and everything else is drawn. Where a version of Streamlit has
    no such file, nothing is added.

    Parameters
    ----------
    app : callable
        The application that is wrapped, as ASGI has it.
    """

    def __init__(self, app: Any) -> None:
        self.app = app
        found = sorted(Path(streamlit.__file__).parent.glob(CHART_CODE))
        self.links = [(b"link", f"</static/js/{path.name}>; rel=modulepreload".encode()) for path in found]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""

        async def send_with_links(message: Any) -> None:
            if message["type"] == "http.response.start" and _is_page(message["headers"]):
                message = {**message, "headers": [*message["headers"], *self.links]}
            await send(message)

        await self.app(scope, receive, send_with_links)


def _is_page(headers: Any) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers)
