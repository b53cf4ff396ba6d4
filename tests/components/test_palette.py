from __future__ import annotations

import pytest

from components.palette import DARK, LIGHT, Palette, palette


def luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_a_theme_that_is_not_known_is_light() -> None:
    assert palette(None) is palette("light") is palette("sepia") is LIGHT
    assert palette("dark") is DARK


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_text_can_be_read_and_marks_be_seen(theme: Palette) -> None:
    for back in (theme.background, theme.panel):
        for text in (theme.ink, theme.ink_secondary, theme.factual, theme.desired):
            assert contrast(text, back) >= 4.5
    assert contrast(theme.on, theme.desired) >= 4.5
    for mark in (theme.mute, *theme.sequence):
        assert contrast(mark, theme.background) >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_sides_differ_in_more_than_hue_alone(theme: Palette) -> None:
    assert theme.side(True) == theme.desired != theme.factual == theme.side(False)
