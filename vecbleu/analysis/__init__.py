"""Where systems differ: on single segments, on groups of segments, and in words."""

from __future__ import annotations

from vecbleu.analysis.buckets import LENGTH_EDGES, Buckets, score_buckets
from vecbleu.analysis.explanation import NgramCounts, OrderCounts
from vecbleu.analysis.ngrams import NgramDifference, NgramDifferences, ngram_differences
from vecbleu.analysis.segments import Differences, segment_differences
from vecbleu.analysis.word_changes import word_changes

__all__ = [
    "LENGTH_EDGES",
    "Buckets",
    "Differences",
    "NgramCounts",
    "NgramDifference",
    "NgramDifferences",
    "OrderCounts",
    "ngram_differences",
    "score_buckets",
    "segment_differences",
    "word_changes",
]
