"""Where `sacrebleu.tokenizers.tokenizer_char` has its classes."""

from __future__ import annotations

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.tokenizer import BaseTokenizer, TokenizerChar

__all__ = ["BaseTokenizer", "TokenizerChar"]

__getattr__, __dir__ = pass_on(__name__, "tokenizers.tokenizer_char")
