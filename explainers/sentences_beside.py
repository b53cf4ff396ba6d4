"""What stands beside a counterfactual, in sentences: how usual its values are, and the nearest real case."""

from __future__ import annotations

import math
from collections.abc import Sequence

from explainers import wording
from explainers.real_case import RealCase
from explainers.results import Counterfactual
from explainers.schema import Feature
from explainers.standing import as_desired
from explainers.usualness import Place, Usualness
from explainers.wording import SPACE, Role, Sentence, Span, count

LASTING = frozenset({"ms", "s", "min", "h", "second", "minute", "hour", "day", "week", "month"})
"""Units of things that last; more of a year is left open, as it may be an age."""


def share(part: int, whole: int) -> str:
    """A part of all as a whole percent; never none or all unless it is."""
    if not part:
        return "none"
    if part == whole:
        return "all"
    percent = int(100 * part / whole + 0.5)
    if not percent:
        return f"less than 1{SPACE}%"
    return f"{percent}{SPACE}%" if percent < 100 else f"more than 99{SPACE}%"


def usual(feature: Feature, place: Place) -> str:
    """How usual a value is: 36: longer than 83 %; radio/tv: 28 % have it.

    Of a number, how many of the known ones lie on the side where some do, mostly below;
    of a category, and of a missing value, how many rows have it.
    """
    tail = _usual(feature, place).replace(" ", SPACE)
    return f"{wording.value(feature, place.value, unit=False)}: {tail}"


def _usual(feature: Feature, place: Place) -> str:
    is_number = feature.is_number and not math.isnan(place.value)
    sides = zip((place.n_below, place.n_above), comparatives(feature), strict=True) if is_number else ()
    for part, word in sides:
        if part == place.n_known > 0:
            return f"{word} than all"
        percent = int(100 * part / place.n_known + 0.5) if part else 0
        if percent:
            return f"{word} than {min(percent, 99)} %"
    return f"{share(place.n_equal, place.n_rows)} {'have' if place.n_equal else 'has'} it"


def comparatives(feature: Feature) -> tuple[str, str]:
    """The words for more and less of a feature."""
    if feature.is_date:
        return "later", "earlier"
    lasts = feature.unit in LASTING or feature.unit.removesuffix("s") in LASTING
    return ("longer", "shorter") if lasts else ("more", "less")


def about_usual(found: Sequence[Usualness]) -> Sentence:
    """What is drawn: all rows, and the case before and after; where values are missing, that they are."""
    rows = count(found[0].old.n_rows, "row")
    gaps = [one.feature.title for one in found if one.n_missing and one.feature.is_number]
    told = f" Of {', '.join(gaps)} the rows with a value count." if gaps else ""
    return (Span(f"The {rows} of the table, with this case before (hollow) and after (filled).{told}"),)


def alt_usual(found: Sequence[Usualness]) -> Sentence:
    """The distributions for those who can't see them."""
    parts = [f"{one.feature.title}: {usual(one.feature, one.old)}, {usual(one.feature, one.new)}" for one in found]
    return (Span(f"{'; '.join(parts)}."),)


def about_nearest(real: RealCase, counterfactual: Counterfactual) -> Sentence:
    """How near the real case is, and what the counterfactual has of it."""
    parts = [
        Span(f"Case {real.id}", Role.STRONG),
        Span(
            f" is the nearest training case with the decision wanted, {counterfactual.target.desired}. It differs in "
        ),
        Span(count(real.n_differing, "feature"), Role.STRONG),
        Span(f"; the counterfactual in {len(counterfactual)}."),
    ]
    if counterfactual.neighbour == real.id:
        parts.append(Span(" The counterfactual's new values are its own."))
    elif counterfactual.neighbour:
        parts.append(Span(f" The counterfactual's new values are those of case {counterfactual.neighbour}."))
    return tuple(parts)


def no_real_case(counterfactual: Counterfactual) -> Sentence:
    """Why there is no real case to show."""
    return (Span(f"No training case is both predicted and known {as_desired(counterfactual.target)}."),)
