"""Where `sacrebleu.tokenizers` has its classes, a module each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vecbleu.sacrebleu.installed import pass_on
from vecbleu.sacrebleu.tokenizer import BaseTokenizer

if TYPE_CHECKING:
    from vecbleu.sacrebleu.tokenizers import tokenizer_13a as tokenizer_13a
    from vecbleu.sacrebleu.tokenizers import tokenizer_base as tokenizer_base
    from vecbleu.sacrebleu.tokenizers import tokenizer_char as tokenizer_char
    from vecbleu.sacrebleu.tokenizers import tokenizer_intl as tokenizer_intl
    from vecbleu.sacrebleu.tokenizers import tokenizer_ja_mecab as tokenizer_ja_mecab
    from vecbleu.sacrebleu.tokenizers import tokenizer_ko_mecab as tokenizer_ko_mecab
    from vecbleu.sacrebleu.tokenizers import tokenizer_none as tokenizer_none
    from vecbleu.sacrebleu.tokenizers import tokenizer_re as tokenizer_re
    from vecbleu.sacrebleu.tokenizers import tokenizer_spm as tokenizer_spm
    from vecbleu.sacrebleu.tokenizers import tokenizer_ter as tokenizer_ter
    from vecbleu.sacrebleu.tokenizers import tokenizer_zh as tokenizer_zh

__all__ = ["BaseTokenizer"]

_KINDS = ("13a", "base", "char", "intl", "ja_mecab", "ko_mecab", "none", "re", "spm", "ter", "zh")
_OWN = {f"tokenizer_{name}": f"tokenizers.tokenizer_{name}" for name in _KINDS}

if not TYPE_CHECKING:  # else every name would be known, misspelled ones too
    __getattr__, __dir__ = pass_on(__name__, "tokenizers", own=_OWN)
