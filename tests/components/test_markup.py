"""Markup around data: nothing in it is taken for markup, and marks stand where the numbers say."""

from __future__ import annotations

import re

import pytest

import samples
from components.case_bar import track
from components.html import JOINER, plain_label, spans_html
from components.palette import DARK, LIGHT
from explainers.decision import Target
from explainers.wording import Role, Span

HOSTILE = '<script>alert("&")</script>'


@pytest.mark.parametrize("role", list(Role))
def test_what_people_name_is_never_markup(role: Role) -> None:
    html = spans_html((Span(HOSTILE, role),), LIGHT)
    assert "<script" not in html
    assert "&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;" in html


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_the_sides_have_their_colours(palette) -> None:
    html = spans_html((Span("from", Role.FACTUAL), Span("to", Role.DESIRED)), palette)
    assert re.findall(r"color:(#\w+)[^>]*>(\w+)<", html) == [(palette.factual, "from"), (palette.desired, "to")]


@pytest.fixture(scope="module")
def target() -> Target:
    problem = samples.get("german_credit").load()
    sides = problem.decision.sides(problem.outputs)
    return problem.decision.target(problem.outputs[int((sides == 0).argmax())])


def places(html: str, css: str) -> list[float]:
    return [float(place) for place in re.findall(rf'class="{css}[^"]*" style="left:([\d.]+)%', html)]


def test_the_track_marks_stand_at_their_scores(target: Target) -> None:
    html = track(target, 0.25, 0.64, LIGHT)
    assert places(html, "mark") == [25, 64]
    assert places(html, "line") == [50]
    assert 'aria-label="score 0.25, with the changes 0.64, threshold 0.50"' in html


def test_without_a_counterfactual_one_mark_stands(target: Target) -> None:
    assert places(track(target, 0.25, None, LIGHT), "mark") == [25]


def test_close_scores_lean_away_from_each_other(target: Target) -> None:
    assert re.findall(r'class="above (\w+)"', track(target, 0.46, 0.52, LIGHT)) == ["leftwards", "rightwards"]
    assert re.findall(r'class="above (\w+)"', track(target, 0.10, 0.90, LIGHT)) == ["centred", "centred"]


def test_scores_that_are_no_probabilities_stay_on_the_track(target: Target) -> None:
    html = track(target, -1.0, 3.0, LIGHT)
    assert places(html, "mark") == [0, 100]
    assert places(html, "line") == [37.5]


@pytest.mark.parametrize(
    "name",
    ["a_b*c", "snake_case_name", "age [years]", "12:30:15", "C:\\dir", "100 % (of $)", "a | b", "x_1_ y", "< 0"],
)
def test_a_name_without_markup_is_a_label_as_it_stands(name: str) -> None:
    """So that it is also what is read out."""
    assert plain_label(name) == name


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("*a* b", r"\*a* b"),
        ("$x$", r"\$x$"),
        ("_a_ b", r"\_a_ b"),
        ("`code`", r"\`code`"),
        (r"a\*b", r"a\\*b"),
        ("1. first", r"1\. first"),
        ("# head", r"\# head"),
        (":red[b]", r"\:red[b]"),
    ],
)
def test_what_would_be_taken_for_markup_is_escaped(name: str, label: str) -> None:
    assert plain_label(name) == label


@pytest.mark.parametrize(
    "name", ["<b>bold</b>", "[a](b)", "x >= 3", "a -> b", ":smile:", "&amp;", "https://x.y", "www.a.b"]
)
def test_what_can_be_parted_is_read_out_as_it_is(name: str) -> None:
    """A browser was seen to show each as it is; nothing in it is escaped."""
    label = plain_label(name)
    assert label != name and label.replace(JOINER, "") == name
