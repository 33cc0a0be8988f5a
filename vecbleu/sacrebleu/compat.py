"""Where `sacrebleu.compat` has its functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vecbleu.sacrebleu.bleu import BLEU
from vecbleu.sacrebleu.functions import corpus_bleu, raw_corpus_bleu, sentence_bleu
from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.score import BLEUScore

if TYPE_CHECKING:
    from sacrebleu.compat import corpus_chrf as corpus_chrf
    from sacrebleu.compat import corpus_ter as corpus_ter
    from sacrebleu.compat import sentence_chrf as sentence_chrf
    from sacrebleu.compat import sentence_ter as sentence_ter
    from sacrebleu.metrics.chrf import CHRF as CHRF
    from sacrebleu.metrics.chrf import CHRFScore as CHRFScore
    from sacrebleu.metrics.ter import TER as TER
    from sacrebleu.metrics.ter import TERScore as TERScore

__all__ = ["BLEU", "BLEUScore", "corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]

if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "compat")
