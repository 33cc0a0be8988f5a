"""The calls of sacreBLEU for BLEU: streams of references, scores on 0 to 100, signatures.

``import vecbleu.sacrebleu as sacrebleu`` moves a program over.
"""

from __future__ import annotations

import vecbleu
from vecbleu.sacrebleu import metrics
from vecbleu.sacrebleu.bleu import BLEU
from vecbleu.sacrebleu.functions import corpus_bleu, raw_corpus_bleu, sentence_bleu
from vecbleu.sacrebleu.score import BLEUScore
from vecbleu.sacrebleu.signature import BLEUSignature

__version__ = vecbleu.__version__

__all__ = [
    "BLEU",
    "BLEUScore",
    "BLEUSignature",
    "__version__",
    "corpus_bleu",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
]
