"""Significance tests on statistics: bootstrap intervals, paired tests, leaderboards."""

from __future__ import annotations

from vecbleu.significance.intervals import bootstrap, jackknife
from vecbleu.significance.multiple_testing import benjamini_hochberg, clusters, holm
from vecbleu.significance.paired import all_pairs, paired_bootstrap, paired_randomization
from vecbleu.significance.results import AllPairs, Comparison, Interval, Jackknife

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
