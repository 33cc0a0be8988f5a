"""The n-gram precisions of systems, by order."""

from __future__ import annotations

import numpy as np

from vecbleu.core.options import Smoothing, Weights
from vecbleu.core.scoring.score import BleuScore
from vecbleu.core.signature import UNKNOWN
from vecbleu.core.statistics.table import Statistics
from vecbleu.plots import drawing, inputs, panels
from vecbleu.plots.drawing import Axes
from vecbleu.significance.systems import Systems


def plot_precisions(
    systems: Systems | Statistics,
    *,
    ax: Axes | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
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
    options = inputs.score_options(checked, weights, smoothing, smoothing_value, effective_order)
    names = inputs.display_names(checked)
    rows = inputs.sum_systems(checked).array.tolist()
    values = np.array([BleuScore.of(row, options, UNKNOWN).percent_precisions for row in rows])
    orders = [f"{order}" for order in range(1, values.shape[1] + 1)]
    if len(names) > drawing.MAX_BAR_SYSTEMS and len(orders) <= panels.MAX_PANELS:
        order = inputs.best_first(checked, options)
        rows, titles = [names[place] for place in order], [f"{one}-grams" for one in orders]
        ax = panels.draw_panels(ax, rows, values[order], titles)
        ax.set_xlabel("precision (0-100)")
        return ax
    ax = drawing.prepared_axes(ax, *drawing.group_figure_size(names, values))
    ax.set_ylim(0, drawing.HEADROOM * float(values.max()) or 100.0)
    drawing.draw_groups(ax, names, values)
    ax.set_xticks(range(len(orders)), orders)
    ax.set(xlabel="n-gram order", ylabel="precision (0-100)")
    return ax
