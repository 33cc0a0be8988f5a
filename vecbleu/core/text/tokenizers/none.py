"""Tokenizer ``none``: the text is split at white space and nothing else is done to it."""

from __future__ import annotations

from vecbleu.core.text.spans import Spans, cut, white_space
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokenizers.base import ByteTokenizer


def tokenize_none(text: Text) -> Spans:
    """Split as `str.split` does, at every Unicode white space."""
    return cut(text, white_space(text.used))


def split_none(string: str) -> list[str]:
    """The same for one string."""
    return string.split()


TOKENIZERS = {"none": ByteTokenizer("none", tokenize_none, split_none)}
