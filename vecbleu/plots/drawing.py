"""Axes, names, colors and matrices of numbers for all pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from vecbleu.core.arrays import Float64
from vecbleu.core.checks import import_extra
from vecbleu.show.terminal import display_width, shortened_name

# matplotlib is an extra, and slow to import: annotations must resolve without it.
if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
else:
    Axes = Any

# Okabe and Ito's colors for color-blind readers, without yellow, which is too light on white.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
INTERVAL = COLORS[4]
GRAY = "0.5"
GRID: dict[str, Any] = {"color": GRAY, "alpha": 0.25}

# Font sizes in points: of labels, and of numbers in cells and above bars.
SMALL, NUMBER = 9.0, 8.0

# Sizes in inches: a letter of a label, and a cell of a matrix.
_LETTER = 0.085
_WIDTH, _HEIGHT = 0.5, 0.28

# Longest name shown, in columns of text.
_LONGEST_NAME = 40


def prepared_axes(ax: Axes | None, width: float, height: float) -> Axes:
    """Return the given Axes, or those of a new figure of this size in inches."""
    (pyplot,) = import_extra("pictures need", "plot", "matplotlib.pyplot")
    if ax is None:
        _, ax = pyplot.subplots(figsize=(width, height), layout="constrained")
    if not isinstance(ax, pyplot.Axes) or ax.name != "rectilinear":
        raise TypeError(f"ax is {type(ax).__name__}, expected plain matplotlib.axes.Axes")
    checked: Axes = ax
    checked.spines[["top", "right"]].set_visible(False)
    checked.set_axisbelow(True)
    return checked


def shown_names(names: Iterable[Any]) -> list[str]:
    """Escape names, and shorten long ones in the middle."""
    return [shortened_name(str(name), _LONGEST_NAME) for name in names]


def names_width(names: Iterable[str]) -> float:
    """Estimate the width of the widest line of all names, in inches."""
    lines = (line for name in names for line in name.split("\n"))
    return _LETTER * max(map(display_width, lines), default=0)


def write_beside(ax: Axes, row: float, text: str, offset: float = 6) -> None:
    """Write at the right of the Axes, so many points from its edge."""
    at: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
    ax.annotate(text, (1, row), (offset, 0), va="center", fontsize=SMALL, **at)


def draw_matrix(
    ax: Axes | None,
    rows: Sequence[str],
    columns: Sequence[str],
    texts: Sequence[Sequence[str]],
    shades: Float64,
) -> Axes:
    """Draw numbers in cells (rows, columns), on shades between 0 (white) and 1 (black)."""
    wide = names_width(columns) + 0.1
    is_steep = wide > 2 * _WIDTH
    cells = len(columns) * (_WIDTH if is_steep else max(_WIDTH, wide))
    height = len(rows) * _HEIGHT + (wide if is_steep else 0.3) + 0.8
    ax = prepared_axes(ax, names_width(rows) + max(cells, 4.0) + 0.3, height)
    ax.imshow(shades, cmap="Greys", vmin=0, vmax=1, aspect="auto")
    # Black, since cells are light in any style.
    style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": NUMBER, "color": "black"}
    for (row, column), text in np.ndenumerate(np.array(texts)):
        if text:
            ax.text(column, row, text, **style)
    ax.xaxis.tick_top()
    ax.set_xticks(range(len(columns)), columns, parse_math=False, fontsize=SMALL)
    ax.tick_params(axis="x", rotation=90 if is_steep else 0)
    ax.set_yticks(range(len(rows)), rows, parse_math=False)
    # Lines between cells.
    ax.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    ax.grid(which="minor", color=GRAY, linewidth=0.4)
    ax.tick_params(which="both", length=0)
    ax.spines[:].set(visible=True, color=GRAY, linewidth=0.4)
    return ax
