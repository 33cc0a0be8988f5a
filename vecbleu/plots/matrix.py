"""A matrix of numbers: a row for each system, and cells in shades of gray."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vecbleu.core.arrays import Float64
from vecbleu.plots.drawing import GAP, GRAY, SMALL, Axes, names_width, prepared_axes

# Inches of a cell, of what stands around the cells, and the least that all columns take.
_WIDTH, _HEIGHT, _AROUND, _LEAST = 0.54, 0.34, 0.9, 3.6

# Points of numbers.
_SIZE = 8.0

# The darkest shade. Shades are half transparent, so that numbers can be read on light and dark.
DARKEST = 0.5


def draw_matrix(
    ax: Axes | None,
    names: Sequence[str],
    columns: Sequence[str],
    texts: Sequence[Sequence[str]],
    shades: Float64,
    margin: float = GAP,
) -> Axes:
    """Draw texts and shades (systems, columns), with a margin in points between names and cells."""
    lines = max(cell.count("\n") + 1 for row in texts for cell in row)
    height = _HEIGHT + 0.14 * (lines - 1)
    labels = [line for column in columns for line in column.split("\n")]
    # Long labels stand upright.
    is_long = names_width(labels) > 2 * _WIDTH
    width = _WIDTH if is_long else max(_WIDTH, 0.1 + names_width(labels))
    ax = prepared_axes(
        ax,
        names_width(names) + margin / 72 + max(_LEAST, width * len(columns)),
        _AROUND + height * len(names) + (names_width(columns) if is_long else 0),
    )
    for row, column in np.argwhere(shades > 0).tolist():
        ax.fill(
            column + np.array([-0.5, 0.5, 0.5, -0.5]), row + np.array([-0.5, -0.5, 0.5, 0.5]),
            color=GRAY, alpha=float(shades[row, column]), linewidth=0,
        )  # fmt: skip
    for row, column in np.ndindex(shades.shape):
        if texts[row][column]:
            ax.text(column, row, texts[row][column], ha="center", va="center", fontsize=_SIZE)
    rotation = 90 if is_long else 0
    ax.xaxis.tick_top()
    ax.set_xticks(range(len(columns)), columns, parse_math=False, rotation=rotation, fontsize=SMALL)
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.tick_params(length=0)
    ax.tick_params(axis="y", pad=margin)
    ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(names) - 0.5, -0.5))
    ax.spines[:].set_visible(False)
    for line in np.arange(len(names) + 1) - 0.5:
        ax.axhline(line, color=GRAY, linewidth=0.4)
    for line in np.arange(len(columns) + 1) - 0.5:
        ax.axvline(line, color=GRAY, linewidth=0.4)
    return ax
