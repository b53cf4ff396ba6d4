from __future__ import annotations

import pytest
from chart_games import CREDIT, HOSTILE, WORD
from chart_texts import shown

from components.charts.text import (
    BODY,
    SELECTED_MARK,
    Standing,
    change_text,
    escape,
    label,
    standing,
    width_of,
    wrap,
)
from components.palette import LIGHT
from explainers.results import FeatureChange

ROOM = 120.0


@pytest.mark.parametrize(
    "text", ["a rather long name of a feature", WORD, "没有账户" * 20, "مرحبا بالعالم " * 5, "", "i" * 200]
)
@pytest.mark.parametrize("indent", [0.0, 60.0])
def test_lines_fit_and_nothing_is_lost(text: str, indent: float) -> None:
    lines = wrap(text, ROOM, BODY, indent=indent)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(width_of(line, BODY) <= ROOM - (indent if i == 0 else 0) for i, line in enumerate(lines))


def test_a_word_that_fits_a_whole_line_is_not_broken_for_the_indent() -> None:
    assert wrap("installment", ROOM, BODY, indent=100) == ("", "installment")


def test_a_room_of_nothing_still_ends() -> None:
    assert wrap("abc", 0.0, BODY) == ("a", "b", "c")


def test_wide_scripts_are_one_em_wide() -> None:
    assert width_of("没有", 10) == 20
    assert width_of("e\u0301", 10) == width_of("e", 10)
    assert width_of("é", 10) == width_of("e", 10)
    assert width_of("a", 14, bold=True) > width_of("a", 14)


def test_escaped_text_reads_as_before_and_holds_no_markup() -> None:
    for text in HOSTILE:
        assert shown(escape(text)) == text
        assert not set("<>\"'$").intersection(escape(text))


def test_right_to_left_texts_do_not_turn_their_surroundings() -> None:
    change = FeatureChange("f", "f", "a", "b", "قديم", "جديد")
    assert change_text(change) == "\u2068قديم\u2069 →\u00a0\u2068جديد\u2069"
    assert escape("محل") == "\u2068محل\u2069"


def test_a_break_falls_before_the_arrow_and_short_values_stay_whole() -> None:
    change = FeatureChange("f", "savings", "a", "b", "< 100 DM", "≥ 1 000 DM")
    assert label(change, 100).detail == ("< 100\u00a0DM".replace(" ", "\u00a0"), "→\u00a0≥\u00a01\u00a0000\u00a0DM")


def test_selecting_moves_no_line() -> None:
    title, old, new = CREDIT[7]
    one = label(FeatureChange("f", title, old, new, old, new), 150)
    plain, marked = (one.markup(LIGHT, stands) for stands in (Standing.NEUTRAL, Standing.SELECTED))
    assert marked.count("<br>") == plain.count("<br>")
    assert shown(marked) == SELECTED_MARK + shown(plain)
    assert width_of(SELECTED_MARK + one.name[0], BODY, bold=True) <= 150
    dimmed = one.markup(LIGHT, Standing.DIMMED)
    assert "<b>" not in dimmed and LIGHT.ink_secondary in dimmed


def test_standing() -> None:
    assert standing(["a"], frozenset()) is Standing.NEUTRAL
    assert standing(["a", "b"], frozenset("b")) is Standing.SELECTED
    assert standing(["a"], frozenset("b")) is Standing.DIMMED
