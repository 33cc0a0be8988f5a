"""Compare systems segment by segment, by sentence BLEU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from vecbleu.core.arrays import Float64, Int64
from vecbleu.core.options import ScoreArgs
from vecbleu.show.table import Column, Result, Table
from vecbleu.significance.systems import Systems, baseline_index, checked_systems


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
        Sentence BLEU of each system on each segment, between 0 and 1.
    differences : float64 array (systems, segments)
        Scores minus those of the baseline.
    metric : str
        Name of the scores.
    """

    __module__ = "vecbleu.analysis"

    names: tuple[str, ...]
    baseline: int
    scores: Float64
    differences: Float64
    metric: str = "BLEU"

    def gains(self, system: int | str) -> Int64:
        """Return the segments on which a system is better than the baseline, numbered from 0.

        The largest difference comes first; ties keep the order of segments.
        """
        return _falling(self.differences[baseline_index(self.names, system)])

    def losses(self, system: int | str) -> Int64:
        """Return the segments on which a system is worse than the baseline, numbered from 0.

        The largest difference comes first; ties keep the order of segments.
        """
        return _falling(-self.differences[baseline_index(self.names, system)])

    def table(self) -> Table:
        """Return a table of segments with different scores, largest difference first.

        Segments are numbered from 1.
        """
        cells = np.argsort(-np.abs(self.differences), axis=None, kind="stable")
        cells = cells[self.differences.ravel()[cells] != 0]
        systems, segments = np.divmod(cells, self.differences.shape[1])
        columns = [
            Column("segment", segments + 1, "count"),
            Column("system", [self.names[system] for system in systems.tolist()]),
            Column("score", self.scores.ravel()[cells], "score"),
            Column("baseline", self.scores[self.baseline, segments], "score"),
            Column("difference", self.differences.ravel()[cells], "difference"),
        ]
        baseline = self.names[self.baseline]
        return Table(columns, f"Sentence {self.metric} compared with that of {baseline}")


def segment_differences(
    systems: Systems, baseline: Any = None, **options: Unpack[ScoreArgs]
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
    tables = checked_systems(systems)
    base = baseline_index(tables, baseline)
    scores = np.array([table.scores(**options) for table in tables.values()])
    metric = next(iter(tables.values())).metric
    return Differences(tuple(tables), base, scores, scores - scores[base], metric)


def _falling(gains: Float64) -> Int64:
    """Return the segments with positive gains, largest first."""
    segments = np.argsort(-gains, kind="stable")
    return segments[gains[segments] > 0]
