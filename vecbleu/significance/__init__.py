"""Bootstrap intervals, paired tests and rankings, from statistics with a row for each segment."""

from __future__ import annotations

from vecbleu.significance.intervals import Interval, bootstrap
from vecbleu.significance.multiple_testing import benjamini_hochberg, clusters, holm
from vecbleu.significance.paired import (
    Comparison,
    Ranking,
    paired_bootstrap,
    paired_randomization,
    rank,
)

__all__ = [
    "Comparison",
    "Interval",
    "Ranking",
    "benjamini_hochberg",
    "bootstrap",
    "clusters",
    "holm",
    "paired_bootstrap",
    "paired_randomization",
    "rank",
]
