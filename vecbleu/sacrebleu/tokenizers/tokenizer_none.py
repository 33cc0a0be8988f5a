"""Where `sacrebleu.tokenizers.tokenizer_none` has its classes."""

from __future__ import annotations

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.tokenizer import BaseTokenizer, NoneTokenizer

__all__ = ["BaseTokenizer", "NoneTokenizer"]

__getattr__, __dir__ = pass_on(__name__, "tokenizers.tokenizer_none")
