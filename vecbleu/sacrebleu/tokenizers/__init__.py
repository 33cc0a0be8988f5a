"""Where `sacrebleu.tokenizers` has its classes, a module each."""

from __future__ import annotations

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.tokenizer import BaseTokenizer

__all__ = ["BaseTokenizer"]

_KINDS = ("13a", "base", "char", "intl", "ja_mecab", "ko_mecab", "none", "re", "spm", "ter", "zh")
_OWN = {f"tokenizer_{name}": f"tokenizers.tokenizer_{name}" for name in _KINDS}

__getattr__, __dir__ = pass_on(__name__, "tokenizers", own=_OWN)
