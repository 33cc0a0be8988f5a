"""Tokenizer ``char``: every code point that is no white space is a token."""

from __future__ import annotations

from vecbleu.text import Text
from vecbleu.tokenizers.characters import begins_character
from vecbleu.tokenizers.spans import Spans, cut, white_space


def tokenize_char(text: Text) -> Spans:
    """Cut before every character."""
    return cut(text, white_space(text.used), begins_character(text.used))
