"""Where systems differ: on single segments, and on groups of segments."""

from __future__ import annotations

from vecbleu.analysis.buckets import LENGTH_EDGES, Buckets, score_buckets
from vecbleu.analysis.explanation import NgramCounts, OrderCounts
from vecbleu.analysis.ngram_results import NgramDifference, NgramDifferences
from vecbleu.analysis.ngrams import ngram_differences
from vecbleu.analysis.segments import (
    Differences,
    Influences,
    segment_differences,
    segment_influences,
)
from vecbleu.analysis.word_changes import word_changes

__all__ = [
    "LENGTH_EDGES",
    "Buckets",
    "Differences",
    "Influences",
    "NgramCounts",
    "NgramDifference",
    "NgramDifferences",
    "OrderCounts",
    "ngram_differences",
    "score_buckets",
    "segment_differences",
    "segment_influences",
    "word_changes",
]
