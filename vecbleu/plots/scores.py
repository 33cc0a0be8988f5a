"""The scores of systems, with intervals and what tests say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.options import Smoothing, Weights
from vecbleu.core.statistics.table import Statistics
from vecbleu.plots import drawing, inputs
from vecbleu.plots.drawing import Axes
from vecbleu.plots.marks import Marks, marks_of
from vecbleu.significance import Comparison, Interval, Ranking
from vecbleu.significance.inference import PairedResampling, Sides
from vecbleu.significance.resampling import SEED, Rng
from vecbleu.significance.systems import Systems


def plot_scores(
    systems: Systems | Statistics | Comparison | Interval | Mapping[str, Interval],
    *,
    pairs: Ranking | None = None,
    sides: Sides = 2,
    level: float = 0.05,
    n_resamples: int | None = None,
    rng: Rng = SEED,
    progress: bool | None = False,
    ax: Axes | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Axes:
    """Draw the scores of systems, the best at the top, with their bootstrap intervals.

    Intervals are of 95% and from the same draws for all systems, unless they are passed as
    `systems`. A filled point is that of the best system, or of one that is not significantly worse;
    the others are empty. Lines part clusters, as `Ranking.clusters` finds them. Both come from
    the paired bootstrap of all pairs on the same draws, or from `pairs`.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order. Or what has been computed: the `Comparison`
        of `paired_bootstrap`, an `Interval` of `bootstrap`, or a dict of names to these.
    pairs : Ranking, optional
        The tests of the same systems, of which marks tell; without it, those of statistics are
        computed, and what has been computed gets no marks.
    sides : {2, 1}
        Tails of the tests, as for `vecbleu.significance.paired_bootstrap`.
    level : float
        Significance level of the marks.
    n_resamples : int, optional
        Number of resampled corpora (by default 1,000), for statistics only.
    rng : numpy.random.Generator, int or None
        Generator or seed of the draws, as for `vecbleu.significance.bootstrap`.
    progress : bool, optional
        Show a progress bar, as for `vecbleu.corpus_bleu`.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into; by default the Axes of a new figure, which
        ``ax.figure.savefig("scores.svg")`` writes and no window shows.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

    Returns
    -------
    matplotlib.axes.Axes
        BLEU of 0 to 100 across, a row for each system.

    Raises
    ------
    TypeError, ValueError
        An argument is of another type, systems differ in their segments or in how they were
        counted, a comparison has no intervals, intervals are of different levels, or there are
        options for what has been computed.
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.plots import plot_scores
    >>> references = ["a b c d e", "a b c d"]
    >>> one = vecbleu.statistics(["a b c d e", "a b c x"], references)
    >>> two = vecbleu.statistics(["a b c d e", "a b c d"], references)
    >>> ax = plot_scores({"one": one, "two": two}, smoothing="exp")
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['two', 'one']
    """
    results: Any = systems
    if inputs.is_interval_result(systems):
        inputs.refuse_options(
            plot_scores, sides=sides, n_resamples=n_resamples, rng=rng, progress=progress,
            weights=weights, smoothing=smoothing, smoothing_value=smoothing_value,
            effective_order=effective_order,
        )  # fmt: skip
    else:
        checked = inputs.named_systems(systems)
        score = {
            "weights": weights, "smoothing": smoothing, "smoothing_value": smoothing_value,
            "effective_order": effective_order,
        }  # fmt: skip
        draws = inputs.bootstrap_draws(n_resamples, rng, progress)
        resampling = PairedResampling(checked, draws, score, sides=sides, least=1)
        results = resampling.compare()
        if pairs is None and len(checked) > 1:
            pairs = resampling.rank()
    names, ends, share = inputs.interval_ends(results)
    marks = None if pairs is None else marks_of(pairs, names, level)
    return _draw_intervals(ax, names, 100 * ends, share, marks)


def _draw_intervals(
    ax: Axes | None, names: Sequence[str], ends: Float64, level: float, marks: Marks | None = None
) -> Axes:
    """Draw scores, lower and upper bounds (3, systems) on 0 to 100, the best at the top."""
    order = np.argsort(-ends[0], kind="stable")
    scores, lower, upper = ends[:, order]
    rows = np.arange(len(order))[::-1]
    ax = drawing.prepared_axes(ax, 5.5 + drawing.names_width(names), 1.3 + 0.27 * len(rows))
    ax.hlines(rows, lower, upper, color=drawing.INTERVAL, linewidth=2)
    (points,) = ax.plot(scores, rows, "o", color=drawing.COLORS[0], markersize=5, clip_on=False)
    if not (scores.any() or upper.any()):
        ax.set_xlim(0, 100)
    for row, one in zip(rows.tolist(), scores.tolist(), strict=True):
        ax.annotate(
            f"{one:.1f}", (1, row), (drawing.GAP, 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", va="center", fontsize=drawing.SMALL, annotation_clip=False,
        )  # fmt: skip
    ax.set_yticks(rows, [names[place] for place in order], parse_math=False)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.7, len(rows) - 0.3)
    ax.set_xlabel(f"BLEU (0-100) with intervals of {100 * level:g}%")
    ax.grid(axis="x", **drawing.GRID)
    if marks is not None:
        _mark_rows(ax, points, marks, order)
    return ax


def _mark_rows(ax: Axes, points: Any, marks: Marks, order: Int64) -> None:
    """Empty the points of systems that are worse than the best, and part clusters by lines."""
    (x, y), is_close = points.get_data(), marks.is_close[order]
    clusters = marks.clusters[order]
    notes = []
    if not is_close.all():
        points.set_data(x[is_close], y[is_close])
        # A ring, through which the interval shows: its own background would hide that of a page.
        ax.plot(x[~is_close], y[~is_close], "o", color=drawing.COLORS[0], markersize=5,
            clip_on=False, markerfacecolor="none")  # fmt: skip
        notes.append(f"empty: worse than the best (p < {marks.level:g})")
    for place in np.flatnonzero(np.diff(clusters)).tolist():
        ax.axhline(y[place] - 0.5, color=drawing.GRAY, linewidth=0.8, linestyle=(0, (4, 3)))
    if clusters.max() > 1:
        notes.append("lines: clusters")
    if notes:
        ax.set_xlabel(f"{ax.get_xlabel()}\n{'; '.join(notes)}")
