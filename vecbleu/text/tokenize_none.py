"""Tokenize with ``none``: white space separates tokens."""

from __future__ import annotations

from vecbleu.text.text import Spans, Text, cut_tokens, white_space
from vecbleu.text.tokenizer import ByteTokenizer


def tokenize_none(text: Text) -> Spans:
    """Split as `str.split` does, at every Unicode white space."""
    return cut_tokens(text, white_space(text.used))


TOKENIZER = ByteTokenizer("none", tokenize_none, str.split, characters_a_token=5)
