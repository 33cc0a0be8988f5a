"""Where `sacrebleu.tokenizers.tokenizer_zh` has its classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.tokenizer import BaseTokenizer, TokenizerRegexp, TokenizerZh

__all__ = ["BaseTokenizer", "TokenizerRegexp", "TokenizerZh"]

if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "tokenizers.tokenizer_zh")
