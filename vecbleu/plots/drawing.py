"""What all pictures are drawn with: axes, colors, bars and lines of groups, names beside points."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

import numpy as np

from vecbleu.core.arrays import Float64

# matplotlib is an extra that takes long to import: annotations are resolved without it.
if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
else:
    Axes = Any

# Okabe and Ito's, which people tell apart who see fewer colors; yellow is too light for white.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
GRAY = "0.5"
INTERVAL = COLORS[4]
# Half transparent, for light and dark backgrounds.
GRID: dict[str, Any] = {"color": GRAY, "alpha": 0.25}
_MARKERS = ("o", "s", "^", "D")

# Systems that are drawn as bars beside each other; more of them are lines.
MAX_BAR_SYSTEMS = 5

# Bars that are wide enough for their values, and the top of the Axes over the highest of them.
_MAX_BARS_WITH_VALUES = 20
HEADROOM = 1.06

# Letters of a group's label that are shown.
_MAX_LABEL_LENGTH = 32

# Points: font sizes, and the gap between the Axes and names.
SMALL, _VALUE, GAP = 9.0, 8.0, 6.0

# Inches: a wide letter; a group, for labels on a slope not to cover each other.
_LETTER, _MIN_GROUP = 0.085, 0.19

# Groups in one picture; with more it is too wide to look at.
_MAX_GROUPS = 300


def load_matplotlib() -> Any:
    """Import matplotlib.

    Returns
    -------
    module
        The package, with its figures and axes.

    Raises
    ------
    ImportError
        It is not installed; the message says how to get it.
    """
    try:
        import matplotlib.axes
        import matplotlib.figure
        import matplotlib.font_manager
        import matplotlib.ticker
    except ImportError as error:
        message = 'plots need the package matplotlib: pip install "vecbleu[plot]"'
        raise ImportError(message) from error
    return matplotlib


def prepared_axes(ax: Axes | None, width: float, height: float) -> Axes:
    """What to draw into: the given Axes, or those of a new figure of so many inches."""
    package = load_matplotlib()
    if ax is None:
        # Not of pyplot, which would keep the figure and might ask for a display.
        ax = package.figure.Figure(figsize=(width, height), layout="constrained").subplots()
    if not isinstance(ax, package.axes.Axes):
        raise TypeError(f"ax is {type(ax).__name__}, expected matplotlib.axes.Axes")
    if ax.name != "rectilinear":
        raise TypeError(f"ax is {type(ax).__name__} ({ax.name}), expected rectilinear Axes")
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)
    checked: Axes = ax
    return checked


def group_figure_size(names: Sequence[str], values: Float64) -> tuple[float, float]:
    """Inches of a figure for values (systems, groups)."""
    systems, groups = values.shape
    if groups > _MAX_GROUPS:
        raise ValueError(f"there are {groups} groups to draw, expected at most {_MAX_GROUPS}")
    widest = max(16.0, 1 + _MIN_GROUP * groups)
    if systems > MAX_BAR_SYSTEMS:
        width, height = max(5.0, 1 + 0.8 * groups), max(3.8, 1.1 + 0.17 * systems)
    else:
        bar = 0.35 if values.size <= _MAX_BARS_WITH_VALUES else 0.18
        width, height = max(4.5, 1 + groups * max(0.75, 0.25 + bar * systems)), 3.8
    return min(widest, width) + names_width(names), height


def names_width(names: Iterable[str]) -> float:
    """Inches of the longest name; East Asian letters are twice as wide."""
    widths = (sum(1 + (east_asian_width(letter) in "FW") for letter in name) for name in names)
    return _LETTER * max(widths, default=0)


def draw_groups(
    ax: Axes, names: Sequence[str], values: Float64, ends: Float64 | None = None
) -> None:
    """Draw values (systems, groups) at 0, 1, ... as bars from 0, or as lines.

    Ends of intervals (2, systems, groups) are drawn, where they are given.
    """
    groups = np.arange(values.shape[1])
    ax.grid(axis="y", **GRID)
    if len(names) > MAX_BAR_SYSTEMS:
        for place, row in enumerate(values):
            style = system_style(place)
            ax.plot(groups, row, label=names[place], linewidth=1.2, **style)
            if ends is not None:
                ax.vlines(groups, *ends[:, place], color=style["color"], linewidth=0.8)
        ax.set_xlim(-0.2, len(groups) - 0.8)
        last = np.where(np.isnan(values), -1, groups).max(axis=1)
        heights = values[np.arange(len(names)), last]
        label_points(ax, names, last.astype(float), heights, heights)
        return
    width = 0.8 / max(len(names), 2)
    bars = []
    for place, row in enumerate(values):
        middle = groups + (place - (len(names) - 1) / 2) * width
        color = COLORS[place % len(COLORS)]
        bars.append(ax.bar(middle, row, 0.92 * width, color=color, label=names[place]))
        tops = row
        if ends is not None:
            ax.vlines(middle, *ends[:, place], color="black", linewidth=1)
            tops = np.maximum(row, ends[1, place])
        if values.size <= _MAX_BARS_WITH_VALUES:
            for x, top, value in zip(middle, tops, row, strict=True):
                if value != value:
                    continue
                ax.annotate(f"{value:.1f}", (x, top), (0, 1), textcoords="offset points",
                    ha="center", va="bottom", fontsize=_VALUE)  # fmt: skip
    if any(names):
        _add_legend(ax, bars, names)


def _add_legend(ax: Axes, bars: Sequence[Any], names: Sequence[str]) -> None:
    """Write names beside the Axes, behind the colors of bars."""
    # A legend leaves out labels that begin with "_", and takes "$" for mathematics.
    legend = ax.legend(
        bars, ["x"] * len(bars), loc="upper left", bbox_to_anchor=(1, 1), frameon=False,
        fontsize=SMALL, handlelength=1.0,
    )  # fmt: skip
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text=name, parse_math=False)


def label_groups(
    ax: Axes, labels: Sequence[str], sizes: Sequence[int] | None, can_grow: bool
) -> None:
    """Write labels and sizes below groups, on a slope where they would touch; a figure may grow."""
    widest = _write_ticks(ax, group_labels(labels, sizes, "\n"))
    places = ax.transData.transform(np.column_stack([range(len(labels))] * 2))[:, 0]
    available = np.diff(places).min(initial=ax.bbox.width) - GAP * ax.figure.dpi / 72
    if widest <= available:
        return
    widest = _write_ticks(ax, group_labels(labels, sizes, " "), fontsize=SMALL)
    for text in ax.get_xticklabels():
        text.set(rotation=45, ha="right", rotation_mode="anchor")
    if can_grow:
        figure: Any = ax.figure
        growth = widest / figure.dpi / 2**0.5  # to the left and down
        figure.set_size_inches(figure.get_size_inches() + growth)


def group_labels(labels: Sequence[str], sizes: Sequence[int] | None, separator: str) -> list[str]:
    """Labels that are not too long, with the sizes of groups in parentheses, if there are any."""
    short = [*map(_shortened, labels)]
    if sizes is None:
        return short
    return [f"{label}{separator}({size})" for label, size in zip(short, sizes, strict=True)]


def _shortened(label: str) -> str:
    """A label, or its beginning and its end."""
    half = _MAX_LABEL_LENGTH // 2
    return label if len(label) <= _MAX_LABEL_LENGTH else f"{label[: half - 1]}…{label[-half:]}"


def _write_ticks(ax: Axes, texts: Sequence[str], **style: Any) -> float:
    """Write below groups, have the figure laid out, and measure the widest text, in pixels."""
    ax.set_xticks(range(len(texts)), texts, parse_math=False, **style)
    figure: Any = ax.figure.figure  # of a part of a figure: the whole
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # who saves the picture is told
        figure.draw_without_rendering()
        widths = (text.get_window_extent().width for text in ax.get_xticklabels())
        return max(widths, default=0.0)  # of Axes that share the labels of others there are none


def label_points(
    ax: Axes,
    names: Sequence[str],
    x: Float64,
    y: Float64,
    ranks: Float64,
    shown: Sequence[int] | None = None,
) -> None:
    """Write names to the right, ranked from the bottom up, each with a line to its point.

    All names, or those that are shown, by their places.
    """
    chosen = range(len(names)) if shown is None else shown
    if not any(names[place] for place in chosen):
        return
    line = SMALL * ax.figure.dpi / 72 / ax.bbox.height  # of the height of the Axes
    size = SMALL * min(1.0, 1 / (1.2 * line * len(chosen)))
    # A part of a width that the names themselves change would change with every layout.
    scaled = load_matplotlib().transforms.ScaledTranslation
    beside = ax.transAxes + scaled(2 * GAP / 72, 0, ax.figure.dpi_scale_trans)
    to_axes = ax.transData + ax.transAxes.inverted()
    order = sorted(chosen, key=ranks.__getitem__)
    heights = to_axes.transform(np.column_stack([x, y]))[order, 1]
    for place, height in zip(order, _spread(heights, 1.2 * line * size / SMALL), strict=True):
        ax.annotate(
            names[place], (x[place], y[place]), (1, height), textcoords=beside, va="center",
            fontsize=size, parse_math=False, annotation_clip=False,
            arrowprops={
                "arrowstyle": "-", "color": system_style(place)["color"], "linewidth": 0.7,
                "shrinkA": 1, "shrinkB": 3, "relpos": (0, 0.5),
            },
        )  # fmt: skip


def _spread(places: Float64, gap: float) -> Float64:
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
    spread: Float64 = np.clip(starts, 0, max(0.0, 1 - steps[-1])) + steps
    return spread


def system_style(place: int) -> dict[str, Any]:
    """Color and marker of a system; the first 28 differ."""
    marker = _MARKERS[place // len(COLORS) % len(_MARKERS)]
    return {"color": COLORS[place % len(COLORS)], "marker": marker, "markersize": 5}
