"""vecbleu's metrics with their scores and functions; all others are the installed sacreBLEU's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vecbleu.sacrebleu import from_sacrebleu
from vecbleu.sacrebleu.metrics.bleu import (
    BLEU,
    BLEUScore,
    BLEUSignature,
    corpus_bleu,
    raw_corpus_bleu,
    sentence_bleu,
)
from vecbleu.sacrebleu.metrics.chrf import (
    CHRF,
    CHRFScore,
    CHRFSignature,
    corpus_chrf,
    sentence_chrf,
)
from vecbleu.sacrebleu.metrics.ter import TER, TERScore, TERSignature, corpus_ter, sentence_ter

if TYPE_CHECKING:
    from sacrebleu.metrics import METRICS as METRICS

__all__ = [
    "BLEU",
    "CHRF",
    "TER",
    "BLEUScore",
    "BLEUSignature",
    "CHRFScore",
    "CHRFSignature",
    "TERScore",
    "TERSignature",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
]

OURS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}

if not TYPE_CHECKING:  # with `__getattr__`, type checkers would accept misspelled names

    def __getattr__(name: str) -> object:
        """Return a name of the installed sacreBLEU; `METRICS` has vecbleu's."""
        value = from_sacrebleu("sacrebleu.metrics", name)
        if name == "METRICS":
            value = globals()[name] = value | OURS
        return value
