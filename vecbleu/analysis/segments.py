"""Compare systems on segments and on groups of segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Literal, Unpack

import numpy as np

from vecbleu.arguments.checks import checked_integer
from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError, argument, checked_each
from vecbleu.bleu.options import ScoreArgs
from vecbleu.core.count_table import CountTable
from vecbleu.kernel.arrays import Float64, Int64
from vecbleu.show.table import Column, Result, Table, direction_notes
from vecbleu.significance.groups import group_sums, label_groups
from vecbleu.significance.inference import Systems, baseline_index, check_keywords, checked_systems
from vecbleu.significance.results import gains

# Reference lengths at which a new group begins.
LENGTH_EDGES = (10, 20, 30, 40, 50, 60)


@dataclass(frozen=True, eq=False, repr=False)
class Differences(Result):
    """Sentence scores of systems, with differences from a baseline.

    Parameters
    ----------
    names : tuple of str (systems,)
        Names of the systems.
    baseline : int
        Index of the system that the others are compared with.
    scores : float64 array (systems, segments)
        Sentence score of each system on each segment, such as BLEU between 0 and 1.
    differences : float64 array (systems, segments)
        Scores minus those of the baseline.
    metric : str
        Name of the scores.
    higher_is_better : bool
        False for a metric such as an error rate.
    """

    __module__ = "vecbleu.analysis"

    names: tuple[str, ...]
    baseline: int
    scores: Float64
    differences: Float64
    metric: str = "BLEU"
    higher_is_better: bool = True

    def gains(self, system: int | str) -> Int64:
        """Return the segments on which a system is better than the baseline, numbered from 0.

        The largest difference comes first; ties keep the order of segments.
        """
        return self._falling(system, 1)

    def losses(self, system: int | str) -> Int64:
        """Return the segments on which a system is worse than the baseline, numbered from 0.

        The largest difference comes first; ties keep the order of segments.
        """
        return self._falling(system, -1)

    def _falling(self, system: int | str, sign: int) -> Int64:
        """Return the segments on which a system gains (1) or loses (-1), the most first."""
        with argument("system"):
            index = baseline_index(self.names, system)
        own = sign * gains(self.differences[index], self.higher_is_better)
        segments = np.argsort(-own, kind="stable")
        return segments[own[segments] > 0]

    def table(self) -> Table:
        """Return a table of segments with different scores, largest difference first.

        Segments are numbered from 1.
        """
        by_size = np.argsort(-np.abs(self.differences), axis=None, kind="stable")
        different = by_size[: np.count_nonzero(self.differences)]
        systems, segments = np.unravel_index(different, self.differences.shape)
        columns = [
            Column("segment", segments + 1, "count"),
            Column("system", [self.names[system] for system in systems]),
            Column("score", self.scores[systems, segments], "score"),
            Column("baseline", self.scores[self.baseline, segments], "score"),
            Column("difference", self.differences[systems, segments], "difference"),
        ]
        baseline = self.names[self.baseline]
        title = f"Sentence {self.metric} compared with that of {baseline}"
        return Table(columns, title, direction_notes(self.metric, self.higher_is_better))


def segment_differences(
    systems: Systems, baseline: Hashable = None, **options: Unpack[ScoreArgs]
) -> Differences:
    """Compare the sentence scores of systems with those of a baseline, segment by segment.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Statistics of the same segments, in the same order.
    baseline : name or int, optional
        Name or index of the system that the others are compared with, by default the first.
    **options
        As for the method `scores` of the statistics; for BLEU weights, smoothing, smoothing_value
        and effective_order (by default True).

    Returns
    -------
    Differences

    Raises
    ------
    TypeError, ValueError
        There are fewer than two systems, they differ in their segments or in how they were
        counted, there is no such baseline, or an option is unknown.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.analysis import segment_differences
    >>> references = ["a b c d", "e f g h i j"]
    >>> old = vecbleu.statistics(["a b c d", "e f g h i"], references)
    >>> new = vecbleu.statistics(["a b c x", "e f g h i j"], references)
    >>> differences = segment_differences({"old": old, "new": new})
    >>> print(differences)
    Sentence BLEU compared with that of old
    segment  system   score  baseline  difference
          1  new      59.46    100.00      -40.54
          2  new     100.00     81.87      +18.13
    >>> differences.losses("new")
    array([0])
    """
    check_keywords(segment_differences, options)
    tables = checked_systems(systems)
    with argument("baseline"):
        base = baseline_index(tables, baseline)
    scores = np.array([table.scores(**options) for table in tables.values()])
    first, *_ = tables.values()
    differences = scores - scores[base]
    return Differences(
        tuple(tables), base, scores, differences, first.metric, first.higher_is_better
    )


@dataclass(frozen=True, eq=False, repr=False)
class Buckets(Result):
    """Scores of systems on groups of segments.

    Parameters
    ----------
    names : tuple of str (systems,)
        Names of the systems.
    labels : tuple (groups,)
        Labels of the groups, or ranges of reference lengths.
    sizes : int64 array (groups,)
        Number of segments of each group.
    scores : float64 array (systems, groups)
        Score of each system on each group, between 0 and 1.
    groups : int64 array (segments,)
        Index of each segment's group.
    by : {"label", "ref_len"}
        How segments are grouped: by label, or by the length of the reference.
    metric : str
        Name of the metric, such as "BLEU".
    higher_is_better : bool
        False for a metric such as an error rate.
    """

    __module__ = "vecbleu.analysis"

    names: tuple[str, ...]
    labels: tuple[Hashable, ...]
    sizes: Int64
    scores: Float64
    groups: Int64
    by: Literal["label", "ref_len"]
    metric: str = "BLEU"
    higher_is_better: bool = True

    def table(self) -> Table:
        """Return a table with one row per group, and the scores of all systems."""
        groups = Column(self.by, list(map(str, self.labels)))
        rows = zip(self.names, self.scores, strict=True)
        scores = (Column(str(name), row, "score") for name, row in rows)
        return Table([groups, *scores, Column("segments", self.sizes, "count")])


def score_buckets(
    systems: Systems,
    labels: Iterable[Hashable] | None = None,
    *,
    edges: Iterable[int] | None = None,
    **options: Unpack[ScoreArgs],
) -> Buckets:
    """Score systems on groups of segments, by label or by the length of the reference.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Statistics of the same segments, in the same order.
    labels : iterable (segments,) of hashables, optional
        Group of each segment, such as a domain or a document: a list, an array, or a column of
        pandas, Polars or Arrow. Groups are listed in the order in which their labels first occur.
        Segments labeled None form one group, and so do segments labeled NaN. Without labels,
        segments are grouped by the length of the reference (the first system's `ref_len`).
    edges : iterable of int, optional
        Increasing reference lengths at which a new group begins, by default 10, 20, ..., 60 tokens.
        Empty groups are left out.
    **options
        As for the method `score` of the statistics; for BLEU weights, smoothing, smoothing_value
        and effective_order.

    Returns
    -------
    Buckets

    Raises
    ------
    TypeError, ValueError
        Systems differ in their segments or in how they were counted, there is not one label per
        segment, a label is not hashable, edges do not increase, both `labels` and `edges` are
        given, or there are no labels and the metric has no reference lengths.

    Examples
    --------
    >>> import vecbleu
    >>> from vecbleu.analysis import score_buckets
    >>> references = ["a b c d", "e f g h i", "a b c d e f g h i j"]
    >>> old = vecbleu.statistics(["a b c d", "e f g x i", "a b c d e f g h"], references)
    >>> print(score_buckets({"old": old}, ["news", "talk", "talk"]))
    label     old  segments
    news   100.00         1
    talk    69.01         2
    >>> score_buckets([old]).labels
    ('< 10', '10-19')
    """
    check_keywords(score_buckets, options)
    tables = checked_systems(systems, least=1)
    first = next(iter(tables.values()))
    lengths = first.ref_len
    if labels is not None:
        if edges is not None:
            raise ValueError("labels and edges are both given, expected one of them")
        groups, names = label_groups(labels, len(first))
    elif lengths is not None:
        groups, names = _length_groups(lengths, LENGTH_EDGES if edges is None else edges)
    else:
        found = f"is None, but {first.metric} has no reference lengths"
        raise ArgumentError(found, advice="pass labels", argument="labels")
    scores = np.array([group_scores(table, groups, **options) for table in tables.values()])
    by: Literal["label", "ref_len"] = "ref_len" if labels is None else "label"
    return Buckets(
        names=tuple(tables),
        labels=names,
        sizes=np.bincount(groups),
        scores=scores,
        groups=groups,
        by=by,
        metric=first.name,
        higher_is_better=first.higher_is_better,
    )


def group_scores(table: CountTable, groups: Int64, **options: Unpack[ScoreArgs]) -> list[float]:
    """Return the score of each group (groups,), given the group of each segment (segments,)."""
    sums = table.of(group_sums(table.array, groups), table.signature)
    return list(map(float, sums.row_scores(**options)))


def _length_groups(
    lengths: Int64 | Float64, edges: Iterable[int]
) -> tuple[Int64, tuple[Hashable, ...]]:
    """Group by length; return only ranges that occur."""
    with argument("edges"):
        if not isinstance(edges, Iterable):
            raise ArgumentTypeError(f"is {edges!r}", "integers")
        bounds = checked_each(partial(checked_integer, least=1), edges)
        if not bounds or any(low >= high for low, high in pairwise(bounds)):
            raise ArgumentError(f"is {bounds}", "lengths that increase")
    pairs = pairwise(bounds)
    ranges = (f"{low}-{high - 1}" if high - low > 1 else f"{low}" for low, high in pairs)
    names = [f"< {bounds[0]}", *ranges, f">= {bounds[-1]}"]
    indices = np.searchsorted(bounds, lengths, "right")
    occurring, groups = np.unique(indices, return_inverse=True)
    return groups, tuple(names[index] for index in occurring)
