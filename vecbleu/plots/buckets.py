"""Scores of systems on groups of segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import Any

import numpy as np

from vecbleu.analysis import Buckets, score_buckets
from vecbleu.analysis.groups import segment_groups
from vecbleu.core.arrays import Float64
from vecbleu.core.checks import checked_bool
from vecbleu.core.options import Smoothing, WeightSet
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.terminal import escaped_name
from vecbleu.plots import drawing, inputs, panels
from vecbleu.plots.drawing import Axes
from vecbleu.significance.resampling import (
    SEED,
    DrawOptions,
    Rng,
)
from vecbleu.significance.systems import Systems, score_options


def plot_buckets(
    systems: Systems | Statistics | Buckets,
    labels: Iterable[Hashable] | None = None,
    *,
    edges: Iterable[int] | None = None,
    intervals: bool = False,
    resamples: int | None = None,
    rng: Rng = SEED,
    progress: bool | None = False,
    ax: Axes | None = None,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Axes:
    """Draw scores on groups of segments.

    Groups are those of `score_buckets`, with the number of their segments: by length of the
    reference, or by label. Labels of more than 32 letters are shown by their beginning and end.
    Up to five systems are bars from 0. More of them are rows with a panel for each group, as in
    `plot_precisions`, from the best at the top by the mean over segments of the groups' scores; or
    lines, where there are more than eight groups.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order. Or the `Buckets` that have been computed.
    labels : iterable (segments,) of hashables, optional
        The group of each segment, such as a domain or a document.
    edges : iterable of int, optional
        Increasing lengths in tokens at which one group ends and the next begins, where there are
        no labels: by default 10, 20, ... 60.
    intervals : bool
        Draw 95% intervals, by bootstrap within each group, for statistics only.
    resamples : int, optional
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
    drawn: dict[str, Any] = {"resamples": resamples, "rng": rng, "progress": progress}
    ends = None
    if isinstance(systems, Buckets):
        given = {"labels": labels, "edges": edges, "intervals": intervals} | drawn | score
        inputs.refuse_options(plot_buckets, **given)
        buckets = systems
    else:
        checked = inputs.named_systems(systems)
        labels = [*labels] if isinstance(labels, Iterator) else labels  # they are read twice
        buckets = score_buckets(checked, labels, edges=edges, **score)
        if checked_bool(intervals, "intervals"):
            groups, _ = segment_groups(checked, labels, edges)
            draws = DrawOptions("bootstrap", 1000 if resamples is None else resamples, rng,
                progress=progress)  # fmt: skip
            ends = inputs.group_ends(
                checked, groups, score_options(checked, *score.values()), draws
            )
    return _draw_buckets(ax, buckets, ends)


def _draw_buckets(ax: Axes | None, buckets: Buckets, ends: Float64 | None) -> Axes:
    """Draw the scores of groups and, if given, ends of intervals (2, systems, groups)."""
    names, values = inputs.display_names(buckets.names), buckets.percents
    labels = [escaped_name(str(label)) for label in buckets.labels]
    sizes = buckets.sizes.tolist()
    unit = "tokens of the reference" if buckets.by == "ref_len" else "group"
    note = "" if ends is None else " with intervals of 95%"
    if len(names) > drawing.MAX_BAR_SYSTEMS and len(labels) <= panels.MAX_PANELS:
        pairs = zip(map(drawing.shortened, labels), sizes, strict=True)
        titles = [f"{label}\n({size})" for label, size in pairs]
        best_first = np.argsort(-(values @ buckets.sizes), kind="stable")
        rows = [names[place] for place in best_first]
        ends = None if ends is None else ends[:, best_first]
        ax = panels.draw_panels(ax, rows, values[best_first], titles, ends)
        ax.set_xlabel(f"BLEU (0-100){note}\nby {unit} (number of segments)")
        return ax
    is_new = ax is None
    ax = drawing.prepared_axes(ax, *drawing.group_figure_size(names, values))
    drawing.draw_groups(ax, names, values, ends)
    ax.set(xlabel=f"{unit} (number of segments)", ylabel=f"BLEU (0-100){note}")
    if len(names) <= drawing.MAX_BAR_SYSTEMS:
        top = float(max(values.max(), 0.0 if ends is None else ends.max()))
        ax.set_ylim(0, drawing.HEADROOM * top or 100.0)
    drawing.label_groups(ax, labels, sizes, is_new)
    return ax
