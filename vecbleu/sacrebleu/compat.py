"""Where `sacrebleu.compat` has its functions."""

from __future__ import annotations

from vecbleu.sacrebleu.bleu import BLEU
from vecbleu.sacrebleu.functions import corpus_bleu, raw_corpus_bleu, sentence_bleu
from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.score import BLEUScore

__all__ = ["BLEU", "BLEUScore", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]

__getattr__, __dir__ = pass_on(__name__, "compat")
