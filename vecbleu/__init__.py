"""BLEU for large test sets, on NumPy alone: exact, fast, and with its statistics in the open."""

from __future__ import annotations

from vecbleu.accumulator import Accumulator
from vecbleu.api import corpus_bleu, file_statistics, sentence_bleu, statistics
from vecbleu.ragged import Ragged
from vecbleu.results import BleuScore
from vecbleu.scores import bleu
from vecbleu.signatures import Signature
from vecbleu.statistics import Statistics

__version__ = "0.1.0"

__all__ = [
    "Accumulator",
    "BleuScore",
    "Ragged",
    "Signature",
    "Statistics",
    "bleu",
    "corpus_bleu",
    "file_statistics",
    "sentence_bleu",
    "statistics",
]
