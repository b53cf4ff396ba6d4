"""Texts of charts: estimated widths, wrapping, escaping, and the label of a change."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from components.palette import Palette
from explainers.results import FeatureChange

LABEL = 15
BODY = 14
AXIS = 13
LINE = 18
SELECTED_MARK = "● "
LONGEST_TIED = 16

# Advance widths of Source Sans in em, measured, rounded up.
_WIDTHS = {
    character: width
    for characters, width in (
        (" \u00a0ijlI|'.,:;·!", 0.27),
        ("f()[]{}-tr/\\", 0.34),
        ('szxcvyYJ?"*', 0.46),
        ("ABCEKPRSTVXZohunbdpq", 0.57),
        ("DGHNOQU&→", 0.66),
        ("wM", 0.75),
        ("mW%@—", 0.85),
        ("●◄►", 0.61),
    )
    for character in characters
}
_BOLD = 1.06
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;", "$": "&#36;"})


class Standing(StrEnum):
    """How a change stands to the selection."""

    NEUTRAL = "neutral"
    SELECTED = "selected"
    DIMMED = "dimmed"


def standing(features: Iterable[str], selected: frozenset[str]) -> Standing:
    """Selected if one of the features is; dimmed if only others are."""
    if not selected:
        return Standing.NEUTRAL
    return Standing.SELECTED if selected.intersection(features) else Standing.DIMMED


@cache
def _em(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return 0.0
    if ord(character) < 0x250:
        character = unicodedata.normalize("NFKD", character)[0]
        return _WIDTHS.get(character, 0.53)
    return _WIDTHS.get(character, 0.75 if character.isupper() else 0.66)


@lru_cache(maxsize=4096)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """Estimated width of a text in pixels, rather too wide than too narrow."""
    return sum(map(_em, text)) * size * (_BOLD if bold else 1.0)


def _cut(word: str, room: float, size: float, bold: bool) -> tuple[str, str]:
    """The longest beginning of a word that fits, one character at least, and the rest."""
    used, end = 0.0, 0
    for character in word:
        used += width_of(character, size, bold)
        if used > room and end:
            break
        end += 1
    return word[:end], word[end:]


def wrap(text: str, room: float, size: float, bold: bool = False, indent: float = 0.0) -> tuple[str, ...]:
    """A text in lines no wider than `room`; a word that is too long is broken.

    The first line is shorter by `indent`.
    """
    lines: list[str] = []
    line, used, blank = "", 0.0, width_of(" ", size, bold)
    for word in filter(None, re.split(r"[ \t\r\n]+", text)):
        left = room - (0.0 if lines else indent)
        width = width_of(word, size, bold)
        joined, needed = (f"{line} {word}", used + blank + width) if line else (word, width)
        if needed <= left:
            line, used = joined, needed
            continue
        if line or (left < width <= room):
            lines.append(line)
        rest = word
        while width_of(rest, size, bold) > room - (0.0 if lines else indent):
            piece, rest = _cut(rest, room - (0.0 if lines else indent), size, bold)
            lines.append(piece)
        line, used = rest, width_of(rest, size, bold)
    return (*lines, line) if line or not lines else tuple(lines)


def escape(text: str) -> str:
    """A text that Plotly shows as it is, with no tag, entity or formula in it."""
    return _isolated(text).translate(_ENTITIES)


def _isolated(text: str) -> str:
    """A right-to-left text shut off from its surroundings, whose order it would turn round."""
    if not text.isascii() and any(unicodedata.bidirectional(character) in ("R", "AL") for character in text):
        return f"\u2068{text}\u2069"
    return text


def bold(text: str) -> str:
    """Markup in bold."""
    return f"<b>{text}</b>"


def tinted(text: str, color: str, size: int | None = None) -> str:
    """Markup in a colour and, if given, a size."""
    font = f";font-size:{size}px" if size else ""
    return f'<span style="color:{color}{font}">{text}</span>'


def _tied(text: str) -> str:
    return text.replace(" ", "\u00a0") if len(text) <= LONGEST_TIED else text


def change_text(change: FeatureChange) -> str:
    """Old and new value; short values never break, and a break falls before the arrow."""
    return f"{_isolated(_tied(change.old_text))} →\u00a0{_isolated(_tied(change.new_text))}"


@dataclass(frozen=True)
class Label:
    """A name over an old and a new value, wrapped."""

    name: tuple[str, ...]
    detail: tuple[str, ...]

    @property
    def height(self) -> int:
        return LINE * (len(self.name) + len(self.detail))

    def markup(self, palette: Palette, standing: Standing, tail: str = "") -> str:
        """The label in Plotly's markup; `tail`, markup itself, follows the name."""
        detail = [tinted(escape(line), palette.ink_secondary) for line in self.detail]
        return "<br>".join([named(self.name, palette, standing) + tail, *detail])


def named(lines: Iterable[str], palette: Palette, standing: Standing) -> str:
    """A name as it stands to the selection."""
    text = "<br>".join(map(escape, lines))
    if standing is Standing.DIMMED:
        return "<br>".join(tinted(line, palette.ink_secondary) for line in text.split("<br>"))
    return bold(SELECTED_MARK + text if standing is Standing.SELECTED else text)


def label(change: FeatureChange, room: float, indent: float = 0.0) -> Label:
    """The label of a change in so much room, in the same lines whether selected or not."""
    indent += width_of(SELECTED_MARK, BODY, bold=True)
    return Label(
        name=wrap(change.title, room, BODY, bold=True, indent=indent),
        detail=wrap(change_text(change), room, BODY),
    )
