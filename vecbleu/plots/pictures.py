"""The pictures: each takes statistics or results, and returns the Axes that it has drawn into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from vecbleu.analysis import Buckets, score_buckets
from vecbleu.plots.drawing import (
    COLORS,
    GAP,
    GRAY,
    HEADROOM,
    MOST_BARS,
    SMALL,
    axes_of,
    draw_groups,
    label_groups,
    label_points,
    look,
    room_of,
    size_of_groups,
)
from vecbleu.plots.systems import (
    by_name,
    intervals_of,
    refuse,
    scores_of,
    tested,
    titles,
    visible,
)
from vecbleu.scores import brevity_penalty
from vecbleu.significance import Comparison, Interval
from vecbleu.significance.resampling import SEED
from vecbleu.significance.scoring import ScoreOptions, Systems
from vecbleu.statistics import Statistics

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from typing_extensions import Unpack


def plot_precisions(
    systems: Systems | Statistics, *, ax: Axes | None = None, **score: Unpack[ScoreOptions]
) -> Axes:
    """Draw the n-gram precisions of systems by order: bars, or lines for more than five systems.

    p_n = 100 * matches of order n / n-grams of order n, after smoothing.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order.
    ax : matplotlib.axes.Axes, optional
        What is drawn into; by default the Axes of a new figure, which
        ``ax.figure.savefig("precisions.svg")`` writes and no window shows.
    **score
        `weights`, `smoothing`, `smoothing_value` and `effective_order` as for `vecbleu.bleu`.

    Returns
    -------
    matplotlib.axes.Axes
        Orders across, precisions of 0 to 100 up.

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
    names, scores = scores_of(systems, score)
    values = np.array([one.percent_precisions for one in scores])
    ax = axes_of(ax, *size_of_groups(names, values))
    ax.set_ylim(0, max(100.0, HEADROOM * float(values.max())))
    draw_groups(ax, names, values)
    orders = range(1, values.shape[1] + 1)
    ax.set_xticks(range(len(orders)), [f"{order}" for order in orders])
    ax.set(xlabel="n-gram order", ylabel="precision (0-100)")
    return ax


