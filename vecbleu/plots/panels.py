"""Many systems in few groups: a panel of points for each group, a row for each system."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vecbleu.core.arrays import Float64
from vecbleu.plots.drawing import (
    COLORS,
    GRID,
    INTERVAL,
    SMALL,
    Axes,
    names_width,
    prepared_axes,
)

# Groups that stand beside each other; more of them are drawn as lines.
MAX_PANELS = 8

# Of a panel: inches, the gap as part of its width, and what is empty on both sides.
_WIDTH, _GAP, _MARGIN = 1.45, 0.14, 0.07

# Inches of all panels, for what is written below them.
_LEAST = 4.0

# The least width of a scale, so that equal values are no noise.
_LEAST_SPAN = 1.0


def panels_size(names: Sequence[str], titles: Sequence[str]) -> tuple[float, float]:
    """Inches of a figure of panels."""
    lines = [line for title in titles for line in title.split("\n")]
    width = max(_WIDTH, 0.2 + names_width(lines))
    return names_width(names) + max(_LEAST, 0.6 + width * len(titles)), 1.4 + 0.2 * len(names)


def draw_panels(
    ax: Axes | None,
    names: Sequence[str],
    values: Float64,
    titles: Sequence[str],
    ends: Float64 | None = None,
) -> Axes:
    """Draw values (systems, groups) and, if given, ends of intervals (2, systems, groups).

    Systems are rows, from the first at the top. All panels have one scale, and each shows the part
    of it in which its values lie. NaN is not drawn.
    """
    ax = prepared_axes(ax, *panels_size(names, titles))
    rows = np.arange(len(names))[::-1]
    shown = values[None] if ends is None else np.concatenate([values[None], ends])
    low, high = np.nanmin(shown, axis=(0, 1)), np.nanmax(shown, axis=(0, 1))  # (groups,)
    span = max(float((high - low).max()), _LEAST_SPAN) * (1 + 2 * _MARGIN)
    starts = (low + high - span) / 2
    lefts = (1 + _GAP) * np.arange(len(titles))
    places: list[float] = []
    labels: list[str] = []
    all_ticks = _ticks(starts, span)
    for group, (left, start) in enumerate(zip(lefts.tolist(), starts.tolist(), strict=True)):
        ticks = all_ticks[group]
        at = left + (ticks - start) / span
        ax.vlines(at, -0.6, len(rows) - 0.4, **GRID, linewidth=0.8)
        ax.hlines(rows, left, left + 1, **GRID, linewidth=0.8)
        if ends is not None:
            lower, upper = left + (ends[:, :, group] - start) / span
            ax.hlines(rows, lower, upper, color=INTERVAL, linewidth=2)
        ax.plot(left + (values[:, group] - start) / span, rows, "o", color=COLORS[0],
            markersize=5, label=f"_{titles[group]}", clip_on=False)  # fmt: skip
        ax.annotate(titles[group], (left + 0.5, 1), (0, 4), xycoords=("data", "axes fraction"),
            textcoords="offset points", ha="center", fontsize=SMALL, parse_math=False,
            annotation_clip=False)  # fmt: skip
        places += at.tolist()
        labels += [f"{round(tick, 6):g}" for tick in ticks.tolist()]
    ax.set_xticks(places, labels, fontsize=SMALL)
    ax.set_xlim(-_GAP / 2, lefts[-1] + 1 + _GAP / 2)
    ax.set_ylim(-0.6, len(rows) - 0.4)
    ax.set_yticks(rows, names, parse_math=False)
    ax.tick_params(length=0)
    ax.spines["left"].set_visible(False)
    return ax


def _ticks(starts: Float64, span: float) -> list[Float64]:
    """Round numbers in each panel, of the widest step with which each has two.

    They keep a distance from its ends, so as not to touch those of the next panel.
    """
    ends = np.array([starts + _MARGIN * span, starts + (1 - _MARGIN) * span])
    power = math.floor(math.log10(span))
    for step in (digit * 10.0**order for order in (power, power - 1) for digit in (5, 4, 2, 1)):
        firsts, lasts = np.ceil(ends[0] / step), np.floor(ends[1] / step)
        if (lasts > firsts).all():
            break
    return [step * np.arange(*both) for both in zip(firsts, lasts + 1, strict=True)]
