"""Pictures of scores and of what they are made of, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from vecbleu.analysis import Buckets, score_buckets
from vecbleu.results import BleuScore, score_rows
from vecbleu.scores import brevity_penalty
from vecbleu.significance import Comparison, Interval, bootstrap, paired_bootstrap
from vecbleu.significance.resampling import SEED
from vecbleu.significance.scoring import (
    Floats,
    ScoreOptions,
    Systems,
    formula_of,
    table_of,
    tables_of,
)
from vecbleu.statistics import Statistics

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from typing_extensions import Unpack

# Okabe and Ito's, which people tell apart who see fewer colors; yellow is too light for white.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_MARKERS = ("o", "s", "^", "D")
_GRAY = "0.45"

# Systems that stand beside each other as bars; more of them are lines.
_MOST_BARS = 5

# Bars that have room for their values, and the height of the Axes above the highest.
_MOST_VALUES = 12
_HEADROOM = 1.06

# Groups whose labels stand level, and the letters of these.
_MOST_LEVEL, _LONGEST_LEVEL = 12, 10

# Points of letters and between the Axes and names; inches that a letter takes, if it is wide.
_SMALL, _VALUE, _GAP = 9.0, 8.0, 6.0
_LETTER = 0.085

# Names of systems that have none.
_UNNAMED = ("",)


def load_matplotlib() -> Any:
    """The package, with figures and axes; ImportError that says how to get it."""
    try:
        for module in ("matplotlib.axes", "matplotlib.figure"):
            import_module(module)
        return import_module("matplotlib")
    except ImportError as error:
        message = 'plots need the package matplotlib: pip install "vecbleu[plot]"'
        raise ImportError(message) from error


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
    names, scores = _scores(systems, score)
    values = np.array([one.percent_precisions for one in scores])
    ax = _axes(ax, *_size_of_groups(names, values))
    ax.set_ylim(0, max(100.0, _HEADROOM * float(values.max())))
    _draw_groups(ax, names, values)
    orders = range(1, values.shape[1] + 1)
    ax.set_xticks(range(len(orders)), [f"{order}" for order in orders])
    ax.set(xlabel="n-gram order", ylabel="precision (0-100)")
    return ax


def plot_scores(
    systems: Systems | Statistics | Comparison | Interval | Mapping[str, Interval],
    *,
    resamples: int = 1000,
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
    resamples : int
        Corpora drawn, if there is anything left to compute.
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
        counted, a comparison has no intervals, or intervals are of different levels.
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
    names, numbers, level = _intervals(_tested(systems, asked, score))
    order = np.argsort(-numbers[0], kind="stable")
    scores, lower, upper = 100 * numbers[:, order]
    rows = np.arange(len(order))[::-1]
    ax = _axes(ax, 5.5 + _room(names), 1.1 + 0.27 * len(rows))
    ax.hlines(rows, lower, upper, color=_COLORS[0], linewidth=2, alpha=0.5)
    ax.plot(scores, rows, "o", color=_COLORS[0], markersize=5)
    for row, one in zip(rows.tolist(), scores.tolist(), strict=True):
        ax.annotate(
            f"{one:.1f}", (1, row), (_GAP, 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", va="center", fontsize=_SMALL, annotation_clip=False,
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
    reference, or by label.

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
        As for `score_buckets`; or there are options for buckets that have been computed.
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
        _refuse(score, labels=labels is not None, edges=edges is not None)
        buckets = systems
    else:
        buckets = score_buckets(_named(systems), labels, edges=edges, **score)
    values = buckets.percents
    names = [*map(str, buckets.names)]
    groups = [*map(str, buckets.labels)]
    width, height = _size_of_groups(names, values)
    ax = _axes(ax, width, height + (0.7 * _room(groups) if _slope(groups) else 0))
    _draw_groups(ax, names, values)
    _label_groups(ax, groups, buckets.sizes.tolist())
    unit = "tokens of the reference" if buckets.by == "ref_len" else "group"
    ax.set(xlabel=f"{unit} (number of segments)", ylabel="BLEU (0-100)")
    if len(names) <= _MOST_BARS:
        ax.set_ylim(0, _HEADROOM * float(values.max()) or 100.0)
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
    names, scores = _scores(systems, {})
    for name, one in zip(names, scores, strict=True):
        if not one.ref_len:
            raise ValueError(f"the references of system {name} have no tokens: there is no ratio")
    ratios = np.array([one.ratio for one in scores])
    penalties = np.array([one.brevity_penalty for one in scores])
    ax = _axes(ax, 5.5 + _room(names), max(4.0, 1.1 + 0.17 * len(scores)))
    low, high = max(0.0, min(0.8, ratios.min() - 0.05)), max(1.1, ratios.max() + 0.05)
    curve = np.unique([*np.linspace(low, high, 500), 1.0])
    ax.plot(curve, brevity_penalty(curve, np.ones(len(curve))), color=_GRAY, zorder=1)
    for place, (name, x, y) in enumerate(zip(names, ratios, penalties, strict=True)):
        ax.plot([x], [y], label=name, **_look(place), clip_on=False)
    order = np.argsort(ratios, kind="stable")
    ax.set_xlim(low, high)
    ax.set_ylim(0 if low == 0 else None, 1.02)
    _label_points(ax, names, ratios, penalties, order.tolist())
    ax.set(xlabel="hypothesis length / reference length", ylabel="brevity penalty (0-1)")
    ax.grid(color="0.9")
    return ax


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    """What to draw into: the given Axes, or those of a new figure of so many inches."""
    package = load_matplotlib()
    if ax is None:
        # Not of pyplot, which would keep the figure and might ask for a display.
        figure = package.figure.Figure(figsize=(width, height), layout="constrained")
        ax = figure.subplots()
    if not isinstance(ax, package.axes.Axes):
        raise TypeError(f"ax is {type(ax).__name__}, expected matplotlib.axes.Axes")
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)
    checked: Axes = ax
    return checked


def _named(systems: Systems | Statistics) -> dict[str, Statistics]:
    """Checked systems by name; a single one has none."""
    if isinstance(systems, Statistics):
        table_of(systems)
        return {"": systems}
    names, _ = tables_of(systems, least=1)
    each = systems.values() if isinstance(systems, Mapping) else systems
    return dict(zip(names, each, strict=True))


def _scores(
    systems: Systems | Statistics, options: ScoreOptions
) -> tuple[list[str], list[BleuScore]]:
    """Names of systems, and their scores."""
    named = _named(systems)
    (max_order,) = {one.max_order for one in named.values()}
    formula = formula_of(max_order, options)
    scores = [next(score_rows(one.sum()[None], formula)) for one in named.values()]
    return [*map(str, named)], scores


def _tested(
    systems: Any, asked: dict[str, Any], score: ScoreOptions
) -> Comparison | Mapping[str, Interval]:
    """Intervals, computed unless they are there."""
    if isinstance(systems, Interval):
        systems = {"": systems}
    intervals = isinstance(systems, Mapping) and any(
        isinstance(one, Interval) for one in systems.values()
    )
    if not intervals and not isinstance(systems, Comparison):
        named = _named(systems)
        if len(named) > 1:  # which draws once for all of them
            return paired_bootstrap(named, **asked, **score)
        return {name: bootstrap(one, **asked, **score) for name, one in named.items()}
    _refuse(score)
    for name, one in systems.items() if intervals else ():
        if not isinstance(one, Interval):
            raise TypeError(f"systems[{name!r}] is {type(one).__name__}, expected Interval")
    found: Comparison | Mapping[str, Interval] = systems
    return found


def _intervals(found: Comparison | Mapping[str, Interval]) -> tuple[list[str], Floats, float]:
    """Names; scores, lower and upper ends (3, systems) on 0 to 1; the level of all."""
    if isinstance(found, Comparison):
        if found.lower is None or found.upper is None:
            raise ValueError("the comparison has no intervals; paired_bootstrap's has")
        ends = np.stack([found.scores, found.lower, found.upper])
        return [*map(str, found.names)], ends, 0.95
    levels = sorted({one.level for one in found.values()})
    if len(levels) > 1:
        raise ValueError(f"intervals have the levels {levels}, expected one level")
    ends = np.array([[one.score, one.lower, one.upper] for one in found.values()]).T
    return [*map(str, found)], ends, levels[0]


def _refuse(score: ScoreOptions, **given: bool) -> None:
    """TypeError where something is asked for that has been decided already."""
    names = [*score, *(name for name, is_given in given.items() if is_given)]
    if names:
        raise TypeError(f"{names[0]} is for statistics, and these are results")


def _draw_groups(ax: Axes, names: Sequence[str], values: Floats) -> None:
    """Draw values (systems, groups) at 0, 1, ... as bars from 0, or as lines."""
    groups = np.arange(values.shape[1])
    ax.grid(axis="y", color="0.9")
    if len(names) > _MOST_BARS:
        for place, row in enumerate(values):
            ax.plot(groups, row, label=names[place], linewidth=1.2, **_look(place))
        ax.set_xlim(-0.2, len(groups) - 0.8)
        last = np.full(len(names), groups[-1])
        order = np.argsort(values[:, -1], kind="stable")
        _label_points(ax, names, last, values[:, -1], order.tolist())
        return
    width = 0.8 / max(len(names), 2)
    bars = []
    for place, row in enumerate(values):
        middle = groups + (place - (len(names) - 1) / 2) * width
        color = _COLORS[place % len(_COLORS)]
        bars.append(ax.bar(middle, row, 0.92 * width, color=color, label=names[place]))
        if values.size <= _MOST_VALUES:
            ax.bar_label(bars[-1], fmt="%.1f", fontsize=_VALUE, padding=1)
    if tuple(names) != _UNNAMED:
        # A legend leaves out labels that begin with "_", and takes "$" for mathematics.
        legend = ax.legend(
            bars, ["x"] * len(bars), loc="upper left", bbox_to_anchor=(1, 1), frameon=False,
            fontsize=_SMALL, handlelength=1.0,
        )  # fmt: skip
        for text, name in zip(legend.get_texts(), names, strict=True):
            text.set(text=name, parse_math=False)


def _label_groups(ax: Axes, labels: Sequence[str], sizes: Sequence[int]) -> None:
    """Write labels and sizes below groups, on a slope where they would touch."""
    between = " " if _slope(labels) else "\n"
    texts = [f"{label}{between}({size})" for label, size in zip(labels, sizes, strict=True)]
    ax.set_xticks(range(len(labels)), texts, parse_math=False)
    if _slope(labels):
        for text in ax.get_xticklabels():
            text.set(rotation=45, ha="right", rotation_mode="anchor", fontsize=_SMALL)


def _slope(labels: Sequence[str]) -> bool:
    """Whether labels would touch if they stood level."""
    return len(labels) > _MOST_LEVEL or max(map(len, labels)) > _LONGEST_LEVEL


def _label_points(
    ax: Axes, names: Sequence[str], x: Floats, y: Floats, order: Sequence[int]
) -> None:
    """Write names to the right, in this order from the bottom up, each with a line to its point."""
    if tuple(names) == _UNNAMED:
        return
    line = _SMALL * ax.figure.dpi / 72 / ax.bbox.height  # of the height of the Axes
    size = _SMALL * min(1.0, 1 / (1.2 * line * len(names)))
    # A part of a width that the names themselves change would not come to rest.
    gap = load_matplotlib().transforms.ScaledTranslation(
        *(2 * _GAP / 72, 0, ax.figure.dpi_scale_trans)
    )
    beside = ax.transAxes + gap
    to_axes = ax.transData + ax.transAxes.inverted()
    heights = to_axes.transform(np.column_stack([x, y]))[order, 1]
    for place, height in zip(order, _spread(heights, 1.2 * line * size / _SMALL), strict=True):
        ax.annotate(
            names[place],
            (x[place], y[place]),
            (1, height),
            textcoords=beside,
            va="center",
            fontsize=size,
            parse_math=False,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-", "color": _look(place)["color"], "linewidth": 0.7,
                "shrinkA": 1, "shrinkB": 3, "relpos": (0, 0.5),
            },
        )  # fmt: skip


def _spread(places: Floats, gap: float) -> list[float]:
    """The nearest places on 0 to 1, by least squares, that keep their order and the gap."""
    steps = gap * np.arange(len(places))
    blocks: list[tuple[float, int]] = []  # means and sizes of neighbors that touch
    for place in (places - steps).tolist():
        mean, size = place, 1
        while blocks and blocks[-1][0] >= mean:
            before, more = blocks.pop()
            mean, size = (mean * size + before * more) / (size + more), size + more
        blocks.append((mean, size))
    starts = np.repeat([mean for mean, _ in blocks], [size for _, size in blocks])
    spread: list[float] = (np.clip(starts, 0, max(0.0, 1 - steps[-1])) + steps).tolist()
    return spread


def _look(place: int) -> dict[str, Any]:
    """Color and marker of a system; the first 28 differ."""
    marker = _MARKERS[place // len(_COLORS) % len(_MARKERS)]
    return {"color": _COLORS[place % len(_COLORS)], "marker": marker, "markersize": 5}


def _size_of_groups(names: Sequence[str], values: Floats) -> tuple[float, float]:
    """Inches of a figure for values (systems, groups)."""
    systems, groups = values.shape
    room = _room(names)
    if systems > _MOST_BARS:
        return min(16.0, max(5.0, 1 + 0.8 * groups)) + room, max(3.8, 1.1 + 0.17 * systems)
    bar = 0.35 if values.size <= _MOST_VALUES else 0.18
    return min(16.0, max(4.5, 1 + groups * max(0.75, 0.25 + bar * systems))) + room, 3.8


def _room(names: Iterable[str]) -> float:
    """Inches that names take."""
    return _LETTER * max(map(len, names))
