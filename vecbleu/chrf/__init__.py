"""chrF, chrF+ and chrF++, with sacreBLEU's numbers: n-grams of characters, and of words.

A translation gets an F-score: precision and recall of its n-grams, where recall counts ``beta**2``
times as much. No tokenizer is needed.
"""

from vecbleu.chrf.functions import ChrfAccumulator as ChrfAccumulator
from vecbleu.chrf.functions import corpus_chrf as corpus_chrf
from vecbleu.chrf.functions import file_statistics as file_statistics
from vecbleu.chrf.functions import sentence_chrf as sentence_chrf
from vecbleu.chrf.functions import statistics as statistics
from vecbleu.chrf.score import ChrfScore as ChrfScore
from vecbleu.chrf.table import ChrfStatistics as ChrfStatistics

__all__ = [
    "ChrfAccumulator",
    "ChrfScore",
    "ChrfStatistics",
    "corpus_chrf",
    "file_statistics",
    "sentence_chrf",
    "statistics",
]
