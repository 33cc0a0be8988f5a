"""The brevity penalty against the ratio of lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vecbleu.core.arrays import Float64
from vecbleu.core.options import Smoothing, Weights
from vecbleu.core.scoring.formula import brevity_penalty
from vecbleu.core.statistics.table import Statistics
from vecbleu.plots import drawing, inputs
from vecbleu.plots.drawing import Axes
from vecbleu.significance.systems import Systems


def plot_brevity_penalty(
    systems: Systems | Statistics | None = None,
    *,
    xlim: tuple[float, float] | None = None,
    ref_len: float | None = None,
    ax: Axes | None = None,
    weights: Weights | None = None,
    smoothing: Smoothing = "exp",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Axes:
    """Draw the brevity penalty against the ratio of lengths, and mark systems on it.

    BP = exp(1 - 1 / ratio) below a ratio of 1, else 1, with ratio = hyp_len / ref_len.

    Parameters
    ----------
    systems : dict of str to Statistics, sequence of Statistics, or Statistics, optional
        Rows of the same segments, in the same order. Without systems, the curve is drawn alone.
    xlim : pair of float, optional
        Ends of the axis across: ratios, or tokens if there is a `ref_len`. By default a part of
        the curve in which all systems lie, and ratios of 0 to 1.5 without systems.
    ref_len : float, optional
        Draw the penalty against the length of a hypothesis whose reference has so many tokens;
        systems stand where their ratios are.
    ax : matplotlib.axes.Axes, optional
        The Axes to draw into; by default the Axes of a new figure, which
        ``ax.figure.savefig("brevity.svg")`` writes and no window shows.
    weights, smoothing, smoothing_value, effective_order
        Checked as for `vecbleu.corpus_bleu`, for all pictures to take the same options. The penalty
        does not depend on them.

    Returns
    -------
    matplotlib.axes.Axes
        Ratios or lengths across, factors of 0 to 1 up; names stand from the longest system to the
        shortest.

    Raises
    ------
    TypeError, ValueError
        An argument is of another type, systems differ in their segments or in how they were
        counted, the references have no tokens, or `xlim` does not increase from 0 or more.
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
    >>> plot_brevity_penalty(ref_len=20).get_xlabel()
    'tokens of the hypothesis, for a reference of 20'
    """
    names, ratios, penalties = _points(
        systems, weights, smoothing, smoothing_value, effective_order
    )
    unit = 1.0 if ref_len is None else _checked_number(ref_len, "ref_len")
    if unit == 0:
        raise ValueError("ref_len is 0, expected more than 0")
    low, high = _limits(ratios) if xlim is None else (end / unit for end in _checked_limits(xlim))
    width = 5.5 + drawing.names_width(names)
    ax = drawing.prepared_axes(ax, width, max(4.0, 1.1 + 0.17 * len(names)))
    curve = np.unique([*np.linspace(low, high, 500), *([1.0] if low < 1 < high else [])])
    values = brevity_penalty(curve, np.ones(len(curve)))
    ax.plot(unit * curve, values, color=drawing.GRAY, zorder=1)
    shown = np.flatnonzero((ratios >= low) & (ratios <= high)).tolist()
    for place in shown:
        style = drawing.system_style(place)
        ax.plot([unit * ratios[place]], [penalties[place]], label=names[place], **style,
            clip_on=False)  # fmt: skip
    ax.set_xlim(unit * low, unit * high)
    ax.set_ylim(0 if low == 0 else None, 1.02)
    drawing.label_points(ax, names, unit * ratios, penalties, ratios, shown)
    unit_name = "hypothesis length / reference length"
    if ref_len is not None:
        unit_name = f"tokens of the hypothesis, for a reference of {unit:g}"
    ax.set(xlabel=unit_name, ylabel="brevity penalty (0-1)")
    ax.grid(**drawing.GRID)
    return ax


def _points(
    systems: Systems | Statistics | None, *score: Any
) -> tuple[list[str], Float64, Float64]:
    """Names of systems, their ratios of lengths and their penalties (systems,)."""
    if systems is None:
        return [], np.empty(0), np.empty(0)
    checked = inputs.named_systems(systems)
    inputs.score_options(checked, *score)
    names = inputs.display_names(checked)
    sums = inputs.sum_systems(checked)
    for row in np.flatnonzero(sums.ref_len == 0)[:1]:
        raise ValueError(f"the references of system {names[row]} have no tokens: there is no ratio")
    return names, sums.hyp_len / sums.ref_len, brevity_penalty(sums.hyp_len, sums.ref_len)


def _limits(ratios: Float64) -> tuple[float, float]:
    """Ratios between which all systems lie, and where the curve bends."""
    if not len(ratios):
        return 0.0, 1.5
    low, high = float(ratios.min()), float(ratios.max())
    return max(0.0, min(0.8, low - 0.05)), max(1.1, high + 0.05)


def _checked_limits(xlim: Any) -> tuple[float, float]:
    """Both ends of an axis, as the user passed them."""
    if not isinstance(xlim, Sequence) or isinstance(xlim, str) or len(xlim) != 2:
        raise TypeError(f"xlim is {xlim!r}, expected two numbers")
    low, high = (_checked_number(end, f"xlim[{place}]") for place, end in enumerate(xlim))
    if low >= high:
        raise ValueError(f"xlim is {xlim!r}, expected numbers that increase")
    return low, high


def _checked_number(value: Any, name: str) -> float:
    """A finite number of at least 0, as the user passed it."""
    if not isinstance(value, (int, float, np.integer, np.floating)) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}, expected a number")
    if not 0 <= value < float("inf"):
        raise ValueError(f"{name} is {value}, expected a finite number of at least 0")
    return float(value)
