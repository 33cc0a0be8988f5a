"""chrF, chrF+ and chrF++, with sacreBLEU's numbers: n-grams of characters, and of words.

A translation gets an F-score: precision and recall of its n-grams, where recall counts ``beta**2``
times as much. No tokenizer is needed.
"""

from vecbleu.chrf.counting import (
    ChrfAccumulator,
    corpus_chrf,
    file_statistics,
    sentence_chrf,
    statistics,
)
from vecbleu.chrf.table import ChrfScore, ChrfStatistics

__all__ = [
    "ChrfAccumulator",
    "ChrfScore",
    "ChrfStatistics",
    "corpus_chrf",
    "file_statistics",
    "sentence_chrf",
    "statistics",
]