def plot_scores(
    systems: Systems | Statistics | Comparison | Interval | Mapping[str, Interval],
    *,
    resamples: int | None = None,
    rng: Any = SEED,
    progress: bool | None = False,
    ax: Axes | None = None,
    **score: Unpack[ScoreOptions],
) -> Axes:
    """Draw the scores of systems, the best at the top, with the intervals of the bootstrap.

    Intervals are of 95% and of the same draws for all systems, unless they come with `systems`.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order. Or what has been computed: the `Comparison`
        of `paired_bootstrap`, an `Interval` of `bootstrap`, or a dict of names to these.
    resamples : int, optional
        Corpora drawn (1,000), where there is anything left to compute.
    rng : numpy.random.Generator, int or None
        Generator or seed of the draws, as for `bootstrap`.
    progress : bool, optional
        Show how far the work has come, as for `vecbleu.statistics`.
    ax : matplotlib.axes.Axes, optional
        What is drawn into; by default the Axes of a new figure, which
        ``ax.figure.savefig("scores.svg")`` writes and no window shows.
    **score
        `weights`, `smoothing`, `smoothing_value` and `effective_order` as for `vecbleu.bleu`.

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
    asked: dict[str, Any] = {"resamples": resamples, "rng": rng, "progress": progress}
    for name, default in (("resamples", None), ("rng", SEED), ("progress", False)):
        if type(asked[name]) is type(default) and asked[name] == default:
            del asked[name]
    names, numbers, level = intervals_of(tested(systems, asked, score))
    order = np.argsort(-numbers[0], kind="stable")
    scores, lower, upper = 100 * numbers[:, order]
    rows = np.arange(len(order))[::-1]
    ax = axes_of(ax, 5.5 + room_of(names), 1.1 + 0.27 * len(rows))
    ax.hlines(rows, lower, upper, color=COLORS[0], linewidth=2, alpha=0.5)
    ax.plot(scores, rows, "o", color=COLORS[0], markersize=5, clip_on=False)
    if not (scores.any() or upper.any()):
        ax.set_xlim(0, 100)
    for row, one in zip(rows.tolist(), scores.tolist(), strict=True):
        ax.annotate(
            f"{one:.1f}", (1, row), (GAP, 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", va="center", fontsize=SMALL, annotation_clip=False,
        )  # fmt: skip
    ax.set_yticks(rows, [names[place] for place in order], parse_math=False)
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(-0.7, len(rows) - 0.3)
    ax.set_xlabel(f"BLEU (0-100) with intervals of {100 * level:g}%")
    ax.grid(axis="x", color="0.9")
    return ax


def plot_buckets(
    systems: Systems | Statistics | Buckets,
    labels: Iterable[Any] | None = None,
    *,
    edges: Iterable[int] | None = None,
    ax: Axes | None = None,
    **score: Unpack[ScoreOptions],
) -> Axes:
    """Draw scores on groups of segments: bars, or lines for more than five systems.

    Groups are those of `score_buckets`, with the number of their segments below: by length of the
    reference, or by label. Labels of more than 32 letters are shown by their beginning and end.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order. Or the `Buckets` that have been computed.
    labels : iterable (segments,) of hashables, optional
        What each segment belongs to, such as a domain or a document.
    edges : iterable of int, optional
        Increasing lengths in tokens at which one group ends and the next begins, where there are
        no labels: by default 10, 20, ... 60.
    ax : matplotlib.axes.Axes, optional
        What is drawn into; by default the Axes of a new figure, which
        ``ax.figure.savefig("buckets.svg")`` writes and no window shows.
    **score
        `weights`, `smoothing`, `smoothing_value` and `effective_order` as for `vecbleu.bleu`.

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
    if isinstance(systems, Buckets):
        refuse(score, labels=labels is not None, edges=edges is not None)
        buckets = systems
    else:
        buckets = score_buckets(by_name(systems), labels, edges=edges, **score)
    values = buckets.percents
    names = titles(buckets.names)
    groups = [visible(str(label)) for label in buckets.labels]
    is_new = ax is None
    ax = axes_of(ax, *size_of_groups(names, values))
    draw_groups(ax, names, values)
    unit = "tokens of the reference" if buckets.by == "ref_len" else "group"
    ax.set(xlabel=f"{unit} (number of segments)", ylabel="BLEU (0-100)")
    if len(names) <= MOST_BARS:
        ax.set_ylim(0, HEADROOM * float(values.max()) or 100.0)
    label_groups(ax, groups, buckets.sizes.tolist(), is_new)
    return ax


def plot_brevity_penalty(systems: Systems | Statistics, *, ax: Axes | None = None) -> Axes:
    """Draw the brevity penalty against the ratio of lengths, and mark the systems on it.

    BP = exp(1 - 1 / ratio) below a ratio of 1, else 1, with ratio = hyp_len / ref_len.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics
        Rows of the same segments, in the same order.
    ax : matplotlib.axes.Axes, optional
        What is drawn into; by default the Axes of a new figure, which
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
    names, scores = scores_of(systems, {})
    for name, one in zip(names, scores, strict=True):
        if not one.ref_len:
            raise ValueError(f"the references of system {name} have no tokens: there is no ratio")
    ratios = np.array([one.ratio for one in scores])
    penalties = np.array([one.brevity_penalty for one in scores])
    ax = axes_of(ax, 5.5 + room_of(names), max(4.0, 1.1 + 0.17 * len(scores)))
    low, high = max(0.0, min(0.8, ratios.min() - 0.05)), max(1.1, ratios.max() + 0.05)
    curve = np.unique([*np.linspace(low, high, 500), 1.0])
    ax.plot(curve, brevity_penalty(curve, np.ones(len(curve))), color=GRAY, zorder=1)
    for place, (name, x, y) in enumerate(zip(names, ratios, penalties, strict=True)):
        ax.plot([x], [y], label=name, **look(place), clip_on=False)
    order = np.argsort(ratios, kind="stable")
    ax.set_xlim(low, high)
    ax.set_ylim(0 if low == 0 else None, 1.02)
    label_points(ax, names, ratios, penalties, order.tolist())
    ax.set(xlabel="hypothesis length / reference length", ylabel="brevity penalty (0-1)")
    ax.grid(color="0.9")
    return ax
