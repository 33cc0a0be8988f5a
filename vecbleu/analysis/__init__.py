"""Find where systems differ: segments, groups of segments, n-grams and words."""

from __future__ import annotations

from vecbleu.analysis.explain import NgramCounts, OrderCounts
from vecbleu.analysis.ngrams import NgramDifference, NgramDifferences, ngram_differences
from vecbleu.analysis.segments import (
    LENGTH_EDGES,
    Buckets,
    Differences,
    score_buckets,
    segment_differences,
)
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
