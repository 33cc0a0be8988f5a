"""Where systems differ: on groups of segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from vecbleu.core.arrays import Counts, Float64, Int64
from vecbleu.core.checks import checked_integer
from vecbleu.core.latex import latex_cell
from vecbleu.core.options import Smoothing, WeightSet
from vecbleu.core.public import public
from vecbleu.core.records import dataclass
from vecbleu.core.scoring.formula import bleu_and_percent
from vecbleu.core.statistics.columns import join_columns, split_columns, sum_lengths
from vecbleu.significance.results import Result
from vecbleu.significance.systems import Systems, checked_systems, score_options
from vecbleu.significance.tables import Columns, bold, latex_table

# The label of all segments whose labels are NaN, which equals nothing.
_NO_LABEL = float("nan")
_BOOLS = {bool, np.bool_}

# Tokens of the reference where one bucket ends and the next begins.
LENGTH_EDGES = (10, 20, 30, 40, 50, 60)


@public("vecbleu.analysis")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Buckets(Result):
    """Scores of systems on groups of segments, on 0 to 1.

    Parameters
    ----------
    names : tuple of str (systems,)
        Names of the systems.
    labels : tuple (buckets,)
        Labels of the groups, or ranges of lengths.
    sizes : int64 array (buckets,)
        Number of segments of each group.
    scores : float64 array (systems, buckets)
        BLEU of each system on each group.
    percents : float64 array (systems, buckets)
        The same on sacreBLEU's 0 to 100.
    by : {"label", "ref_len"}
        What segments are grouped by.
    """

    names: tuple[str, ...]
    labels: tuple[Hashable, ...]
    sizes: Int64
    scores: Float64
    percents: Float64
    by: Literal["label", "ref_len"] = "label"

    def _columns(self) -> Columns:
        systems, groups = range(len(self.names)), range(len(self.labels))
        pairs = [(system, group) for system in systems for group in groups]
        return {
            "system": [self.names[system] for system, _ in pairs],
            "group": [self.labels[group] for _, group in pairs],
            "segments": [int(self.sizes[group]) for _, group in pairs],
            "score": [float(self.scores[pair]) for pair in pairs],
        }

    def _latex(self, decimals: int, level: float) -> str:
        sizes = zip(self.labels, self.sizes.tolist(), strict=True)
        header = ["System", *(f"{latex_cell(str(label), 0)} ({size})" for label, size in sizes)]
        best = self.percents.max(axis=0)
        rows = []
        for name, row in zip(self.names, self.percents, strict=True):
            cells = zip(row, row == best, strict=True)
            shown = [bold(f"{value:.{decimals}f}", is_best) for value, is_best in cells]
            rows.append([latex_cell(name, 0), *shown])
        return latex_table(header, rows, ["Bold: the best of each group (segments)."])

    def __repr__(self) -> str:
        return f"Buckets(systems={len(self.names)}, labels={self.labels})"


def score_buckets(
    systems: Systems,
    labels: Iterable[Hashable] | None = None,
    *,
    edges: Iterable[int] | None = None,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Buckets:
    """Score systems on groups of segments: by label, or by the length of the reference.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order.
    labels : iterable (segments,) of hashables, optional
        The group of each segment, such as a domain or a document. Groups are in the order in
        which their labels first occur. Without labels, segments are grouped by the first system's
        `ref_len`, and groups without segments are left out.
    edges : iterable of int, optional
        Increasing lengths in tokens at which one group ends and the next begins, where there are
        no labels: by default 10, 20, ... 60.
    weights, smoothing, smoothing_value, effective_order
        As for `vecbleu.corpus_bleu`, but one set of weights at most.

    Returns
    -------
    Buckets

    Raises
    ------
    TypeError, ValueError
        Systems differ in their segments or in how they were counted, labels are not as many as
        segments or can't be hashed, edges do not increase, or both are given.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.analysis import score_buckets
    >>> references = ["a b c d", "e f g h i", "a b c d e f g h i j"]
    >>> one = vecbleu.statistics(["a b c d", "e f g x i", "a b c d e f g h"], references)
    >>> found = score_buckets({"one": one}, ["news", "talk", "talk"], smoothing="exp")
    >>> dict(zip(found.labels, found.scores[0].round(4).tolist()))
    {'news': 1.0, 'talk': 0.6901}
    >>> score_buckets([one]).labels
    ('< 10', '10-19')
    """
    checked = checked_systems(systems, least=1)
    options = score_options(checked, weights, smoothing, smoothing_value, effective_order)
    rows = np.stack([one.to_array() for one in checked.values()], axis=1)
    if labels is None:
        ref_len = split_columns(rows[:, 0])[1]
        groups, found = _length_groups(ref_len, LENGTH_EDGES if edges is None else edges)
    elif edges is not None:
        raise ValueError("labels and edges are both given; groups are made by one of them")
    else:
        groups, found = _label_groups(labels, len(rows))
    sizes = np.bincount(groups, minlength=len(found))
    members = np.split(np.argsort(groups, kind="stable"), np.cumsum(sizes)[:-1])
    sums = np.stack([_sum_rows(rows[segments]) for segments in members], axis=1)
    scores = bleu_and_percent(sums, options)
    return Buckets(tuple(checked), found, sizes, *scores, "ref_len" if labels is None else "label")


def _sum_rows(rows: Counts) -> Counts:
    """Add up rows (segments, systems, columns) exactly, averages of reference lengths too."""
    hyp_len, ref_len, matches, totals = split_columns(rows)
    ref_lens = np.apply_along_axis(sum_lengths, 0, ref_len)
    return join_columns(hyp_len.sum(axis=0), ref_lens, matches.sum(axis=0), totals.sum(axis=0))


def _length_groups(ref_len: Counts, edges: Iterable[int]) -> tuple[Int64, tuple[Hashable, ...]]:
    """Each segment's group (segments,), and the labels of those that occur."""
    given = [*edges] if isinstance(edges, Iterable) else []
    if not given:
        raise TypeError(f"edges is {edges!r}, expected integers")
    bounds = [checked_integer(edge, f"edges[{place}]") for place, edge in enumerate(given)]
    if any(low >= high for low, high in pairwise([0, *bounds])):
        raise ValueError(f"edges is {bounds!r}, expected lengths that increase, from 1 on")
    inner = [f"{low}-{high - 1}" if high - low > 1 else f"{low}" for low, high in pairwise(bounds)]
    names = [f"< {bounds[0]}", *inner, f">= {bounds[-1]}"]
    # Averages of several lengths can lie between 19 and 20.
    occurring, groups = np.unique(np.searchsorted(bounds, ref_len, "right"), return_inverse=True)
    return groups, tuple(names[group] for group in occurring)


def _label_groups(labels: Any, segments: int) -> tuple[Int64, tuple[Hashable, ...]]:
    """Each segment's group (segments,), and the labels in the order in which they first occur."""
    is_other = isinstance(labels, (str, bytes, Mapping, AbstractSet))
    if is_other or not isinstance(labels, Iterable) or getattr(labels, "ndim", 1) == 0:
        raise TypeError(f"labels is {type(labels).__name__}, expected one for each segment")
    if isinstance(labels, np.ndarray) and labels.dtype.kind not in "mM":  # times would be numbers
        labels = labels.tolist()
    listed = [_NO_LABEL if isinstance(one, float) and one != one else one for one in labels]
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
