"""Where `sacrebleu.tokenizers.tokenizer_intl` has its classes."""

from __future__ import annotations

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.tokenizer import BaseTokenizer, TokenizerV14International

__all__ = ["BaseTokenizer", "TokenizerV14International"]

__getattr__, __dir__ = pass_on(__name__, "tokenizers.tokenizer_intl")
