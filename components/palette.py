"""Colours, light and dark. Colour means one thing only: the side of the decision."""

from __future__ import annotations

from dataclasses import dataclass

FONT = '"Source Sans", "Source Sans 3", "Source Sans Pro", "Segoe UI", "Helvetica Neue", Arial, sans-serif'


@dataclass(frozen=True)
class Palette:
    """The colours of one theme.

    Attributes
    ----------
    name : str
        ``light`` or ``dark``.
    background, panel : str
        Page, card and plot; inputs and hover labels.
    ink, ink_secondary : str
        Text, threshold and selection; secondary text.
    mute, rule, grid : str
        Connectors, never text; axis lines and borders; hairlines.
    factual, desired : str
        The side the case is on, and pulling back to it; the side wanted, and pushing
        to it.
    factual_tint, desired_tint : str
        Fills that have the full colour as outline.
    on : str
        Text inside a filled mark.
    sequence : tuple of str
        Scores of candidates, low to high.
    primary : str
        Buttons and sliders: neutral, so that no side's colour means "clickable".
    """

    name: str
    background: str
    panel: str
    ink: str
    ink_secondary: str
    mute: str
    rule: str
    grid: str
    factual: str
    desired: str
    factual_tint: str
    desired_tint: str
    on: str
    sequence: tuple[str, ...]
    primary: str

    def side(self, is_desired: bool) -> str:
        """The colour of a side of the decision."""
        return self.desired if is_desired else self.factual


LIGHT = Palette(
    name="light",
    background="#FFFFFF",
    panel="#F5F6F7",
    ink="#1A1D21",
    ink_secondary="#565D66",
    mute="#858C95",
    rule="#C9CED4",
    grid="#E8EAED",
    factual="#BC4E00",
    desired="#0072B2",
    factual_tint="#F3CDB4",
    desired_tint="#B5D6EA",
    on="#FFFFFF",
    sequence=("#4C91C2", "#317FB6", "#1B6BA4", "#0B4F82", "#08365C"),
    primary="#343A41",
)

DARK = Palette(
    name="dark",
    background="#15181C",
    panel="#1E2227",
    ink="#ECEEF0",
    ink_secondary="#AAB2BB",
    mute="#7A828C",
    rule="#474E57",
    grid="#2A2F36",
    factual="#F28E54",
    desired="#5DB5EA",
    factual_tint="#6B4029",
    desired_tint="#24506C",
    on="#0C1217",
    sequence=("#2F7CAB", "#4A9CCB", "#6DB9E4", "#9AD2F2", "#CDEBFC"),
    primary="#656F79",
)


def palette(theme: str | None) -> Palette:
    """The palette of a theme; light where the theme is not known."""
    return DARK if theme == "dark" else LIGHT
