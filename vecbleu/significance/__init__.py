"""Compute bootstrap intervals, paired tests and rankings from the statistics of segments."""

from __future__ import annotations

from vecbleu.significance.agreement import human_agreement
from vecbleu.significance.inference import bootstrap, paired_bootstrap, paired_randomization, rank
from vecbleu.significance.results import (
    Comparison,
    Interval,
    Ranking,
    benjamini_hochberg,
    clusters,
    holm,
)

__all__ = [
    "Comparison",
    "Interval",
    "Ranking",
    "benjamini_hochberg",
    "bootstrap",
    "clusters",
    "holm",
    "human_agreement",
    "paired_bootstrap",
    "paired_randomization",
    "rank",
]
