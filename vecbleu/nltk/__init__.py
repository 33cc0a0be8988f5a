"""Drop-in for `nltk.translate.bleu_score`: the same calls, results, warnings and errors, faster.

``sys.modules["nltk.translate.bleu_score"] = vecbleu.nltk`` moves a program over.
"""

from __future__ import annotations

from vecbleu.nltk.counting import closest_ref_length
from vecbleu.nltk.scores import (
    brevity_penalty,
    corpus_bleu,
    modified_precision,
    sentence_bleu,
    sentence_bleu_batch,
)
from vecbleu.nltk.smoothing import Fraction, SmoothingFunction

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
    "sentence_bleu_batch",
]
