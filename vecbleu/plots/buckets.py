"""Scores of systems on groups of segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from vecbleu.analysis import Buckets, score_buckets
from vecbleu.analysis.buckets import segment_groups
from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.checks import checked_bool
from vecbleu.core.options import Smoothing, Weights
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.terminal import escaped_name
from vecbleu.plots import drawing, inputs, panels
from vecbleu.plots.drawing import Axes
from vecbleu.plots.matrix import DARKEST, draw_matrix
from vecbleu.significance.resampling import SEED, Rng
from vecbleu.significance.systems import Systems

# Groups that are columns of a matrix, where there are too many systems for bars.
_MAX_COLUMNS = 30

# What groups are of.
_UNITS = {
    "label": "group",
    "ref_len": "tokens of the reference",
}


def plot_buckets(
    systems: Systems | Statistics | Buckets,
    labels: Iterable[Hashable] | None = None,
    *,
    edges: Iterable[int] | None = None,
    intervals: bool = False,
    n_resamples: int | None = None,
    rng: Rng = SEED,
    progress: bool | None = False,
    ax: Axes | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Axes:
    """Draw scores on groups of segments.

    Groups are those of `score_buckets`, with the number of their segments. Labels of more than 32
    letters are shown by their beginning and end.
    Up to five systems are bars from 0. More of them are rows with a panel for each group, as in
    `plot_precisions`, from the highest corpus score at the top. Of `Buckets`, which have none, it
    is the mean over segments of the groups' scores. With more than eight groups, they are a matrix
    with the scores as numbers, darker the better within a group, and half the widths of intervals
    below; with more than thirty, lines.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order. Or the `Buckets` that have been computed.
    labels : iterable (segments,) of hashables, optional
        The group of each segment, such as a domain or a document.
    edges : iterable of int, optional
        Where one group ends and the next begins, as for `vecbleu.analysis.score_buckets`.
    intervals : bool
        Draw 95% intervals, by bootstrap within each group, for statistics only.
    n_resamples : int, optional
        Number of resampled corpora of each group (by default 1,000), for intervals.
    rng : numpy.random.Generator, int or None
        Generator or seed of the draws, as for `vecbleu.significance.bootstrap`.
    progress : bool, optional
        Show a progress bar for the draws, as for `vecbleu.corpus_bleu`.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into; by default the Axes of a new figure, which
        ``ax.figure.savefig("buckets.svg")`` writes and no window shows.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

    Returns
    -------
    matplotlib.axes.Axes
        Groups across, BLEU of 0 to 100 up; or across in each panel, where there are rows.

    Raises
    ------
    TypeError, ValueError
        As for `score_buckets`; or there are more than 300 groups, or options for buckets that have
        been computed.
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.plots import plot_buckets
    >>> references = ["a b c d", "e f g h i", "a b c d e f g h i j"]
    >>> one = vecbleu.statistics(["a b c d", "e f g x i", "a b c d e f g h"], references)
    >>> ax = plot_buckets({"one": one}, ["news", "talk", "talk"], smoothing="exp")
    >>> [f"{bar.get_height():.1f}" for bar in ax.patches]
    ['100.0', '69.0']
    """
    score: dict[str, Any] = {
        "weights": weights, "smoothing": smoothing, "smoothing_value": smoothing_value,
        "effective_order": effective_order,
    }  # fmt: skip
    if isinstance(systems, Buckets):
        inputs.refuse_options(
            plot_buckets, labels=labels, edges=edges, intervals=intervals,
            n_resamples=n_resamples, rng=rng, progress=progress, **score,
        )  # fmt: skip
        means = np.sum(systems.scores * systems.sizes, axis=1)
        return _draw_buckets(ax, systems, np.argsort(-means, kind="stable"), None)
    checked = inputs.named_systems(systems)
    labels = [*labels] if isinstance(labels, Iterator) else labels  # they are read twice
    edges = [*edges] if isinstance(edges, Iterator) else edges
    buckets = score_buckets(checked, labels, edges=edges, **score)
    options, ends = inputs.score_options(checked, *score.values()), None
    if checked_bool(intervals, "intervals"):
        groups, _ = segment_groups(next(iter(checked.values())).ref_len, labels, edges)
        draws = inputs.bootstrap_draws(n_resamples, rng, progress)
        ends = inputs.group_ends(checked, groups, options, draws)
    return _draw_buckets(ax, buckets, inputs.best_first(checked, options), ends)


def _draw_buckets(
    ax: Axes | None, buckets: Buckets, best_first: Int64, ends: Float64 | None
) -> Axes:
    """Draw the scores of groups and, if given, ends of intervals (2, systems, groups)."""
    names, values = inputs.display_names(buckets.names), 100 * buckets.scores
    labels = [escaped_name(str(label)) for label in buckets.labels]
    sizes, unit = buckets.sizes.tolist(), f"{_UNITS[buckets.by]} (number of segments)"
    note = "" if ends is None else " with intervals of 95%"
    if len(names) > drawing.MAX_BAR_SYSTEMS and len(labels) <= _MAX_COLUMNS:
        titles = drawing.group_labels(labels, sizes, "\n")
        rows, values = [names[place] for place in best_first], values[best_first]
        ends = None if ends is None else ends[:, best_first]
        draw = panels.draw_panels if len(labels) <= panels.MAX_PANELS else _draw_numbers
        ax = draw(ax, rows, values, titles, ends)
        ax.set_xlabel(f"BLEU (0-100){note}\nby {unit}")
        return ax
    is_new = ax is None
    ax = drawing.prepared_axes(ax, *drawing.group_figure_size(names, values))
    drawing.draw_groups(ax, names, values, ends)
    ax.set(xlabel=unit, ylabel=f"BLEU (0-100){note}")
    if len(names) <= drawing.MAX_BAR_SYSTEMS:
        top = float(max(np.nanmax(values), 0.0 if ends is None else np.nanmax(ends)))
        ax.set_ylim(0, drawing.HEADROOM * top or 100.0)
    drawing.label_groups(ax, labels, sizes, is_new)
    return ax


def _draw_numbers(
    ax: Axes | None,
    names: Sequence[str],
    values: Float64,
    titles: Sequence[str],
    ends: Float64 | None,
) -> Axes:
    """Draw a matrix of scores (systems, groups), and half the widths of their intervals."""
    low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
    shades = DARKEST * (values - low) / np.maximum(high - low, 1.0)
    texts = [["" if value != value else f"{value:.1f}" for value in row] for row in values.tolist()]
    if ends is not None:
        for row, column in np.argwhere(~np.isnan(values)).tolist():
            texts[row][column] += f"\n±{np.ptp(ends[:, row, column]) / 2:.1f}"
    return draw_matrix(ax, names, titles, texts, shades)
