"""Draw results with matplotlib: scores, tests of all pairs, bars of groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from vecbleu.analysis import Buckets
from vecbleu.arguments.checks import import_extra
from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError
from vecbleu.bleu.results import BleuScore
from vecbleu.kernel.arrays import Float64, Mask
from vecbleu.show.table import direction_notes
from vecbleu.show.terminal import display_width, shortened_name
from vecbleu.significance import Comparison, Ranking
from vecbleu.significance.results import gains, p_texts

# matplotlib is an extra, and slow to import: annotations must resolve without it.
if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
else:
    Axes = Any

# Okabe and Ito's colors for color-blind readers, without yellow, which is too light on white.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
_INTERVAL = _COLORS[4]
_GRAY = "0.5"

# Font sizes in points: of labels, and of numbers in cells and above bars.
_SMALL = 9.0
_NUMBER = 8.0

# Sizes in inches: a letter of a label, and a cell of a matrix.
_LETTER = 0.085
_WIDTH = 0.5
_HEIGHT = 0.28

# Longest name shown, in columns of text.
_LONGEST_NAME = 40

# Upper bounds: bars with numbers; bars, counting the gaps between groups.
_MOST_VALUES = 24
_MOST_BARS = 80

_BARS_ADVICE = "draw analysis.score_buckets(systems), or a dict of names to stats.score(), instead"
_RANK_ADVICE = "draw significance.rank(systems) instead"

__all__ = ["plot_bars", "plot_pairs", "plot_scores"]


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
        found = f"is {type(ranking).__name__}"
        raise ArgumentTypeError(found, advice=_RANK_ADVICE, argument="ranking")
    best_first = ranking.order
    names = _shown_names(ranking.names[system] for system in best_first)
    rows = np.arange(len(names))
    ax = _prepared_axes(ax, 6.3 + _names_width(names), 1.3 + 0.27 * len(rows))
    title = _scale(ranking.metric, ranking.higher_is_better)
    if ranking.confidence_level is not None:
        bounds = 100 * np.array([ranking.lower, ranking.upper], float)[:, best_first]
        ax.hlines(rows, *bounds, color=_INTERVAL, linewidth=2)
        title += f" with {100 * ranking.confidence_level:g}% intervals"
    base, than = best_first[0], "the best"
    is_significant = ranking.significant
    matrices = ranking.differences, ranking.difference_lower, ranking.difference_upper
    points = [100 * matrix for matrix in matrices if matrix is not None]
    if isinstance(ranking, Ranking):
        is_significant = is_significant[:, base]
        points = [matrix[:, base] for matrix in points]
    else:
        base, than = ranking.baseline, "the baseline"
    gained = gains(points[0], ranking.higher_is_better)
    worse = is_significant & (gained < 0)
    better = is_significant & (gained > 0)
    scores = 100 * ranking.scores[best_first]
    marks = _draw_dots(ax, scores, worse[best_first], better[best_first])
    notes = [f"at the right: scores, differences from {than}"]
    notes += [f"{mark} than {than} (p < {ranking.level:g})" for mark in marks]
    for row, system in enumerate(best_first.tolist()):
        difference = _difference([column[system] for column in points])
        _write_beside(ax, row, difference if system != base else "", 34)
    notes += _draw_lines(ax, ranking)
    ax.set_xlabel("\n".join([title, ";\n".join(notes)]), fontsize=_SMALL)
    ax.set_yticks(rows, names, parse_math=False)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.grid(axis="x", color=_GRAY, alpha=0.25)
    return ax


def _difference(points: Sequence[float]) -> str:
    """Write a difference, and its interval if there is one."""
    gain, *ends = (f"{point:+.1f}".replace("-", "−") for point in points)
    return f"{gain} ({' to '.join(ends)})" if ends else gain


def _draw_dots(ax: Axes, scores: Float64, worse: Mask, better: Mask) -> list[str]:
    """Draw dots from the top down, with scores at the right; return what the marks mean."""
    rows = np.arange(len(scores))
    color = _COLORS[0]
    kinds = [
        (~worse & ~better, "o", color, ""),
        (worse, "o", ax.get_facecolor(), "hollow: significantly worse"),
        (better, "^", color, "triangles: significantly better"),
    ]
    marks = []
    for chosen, marker, face, mark in kinds:
        ax.plot(scores[chosen], rows[chosen], marker, color=color, markerfacecolor=face)
        if mark and chosen.any():
            marks.append(mark)
    for row, score in enumerate(scores.tolist()):
        _write_beside(ax, row, f"{score:.1f}")
    return marks


def _draw_lines(ax: Axes, ranking: Ranking | Comparison) -> list[str]:
    """Draw borders of clusters, or a line at the baseline's score; return what they mean."""
    if isinstance(ranking, Comparison):
        score = 100 * ranking.scores[ranking.baseline]
        ax.axvline(score, linestyle=":", color=_GRAY, linewidth=0.9, zorder=1)
        return ["dotted line: the baseline"]
    borders = np.flatnonzero(np.diff(ranking.clusters()[ranking.order]))
    for row in borders.tolist():
        ax.axhline(row + 0.5, linestyle="--", color=_GRAY, linewidth=0.9, zorder=1)
    return ["dashed lines separate clusters"] if len(borders) else []


