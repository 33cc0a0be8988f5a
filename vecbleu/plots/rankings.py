"""Draw paired tests: scores with intervals and clusters, and all pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from vecbleu.core.arrays import Float64, Mask
from vecbleu.plots import drawing
from vecbleu.plots.drawing import Axes
from vecbleu.show.table import p_value
from vecbleu.significance import Comparison, Ranking

_ADVICE = "draw significance.rank(systems) instead"


def plot_scores(ranking: Ranking | Comparison, *, ax: Axes | None = None) -> Axes:
    """Draw the scores of systems with their intervals, best at the top.

    At the right stand the scores, and the differences from the best system or from the baseline,
    with their intervals.

    For a `Ranking`, hollow dots are significantly worse than the best system, and dashed lines
    separate clusters. For a `Comparison`, a dotted line marks the baseline; hollow dots are
    significantly worse, triangles significantly better.

    Parameters
    ----------
    ranking : Ranking or Comparison
        Result of `vecbleu.significance.rank` or `paired_bootstrap`; or of `paired_randomization`,
        which has no intervals.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        One row per system; scores between 0 and 100 from left to right.

    Raises
    ------
    TypeError
        `ranking` has another type (such as statistics), or `ax` is not plain Axes.
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.plots import plot_scores
    >>> references = ["a b c d e", "a b c d"] * 20
    >>> one = vecbleu.statistics(["a b c d e", "a b c x"] * 20, references)
    >>> two = vecbleu.statistics(["a b c d e", "a b c d"] * 20, references)
    >>> ax = plot_scores(vecbleu.significance.rank({"one": one, "two": two}))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['two', 'one']
    """
    if not isinstance(ranking, (Ranking, Comparison)):
        raise TypeError(f"ranking is {type(ranking).__name__}; {_ADVICE}")
    best_first = np.argsort(-ranking.scores, kind="stable")
    names = drawing.shown_names(ranking.names[system] for system in best_first)
    scores, rows = 100 * ranking.scores[best_first], np.arange(len(names))
    ax = drawing.prepared_axes(ax, 6.3 + drawing.names_width(names), 1.3 + 0.27 * len(rows))
    title = f"{ranking.metric} (0-100)"
    if ranking.confidence_level is not None:
        bounds = 100 * np.array([ranking.lower, ranking.upper], float)[:, best_first]
        ax.hlines(rows, *bounds, color=drawing.INTERVAL, linewidth=2)
        title += f" with {100 * ranking.confidence_level:g}% intervals"
    base, than, p_values = best_first[0], "the best", ranking.p_values
    matrices = ranking.differences, ranking.difference_lower, ranking.difference_upper
    points = [100 * matrix for matrix in matrices if matrix is not None]
    if isinstance(ranking, Ranking):
        p_values, points = ranking.adjusted[:, base], [matrix[:, base] for matrix in points]
    else:
        base, than = ranking.baseline, "the baseline"
    differences = points[0]
    is_significant = p_values < ranking.level
    worse, better = is_significant & (differences < 0), is_significant & (differences > 0)
    marks = _draw_dots(ax, scores, worse[best_first], better[best_first])
    notes = [f"at the right: scores, differences from {than}"]
    notes += [f"{mark} than {than} (p < {ranking.level:g})" for mark in marks]
    for row, system in enumerate(best_first.tolist()):
        gain, *ends = (f"{column[system]:+.1f}".replace("-", "−") for column in points)
        text = f"{gain} ({' to '.join(ends)})" if ends else gain
        drawing.write_beside(ax, row, text if system != base else "", 34)
    notes += _draw_lines(ax, ranking)
    ax.set_xlabel("\n".join([title, ";\n".join(notes)]).rstrip(), fontsize=drawing.SMALL)
    ax.set_yticks(rows, names, parse_math=False)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.grid(axis="x", **drawing.GRID)
    return ax


def _draw_dots(ax: Axes, scores: Float64, worse: Mask, better: Mask) -> list[str]:
    """Draw dots from the top down, with scores at the right; return what the marks mean."""
    rows, color = np.arange(len(scores)), drawing.COLORS[0]
    kinds = [
        (~worse & ~better, "o", color, ""),
        (worse, "o", ax.get_facecolor(), "hollow: significantly worse"),
        (better, "^", color, "triangles: significantly better"),
    ]
    for chosen, marker, face, _ in kinds:
        ax.plot(scores[chosen], rows[chosen], marker, color=color, markerfacecolor=face)
    for row, score in enumerate(scores.tolist()):
        drawing.write_beside(ax, row, f"{score:.1f}")
    return [mark for chosen, *_, mark in kinds if mark and chosen.any()]


def _draw_lines(ax: Axes, ranking: Ranking | Comparison) -> list[str]:
    """Draw borders of clusters, or a line at the baseline's score; return what they mean."""
    style: dict[str, Any] = {"color": drawing.GRAY, "linewidth": 0.9, "zorder": 1}
    if isinstance(ranking, Comparison):
        ax.axvline(100 * ranking.scores[ranking.baseline], linestyle=":", **style)
        return ["dotted line: the baseline"]
    borders = np.flatnonzero(np.diff(ranking.clusters()[ranking.order]))
    for row in borders.tolist():
        ax.axhline(row + 0.5, linestyle="--", **style)
    return ["dashed lines separate clusters"] if len(borders) else []


def plot_pairs(ranking: Ranking, *, ax: Axes | None = None) -> Axes:
    """Draw a matrix of all pairs of systems, best first: differences and p-values.

    Differences of scores (0-100, row - column) stand above the diagonal, p-values below it. Cells
    are shaded if p is below the level of the ranking, 0.05, and darker below a fifth of it.

    Parameters
    ----------
    ranking : Ranking
        Result of `vecbleu.significance.rank`.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        One row and one column per system; columns are labeled with the numbers of the rows.

    Raises
    ------
    TypeError
        `ranking` is not a Ranking, or `ax` is not plain Axes.
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.plots import plot_pairs
    >>> references = ["a b c d e", "a b c d", "e d c b a"] * 20
    >>> one = vecbleu.statistics(["a b c d", "a b x d", "e d c a"] * 20, references)
    >>> two = vecbleu.statistics(["a b c d e", "a b c d", "e d c b"] * 20, references)
    >>> ax = plot_pairs(vecbleu.significance.rank({"one": one, "two": two}))
    >>> [text.get_text() for text in ax.texts]
    ['+44.8', '< 0.001']
    """
    if not isinstance(ranking, Ranking):
        raise TypeError(f"ranking is {type(ranking).__name__}; {_ADVICE}")
    best_first = ranking.order
    level, p_values = ranking.level, ranking.adjusted[np.ix_(best_first, best_first)]
    differences = 100 * ranking.differences[np.ix_(best_first, best_first)]
    names = drawing.shown_names(ranking.names[system] for system in best_first)
    numbers = [f"{number}" for number in range(1, len(names) + 1)]
    texts = [[f"{difference:+.1f}" for difference in row] for row in differences.tolist()]
    for row, column in zip(*np.tril_indices(len(names)), strict=True):
        texts[row][column] = p_value(float(p_values[row, column]), level) if row > column else ""
    shades = 0.2 * (p_values < level) + 0.2 * (p_values < level / 5)
    rows = [*map("{}  {}".format, names, numbers)]
    ax = drawing.draw_matrix(ax, rows, numbers, texts, shades)
    ax.set_xlabel(
        f"above the diagonal: differences of {ranking.metric} (0-100), row - column\n"
        f"below: p-values; shaded: p < {level:g}, darker: p < {level / 5:g}",
        fontsize=drawing.SMALL,
    )
    return ax
