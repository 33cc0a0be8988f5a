"""Tokenize with ``char``: every character but white space is a token."""

from __future__ import annotations

from vecbleu.kernel.packed import Symbols
from vecbleu.text.text import Spans, Text, begins_character, cut_tokens, white_space
from vecbleu.text.tokenizer import ByteTokenizer
from vecbleu.text.tokens import characters


def tokenize_char(text: Text) -> Spans:
    """Cut before every character."""
    return cut_tokens(text, white_space(text.used), begins_character(text.used))


def split_char(string: str) -> list[str]:
    """Split one string as `tokenize_char` does."""
    return list("".join(string.split()))


class CharacterTokenizer(ByteTokenizer):
    """Within a block, characters are numbered."""

    def block_ids(self, text: Text) -> Symbols:
        """Number the characters of the text."""
        return characters(text)


TOKENIZER = CharacterTokenizer("char", tokenize_char, split_char, characters_a_token=1.2)
