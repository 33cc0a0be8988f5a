"""The paired tests of all systems with each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from vecbleu.core.arrays import Float64
from vecbleu.core.options import Smoothing, WeightSet
from vecbleu.plots import drawing, inputs
from vecbleu.plots.drawing import Axes
from vecbleu.significance import AllPairs, all_pairs
from vecbleu.significance.resampling import SEED, PairedTest, Rng, Sides
from vecbleu.significance.systems import Systems
from vecbleu.significance.tables import probability

# Inches of a cell, of what stands below and the least that it takes across; points of numbers.
_WIDTH, _HEIGHT, _BELOW, _LEAST = 0.48, 0.34, 0.9, 3.6
_SIZE = 8.0

# Points between names and the matrix, for the numbers of rows.
_NUMBERS = 26.0

# How dark the cells of p-values under each level are: half transparent, so that numbers can be
# read on light and dark pages.
_SHADES = ((0.01, 0.5), (0.05, 0.25))


def plot_pairs(
    systems: Systems | AllPairs,
    *,
    test: PairedTest = "bootstrap",
    sides: Sides = 1,
    resamples: int | None = None,
    rng: Rng = SEED,
    progress: bool | None = False,
    ax: Axes | None = None,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Axes:
    """Draw a matrix of systems, the best first, with differences of scores and their p-values.

    Above the diagonal stand differences on 0 to 100, of the row's system minus the column's; below
    it, p-values of the same pairs. Cells are shaded where p < 0.05, and more so where p < 0.01.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order. Or the `AllPairs` that have been computed.
    test : {"bootstrap", "randomization"}
        As for `vecbleu.significance.all_pairs`; this and the next are for statistics only.
    sides : {1, 2}
        Tails of the bootstrap, as for `vecbleu.significance.paired_bootstrap`.
    resamples : int, optional
        Number of resampled corpora (by default 1,000) or of trials (10,000).
    rng, progress
        As for `vecbleu.significance.paired_bootstrap`.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into; by default the Axes of a new figure, which
        ``ax.figure.savefig("pairs.svg")`` writes and no window shows.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

    Returns
    -------
    matplotlib.axes.Axes
        A row and a column for each system; columns have the numbers of the rows.

    Raises
    ------
    TypeError, ValueError
        As for `all_pairs`; or there are options for what has been computed.
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.plots import plot_pairs
    >>> references = ["a b c d e", "a b c d", "e d c b a"] * 20
    >>> one = vecbleu.statistics(["a b c d", "a b x d", "e d c a"] * 20, references)
    >>> two = vecbleu.statistics(["a b c d e", "a b c d", "e d c b"] * 20, references)
    >>> ax = plot_pairs({"one": one, "two": two})
    >>> [text.get_text() for text in ax.texts[2:]]
    ['+44.8', '0.001']
    """
    options: dict[str, Any] = {
        "test": test, "sides": sides, "resamples": resamples, "rng": rng, "progress": progress,
        "weights": weights, "smoothing": smoothing, "smoothing_value": smoothing_value,
        "effective_order": effective_order,
    }  # fmt: skip
    if isinstance(systems, AllPairs):
        inputs.refuse_options(plot_pairs, **options)
        return _draw(ax, systems)
    drawing.load_matplotlib()  # raises before the work is done
    return _draw(ax, all_pairs(systems, **options))


def _draw(ax: Axes | None, found: AllPairs) -> Axes:
    """Draw the matrix of tests that have been computed."""
    order = np.argsort(-found.percents, kind="stable")
    names = inputs.display_names(found.names[place] for place in order)
    count = len(names)
    width = max(_LEAST, _WIDTH * count) + drawing.names_width(names) + _NUMBERS / 72
    ax = drawing.prepared_axes(ax, width, _BELOW + _HEIGHT * count)
    p_values = found.p_values[np.ix_(order, order)]
    differences = 100 * found.differences[np.ix_(order, order)]
    _shade(ax, p_values)
    for row in range(count):
        ax.annotate(
            f"{row + 1}", (0, row), (-drawing.GAP, 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", ha="right", va="center", annotation_clip=False,
        )  # fmt: skip
    for row, column in np.ndindex(count, count):
        if row != column:
            p = probability(float(p_values[row, column]))
            text = f"{differences[row, column]:+.1f}" if row < column else p
            ax.text(column, row, text, ha="center", va="center", fontsize=_SIZE)
    ax.set_xticks(range(count), [f"{number}" for number in range(1, count + 1)])
    ax.xaxis.tick_top()
    ax.set_yticks(range(count), names, parse_math=False)
    ax.tick_params(length=0)
    ax.tick_params(axis="y", pad=_NUMBERS)
    ax.set(xlim=(-0.5, count - 0.5), ylim=(count - 0.5, -0.5))
    ax.spines[:].set_visible(False)
    for line in np.arange(count + 1) - 0.5:
        ax.axhline(line, color=drawing.GRAY, linewidth=0.4)
        ax.axvline(line, color=drawing.GRAY, linewidth=0.4)
    ax.set_xlabel(
        "above: differences of BLEU (0-100), row - column\n"
        "below: p-values; shaded: p < 0.05, more: p < 0.01",
        fontsize=drawing.SMALL,
    )
    return ax


def _shade(ax: Axes, p_values: Float64) -> None:
    """Fill cells by their p-values (systems, systems), the diagonal not at all."""
    for row, column in np.argwhere(p_values < _SHADES[-1][0]).tolist():
        alpha = next(shade for level, shade in _SHADES if p_values[row, column] < level)
        ax.fill(
            column + np.array([-0.5, 0.5, 0.5, -0.5]), row + np.array([-0.5, -0.5, 0.5, 0.5]),
            color=drawing.GRAY, alpha=alpha, linewidth=0,
        )  # fmt: skip
