"""Where `sacrebleu.metrics.bleu` has its classes, and finds its tokenizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vecbleu.sacrebleu.bleu import BLEU
from vecbleu.sacrebleu.hooks import MAX_NGRAM_ORDER
from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.metric import Metric
from vecbleu.sacrebleu.ngrams import extract_all_word_ngrams
from vecbleu.sacrebleu.score import BLEUScore, Score
from vecbleu.sacrebleu.signature import BLEUSignature, Signature
from vecbleu.sacrebleu.tokenizer import CLASSES, LineTokenizer
from vecbleu.sacrebleu.utils import my_log, sum_of_lists

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import sacrelogger as sacrelogger

__all__ = [
    "BLEU",
    "MAX_NGRAM_ORDER",
    "BLEUScore",
    "BLEUSignature",
    "Metric",
    "Score",
    "Signature",
    "extract_all_word_ngrams",
    "my_log",
    "sum_of_lists",
]

# The module and the class of each tokenizer.
_TOKENIZERS = {
    name: f"{found.__module__.rpartition('.')[2]}.{found.__name__}"
    for name, found in CLASSES.items()
}


def _get_tokenizer(name: str) -> type[LineTokenizer]:
    """The class of a tokenizer."""
    return CLASSES[name]


if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "metrics.bleu")
