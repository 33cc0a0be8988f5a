"""Where systems differ: on single segments, and on groups of segments."""

from __future__ import annotations

from vecbleu.analysis.buckets import LENGTH_EDGES, Buckets, score_buckets
from vecbleu.analysis.explanation import NgramCounts, OrderCounts
from vecbleu.analysis.segments import Differences, segment_differences

__all__ = [
    "LENGTH_EDGES",
    "Buckets",
    "Differences",
    "NgramCounts",
    "OrderCounts",
    "score_buckets",
    "segment_differences",
]
