"""Draw intervals and paired tests: scores with clusters, and all pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from vecbleu.core.arrays import Float64, Mask
from vecbleu.core.checks import checked_share
from vecbleu.plots import drawing
from vecbleu.plots.drawing import Axes
from vecbleu.show.table import p_value
from vecbleu.significance import Comparison, Interval, Ranking

_ADVICE = "pass vecbleu.significance.rank(systems)"

# Levels, with the shade of cells whose p-value is below the level.
_SHADES = ((0.05, 0.2), (0.01, 0.4))


def plot_scores(
    ranking: Ranking | Comparison | Interval | Mapping[str, Interval],
    *,
    level: float = 0.05,
    ax: Axes | None = None,
) -> Axes:
    """Draw the scores of systems with their intervals, best at the top.

    For a `Ranking`, hollow dots are significantly worse than the best system, and dashed lines
    separate clusters. For a `Comparison`, a dotted line marks the baseline; hollow dots are
    significantly worse, triangles significantly better.

    Parameters
    ----------
    ranking : Ranking, Comparison, Interval, or dict of str to Interval
        Result of `vecbleu.significance.rank`, `paired_bootstrap` or `bootstrap`; or of
        `paired_randomization`, which has no intervals.
    level : float
        Significance level of marks and clusters, between 0 and 1.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        One row per system; BLEU between 0 and 100 from left to right.

    Raises
    ------
    TypeError
        `ranking` has another type (such as statistics), or `ax` is not plain Axes.
    ValueError
        `level` is not between 0 and 1, the dict is empty, or confidence levels differ.
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.plots import plot_scores
    >>> references = ["a b c d e", "a b c d"]
    >>> one = vecbleu.statistics(["a b c d e", "a b c x"], references)
    >>> two = vecbleu.statistics(["a b c d e", "a b c d"], references)
    >>> ax = plot_scores(vecbleu.significance.rank({"one": one, "two": two}))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['two', 'one']
    """
    level = checked_share(level, "level")
    shown = _scores_of(ranking)
    order = np.argsort(-shown.scores, kind="stable")
    names = drawing.shown_names(shown.names[place] for place in order)
    scores, rows = 100 * shown.scores[order], np.arange(len(order))
    ax = drawing.prepared_axes(ax, 4.8 + drawing.names_width(names), 1.3 + 0.27 * len(rows))
    title = "BLEU (0-100)"
    if shown.ends is not None:
        ax.hlines(rows, *100 * shown.ends[:, order], color=drawing.INTERVAL, linewidth=2)
        title += f" with {100 * shown.confidence_level:g}% intervals"
    worse, better = _verdicts(ranking, level, len(rows))
    marks = _draw_dots(ax, scores, worse[order], better[order])
    than = "the best" if isinstance(ranking, Ranking) else "the baseline"
    notes = [f"{mark} than {than} (p < {level:g})" for mark in marks]
    notes += _draw_lines(ax, ranking, level)
    ax.set_xlabel("\n".join([title, ";\n".join(notes)]).rstrip(), fontsize=drawing.SMALL)
    ax.set_yticks(rows, names, parse_math=False)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.grid(axis="x", **drawing.GRID)
    return ax


class _Scores(NamedTuple):
    """Scores of systems, with the ends of their intervals (2, systems) if there are any."""

    names: tuple[Any, ...]
    scores: Float64
    ends: Float64 | None
    confidence_level: float


def _scores_of(ranking: Any) -> _Scores:
    """Return the checked scores to draw."""
    if isinstance(ranking, (Ranking, Comparison)):
        ends = None if ranking.lower is None else np.array([ranking.lower, ranking.upper])
        return _Scores(ranking.names, ranking.scores, ends, ranking.confidence_level or 0)
    named = drawing.named_results(ranking, Interval, "ranking", _ADVICE)
    levels = sorted({one.confidence_level for one in named.values()})
    if len(levels) > 1:
        raise ValueError(f"ranking has intervals with levels {levels}, expected one level")
    rows = np.array([[one.score, one.lower, one.upper] for one in named.values()])
    return _Scores((*named,), rows[:, 0], rows[:, 1:].T, levels[0])


def _verdicts(ranking: Any, level: float, size: int) -> tuple[Mask, Mask]:
    """Return masks of systems significantly worse and better than the best or the baseline."""
    if isinstance(ranking, Ranking):
        best = ranking.order[0]
        p_values, differences = ranking.p_values[:, best], ranking.differences[:, best]
    elif isinstance(ranking, Comparison):
        p_values, differences = ranking.p_values, ranking.differences
    else:
        return np.zeros(size, bool), np.zeros(size, bool)
    is_significant = p_values < level
    return is_significant & (differences < 0), is_significant & (differences > 0)


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
    at_right = ax.get_yaxis_transform()
    for row, score in enumerate(scores.tolist()):
        ax.text(1.02, row, f"{score:.1f}", transform=at_right, va="center", fontsize=drawing.SMALL)
    return [mark for chosen, *_, mark in kinds if mark and chosen.any()]


def _draw_lines(ax: Axes, ranking: Any, level: float) -> list[str]:
    """Draw borders of clusters, or a line at the baseline's score; return what they mean."""
    style: dict[str, Any] = {"color": drawing.GRAY, "linewidth": 0.9, "zorder": 1}
    if isinstance(ranking, Comparison):
        ax.axvline(100 * ranking.scores[ranking.baseline], linestyle=":", **style)
        return ["dotted line: the baseline"]
    if not isinstance(ranking, Ranking):
        return []
    borders = np.flatnonzero(np.diff(ranking.clusters(level)[ranking.order]))
    for place in borders.tolist():
        ax.axhline(place + 0.5, linestyle="--", **style)
    return ["dashed lines separate clusters"] if len(borders) else []


def plot_pairs(ranking: Ranking, *, ax: Axes | None = None) -> Axes:
    """Draw a matrix of all pairs of systems, best first: differences and p-values.

    Differences of BLEU (0-100, row - column) stand above the diagonal, p-values below it. Cells are
    shaded if p < 0.05, and darker if p < 0.01.

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
        raise TypeError(f"ranking is {type(ranking).__name__}, expected Ranking: {_ADVICE}")
    order = ranking.order
    p_values = ranking.p_values[np.ix_(order, order)]
    differences = 100 * ranking.differences[np.ix_(order, order)]
    names = drawing.shown_names(ranking.names[place] for place in order)
    numbers = [f"{number}" for number in range(1, len(names) + 1)]
    texts = [[""] * len(names) for _ in names]
    for row, column in np.ndindex(p_values.shape):
        if row < column:
            texts[row][column] = f"{differences[row, column]:+.1f}"
        elif row > column:
            texts[row][column] = p_value(float(p_values[row, column]))
    shades = np.zeros(p_values.shape)
    for level, shade in _SHADES:
        shades[p_values < level] = shade
    rows = [f"{name}  {number}" for name, number in zip(names, numbers, strict=True)]
    ax = drawing.draw_matrix(ax, rows, numbers, texts, shades)
    ax.set_xlabel(
        "above the diagonal: differences of BLEU (0-100), row - column\n"
        "below: p-values; shaded: p < 0.05, darker: p < 0.01",
        fontsize=drawing.SMALL,
    )
    return ax
