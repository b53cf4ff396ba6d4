"""Do features go together as they should? Every pair of them, among real and among sampled rows.

Redelmeier, Jullum, Aas and Løland, "MCCE", 2021, Figures 3 to 5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from components.charts.canvas import Canvas, Dot, Frame
from components.charts.text import AXIS, BODY, LINE, bold, escape, width_of, wrap
from components.palette import Palette
from explainers import wording
from explainers.counterfactuals.realism import Correlations

MOST_FEATURES = 30
"""Of more, those that differ most are drawn; the table has all pairs."""
_GUTTER, _RIGHT, _HEAD, _FOOT = 150, 16, 46, 16
_LEAST_CELL, _GAP = 14.0, 1.0
_NUMBER = 12


@dataclass(frozen=True)
class _Grid:
    """How the matrices stand: so many beside each other, and how high each of their rows is.

    Across, a cell is 1 wide, and matrices stand `_GAP` apart.
    """

    places: tuple[int, ...]
    names: tuple[tuple[str, ...], ...]
    indent: float
    abreast: int
    frame: Frame

    @classmethod
    def of(cls, titles: tuple[str, ...], places: tuple[int, ...], n_matrices: int, width: int) -> _Grid:
        room, n = width - _GUTTER - _RIGHT, len(places)
        abreast = next((k for k in range(n_matrices, 1, -1) if room / (k * n + (k - 1) * _GAP) >= _LEAST_CELL), 1)
        frame = Frame(_GUTTER, _RIGHT, width, 0.0, abreast * n + (abreast - 1) * _GAP)
        indent = width_of(str(n), _NUMBER) + 8
        names = tuple(wrap(titles[place], _GUTTER - indent - 8, AXIS) for place in places)
        return cls(places, names, indent, abreast, frame)

    @property
    def cell(self) -> float:
        """Width of a cell, and the least height of one, in pixels."""
        return min(self.frame.scale, 26.0)

    @property
    def edges(self) -> NDArray[np.float64]:
        """Where the rows of a matrix begin, and where the last one ends, in pixels from its own top."""
        return np.cumsum([0.0, *(max(self.cell, LINE * len(name)) for name in self.names)])

    @property
    def height(self) -> float:
        """Of a matrix with its head and foot."""
        return float(_HEAD + self.edges[-1] + _FOOT)

    def left(self, matrix: int) -> float:
        """Where a matrix begins across."""
        return (matrix % self.abreast) * (len(self.places) + _GAP)

    def top(self, matrix: int) -> float:
        """Where the cells of a matrix begin, in pixels from the top."""
        return _HEAD + self.height * (matrix // self.abreast)


def drawn(compared: Correlations) -> tuple[int, ...]:
    """The features that are drawn, by position: all, or those with the largest differences."""
    n = len(compared.titles)
    if n <= MOST_FEATURES:
        return tuple(range(n))
    apart = np.abs(compared.sampled - compared.real).max(axis=1)
    return tuple(sorted(np.lexsort((np.arange(n), -apart))[:MOST_FEATURES].tolist()))


def association_chart(compared: Correlations, palette: Palette, *, width: int = 620) -> go.Figure:
    """Draw three matrices: among real rows, among sampled ones, and the difference.

    The area of a circle is the strength; below 0 it is hollow. As many matrices stand
    beside each other as leave their cells readable.

    Parameters
    ----------
    compared : Correlations
    palette : Palette
    width : int
        The narrowest width at which nothing is cut.
    """
    matrices = {
        "real rows": compared.real,
        "sampled rows": compared.sampled,
        "sampled less real": compared.sampled - compared.real,
    }
    grid = _Grid.of(compared.titles, drawn(compared), len(matrices), width)
    canvas = Canvas(palette)
    for at, (title, values) in enumerate(matrices.items()):
        if at % grid.abreast == 0:
            _draw_names(canvas, grid, grid.top(at))
        _draw_cells(canvas, grid, at, title)
        _draw_circles(canvas, grid, at, compared, values)
    n_lines = -(-len(matrices) // grid.abreast)
    return canvas.figure(grid.frame, grid.height * n_lines)


def _draw_names(canvas: Canvas, grid: _Grid, top: float) -> None:
    """The features at the left of a line of matrices, with the numbers that stand over the columns."""
    quiet = canvas.palette.ink_secondary
    for row, name in enumerate(grid.names):
        middle = top + float(grid.edges[row] + grid.edges[row + 1]) / 2
        text = "<br>".join(map(escape, name))
        canvas.note(-8, middle, str(row + 1), at="left", align="right", size=_NUMBER, color=quiet)
        canvas.note(-8 - grid.indent, middle, text, at="left", align="right", size=AXIS)


def _draw_cells(canvas: Canvas, grid: _Grid, matrix: int, title: str) -> None:
    palette, n = canvas.palette, len(grid.places)
    left, top = grid.left(matrix), grid.top(matrix)
    canvas.note(left, top - 32, bold(title), size=BODY)
    for line in range(n + 1):
        y, x = top + float(grid.edges[line]), left + line
        canvas.line((left, y), (left + n, y), palette.grid)
        canvas.line((x, top), (x, top + float(grid.edges[-1])), palette.grid)
    for column in range(n):
        middle = left + column + 0.5
        canvas.note(middle, top - 10, str(column + 1), align="center", size=_NUMBER, color=palette.ink_secondary)


def _draw_circles(
    canvas: Canvas, grid: _Grid, matrix: int, compared: Correlations, values: NDArray[np.float64]
) -> None:
    left, top, titles = grid.left(matrix), grid.top(matrix), compared.titles
    dots, sizes = [], []
    for row, one in enumerate(grid.places):
        for column, other in enumerate(grid.places):
            value = float(values[one, other])
            if one == other:
                continue
            both = f"{bold(escape(titles[one]))} and {bold(escape(titles[other]))}"
            real, sampled = (wording.signed(float(each[one, other])) for each in (compared.real, compared.sampled))
            middle = top + float(grid.edges[row] + grid.edges[row + 1]) / 2
            hover = f"{both}<br>real {real}, sampled {sampled}"
            dots.append(Dot(left + column + 0.5, middle, "", hover, canvas.palette.ink, is_hollow=value < 0))
            sizes.append((grid.cell - 2) * abs(value) ** 0.5)
    canvas.dots(dots, sizes, outline=1.2)
