"""Tokenizers: from the bytes of a block of segments to token spans, by name."""

from __future__ import annotations

from collections.abc import Callable

from vecbleu.text import Text
from vecbleu.tokenizers.none import tokenize_none
from vecbleu.tokenizers.spans import Spans
from vecbleu.tokenizers.v13a import tokenize_13a

TOKENIZERS: dict[str, Callable[[Text], Spans]] = {
    "13a": tokenize_13a,
    "none": tokenize_none,
}

__all__ = ["TOKENIZERS", "Spans"]
