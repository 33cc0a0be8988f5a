"""Significance tests on statistics arrays: intervals, paired tests, leaderboards."""

from __future__ import annotations

from vecbleu.significance.adjusting import benjamini_hochberg, clusters, holm
from vecbleu.significance.comparisons import AllPairs, Comparison
from vecbleu.significance.intervals import Interval, Jackknife, bootstrap, jackknife
from vecbleu.significance.paired import all_pairs, paired_bootstrap, paired_randomization

__all__ = [
    "AllPairs",
    "Comparison",
    "Interval",
    "Jackknife",
    "all_pairs",
    "benjamini_hochberg",
    "bootstrap",
    "clusters",
    "holm",
    "jackknife",
    "paired_bootstrap",
    "paired_randomization",
]
