"""Replacement for `nltk.translate.bleu_score`: the same calls and the same numbers, faster."""

from __future__ import annotations

import sys
from importlib import import_module

from vecbleu.nltk.scores import corpus_bleu, sentence_bleu, sentence_bleu_batch
from vecbleu.nltk.smoothing import (
    Fraction,
    SmoothingFunction,
    brevity_penalty,
    closest_ref_length,
    modified_precision,
)

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "install",
    "modified_precision",
    "sentence_bleu",
    "sentence_bleu_batch",
]


def install() -> None:
    """Replace `nltk.translate.bleu_score` by this module; NLTK must be installed.

    Call it before other imports: names imported from `nltk.translate.bleu_score` afterwards are
    vecbleu's; names imported before stay NLTK's.

    Examples
    --------
    >>> import vecbleu.nltk
    >>> vecbleu.nltk.install()  # doctest: +SKIP
    >>> from nltk.translate.bleu_score import corpus_bleu  # doctest: +SKIP
    """
    module = sys.modules[__name__]
    for package in import_module("nltk"), import_module("nltk.translate"):
        vars(package).update(bleu_score=module, bleu=sentence_bleu)
    sys.modules["nltk.translate.bleu_score"] = module
