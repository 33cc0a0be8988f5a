"""The paired tests of all systems with each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from vecbleu.core.options import Smoothing, Weights
from vecbleu.core.table import p_value
from vecbleu.plots import drawing, inputs
from vecbleu.plots.drawing import Axes
from vecbleu.plots.matrix import DARKEST, draw_matrix
from vecbleu.significance import Ranking, rank
from vecbleu.significance.inference import Sides
from vecbleu.significance.resampling import SEED, Rng, Test
from vecbleu.significance.systems import Systems

# Points between names and the matrix, for the numbers of rows.
_NUMBERS = 26.0

# How dark the cells of p-values under each level are.
_SHADES = ((0.05, DARKEST / 2), (0.01, DARKEST))


def plot_pairs(
    systems: Systems | Ranking,
    *,
    test: Test = "bootstrap",
    sides: Sides = 2,
    n_resamples: int | None = None,
    rng: Rng = SEED,
    progress: bool | None = False,
    ax: Axes | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Axes:
    """Draw a matrix of systems, the best first, with differences of scores and their p-values.

    Above the diagonal stand differences on 0 to 100, of the row's system minus the column's; below
    it, p-values of the same pairs. Cells are shaded where p < 0.05, and more so where p < 0.01.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order. Or the `Ranking` that have been computed.
    test : {"bootstrap", "randomization"}
        As for `vecbleu.significance.rank`; this and the next are for statistics only.
    sides : {2, 1}
        Tails of the bootstrap, as for `vecbleu.significance.paired_bootstrap`.
    n_resamples : int, optional
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
        As for `rank`; or there are options for what has been computed.
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
    >>> [text.get_text() for text in ax.texts[:2]]
    ['+44.8', '< 0.001']
    """
    options: dict[str, Any] = {
        "test": test, "sides": sides, "n_resamples": n_resamples, "rng": rng, "progress": progress,
        "weights": weights, "smoothing": smoothing, "smoothing_value": smoothing_value,
        "effective_order": effective_order,
    }  # fmt: skip
    if isinstance(systems, Ranking):
        inputs.refuse_options(plot_pairs, **options)
        return _draw(ax, systems)
    drawing.load_matplotlib()  # raises before the work is done
    return _draw(ax, rank(systems, **options))


def _draw(ax: Axes | None, found: Ranking) -> Axes:
    """Draw the matrix of tests that have been computed."""
    order = found.order
    names = inputs.display_names(found.names[place] for place in order)
    count = len(names)
    numbers = [f"{number}" for number in range(1, count + 1)]
    p_values = found.p_values[np.ix_(order, order)]
    differences = 100 * found.differences[np.ix_(order, order)]
    texts = [[""] * count for _ in names]
    for row, column in np.ndindex(count, count):
        if row < column:
            texts[row][column] = f"{differences[row, column]:+.1f}"
        elif row > column:
            texts[row][column] = p_value(float(p_values[row, column]))
    shades = np.zeros((count, count))
    for level, shade in _SHADES:
        shades[p_values < level] = shade
    ax = draw_matrix(ax, names, numbers, texts, shades, _NUMBERS)
    for row, number in enumerate(numbers):
        ax.annotate(
            number, (0, row), (-drawing.GAP, 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", ha="right", va="center", annotation_clip=False,
        )  # fmt: skip
    ax.set_xlabel(
        "above: differences of BLEU (0-100), row - column\n"
        "below: p-values; shaded: p < 0.05, more: p < 0.01",
        fontsize=drawing.SMALL,
    )
    return ax
