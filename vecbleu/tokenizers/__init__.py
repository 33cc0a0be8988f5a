"""Tokenizers: from the bytes of a block of segments to token spans, by name."""

from __future__ import annotations

from collections.abc import Callable

from vecbleu.text import Text
from vecbleu.tokenizers.char import tokenize_char
from vecbleu.tokenizers.intl import tokenize_intl
from vecbleu.tokenizers.none import tokenize_none
from vecbleu.tokenizers.spans import Spans
from vecbleu.tokenizers.v13a import tokenize_13a
from vecbleu.tokenizers.zh import tokenize_zh

TOKENIZERS: dict[str, Callable[[Text], Spans]] = {
    "13a": tokenize_13a,
    "char": tokenize_char,
    "intl": tokenize_intl,
    "none": tokenize_none,
    "zh": tokenize_zh,
}

__all__ = ["TOKENIZERS", "Spans"]
