"""Where `sacrebleu.tokenizers.tokenizer_ja_mecab` has its classes."""

from __future__ import annotations

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.tokenizer import BaseTokenizer, TokenizerJaMecab

__all__ = ["BaseTokenizer", "TokenizerJaMecab"]

__getattr__, __dir__ = pass_on(__name__, "tokenizers.tokenizer_ja_mecab")
