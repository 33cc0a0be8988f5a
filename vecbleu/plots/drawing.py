"""What all pictures are drawn with: axes, colors, bars and lines of groups, names beside points."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from vecbleu.significance.scoring import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's, which people tell apart who see fewer colors; yellow is too light for white.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_MARKERS = ("o", "s", "^", "D")
GRAY = "0.45"

# Systems that stand beside each other as bars; more of them are lines.
MOST_BARS = 5

# Bars that have room for their values, and the height of the Axes above the highest.
_MOST_VALUES = 12
HEADROOM = 1.06

# Letters of a group's label; more would take the room of the picture.
_LONGEST_LABEL = 32

# Points of letters and between the Axes and names; inches that a letter takes, if it is wide.
SMALL, _VALUE, GAP = 9.0, 8.0, 6.0
_LETTER = 0.085

# Groups in one picture, which more would make wider than anybody can look at.
_MOST_GROUPS = 300

# Inches that a group takes at least, for labels on a slope not to cover each other.
_LEAST_GROUP = 0.19

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


def axes_of(ax: Axes | None, width: float, height: float) -> Axes:
    """What to draw into: the given Axes, or those of a new figure of so many inches."""
    package = load_matplotlib()
    if ax is None:
        # Not of pyplot, which would keep the figure and might ask for a display.
        figure = package.figure.Figure(figsize=(width, height), layout="constrained")
        ax = figure.subplots()
    if not isinstance(ax, package.axes.Axes):
        raise TypeError(f"ax is {type(ax).__name__}, expected matplotlib.axes.Axes")
    if ax.name != "rectilinear":
        raise TypeError(f"ax is {type(ax).__name__} ({ax.name}), expected rectilinear Axes")
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)
    checked: Axes = ax
    return checked


def draw_groups(ax: Axes, names: Sequence[str], values: Floats) -> None:
    """Draw values (systems, groups) at 0, 1, ... as bars from 0, or as lines."""
    groups = np.arange(values.shape[1])
    ax.grid(axis="y", color="0.9")
    if len(names) > MOST_BARS:
        for place, row in enumerate(values):
            ax.plot(groups, row, label=names[place], linewidth=1.2, **look(place))
        ax.set_xlim(-0.2, len(groups) - 0.8)
        last = np.full(len(names), groups[-1])
        order = np.argsort(values[:, -1], kind="stable")
        label_points(ax, names, last, values[:, -1], order.tolist())
        return
    width = 0.8 / max(len(names), 2)
    bars = []
    for place, row in enumerate(values):
        middle = groups + (place - (len(names) - 1) / 2) * width
        color = COLORS[place % len(COLORS)]
        bars.append(ax.bar(middle, row, 0.92 * width, color=color, label=names[place]))
        if values.size <= _MOST_VALUES:
            ax.bar_label(bars[-1], fmt="%.1f", fontsize=_VALUE, padding=1)
    if tuple(names) != _UNNAMED:
        # A legend leaves out labels that begin with "_", and takes "$" for mathematics.
        legend = ax.legend(
            bars, ["x"] * len(bars), loc="upper left", bbox_to_anchor=(1, 1), frameon=False,
            fontsize=SMALL, handlelength=1.0,
        )  # fmt: skip
        for text, name in zip(legend.get_texts(), names, strict=True):
            text.set(text=name, parse_math=False)


def label_groups(ax: Axes, labels: Sequence[str], sizes: Sequence[int], can_grow: bool) -> None:
    """Write labels and sizes below groups, on a slope where they would touch; a figure may grow."""
    pairs = [*zip(map(_shorten, labels), sizes, strict=True)]
    widest = _write(ax, [f"{label}\n({size})" for label, size in pairs])
    places = ax.transData.transform(np.column_stack([range(len(labels))] * 2))[:, 0]
    room = np.diff(places).min(initial=ax.bbox.width) - GAP * ax.figure.dpi / 72
    if widest <= room:
        return
    widest = _write(ax, [f"{label} ({size})" for label, size in pairs], fontsize=SMALL)
    for text in ax.get_xticklabels():
        text.set(rotation=45, ha="right", rotation_mode="anchor")
    if can_grow:
        run = widest / ax.figure.dpi / 2**0.5  # to the left and down
        figure: Any = ax.figure
        figure.set_size_inches(figure.get_size_inches() + run)


def _shorten(label: str) -> str:
    """A label, or its beginning and its end."""
    half = _LONGEST_LABEL // 2
    return label if len(label) <= _LONGEST_LABEL else f"{label[: half - 1]}…{label[-half:]}"


def _write(ax: Axes, texts: Sequence[str], **style: Any) -> float:
    """Write below groups, have everything find its place, and measure the widest, in pixels."""
    ax.set_xticks(range(len(texts)), texts, parse_math=False, **style)
    figure: Any = ax.figure.figure  # of a part of a figure: the whole
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # who saves the picture is told
        figure.draw_without_rendering()
        widths = (text.get_window_extent().width for text in ax.get_xticklabels())
        return max(widths, default=0.0)  # of Axes that share the labels of others there are none


def label_points(
    ax: Axes, names: Sequence[str], x: Floats, y: Floats, order: Sequence[int]
) -> None:
    """Write names to the right, in this order from the bottom up, each with a line to its point."""
    if tuple(names) == _UNNAMED:
        return
    line = SMALL * ax.figure.dpi / 72 / ax.bbox.height  # of the height of the Axes
    size = SMALL * min(1.0, 1 / (1.2 * line * len(names)))
    # A part of a width that the names themselves change would not come to rest.
    gap = load_matplotlib().transforms.ScaledTranslation(
        *(2 * GAP / 72, 0, ax.figure.dpi_scale_trans)
    )
    beside = ax.transAxes + gap
    to_axes = ax.transData + ax.transAxes.inverted()
    heights = to_axes.transform(np.column_stack([x, y]))[order, 1]
    for place, height in zip(order, _spread(heights, 1.2 * line * size / SMALL), strict=True):
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
                "arrowstyle": "-", "color": look(place)["color"], "linewidth": 0.7,
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


def look(place: int) -> dict[str, Any]:
    """Color and marker of a system; the first 28 differ."""
    marker = _MARKERS[place // len(COLORS) % len(_MARKERS)]
    return {"color": COLORS[place % len(COLORS)], "marker": marker, "markersize": 5}


def size_of_groups(names: Sequence[str], values: Floats) -> tuple[float, float]:
    """Inches of a figure for values (systems, groups)."""
    systems, groups = values.shape
    if groups > _MOST_GROUPS:
        raise ValueError(f"there are {groups} groups to draw, expected at most {_MOST_GROUPS}")
    room = room_of(names)
    most = max(16.0, 1 + _LEAST_GROUP * groups)
    if systems > MOST_BARS:
        return min(most, max(5.0, 1 + 0.8 * groups)) + room, max(3.8, 1.1 + 0.17 * systems)
    bar = 0.35 if values.size <= _MOST_VALUES else 0.18
    return min(most, max(4.5, 1 + groups * max(0.75, 0.25 + bar * systems))) + room, 3.8


def room_of(names: Iterable[str]) -> float:
    """Inches that names take."""
    return _LETTER * max(map(_cells, names))


def _cells(name: str) -> int:
    """Letters of a name, of which those of Chinese and its neighbors count twice."""
    return sum(1 + (unicodedata.east_asian_width(letter) in "FW") for letter in name)
