"""A bar cut by the share of each category; the slimmest are taken together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby

from components.charts.canvas import Frame
from explainers import wording
from explainers.usualness import Usualness

SLIM = (6, 12, 24, 48)
"""Pixels; what is narrower is taken together with such neighbours, unless it is the old or the new value.

The first of them that leaves few enough pieces without room for their names is taken.
"""


@dataclass(frozen=True)
class Segment:
    """A piece of the bar, from `start` by `length` of its 1; `role` is old, new or empty."""

    label: str
    n_rows: int
    start: float
    length: float
    role: str

    @property
    def middle(self) -> float:
        return self.start + self.length / 2


def segments(one: Usualness, frame: Frame, slim: float) -> list[Segment]:
    """The categories in the schema's order, then what is missing; those that no row has are left out.

    The old and the new value have a piece of their own, of no width where no row has them.
    Where the categories have no order, all slim pieces stand together at the end.
    """
    n_rows = max(1, one.old.n_rows)
    pieces = [
        (label, n, _role(one, float(code)))
        for code, (label, n) in enumerate(zip(one.feature.labels, one.counts.tolist(), strict=True))
    ]
    pieces.append((wording.MISSING, one.n_missing, _role(one, math.nan)))
    pieces = [piece for piece in pieces if piece[1] or piece[2]]

    def is_slim(piece: tuple[str, int, str]) -> bool:
        return not piece[2] and frame.scale * piece[1] / n_rows < slim

    if not one.feature.has_order:
        pieces.sort(key=is_slim)
    cut: list[Segment] = []
    start = 0
    for are_slim, run in groupby(pieces, is_slim):
        together = list(run)
        if are_slim and len(together) > 1:
            together = [(wording.count(len(together), "other"), sum(n for _, n, _ in together), "")]
        for label, n, role in together:
            cut.append(Segment(label, n, start / n_rows, n / n_rows, role))
            start += n
    return cut


def _role(one: Usualness, code: float) -> str:
    for role, place in (("old", one.old), ("new", one.new)):
        if place.value == code or (math.isnan(place.value) and math.isnan(code)):
            return role
    return ""
