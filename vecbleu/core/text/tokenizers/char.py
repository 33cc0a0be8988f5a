"""Tokenizer ``char``: every code point that is no white space is a token."""

from __future__ import annotations

import numpy as np

from vecbleu.core.text.characters import begins_character, ends_of
from vecbleu.core.text.spans import Spans, white_space
from vecbleu.core.text.text import Text
from vecbleu.core.text.tokenizers.base import ByteTokenizer


def tokenize_char(text: Text) -> Spans:
    """Make a token of every character; a quarter of the time of cutting before each."""
    starts = np.flatnonzero(begins_character(text.used) & ~white_space(text.used))
    ends = ends_of(text.used, starts)
    offsets = np.searchsorted(starts, text.offsets)
    return Spans(text.data, starts, ends, offsets, characters=True)


def split_char(string: str) -> list[str]:
    """The same for one string."""
    return [*"".join(string.split())]


TOKENIZERS = {"char": ByteTokenizer("char", tokenize_char, split_char, begins_character)}