def plot_pairs(ranking: Ranking, *, ax: Axes | None = None) -> Axes:
    """Draw a matrix of all pairs of systems, best first: differences and p-values.

    Differences of scores (0-100, row - column) stand above the diagonal, p-values below it. Cells
    are shaded if the difference is significant, and darker if p is below a fifth of the level.

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
        found = f"is {type(ranking).__name__}"
        raise ArgumentTypeError(found, advice=_RANK_ADVICE, argument="ranking")
    best_first = ranking.order
    level = ranking.level
    in_order = np.ix_(best_first, best_first)
    differences = 100 * ranking.differences[in_order]
    names = _shown_names(ranking.names[system] for system in best_first)
    numbers = [f"{number}" for number in range(1, len(names) + 1)]
    texts = [[f"{difference:+.1f}" for difference in row] for row in differences.tolist()]
    for row in range(len(names)):
        texts[row][row] = ""
        pairs = np.repeat(best_first[row], row), best_first[:row]
        texts[row][:row] = [text.replace(", borderline", "?") for text in p_texts(ranking, pairs)]
    significant = ranking.significant[in_order]
    shades = 0.2 * significant + 0.2 * (significant & (ranking.adjusted[in_order] < level / 5))
    rows = [f"{name}  {number}" for name, number in zip(names, numbers, strict=True)]
    ax = _draw_matrix(ax, rows, numbers, texts, shades)
    borderline = "; ?: borderline" if ranking.borderline.any() else ""
    notes = [
        f"above the diagonal: differences of {ranking.metric} (0-100), row - column",
        f"below: p-values; shaded: significant (p < {level:g}), darker: p < {level / 5:g}"
        f"{borderline}",
        *direction_notes(ranking.metric, ranking.higher_is_better),
    ]
    ax.set_xlabel("\n".join(notes), fontsize=_SMALL)
    return ax


def plot_bars(
    result: Buckets | BleuScore | Mapping[str, BleuScore], *, ax: Axes | None = None
) -> Axes:
    """Draw the scores of groups of segments, or n-gram precisions and brevity penalties, as bars.

    Each group or order has one bar per system, the best system first. Of more than 60 groups, the
    60 largest are drawn. If there are more than six
    systems, or too many bars, a matrix of numbers is drawn instead; darker cells are better within
    a column. Systems are sorted by their scores; for groups, by the mean score of the groups,
    weighted by the number of segments.

    Parameters
    ----------
    result : Buckets, BleuScore, or dict of str to BleuScore
        Result of `vecbleu.analysis.score_buckets`, or corpus scores.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Groups or orders from left to right, values between 0 and 100.

    Raises
    ------
    TypeError
        `result` has another type (such as statistics), or `ax` is not plain Axes.
    ValueError
        Scores differ in their orders, or there are no scores.
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.plots import plot_bars
    >>> score = vecbleu.corpus_bleu(["the cat sat on it"], ["the cat sat on a mat"])
    >>> ax = plot_bars({"mine": score})
    >>> [f"{bar.get_height():.1f}" for bar in ax.patches]  # of four orders, and the penalty
    ['80.0', '75.0', '66.7', '50.0', '81.9']
    """
    groups = _groups_of(result)
    systems, columns = groups.values.shape
    if systems > len(_COLORS) or columns * (systems + 1) > _MOST_BARS:
        return _draw_numbers(ax, groups)
    return _draw_bars(ax, groups)


class _Groups(NamedTuple):
    """Values (systems, groups) between 0 and 100, with names and labels."""

    names: Sequence[str]
    labels: Sequence[str]
    values: Float64
    groups_title: str
    values_title: str
    higher_is_better: bool = True


def _groups_of(result: Buckets | BleuScore | Mapping[str, BleuScore]) -> _Groups:
    """Return the checked values to draw."""
    if isinstance(result, Buckets):
        return _groups_of_buckets(result)
    scores = {"": result} if isinstance(result, BleuScore) else result
    if not isinstance(scores, Mapping):
        found = f"is {type(result).__name__}"
        raise ArgumentTypeError(found, advice=_BARS_ADVICE, argument="result")
    for name, score in scores.items():
        if not isinstance(score, BleuScore):
            found = f"is {type(score).__name__}"
            raise ArgumentTypeError(found, advice=_BARS_ADVICE, argument="result", index=(name,))
    sizes = sorted({len(score.precisions) for score in scores.values()})
    if len(sizes) != 1:
        found = f"has scores of {sizes} orders"
        raise ArgumentError(found, "scores of the same orders", argument="result")
    best_first = sorted(scores.items(), key=lambda row: -row[1])
    rows = [[*score.percent_precisions, 100 * score.brevity_penalty] for _, score in best_first]
    orders = [f"{order}" for order in range(1, sizes[0] + 1)]
    names = _shown_names(name for name, _ in best_first)
    labels = [*orders, "brevity\npenalty"]
    return _Groups(names, labels, np.array(rows), "n-gram order", "precision (0-100)")


def _groups_of_buckets(buckets: Buckets) -> _Groups:
    """Return the scores of groups of segments, best system first."""
    groups = buckets.largest
    labels = _shown_names(buckets.labels[group] for group in groups)
    sizes = zip(labels, buckets.sizes[groups], strict=True)
    best_first = buckets.order
    by = {"ref_len": "reference length", "label": "group"}.get(buckets.by, buckets.by)
    return _Groups(
        names=_shown_names(buckets.names[system] for system in best_first),
        labels=[f"{label}\n({size})" for label, size in sizes],
        values=100 * buckets.scores[np.ix_(best_first, groups)],
        groups_title="\n".join([f"{by} (number of segments)", *buckets.left_out]),
        values_title=_scale(buckets.metric, buckets.higher_is_better),
        higher_is_better=buckets.higher_is_better,
    )


def _draw_bars(ax: Axes | None, groups: _Groups) -> Axes:
    """Draw bars side by side, with a legend at the right."""
    systems, columns = groups.values.shape
    has_values = groups.values.size <= _MOST_VALUES
    bar = 0.32 if has_values else 0.17
    slot = max((systems + 1) * bar, 0.5, 4.4 / columns)
    widest = _names_width(groups.labels)
    is_steep = widest > slot
    height = 3.8 + 0.7 * widest if is_steep else 3.8
    ax = _prepared_axes(ax, 1.4 + slot * columns + _names_width(groups.names), height)
    width = 1 / (systems + 1)
    bars = []
    for system, values in enumerate(groups.values):
        middles = np.arange(columns) + (system - (systems - 1) / 2) * width
        drawn = ax.bar(middles, values, 0.92 * width, color=_COLORS[system])
        bars.append(drawn)
        if has_values:
            ax.bar_label(drawn, fmt=_label, fontsize=_NUMBER, padding=1)
    ax.set_xticks(range(columns), groups.labels, parse_math=False)
    if is_steep:
        for label in ax.get_xticklabels():
            label.set(rotation=45, ha="right", rotation_mode="anchor")
    ax.grid(axis="y", color=_GRAY, alpha=0.25)
    ax.set(xlabel=groups.groups_title, ylabel=groups.values_title)
    if any(groups.names):
        legend = ax.legend(
            bars,
            ["x"] * len(bars),  # for now: of names, "_" would hide some, and "$" would be math
            loc="upper left",
            bbox_to_anchor=(1, 1),
            frameon=False,
            fontsize=_SMALL,
            handlelength=1.0,
        )
        for text, name in zip(legend.get_texts(), groups.names, strict=True):
            text.set(text=name, parse_math=False)
    return ax


def _label(value: float) -> str:
    """Format a value in no more than four characters, since labels stand side by side."""
    return f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def _draw_numbers(ax: Axes | None, groups: _Groups) -> Axes:
    """Draw a matrix of values; the best of each column is darkest."""
    gained = gains(groups.values, groups.higher_is_better)
    low = gained.min(axis=0)
    ranges = gained.max(axis=0) - low
    shades = 0.4 * (gained - low) / np.maximum(ranges, 1.0)
    texts = [[f"{value:.1f}" for value in row] for row in groups.values.tolist()]
    ax = _draw_matrix(ax, groups.names, groups.labels, texts, shades)
    ax.set_xlabel(
        f"{groups.values_title} by {groups.groups_title};\ndarker: better within a column",
        fontsize=_SMALL,
    )
    return ax


def _scale(metric: str, higher_is_better: bool) -> str:
    """Return the name of a metric, and how to read its scores, which are multiplied by 100."""
    return f"{metric} (0-100)" if higher_is_better else f"{metric} (lower is better)"


def _prepared_axes(ax: Axes | None, width: float, height: float) -> Axes:
    """Return the given Axes, or those of a new figure of this size in inches."""
    (pyplot,) = import_extra("pictures need", "plot", "matplotlib.pyplot")
    if ax is None:
        _, ax = pyplot.subplots(figsize=(width, height), layout="constrained")
    if not isinstance(ax, pyplot.Axes) or ax.name != "rectilinear":
        found = f"is {type(ax).__name__}"
        raise ArgumentTypeError(found, "plain matplotlib.axes.Axes", argument="ax")
    checked: Axes = ax
    checked.spines[["top", "right"]].set_visible(False)
    checked.set_axisbelow(True)
    return checked


def _shown_names(names: Iterable[object]) -> list[str]:
    """Escape names, and shorten long ones in the middle."""
    return [shortened_name(str(name), _LONGEST_NAME) for name in names]


def _names_width(names: Iterable[str]) -> float:
    """Estimate the width of the widest line of all names, in inches."""
    lines = (line for name in names for line in name.split("\n"))
    return _LETTER * max(map(display_width, lines), default=0)


def _write_beside(ax: Axes, row: float, text: str, offset: float = 6) -> None:
    """Write at the right of the Axes, so many points from its edge."""
    ax.annotate(
        text,
        (1, row),
        xycoords=("axes fraction", "data"),
        xytext=(offset, 0),
        textcoords="offset points",
        va="center",
        fontsize=_SMALL,
    )


def _draw_matrix(
    ax: Axes | None,
    rows: Sequence[str],
    columns: Sequence[str],
    texts: Sequence[Sequence[str]],
    shades: Float64,
) -> Axes:
    """Draw numbers in cells (rows, columns), on shades between 0 (white) and 1 (black)."""
    wide = _names_width(columns) + 0.1
    is_steep = wide > 2 * _WIDTH
    cell = _WIDTH if is_steep else max(_WIDTH, wide)
    above = wide if is_steep else 0.3
    width = _names_width(rows) + max(len(columns) * cell, 4.0) + 0.3
    ax = _prepared_axes(ax, width, len(rows) * _HEIGHT + above + 0.8)
    ax.imshow(shades, cmap="Greys", vmin=0, vmax=1, aspect="auto")
    for (row, column), text in np.ndenumerate(np.array(texts)):
        if text:
            # Black, since cells are light in any style.
            ax.text(column, row, text, ha="center", va="center", fontsize=_NUMBER, color="black")
    ax.xaxis.tick_top()
    ax.set_xticks(range(len(columns)), columns, parse_math=False, fontsize=_SMALL)
    ax.tick_params(axis="x", rotation=90 if is_steep else 0)
    ax.set_yticks(range(len(rows)), rows, parse_math=False)
    # Lines between cells.
    ax.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    ax.grid(which="minor", color=_GRAY, linewidth=0.4)
    ax.tick_params(which="both", length=0)
    ax.spines[:].set(visible=True, color=_GRAY, linewidth=0.4)
    return ax
