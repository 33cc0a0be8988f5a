"""Draw bars: scores of groups, or precisions of n-gram orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from vecbleu.analysis import Buckets
from vecbleu.core.arrays import Float64
from vecbleu.core.scoring import BleuScore
from vecbleu.plots import drawing
from vecbleu.plots.drawing import Axes

# Upper bounds: bars with numbers; bars, counting the gaps between groups; groups in a picture.
_MOST_VALUES, _MOST_BARS, _MOST_COLUMNS = 24, 80, 60

_ADVICE = "draw analysis.score_buckets(systems), or a dict of names to stats.score(), instead"


def plot_bars(
    result: Buckets | BleuScore | Mapping[str, BleuScore], *, ax: Axes | None = None
) -> Axes:
    """Draw the scores of groups of segments, or n-gram precisions and brevity penalties, as bars.

    Each group or order has one bar per system, the best system first. If there are more than six
    systems, or too many bars, a matrix of numbers is drawn instead; darker cells are better within
    a column. The best system has the highest score; for groups, the highest mean over segments.

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
        Scores differ in their orders, there are no scores, or there are more than 60 groups.
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
    if columns > _MOST_COLUMNS:
        raise ValueError(f"result has {columns} groups, expected at most {_MOST_COLUMNS} to draw")
    is_matrix = systems > len(drawing.COLORS) or columns * (systems + 1) > _MOST_BARS
    return (_draw_numbers if is_matrix else _draw_bars)(ax, groups)


class _Groups(NamedTuple):
    """Values (systems, groups) between 0 and 100, with names and labels."""

    names: Sequence[str]
    labels: Sequence[str]
    values: Float64
    groups_title: str
    values_title: str


def _groups_of(result: Any) -> _Groups:
    """Return the checked values to draw."""
    if isinstance(result, Buckets):
        labels = drawing.shown_names(result.labels)
        sized = [f"{label}\n({size})" for label, size in zip(labels, result.sizes, strict=True)]
        kind = "reference length" if result.by == "ref_len" else "group"
        order = np.argsort(-result.scores @ result.sizes, kind="stable")
        names = drawing.shown_names(result.names[system] for system in order)
        title = f"{kind} (number of segments)"
        return _Groups(names, sized, 100 * result.scores[order], title, f"{result.metric} (0-100)")
    scores = {"": result} if isinstance(result, BleuScore) else result
    if not isinstance(scores, Mapping):
        raise TypeError(f"result is {type(result).__name__}; {_ADVICE}")
    for name, score in scores.items():
        if not isinstance(score, BleuScore):
            raise TypeError(f"result[{name!r}] is {type(score).__name__}; {_ADVICE}")
    sizes = sorted({len(score.precisions) for score in scores.values()})
    if len(sizes) != 1:
        raise ValueError(f"result has scores of {sizes} orders, expected scores of the same orders")
    best_first = sorted(scores.items(), key=lambda row: -row[1])
    rows = [[*score.percent_precisions, 100 * score.brevity_penalty] for _, score in best_first]
    orders = [*map(str, range(1, sizes[0] + 1)), "brevity\npenalty"]
    names = drawing.shown_names(name for name, _ in best_first)
    return _Groups(names, orders, np.array(rows), "n-gram order", "precision (0-100)")


def _draw_bars(ax: Axes | None, groups: _Groups) -> Axes:
    """Draw bars side by side, with a legend at the right."""
    systems, columns = groups.values.shape
    has_values = groups.values.size <= _MOST_VALUES
    slot = max((systems + 1) * (0.32 if has_values else 0.17), 0.5, 4.4 / columns)
    widest = drawing.names_width(groups.labels)
    is_steep = widest > slot
    size = 1.4 + slot * columns + drawing.names_width(groups.names), 3.8 + 0.7 * widest * is_steep
    ax = drawing.prepared_axes(ax, *size)
    width = 1 / (systems + 1)
    bars = []
    for system, values in enumerate(groups.values):
        middles = np.arange(columns) + (system - (systems - 1) / 2) * width
        bars.append(ax.bar(middles, values, 0.92 * width, color=drawing.COLORS[system]))
        if has_values:
            ax.bar_label(bars[-1], fmt=_label, fontsize=drawing.NUMBER, padding=1)
    style: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    ax.set_xticks(range(columns), groups.labels, parse_math=False, **(style if is_steep else {}))
    ax.grid(axis="y", **drawing.GRID)
    ax.set(xlabel=groups.groups_title, ylabel=groups.values_title)
    if any(groups.names):
        # Names are set later: a legend leaves out labels that begin with "_", reads "$" as math.
        style = {"frameon": False, "fontsize": drawing.SMALL, "handlelength": 1.0}
        blank = ["x"] * len(bars)
        legend = ax.legend(bars, blank, loc="upper left", bbox_to_anchor=(1, 1), **style)
        for text, name in zip(legend.get_texts(), groups.names, strict=True):
            text.set(text=name, parse_math=False)
    return ax


def _label(value: float) -> str:
    """Format a value in no more than four characters, since labels stand side by side."""
    return f"{value:.1f}" if value < 99.95 else "100"


def _draw_numbers(ax: Axes | None, groups: _Groups) -> Axes:
    """Draw a matrix of values; the best of each column is darkest."""
    low, high = groups.values.min(axis=0), groups.values.max(axis=0)
    shades = 0.4 * (groups.values - low) / np.maximum(high - low, 1.0)
    texts = [[f"{value:.1f}" for value in row] for row in groups.values.tolist()]
    ax = drawing.draw_matrix(ax, groups.names, groups.labels, texts, shades)
    ax.set_xlabel(
        f"{groups.values_title} by {groups.groups_title};\ndarker: better within a column",
        fontsize=drawing.SMALL,
    )
    return ax
