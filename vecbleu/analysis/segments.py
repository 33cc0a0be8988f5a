"""Compare systems on segments and on groups of segments."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, Unpack

import numpy as np

from vecbleu.arguments.checks import checked_integer
from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError, argument, checked_each
from vecbleu.bleu.options import ScoreArgs
from vecbleu.core.count_table import CountTable
from vecbleu.kernel.arrays import Float64, Int64
from vecbleu.show.table import Column, Result, Table, direction_notes
from vecbleu.significance.groups import group_sums, label_groups
from vecbleu.significance.inference import (
    Systems,
    baseline_index,
    check_keywords,
    checked_systems,
    paired_bootstrap,
)
from vecbleu.significance.resampling import FEWEST
from vecbleu.significance.results import INTERVAL_NOTE, Comparison, PairedTests, gains

# A test of systems, such as `paired_bootstrap`.
Compare = Callable[..., Comparison]

# Reference lengths at which a new group begins.
LENGTH_EDGES = (10, 20, 30, 40, 50, 60)

# Groups that are tested and shown, if there are more: the largest.
MOST_GROUPS = 60

# Parts of a test.
_PARTS = (
    "differences",
    "p_values",
    "holm",
    "benjamini_hochberg",
    "p_lower",
    "p_upper",
    "n_resamples",
)
_BOUNDS = "difference_lower", "difference_upper"


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
class Buckets(PairedTests):
    """Scores of systems on groups of segments, and tests against a baseline if one is asked for.

    Groups with fewer than ten segments (or documents, if these are drawn) are not tested, nor are
    those beyond the 60 largest.

    Parameters
    ----------
    names : tuple of str (systems,)
        Names of the systems.
    scores : float64 array (systems, groups)
        Score of each system on each group, between 0 and 1.
    differences, p_values, p_lower, p_upper, n_resamples : float64 array (systems, groups)
        Test of each system against the baseline, as of `Comparison`; NaN without one.
    holm, benjamini_hochberg : float64 array (systems, groups)
        P-values adjusted for the number of systems, on each group.
    labels : tuple (groups,)
        Labels of the groups, or ranges of reference lengths.
    sizes : int64 array (groups,)
        Number of segments of each group.
    groups : int64 array (segments,)
        Index of each segment's group.
    by : str
        What segments are grouped by: "label"; or "ref_len", the length of the reference.
    baseline : int, or None
        Index of the system that the others are tested against.
    difference_lower, difference_upper : float64 array (systems, groups), or None
        Interval of each difference (bootstrap only).
    confidence_level, level
        As of `Comparison`.
    metric : str
        Name of the metric, such as "BLEU".
    higher_is_better : bool
        False for a metric such as an error rate.
    """

    __module__ = "vecbleu.analysis"

    labels: tuple[Hashable, ...]
    sizes: Int64
    groups: Int64
    by: str
    baseline: int | None = None

    @property
    def order(self) -> Int64:
        """Indices of the systems (systems,), best first by the mean score of groups by size."""
        gained = gains(self.scores, self.higher_is_better)
        return np.argsort(-gained @ self.sizes, kind="stable")

    @property
    def largest(self) -> Int64:
        """Indices of the groups that are tested and shown, in order: at most 60, the largest."""
        return np.sort(np.argsort(-self.sizes, kind="stable")[:MOST_GROUPS])

    @property
    def left_out(self) -> list[str]:
        """A note that says how many groups are shown, if not all are."""
        groups = len(self.sizes)
        note = f"{self.by}: the {MOST_GROUPS} largest of {groups} groups"
        return [note] if groups > MOST_GROUPS else []

    def table(self) -> Table:
        """Return a table of the largest groups, with a column of scores for each system.

        With a baseline, each system has a row instead, with its difference and the test of it.
        """
        groups = self.largest
        if self.baseline is None:
            rows = zip(self.names, self.scores[:, groups], strict=True)
            scores = [Column(str(name), row, "score") for name, row in rows]
            return Table(self._between(groups, scores), notes=self.left_out)
        columns = self._rows(groups)
        base = self.names[self.baseline]
        least = f"at least {FEWEST} segments or documents"
        notes = [f"difference, p: against {base}, on each group of {least}; not adjusted"]
        if self.confidence_level is not None:
            notes.append(INTERVAL_NOTE.format(100 * self.confidence_level))
        return Table(columns, notes=[*notes, *self._p_notes(columns), *self.left_out])

    def records(self) -> list[dict[str, Any]]:
        """Return a record of each system on every group, ready for JSON."""
        verdicts = () if self.baseline is None else ("significant", "borderline")
        return Table(self._rows(np.arange(len(self.sizes)), *verdicts)).records()

    def _rows(self, groups: Int64, *verdicts: str) -> list[Column]:
        """Return columns with a row for each system on each of these groups."""
        size = len(self.names)
        systems = np.tile(np.arange(size), len(groups))
        groups = np.repeat(groups, size)
        index = systems, groups
        columns = [
            Column("system", [self.names[system] for system in systems]),
            Column(self.metric, self.scores[index], "score"),
        ]
        if self.baseline is not None:
            columns += self._difference_columns(index)
            columns.append(self._p_column("p", index))
        columns += [Column(name, getattr(self, name)[index]) for name in verdicts]
        return self._between(groups, columns)

    def _between(self, groups: Int64, columns: Iterable[Column]) -> list[Column]:
        """Return columns between the labels and the sizes of these groups (rows,)."""
        labels = [str(self.labels[group]) for group in groups]
        return [Column(self.by, labels), *columns, Column("segments", self.sizes[groups], "count")]


def score_buckets(
    systems: Systems,
    labels: Iterable[Hashable] | None = None,
    *,
    edges: Iterable[int] | None = None,
    baseline: Hashable = None,
    compare: Compare = paired_bootstrap,
    documents: Iterable[Any] | None = None,
    **options: Unpack[ScoreArgs],
) -> Buckets:
    """Score systems on groups of segments, by label or by the length of the reference.

    With a baseline, the other systems are tested against it on each of the 60 largest groups that
    has at least ten segments. Each test stands by itself: of twenty groups without a difference,
    one has p < 0.05 by chance.

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
    baseline : name or int, optional
        Name or index of the system to test the others against. By default, nothing is tested.
    compare : function
        `paired_bootstrap` or `paired_randomization`; or one of these with other options, such as
        ``functools.partial(paired_bootstrap, n_resamples=10_000)``.
    documents : iterable (segments,) of hashables, optional
        Document of each segment: whole documents are drawn, as `groups` of `paired_bootstrap`.
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
        given, there are no labels and the metric has no reference lengths, there is no such
        baseline, or `compare` or `documents` is given without one.

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
    >>> new = vecbleu.statistics(["a b c d", "e f g h i", "a b c d e f g h"], references)
    >>> rows = [0, 1, 1] * 10
    >>> systems = {"old": old[rows], "new": new[rows]}
    >>> print(score_buckets(systems, ["news", "talk", "talk"] * 10, baseline="old"))
    label  system    BLEU  difference   lower   upper        p  segments
    news   old     100.00                                             10
    news   new     100.00       +0.00   +0.00   +0.00    1.000        10
    talk   old      20.21                                             20
    talk   new     100.00      +79.79  +79.79  +79.79  < 0.001        20
    difference, p: against old, on each group of at least 10 segments or documents; not adjusted
    lower, upper: 95% interval
    """
    check_keywords(score_buckets, options)
    tables = checked_systems(systems, least=1 if baseline is None else 2)
    first = next(iter(tables.values()))
    lengths = first.ref_len
    if labels is not None:
        if edges is not None:
            raise ValueError("labels and edges are both given, expected one of them")
        groups, names = label_groups(labels, len(first))
    elif lengths is not None:
        groups, names = length_groups(lengths, LENGTH_EDGES if edges is None else edges)
    else:
        found = f"is None, but {first.metric} has no reference lengths"
        raise ArgumentError(found, advice="pass labels", argument="labels")
    by = "ref_len" if labels is None else "label"
    return score_groups(tables, groups, names, by, baseline, compare, documents, **options)


def score_groups(
    tables: Mapping[Any, CountTable],
    groups: Int64,
    labels: tuple[Hashable, ...],
    by: str,
    baseline: Hashable = None,
    compare: Compare = paired_bootstrap,
    documents: Iterable[Any] | None = None,
    **options: Unpack[ScoreArgs],
) -> Buckets:
    """Score systems on groups, given the group of each segment; test them against a baseline."""
    first = next(iter(tables.values()))
    sums = [table.of(group_sums(table.array, groups), table.signature) for table in tables.values()]
    scores = np.array([list(map(float, table.row_scores(**options))) for table in sums])
    unknown = np.full(scores.shape, np.nan)
    tests: dict[str, Any] = {name: unknown.copy() for name in _PARTS}
    buckets = Buckets(
        names=tuple(tables),
        scores=scores,
        **tests,
        labels=labels,
        sizes=np.bincount(groups),
        groups=groups,
        by=by,
        metric=first.name,
        higher_is_better=first.higher_is_better,
    )
    if baseline is None:
        if documents is not None or compare is not paired_bootstrap:
            found = "is None, but compare or documents is given"
            raise ArgumentError(found, "the system to test against", argument="baseline")
        return buckets
    with argument("baseline"):
        base = baseline_index(tables, baseline)
    with argument("compare"):
        if not callable(compare):
            raise ArgumentTypeError(f"is {compare!r}", "a function such as paired_bootstrap")
    units = np.arange(len(groups))
    if documents is not None:
        units, _ = label_groups(documents, len(groups), "documents")
    for group in buckets.largest:
        members = np.flatnonzero(groups == group)
        drawn = units[members]
        if len(np.unique(drawn)) < FEWEST:
            continue
        chosen = {name: table[members] for name, table in tables.items()}
        test = compare(chosen, baseline=buckets.names[base], groups=drawn, **options)
        tests["confidence_level"] = test.confidence_level
        for name in (*_PARTS, *_BOUNDS):
            values = getattr(test, name)
            if values is not None:  # randomization has no bounds
                tests.setdefault(name, unknown.copy())[:, group] = values
    return replace(buckets, baseline=base, **tests)


def length_groups(
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
