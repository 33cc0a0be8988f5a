"""The calls of sacreBLEU for BLEU: streams of references, scores on 0 to 100, signatures.

``import vecbleu.sacrebleu as sacrebleu`` moves a program over.
"""

from __future__ import annotations

from vecbleu.sacrebleu.bleu import BLEU
from vecbleu.sacrebleu.functions import corpus_bleu, raw_corpus_bleu, sentence_bleu
from vecbleu.sacrebleu.score import BLEUScore
from vecbleu.sacrebleu.signature import BLEUSignature

__all__ = [
    "BLEU",
    "BLEUScore",
    "BLEUSignature",
    "corpus_bleu",
    "raw_corpus_bleu",
    "sentence_bleu",
]
