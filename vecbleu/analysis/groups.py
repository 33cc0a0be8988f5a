"""Groups of segments: by their labels, or by ranges of a number."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np

from vecbleu.core.arrays import Counts, Int64
from vecbleu.core.checks import check_name, checked_integer
from vecbleu.core.inputs.frames import refuse_frame
from vecbleu.core.options import ScoreOptions
from vecbleu.core.scoring.formula import array_bleu
from vecbleu.core.statistics.table import Statistics

By = Literal["label", "ref_len", "score", "length_difference"]

# Where one group ends and the next begins. Tokens of the reference:
LENGTH_EDGES = (10, 20, 30, 40, 50, 60)

# Sentence BLEU:
SCORE_EDGES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

# Tokens that the hypothesis has more than the reference: compare-mt's, which have no sign.
DIFFERENCE_EDGES = (-20, -10, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 11, 21)

# The label of all segments whose labels are NaN, which equals nothing.
_NO_LABEL = float("nan")
_BOOLS = {bool, np.bool_}


def way_of_grouping(labels: Any, by: Any) -> By:
    """What segments are grouped by: what the user says, or by labels if there are any."""
    if by is None:
        return "ref_len" if labels is None else "label"
    check_name(by, "by", get_args(By))
    if (by == "label") != (labels is not None):
        if labels is None:
            raise ValueError("by is 'label' but labels is None, expected one for each segment")
        raise ValueError(f"by is {by!r} but labels are given; groups are made by one of them")
    way: By = by
    return way


def segment_groups(
    systems: Mapping[str, Statistics],
    labels: Iterable[Hashable] | None,
    edges: Iterable[float] | None,
    by: By | None = None,
) -> tuple[Int64, tuple[Hashable, ...]]:
    """Each segment's group, and the labels of those that occur; of systems that are checked.

    Groups are those of all systems (segments,), or each system's own (systems, segments).
    """
    way = way_of_grouping(labels, by)
    tables = [*systems.values()]
    if labels is not None:
        if edges is not None:
            raise ValueError("labels and edges are both given; groups are made by one of them")
        return _label_groups(labels, len(tables[0]))
    if way == "ref_len":
        bounds = checked_edges(LENGTH_EDGES if edges is None else edges, "edges", "lengths", 1)
        return _ranges(tables[0].ref_len, bounds)  # averages can lie between 19 and 20
    if way == "length_difference":
        bounds = checked_edges(DIFFERENCE_EDGES if edges is None else edges, "edges", "differences")
        return _ranges(np.stack([one.hyp_len - one.ref_len for one in tables]), bounds)
    scores = checked_scores(SCORE_EDGES if edges is None else edges)
    options = ScoreOptions.checked(tables[0].max_order, None, "exp", None, True)
    return _ranges(np.stack([array_bleu(one.to_array(), options) for one in tables]), scores)


def checked_edges(edges: Any, name: str, what: str, least: int | None = None) -> list[int]:
    """Integers that increase, from the least one on."""
    given = _listed(edges, name, "integers")
    bounds = [checked_integer(edge, f"{name}[{place}]") for place, edge in enumerate(given)]
    is_less = least is not None and bounds[0] < least
    if is_less or any(low >= high for low, high in pairwise(bounds)):
        start = "" if least is None else f", from {least} on"
        raise ValueError(f"{name} is {bounds!r}, expected {what} that increase{start}")
    return bounds


def checked_scores(edges: Any) -> list[float]:
    """Scores that increase."""
    given = _listed(edges, "edges", "numbers")
    for place, edge in enumerate(given):
        if not isinstance(edge, Real) or isinstance(edge, bool):
            raise TypeError(f"edges[{place}] is {edge!r}, expected a number")
    bounds = [*map(float, given)]
    is_outside = not all(0 < bound <= 1 for bound in bounds)
    if is_outside or any(low >= high for low, high in pairwise(bounds)):
        raise ValueError(f"edges is {bounds!r}, expected scores that increase, above 0 and up to 1")
    return bounds


def _listed(edges: Any, name: str, what: str) -> list[Any]:
    """Edges as a list with one at least."""
    given = [*edges] if isinstance(edges, Iterable) else []
    if not given:
        raise TypeError(f"{name} is {edges!r}, expected {what}")
    return given


def _ranges(values: Counts, bounds: Sequence[float]) -> tuple[Int64, tuple[Hashable, ...]]:
    """The range of each value, and the names of those that occur."""
    names = range_names(bounds)
    places = np.searchsorted(bounds, values, "right")
    occurring, groups = np.unique(places, return_inverse=True)
    return groups.reshape(values.shape), tuple(names[group] for group in occurring)


def range_names(bounds: Sequence[float]) -> tuple[str, ...]:
    """Names of the ranges that end and begin at bounds."""
    inner = [*map(_range_name, bounds[:-1], bounds[1:])]
    return (f"< {bounds[0]}", *inner, f">= {bounds[-1]}")


def _range_name(low: float, high: float) -> str:
    """Whole numbers from one on to the last one, others up to the next range's."""
    if not isinstance(low, int):
        return f"{low}-{high}"
    if high - low == 1:
        return f"{low}"
    return f"{low}-{high - 1}" if low >= 0 else f"{low} to {high - 1}"


def _listed_labels(labels: Any) -> list[Any]:
    """Labels as plain values, all NaN being the same one."""
    if hasattr(labels, "to_pylist"):  # Arrow's columns, whose own values equal no others
        labels = labels.to_pylist()
    elif isinstance(labels, np.ndarray) and labels.dtype.kind not in "mM":  # times: numbers
        labels = labels.tolist()
    values = [one.as_py() if hasattr(one, "as_py") else one for one in labels]
    return [_NO_LABEL if isinstance(one, float) and one != one else one for one in values]


def _label_groups(labels: Any, segments: int) -> tuple[Int64, tuple[Hashable, ...]]:
    """Each segment's group (segments,), and the labels in the order in which they first occur."""
    refuse_frame(labels, "labels")
    is_other = isinstance(labels, (str, bytes, Mapping, AbstractSet))
    if is_other or not isinstance(labels, Iterable) or getattr(labels, "ndim", 1) == 0:
        raise TypeError(f"labels is {type(labels).__name__}, expected one for each segment")
    listed = _listed_labels(labels)
    if len(listed) != segments:
        raise ValueError(f"labels has {len(listed)} but systems have {segments} segments")
    keys = listed
    if not _BOOLS.isdisjoint(map(type, listed)):  # True is equal to 1, and another label
        keys = [(type(label) in _BOOLS, label) for label in listed]
    found: dict[Hashable, int] = {}
    groups = np.empty(segments, np.int64)
    for segment, key in enumerate(keys):
        try:
            groups[segment] = found.setdefault(key, len(found))
        except TypeError:
            kind = type(listed[segment]).__name__
            raise TypeError(f"labels[{segment}] is {kind}, expected a hashable") from None
    firsts = np.unique(groups, return_index=True)[1]
    return groups, tuple(listed[segment] for segment in firsts)
