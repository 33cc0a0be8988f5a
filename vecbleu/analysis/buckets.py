"""Where systems differ: on groups of segments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

from vecbleu.analysis.groups import By, segment_groups, way_of_grouping
from vecbleu.core.arrays import Counts, Float64, Int64
from vecbleu.core.html import html_table
from vecbleu.core.latex import latex_cell
from vecbleu.core.options import Smoothing, WeightSet
from vecbleu.core.public import public
from vecbleu.core.records import dataclass
from vecbleu.core.scoring.formula import bleu_and_percent
from vecbleu.core.statistics.columns import join_columns, split_columns, sum_lengths
from vecbleu.core.terminal import escaped_name, table_lines
from vecbleu.significance.results import Result
from vecbleu.significance.systems import Systems, checked_systems, score_options
from vecbleu.significance.tables import Columns, bold, latex_table


@public("vecbleu.analysis")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Buckets(Result):
    """Scores of systems on groups of segments, on 0 to 1.

    Parameters
    ----------
    names : tuple of str (systems,)
        Names of the systems.
    labels : tuple (buckets,)
        Labels of the groups, or ranges of lengths, scores or differences of lengths.
    sizes : int64 array (buckets,), or (systems, buckets)
        Number of segments of each group; of each system where groups are its own, which they are
        by "score" and by "length_difference".
    scores : float64 array (systems, buckets)
        BLEU of each system on each group; NaN where a system has no segment.
    percents : float64 array (systems, buckets)
        The same on sacreBLEU's 0 to 100.
    by : {"label", "ref_len", "score", "length_difference"}
        What segments are grouped by.
    """

    names: tuple[str, ...]
    labels: tuple[Hashable, ...]
    sizes: Int64
    scores: Float64
    percents: Float64
    by: By = "label"

    def _columns(self) -> Columns:
        systems, groups = range(len(self.names)), range(len(self.labels))
        sizes = np.broadcast_to(self.sizes, self.scores.shape)
        pairs = [(system, group) for system in systems for group in groups]
        return {
            "system": [self.names[system] for system, _ in pairs],
            "group": [self.labels[group] for _, group in pairs],
            "segments": [int(sizes[pair]) for pair in pairs],
            "score": [float(self.scores[pair]) for pair in pairs],
        }

    def _latex(self, decimals: int, level: float) -> str:
        labels = [latex_cell(str(label), 0) for label in self.labels]
        is_shared = self.sizes.ndim == 1  # else a system's sizes stand beside its scores
        if is_shared:
            sizes = zip(labels, self.sizes.tolist(), strict=True)
            labels = [f"{label} ({size})" for label, size in sizes]
        header = ["System", *labels]
        best = np.fmax.reduce(self.percents, axis=0)
        rows = []
        for place, (name, row) in enumerate(zip(self.names, self.percents, strict=True)):
            shown = [
                bold(latex_cell(value, decimals), is_best)
                for value, is_best in zip(row.tolist(), row == best, strict=True)
            ]
            if not is_shared:
                cells = zip(shown, self.sizes[place].tolist(), strict=True)
                shown = [f"{cell} ({size})" for cell, size in cells]
            rows.append([latex_cell(name, 0), *shown])
        return latex_table(header, rows, ["Bold: the best of each group (segments)."])

    def __str__(self) -> str:
        return "\n".join(table_lines(self._cells()))

    def _repr_html_(self) -> str:
        """The table that is printed, for notebooks."""
        header, *rows = self._cells()
        return html_table(header, rows, repr(self))

    def _cells(self) -> list[list[str]]:
        """A line for each group: the score of each system on it, and its segments."""
        is_each = self.sizes.ndim > 1  # system has segments of its own
        cells = [[self.by, *map(escaped_name, self.names), "segments"]]
        for label, row, sizes in zip(self.labels, self.scores.T, self.sizes.T, strict=True):
            scores = ["" if score != score else f"{score:.4f}" for score in row.tolist()]
            counts = "/".join(map(str, sizes.tolist())) if is_each else str(sizes)
            cells.append([escaped_name(str(label)), *scores, counts])
        return cells

    def __repr__(self) -> str:
        return f"Buckets(systems={len(self.names)}, labels={self.labels})"


def score_buckets(
    systems: Systems,
    labels: Iterable[Hashable] | None = None,
    *,
    by: By | None = None,
    edges: Iterable[float] | None = None,
    weights: WeightSet | None = None,
    smoothing: Smoothing = "none",
    smoothing_value: float | None = None,
    effective_order: bool = False,
) -> Buckets:
    """Score systems on groups of segments: by label, length, score or difference of lengths.

    Parameters
    ----------
    systems : dict of str to Statistics, or sequence of Statistics
        Rows of the same segments, in the same order.
    labels : iterable (segments,) of hashables, optional
        The group of each segment, such as a domain or a document: a list, an array, or a column of
        pandas, Polars or Arrow. Groups are in the order in which their labels first occur.
    by : {"label", "ref_len", "score", "length_difference"}, optional
        What segments are grouped by: their labels, if there are any; else by default "ref_len", the
        length of the reference (the first system's `ref_len`). "score" is the sentence BLEU of each
        system's output, with smoothing "exp" and effective order; "length_difference" is its
        length less that of the reference: a system's groups are then its own. Groups without
        segments are left out.
    edges : iterable of numbers, optional
        Increasing lengths, scores or differences at which one group ends and the next begins, where
        there are no labels. By default 10, 20, ... 60 tokens; scores of 0.1, 0.2, ... 0.9; or
        differences of -20, -10, -5, -4, ... 5, 6, 11, 21.
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

    Notes
    -----
    compare-mt has the same groups of scores and of differences, which it computes as reference less
    output. Its sentence scores are NLTK's with method 2.

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
    >>> by_difference = score_buckets([one], by="length_difference")
    >>> by_difference.labels, by_difference.sizes.tolist()
    (('-2', '0'), [[1, 2]])
    >>> print(by_difference)
    length_difference       0  segments
    -2                 0.7788         1
    0                  0.5969         2
    """
    checked = checked_systems(systems, least=1)
    options = score_options(checked, weights, smoothing, smoothing_value, effective_order)
    way = way_of_grouping(labels, by)
    groups, found = segment_groups(checked, labels, edges, by)
    rows = np.stack([one.to_array() for one in checked.values()], axis=1)
    if groups.ndim == 1:
        sizes, sums = _group_sums(rows, groups, len(found))
    else:
        own = [
            _group_sums(rows[:, [system]], of_system, len(found))
            for system, of_system in enumerate(groups)
        ]
        sizes = np.stack([one for one, _ in own])
        sums = np.concatenate([one for _, one in own])
    scores, percents = (np.where(sizes > 0, one, np.nan) for one in bleu_and_percent(sums, options))
    return Buckets(tuple(checked), found, sizes, scores, percents, way)


def _group_sums(rows: Counts, groups: Int64, size: int) -> tuple[Int64, Counts]:
    """Number of segments of each group, and the sums of their rows (systems, groups, columns)."""
    sizes = np.bincount(groups, minlength=size)
    members = np.split(np.argsort(groups, kind="stable"), np.cumsum(sizes)[:-1])
    return sizes, np.stack([_sum_rows(rows[segments]) for segments in members], axis=1)


def _sum_rows(rows: Counts) -> Counts:
    """Add up rows (segments, systems, columns) exactly, averages of reference lengths too."""
    hyp_len, ref_len, matches, totals = split_columns(rows)
    ref_lens = np.apply_along_axis(sum_lengths, 0, ref_len)
    return join_columns(hyp_len.sum(axis=0), ref_lens, matches.sum(axis=0), totals.sum(axis=0))
