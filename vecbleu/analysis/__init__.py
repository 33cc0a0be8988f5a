"""Where systems differ: on single segments, on groups of segments, and in words."""

from __future__ import annotations

from vecbleu.analysis.buckets import Buckets, score_buckets
from vecbleu.analysis.explanation import NgramCounts, OrderCounts
from vecbleu.analysis.groups import DIFFERENCE_EDGES, LENGTH_EDGES, SCORE_EDGES
from vecbleu.analysis.ngram_results import NgramDifference, NgramDifferences
from vecbleu.analysis.ngrams import ngram_differences
from vecbleu.analysis.segments import (
    Differences,
    Influences,
    segment_differences,
    segment_influences,
)
from vecbleu.analysis.word_changes import word_changes
from vecbleu.analysis.words import WordFMeasures, word_f_measures

__all__ = [
    "DIFFERENCE_EDGES",
    "LENGTH_EDGES",
    "SCORE_EDGES",
    "Buckets",
    "Differences",
    "Influences",
    "NgramCounts",
    "NgramDifference",
    "NgramDifferences",
    "OrderCounts",
    "WordFMeasures",
    "ngram_differences",
    "score_buckets",
    "segment_differences",
    "segment_influences",
    "word_changes",
    "word_f_measures",
]
