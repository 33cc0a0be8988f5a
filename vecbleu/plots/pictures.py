"""The pictures: each takes statistics or results, and returns the Axes that it has drawn into."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from vecbleu.analysis import Buckets, score_buckets
from vecbleu.core.options import Smoothing, WeightSet
from vecbleu.core.scoring.formula import brevity_penalty
from vecbleu.core.scoring.score import score_rows
from vecbleu.core.statistics.table import Statistics
from vecbleu.core.terminal import escaped_name
from vecbleu.plots import drawing, inputs, panels
from vecbleu.plots.drawing import Axes
from vecbleu.significance import Comparison, Interval
from vecbleu.significance.resampling import SEED, DrawOptions, PairedResampling, Rng
from vecbleu.significance.systems import Systems, score_options, sum_systems


def plot_precisions(
    systems: Systems | Statistics,
    *,
    ax: Axes | None = None,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Axes:
    """Draw the n-gram precisions of systems by order.

    p_n = 100 * matches of order n / n-grams of order n, after smoothing. Up to five systems are
    bars from 0. More of them are rows, the best score at the top, with a panel for each order: all
    panels have one scale, and each shows the part in which its precisions lie.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into; by default the Axes of a new figure, which
        ``ax.figure.savefig("precisions.svg")`` writes and no window shows.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

    Returns
    -------
    matplotlib.axes.Axes
        Orders across, precisions of 0 to 100 up; or across in each panel, where there are rows.

    Raises
    ------
    TypeError, ValueError
        An argument is of another type, or systems differ in their segments or in how they were
        counted.
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.plots import plot_precisions
    >>> stats = vecbleu.statistics(["the cat sat on it"], ["the cat sat on a mat"])
    >>> ax = plot_precisions({"mine": stats})
    >>> [f"{bar.get_height():.1f}" for bar in ax.patches]
    ['80.0', '75.0', '66.7', '50.0']
    """
    checked = inputs.named_systems(systems)
    options = score_options(checked, weights, smoothing, smoothing_value, effective_order)
    names = inputs.display_names(checked)
    scores = [*score_rows(sum_systems(checked), options)]
    values = np.array([one.percent_precisions for one in scores])
    orders = [f"{order}" for order in range(1, values.shape[1] + 1)]
    if len(names) > drawing.MAX_BAR_SYSTEMS and len(orders) <= panels.MAX_PANELS:
        best_first = sorted(range(len(names)), key=lambda place: -scores[place].percent)
        rows, titles = [names[place] for place in best_first], [f"{order}-grams" for order in orders]
        ax = panels.draw_panels(ax, rows, values[best_first], titles)
        ax.set_xlabel("precision (0-100)")
        return ax
    ax = drawing.prepared_axes(ax, *drawing.group_figure_size(names, values))
    ax.set_ylim(0, drawing.HEADROOM * float(values.max()) or 100.0)
    drawing.draw_groups(ax, names, values)
    ax.set_xticks(range(len(orders)), orders)
    ax.set(xlabel="n-gram order", ylabel="precision (0-100)")
    return ax


def plot_scores(
    systems: Systems | Statistics | Comparison | Interval | Mapping[str, Interval],
    *,
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
    `systems`.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order. Or what has been computed: the `Comparison`
        of `paired_bootstrap`, an `Interval` of `bootstrap`, or a dict of names to these.
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
            plot_scores, resamples=resamples, rng=rng, progress=progress, weights=weights,
            smoothing=smoothing, smoothing_value=smoothing_value, effective_order=effective_order,
        )  # fmt: skip
    else:
        checked = inputs.named_systems(systems)
        options = score_options(checked, weights, smoothing, smoothing_value, effective_order)
        count = 1000 if resamples is None else resamples
        draws = DrawOptions("bootstrap", count, rng, progress=progress)
        results = PairedResampling(checked, options, draws).compare(0)
    names, ends, level = inputs.interval_ends(results)
    return drawing.draw_intervals(ax, names, 100 * ends, level)


def plot_buckets(
    systems: Systems | Statistics | Buckets,
    labels: Iterable[Hashable] | None = None,
    *,
    edges: Iterable[int] | None = None,
    ax: Axes | None = None,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Axes:
    """Draw scores on groups of segments: bars, or lines for more than five systems.

    Groups are those of `score_buckets`, with the number of their segments below: by length of the
    reference, or by label. Labels of more than 32 letters are shown by their beginning and end.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order. Or the `Buckets` that have been computed.
    labels : iterable (segments,) of hashables, optional
        The group of each segment, such as a domain or a document.
    edges : iterable of int, optional
        Increasing lengths in tokens at which one group ends and the next begins, where there are
        no labels: by default 10, 20, ... 60.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into; by default the Axes of a new figure, which
        ``ax.figure.savefig("buckets.svg")`` writes and no window shows.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

    Returns
    -------
    matplotlib.axes.Axes
        Groups across, BLEU of 0 to 100 up.

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
    options: dict[str, Any] = {
        "labels": labels, "edges": edges, "weights": weights, "smoothing": smoothing,
        "smoothing_value": smoothing_value, "effective_order": effective_order,
    }  # fmt: skip
    if isinstance(systems, Buckets):
        inputs.refuse_options(plot_buckets, **options)
        buckets = systems
    else:
        buckets = score_buckets(inputs.named_systems(systems), **options)
    names, values = inputs.display_names(buckets.names), buckets.percents
    is_new = ax is None
    ax = drawing.prepared_axes(ax, *drawing.group_figure_size(names, values))
    drawing.draw_groups(ax, names, values)
    unit = "tokens of the reference" if buckets.by == "ref_len" else "group"
    ax.set(xlabel=f"{unit} (number of segments)", ylabel="BLEU (0-100)")
    if len(names) <= drawing.MAX_BAR_SYSTEMS:
        ax.set_ylim(0, drawing.HEADROOM * float(values.max()) or 100.0)
    groups = [escaped_name(str(label)) for label in buckets.labels]
    drawing.label_groups(ax, groups, buckets.sizes.tolist(), is_new)
    return ax


