"""The report holds what is on the screen, nothing that is run, and nothing from elsewhere."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd
import pytest

from components.charts.constellation import constellation_chart
from components.palette import DARK, LIGHT
from components.take_away.drawn import charts
from components.take_away.offer import explanation_report
from components.take_away.report import MOST_ROWS
from explainers import archive, sentences, wording
from explainers.explanation import Explanation, explain_changes
from explainers.problem import Problem
from explainers.shown import Shown
from tests.contract.problems import BUILDERS, cases_of, problem_called
from tests.explainers.tables import HOSTILE, counterfactual, game, posed
from tests.explainers.test_how_to_read import explained

NASTY = f"{HOSTILE}</script><script>boom()</script>{{{{ 7*7 }}}}"
VOID = {"meta", "link", "br"}


class Page(HTMLParser):
    """What a browser makes of the markup: elements with their attributes, and the texts in them."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(page.decode())
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts.setdefault(self._open[-1], []).append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def page_of(problem: Problem, explanation: Explanation, **said: Any) -> bytes:
    told = {"subject": "data · model", "facts": [("Link", "http://localhost/?case=1&x=2")], **said}
    cards = charts(explanation, LIGHT, width=680)
    return explanation_report(problem.schema, Shown(explanation), cards, **told)


@pytest.fixture(scope="module")
def nasty() -> tuple[Page, Explanation]:
    table = pd.DataFrame([[0, 0], [1, 1]], columns=[NASTY, f"{NASTY} 2"])
    problem = posed(table, lambda rows: rows.mean(axis=1) * 0.9)
    case = problem.case(0)
    explanation = explain_changes(problem, case, counterfactual(problem, case, problem.rows[1]))
    return Page(page_of(problem, explanation, subject=NASTY, facts=[(NASTY, NASTY)])), explanation


def test_no_name_is_markup_or_a_script(nasty: tuple[Page, Explanation]) -> None:
    page, _ = nasty
    scripts = page.texts["script"]
    assert len(page.all("script")) == 3 + 2 and not any(text.startswith("boom") for text in scripts)
    assert page.all("b") == [] and "49" not in page.texts["p"]
    assert NASTY in page.texts["td"] and NASTY in page.texts["dd"] and NASTY in page.texts["dt"]


def test_nothing_is_asked_of_anybody(nasty: tuple[Page, Explanation]) -> None:
    page, _ = nasty
    addresses = [own[name] for _, own in page.elements for name in ("src", "href", "data", "action") if name in own]
    assert addresses == ["data:,"]
    (policy,) = [own["content"] for own in page.all("meta") if own.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None and "default-src 'none'" in policy and "http" not in policy
    assert not re.search(r"url\((?!data:)", "".join(page.texts["style"]))


def test_it_can_be_read_without_seeing_it(nasty: tuple[Page, Explanation]) -> None:
    page, explanation = nasty
    assert page.all("html") == [{"lang": "en"}] and len(page.all("h1")) == 1 and len(page.all("main")) == 1
    named = {own["id"] for own in page.all("h2")}
    assert {own["aria-labelledby"] for own in page.all("section")} == named
    drawn = [own for own in page.all("div") if own.get("role") == "img"]
    assert len(drawn) == 3 == len(charts(explanation, LIGHT, width=680))
    assert explanation.countershapley is not None
    assert drawn[0]["aria-label"] == wording.plain(sentences.alt_importance(explanation.countershapley))
    assert all(own.get("scope") == "col" for own in page.all("th"))
    assert page.texts["summary"] == ["How to read this", "Table"] * 3


def test_the_charts_in_it_are_those_on_the_screen(nasty: tuple[Page, Explanation]) -> None:
    page, explanation = nasty
    specs = [json.loads(text) for text in page.texts["script"] if text.startswith('{"data"')]
    assert specs == [json.loads(chart.figure.to_json()) for chart in charts(explanation, LIGHT, width=680)]


@pytest.mark.parametrize("name", BUILDERS)
def test_every_problem_has_its_report(name: str) -> None:
    from explainers.counterfactuals.nice import Nice

    problem = problem_called(name)
    case = cases_of(problem)[1]
    explanation = explain_changes(problem, case, Nice().explain(problem, case).found[0])
    page = Page(page_of(problem, explanation))
    cells = page.texts["td"]
    assert all(change.new_text in cells for change in explanation.counterfactual.changes)
    unchanged = len(problem.schema.names) - len(explanation.counterfactual)
    assert len(cells) >= 2 * unchanged and "nan" not in cells


def test_what_was_stopped_too_early_says_so() -> None:
    problem, case, found = game([0.2, 0.3, 0.35, 0.95], 0.5)
    explanation = replace(explain_changes(problem, case, found), countershapley=None)
    page = Page(page_of(problem, explanation))
    shown = [own["id"] for own in page.all("div") if own.get("role") == "img"]
    assert shown == ["chart-greedy", "chart-constellation"]
    assert wording.plain(sentences.not_valued(2)) in page.texts["p"]


def test_more_changes_than_can_be_combined_are_all_in_it() -> None:
    """With the errors of what was sampled, and what was scored."""
    n = 18
    table = pd.DataFrame(np.array([[0] * n, [1] * n]), columns=[f"f{i}" for i in range(n)])
    problem = posed(table, lambda rows: rows.mean(axis=1) ** 2)
    case = problem.case(0)
    explanation = explain_changes(problem, case, counterfactual(problem, case, problem.rows[1]))
    page = Page(page_of(problem, explanation))
    shown = [own["id"] for own in page.all("div") if own.get("role") == "img"]
    assert shown == ["chart-countershapley", "chart-greedy", "chart-constellation"]
    assert any("one standard error" in text for text in page.texts["p"])


def test_a_table_that_is_cut_says_by_how_much() -> None:
    scores = [0.1 + 0.8 * mask.bit_count() / 13 for mask in range(2**13)]
    problem, case, found = game(scores, 0.5)
    page = Page(page_of(problem, explain_changes(problem, case, found)))
    assert page.texts["caption"] == [f"{wording.count(2**13 - MOST_ROWS, 'more row')} in the table as CSV."]


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_what_is_read_back_from_json_is_drawn_as_it_was(palette: Any) -> None:
    explanation = explained([0.1, 0.6, 0.2, 0.4, 0.3, 0.6, 0.7, 0.9])
    back = archive.from_json(archive.to_json(explanation))
    kept, drawn = (charts(own, palette, selection=("f0",), width=700) for own in (back, explanation))
    assert [chart.figure.to_json() for chart in kept] == [chart.figure.to_json() for chart in drawn]
    assert [chart.alt for chart in kept] == [chart.alt for chart in drawn]
    assert len(kept) == 3


def test_the_arrangement_goes_along() -> None:
    explanation = explained([0.1, 0.6, 0.2, 0.4, 0.3, 0.6, 0.7, 0.9])
    assert explanation.coalitions is not None and explanation.countershapley is not None
    chart = charts(explanation, LIGHT, arrangement="size", width=700)[-1]
    coalitions, importance = explanation.coalitions, explanation.countershapley
    by_size = constellation_chart(coalitions, importance, LIGHT, arrangement="size", width=700)
    assert {d.y for d in by_size.data} == {d.y for d in chart.figure.data}
    assert "One band a number of changes" in " ".join(map(wording.plain, chart.help_))
