"""Text as HTML, with everything escaped; the only place that writes markup around data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

import streamlit as st

from components.palette import Palette
from explainers.wording import Role, Sentence


def sentence_html(sentence: Sentence, palette: Palette, size: int = 18) -> str:
    """A sentence with its roles as colour and weight."""
    return f'<div class="sentence" style="font-size:{size}px">{spans_html(sentence, palette)}</div>'


def spans_html(sentence: Sentence, palette: Palette) -> str:
    """The spans of a sentence, one after the other."""
    styles = {
        Role.PLAIN: "",
        Role.STRONG: "font-weight:600",
        Role.QUIET: f"color:{palette.ink_secondary}",
        Role.FACTUAL: f"color:{palette.factual};font-weight:600",
        Role.DESIRED: f"color:{palette.desired};font-weight:600",
    }
    return "".join(f'<span style="{styles[span.role]}">{escape(span.text)}</span>' for span in sentence)


TERMS = {
    "CounterShapley": "The Shapley value of each change: its mean effect on the score over every order of the changes.",
    "Greedy": "At each step the change that moves the score furthest towards the other side, and how far it moves it.",
    "Constellation": "Every combination of the changes by its score: it tells which are enough, and which are not.",
    "BELLA": "Black-box explanations by local linear approximations: a sparse equation that holds for as many cases"
    " around this one as it can.",
    "MCCE": "Monte Carlo sampling of counterfactual explanations: of rows like those on the other side the cheapest.",
    "SHAP": "The Shapley value of each of the case's own values, set against 100 training rows.",
    "SHAP, LIME": "SHAP sets each of the case's values against 100 training rows; LIME fits a line around the case.",
    "HEOM": "Distance that adds up differences of numbers, as shares of their range, and 1 for each other category.",
    "NICE": "Nearest instance counterfactual explanations: towards a real case, one of its values at a time.",
}


def heading(question: str, method: str, about: str, palette: Palette, help_: Sequence[Sentence] = ()) -> None:
    """A card's question, with the method's name beside it in quiet ink, and on demand how to read it.

    The browser itself opens and closes the help, so it costs no run and stays as it is in the next one.
    """
    st.html(
        f'<div class="heading"><h3>{escape(question)}</h3>'
        f'<span class="method" title="{escape(TERMS.get(method, ""))}" style="color:{palette.ink_secondary}">'
        f"{escape(method)}</span></div>"
        f'<div class="about" style="color:{palette.ink_secondary}">{escape(about)}{_help(help_, palette)}</div>'
    )


def _help(sentences: Sequence[Sentence], palette: Palette) -> str:
    if not sentences:
        return ""
    told = "".join(f"<p>{spans_html(sentence, palette)}</p>" for sentence in sentences)
    return (
        f' <details class="help"><summary>How to read this</summary>'
        f'<div style="color:{palette.ink};background:{palette.panel}">{told}</div></details>'
    )


def empty(sentence: Sentence, palette: Palette) -> None:
    """What stands in the place of a card that has nothing to show."""
    st.html(
        f'<div class="empty" role="status" style="background:{palette.panel}">{spans_html(sentence, palette)}</div>'
    )


def notes(texts: Iterable[str], palette: Palette) -> None:
    """Lines in quiet ink beside what they are about."""
    lines = "".join(f'<p class="caveat">{escape(text)}</p>' for text in texts)
    if lines:
        st.html(f'<div role="status" style="color:{palette.ink_secondary}">{lines}</div>')


JOINER = "\u2060"
"""It has no width, is not spoken, and parts two signs all the same."""
ESCAPED = re.compile(
    r"""
    ^\s*(?:\#{1,6}|[-+*]|\d+[.)])(?=\s|$) | ^\s*>    # what would begin a heading, a list or a quotation
    | \\(?=[!-/:-@\[-`{-~])                          # a backslash before what it would escape
    | :(?=[A-Za-z_][\w+\-/]*\[)                      # what would be a colour
    | ([*~`$])(?=.*\1) | (?<![^\W_])_(?=.*_)         # emphasis, code or mathematics, if there is an end to it
    """,
    re.VERBOSE | re.DOTALL,
)
PARTED = re.compile(
    r"""
    \](?=\() | :(?=//) | (?<=www)(?=\.)                                   # links
    | :(?=[A-Za-z_][\w+\-/]*:) | <(?=[A-Za-z/!?=-]) | &(?=\#?\w+;)        # icons, elements, special characters
    | >(?==) | -(?=[->]) | ~(?==)                                         # what would become one sign
    """,
    re.VERBOSE,
)


def plain_label(text: str) -> str:
    """A name as a widget's label, in which nothing is taken for markup.

    A widget's accessible name is its label as it stands here. So signs are parted where that
    is enough, others are escaped only where Markdown would take them for markup, and `a_b*c`
    is read out as it is.
    """
    return PARTED.sub(rf"\g<0>{JOINER}", ESCAPED.sub(_escaped, text))


def _escaped(found: re.Match[str]) -> str:
    """What was found with a backslash before its last sign."""
    return f"{found[0][:-1]}\\{found[0][-1]}"
