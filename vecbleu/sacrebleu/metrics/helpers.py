"""Where `sacrebleu.metrics.helpers` has its functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.ngrams import (
    extract_all_char_ngrams,
    extract_all_word_ngrams,
    extract_char_ngrams,
    extract_word_ngrams,
)

__all__ = [
    "extract_all_char_ngrams",
    "extract_all_word_ngrams",
    "extract_char_ngrams",
    "extract_word_ngrams",
]

if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "metrics.helpers")