def plot_brevity_penalty(systems: Systems | Statistics, *, ax: Axes | None = None) -> Axes:
    """Draw the brevity penalty against the ratio of lengths, and mark the systems on it.

    BP = exp(1 - 1 / ratio) below a ratio of 1, else 1, with ratio = hyp_len / ref_len.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into; by default the Axes of a new figure, which
        ``ax.figure.savefig("brevity.svg")`` writes and no window shows.

    Returns
    -------
    matplotlib.axes.Axes
        Ratios across, factors of 0 to 1 up; names stand from the longest system to the shortest.

    Raises
    ------
    TypeError, ValueError
        An argument is of another type, systems differ in their segments or in how they were
        counted, or the references have no tokens.
    ImportError
        matplotlib is not installed.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.plots import plot_brevity_penalty
    >>> stats = vecbleu.statistics(["a b c d"], ["a b c d e"])
    >>> ax = plot_brevity_penalty({"mine": stats})
    >>> [(round(x, 4), round(y, 4)) for x, y in ax.lines[1].get_xydata().tolist()]
    [(0.8, 0.7788)]
    """
    checked = inputs.named_systems(systems)
    names = inputs.display_names(checked)
    sums = sum_systems(checked)
    for row in np.flatnonzero(sums.ref_len == 0)[:1]:
        raise ValueError(f"the references of system {names[row]} have no tokens: there is no ratio")
    ratios = sums.hyp_len / sums.ref_len
    penalties = brevity_penalty(sums.hyp_len, sums.ref_len)
    width, height = 5.5 + drawing.names_width(names), max(4.0, 1.1 + 0.17 * len(names))
    ax = drawing.prepared_axes(ax, width, height)
    low, high = max(0.0, min(0.8, ratios.min() - 0.05)), max(1.1, ratios.max() + 0.05)
    curve = np.unique([*np.linspace(low, high, 500), 1.0])
    ax.plot(curve, brevity_penalty(curve, np.ones(len(curve))), color=drawing.GRAY, zorder=1)
    for place, (name, x, y) in enumerate(zip(names, ratios, penalties, strict=True)):
        ax.plot([x], [y], label=name, **drawing.system_style(place), clip_on=False)
    ax.set_xlim(low, high)
    ax.set_ylim(0 if low == 0 else None, 1.02)
    drawing.label_points(ax, names, ratios, penalties, ratios)
    ax.set(xlabel="hypothesis length / reference length", ylabel="brevity penalty (0-1)")
    ax.grid(**drawing.GRID)
    return ax
