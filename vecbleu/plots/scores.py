"""The scores of systems, with intervals and what tests say of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vecbleu.core.options import Smoothing, WeightSet
from vecbleu.core.statistics.table import Statistics
from vecbleu.plots import drawing, inputs
from vecbleu.plots.drawing import Axes
from vecbleu.plots.marks import marks_of
from vecbleu.significance import AllPairs, Comparison, Interval
from vecbleu.significance.resampling import (
    SEED,
    PairedResampling,
    Rng,
    Sides,
)
from vecbleu.significance.systems import Systems, score_options


def plot_scores(
    systems: Systems | Statistics | Comparison | Interval | Mapping[str, Interval],
    *,
    pairs: AllPairs | None = None,
    sides: Sides = 1,
    level: float = 0.05,
    resamples: int | None = None,
    rng: Rng = SEED,
    progress: bool | None = False,
    ax: Axes | None = None,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Axes:
    """Draw the scores of systems, the best at the top, with their bootstrap intervals.

    Intervals are of 95% and from the same draws for all systems, unless they are passed as
    `systems`. A filled point is that of the best system, or of one that is not significantly worse;
    the others are empty. Lines part clusters, as `AllPairs.clusters` finds them. Both come from
    the paired bootstrap of all pairs on the same draws, or from `pairs`.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order. Or what has been computed: the `Comparison`
        of `paired_bootstrap`, an `Interval` of `bootstrap`, or a dict of names to these.
    pairs : AllPairs, optional
        The tests of the same systems, of which marks tell; without it, those of statistics are
        computed, and what has been computed gets no marks.
    sides : {1, 2}
        Tails of the bootstrap, as for `paired_bootstrap`; 2 keeps its level.
    level : float
        Significance level of the marks.
    resamples : int, optional
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
            plot_scores, sides=sides, resamples=resamples, rng=rng, progress=progress,
            weights=weights, smoothing=smoothing, smoothing_value=smoothing_value,
            effective_order=effective_order,
        )  # fmt: skip
    else:
        checked = inputs.named_systems(systems)
        options = score_options(checked, weights, smoothing, smoothing_value, effective_order)
        draws = inputs.bootstrap_draws(resamples, rng, progress, sides)
        resampling = PairedResampling(checked, options, draws)
        results = resampling.compare(0)
        if pairs is None and len(checked) > 1:
            pairs = resampling.compare_all()
    names, ends, share = inputs.interval_ends(results)
    marks = None if pairs is None else marks_of(pairs, names, level)
    return drawing.draw_intervals(ax, names, 100 * ends, share, marks)
