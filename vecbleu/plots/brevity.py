"""The brevity penalty against the ratio of lengths."""

from __future__ import annotations

import numpy as np

from vecbleu.core.scoring.formula import brevity_penalty
from vecbleu.core.statistics.table import Statistics
from vecbleu.plots import drawing, inputs
from vecbleu.plots.drawing import Axes
from vecbleu.significance.systems import Systems, sum_systems


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
