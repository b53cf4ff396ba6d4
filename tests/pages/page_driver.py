"""What a person sees of a page and does to it, by Streamlit's own test harness."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from components.state.view import View

ROOT = Path(__file__).parents[2]
MOST_RUNS = 100
CHARTS = ("countershapley", "greedy", "constellation")


class Screen:
    """One session."""

    def __init__(self, app: AppTest) -> None:
        self.app = app
        self._picked: dict[str, str] = {}

    @classmethod
    def at(cls, page: str = "", **query: str | list[str]) -> Screen:
        """Open an address; a page is named as in the address, and an option by ``nice__reward``."""
        # app.py draws nothing here, so a test that starts there is green in vain
        screen = cls(AppTest.from_file(str(ROOT / "frame" / "main.py"), default_timeout=120))
        for name, value in query.items():
            screen.app.query_params[name.replace("__", ".")] = value
        screen.settle()
        return screen.go_to(page) if page else screen

    def go_to(self, page: str) -> Screen:
        """Open a page from the navigation."""
        self.app.switch_page(f"../pages/{page}.py")
        return self.settle()

    def settle(self) -> Screen:
        """Run until no work is pending; each run waits a moment for it."""
        for _ in range(MOST_RUNS):
            self._run()
            assert not self.app.exception, self.app.exception[0].message
            if not any(button.key == "stop" for button in self.app.button):
                return self
        raise AssertionError("The work did not end.")

    def click(self, key: str) -> Screen:
        """Press a button."""
        self.app.button(key=key).click()
        return self.settle()

    def set(self, kind: str, key: str, value: Any) -> Screen:
        """Give a widget another value."""
        self.widget(kind, key).set_value(value)
        return self.settle()

    def widget(self, kind: str, name: str) -> Any:
        """The widget under a name; where the app itself changed the value, another took its place."""
        names = self.app.session_state["own"]["names of seeded widgets"]
        (widget,) = (each for each in getattr(self.app, kind) if names.get(each.key, each.key) == name)
        return widget

    def send_along(self, address: dict[str, list[str]]) -> Screen:
        """Let the browser show another address than was written last, as one that lags behind does."""
        self.app.query_params.clear()
        for name, values in address.items():
            self.app.query_params[name] = values
        return self

    def pick(self, chart: str, what: Any) -> Screen:
        """Click the mark that stands for something, as the browser would tell."""
        node = self._charts()[chart]
        for number, trace in enumerate(json.loads(node.proto.spec)["data"]):
            if what in (trace.get("customdata") or ()):
                place = trace["customdata"].index(what)
                point = {"curve_number": number, "point_index": place, "customdata": what}
                selection = {"points": [point], "point_indices": [place], "box": [], "lasso": []}
                self._picked[node.proto.id] = json.dumps({"selection": selection})
                return self.settle()
        raise AssertionError(f"No mark of {chart} stands for {what}.")

    def _run(self) -> None:
        """Run once; the harness knows no charts, so what they tell is added to what the other widgets do."""
        if not self._picked:
            self.app.run()
            return
        states = self.app._tree.get_widget_states()
        for node in self.app.get("plotly_chart"):
            if told := self._picked.get(node.proto.id):
                states.widgets.add(id=node.proto.id, string_value=told)
        self.app._run(states)

    @property
    def view(self) -> View:
        return self.app.session_state["own"]["view"]

    @property
    def address(self) -> dict[str, list[str]]:
        """The address's parameters."""
        found = self.app.query_params.items()
        return {name: list(value) if isinstance(value, list) else [value] for name, value in found}

    def html(self, css: str = "") -> list[str]:
        """The blocks of text on the page, those of a class or all, without markup."""
        bodies = [node.proto.body for node in self.app.get("html") if not node.proto.body.startswith("<style>")]
        return [_plain(body) for body in bodies if not css or re.search(rf'class="{css}[" ]', body)]

    @property
    def text(self) -> str:
        return "\n".join([*self.html(), *(caption.value for caption in self.app.caption)])

    @property
    def sentence(self) -> str:
        """The answer above the cards."""
        return self.html("sentence")[0]

    @property
    def strips(self) -> list[str]:
        """What stands in the place of what can't be shown."""
        return self.html("empty")

    @property
    def notes(self) -> list[str]:
        """The quiet lines beside what they are about."""
        blocks = (node.proto.body for node in self.app.get("html"))
        return [_plain(line) for body in blocks for line in re.findall(r'<p class="caveat".*?</p>', body)]

    @property
    def changes(self) -> list[str]:
        """The changed features of the list, each with old and new value."""
        return self.html("change")

    @property
    def figures(self) -> dict[str, dict[str, Any]]:
        return {name: json.loads(node.proto.spec) for name, node in self._charts().items()}

    def marks(self, chart: str) -> dict[Any, float]:
        """Where each mark that can be picked stands, by what it stands for; a bar at its end."""
        return dict(self._marks(chart))

    def _marks(self, chart: str) -> Iterator[tuple[Any, float]]:
        for trace in self.figures[chart]["data"]:
            lengths = trace.get("x", [])
            begins = trace.get("base") or [0.0] * len(lengths)
            for what, begin, length in zip(trace.get("customdata") or (), begins, lengths, strict=False):
                yield what, begin + length

    def words(self, chart: str) -> str:
        """All that is printed in a chart."""
        return "\n".join(_plain(note["text"]) for note in self.figures[chart]["layout"]["annotations"])

    def _charts(self) -> dict[str, Any]:
        return {node.key.split()[0]: node for node in self.app.get("plotly_chart")}

    @property
    def buttons(self) -> set[str]:
        """The keys of all buttons."""
        return {button.key for button in self.app.button}


def _plain(markup: str) -> str:
    text = unescape(re.sub(r"<[^>]*>", "", re.sub(r"</(?:div|h3|p|dt|dd|b)>|<br>", " ", markup)))
    return re.sub(r" +", " ", text).strip()
