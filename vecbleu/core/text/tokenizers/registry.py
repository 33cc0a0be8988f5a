"""Tokenizers by what users call them."""

from __future__ import annotations

import os
from typing import Any

from vecbleu.core.text.characters import begins_character
from vecbleu.core.text.tokenizers.base import (
    ByteTokenizer,
    CallableTokenizer,
    SpanTokenizer,
    Tokenizer,
)
from vecbleu.core.text.tokenizers.char import split_char, tokenize_char
from vecbleu.core.text.tokenizers.intl import split_intl, tokenize_intl
from vecbleu.core.text.tokenizers.mecab import DICTIONARIES, MecabTokenizer
from vecbleu.core.text.tokenizers.none import split_none, tokenize_none
from vecbleu.core.text.tokenizers.sentencepiece import MODELS, SentencePieceTokenizer
from vecbleu.core.text.tokenizers.v13a import split_13a, tokenize_13a
from vecbleu.core.text.tokenizers.zh import between_chinese, split_zh, tokenize_zh

_RULES = [
    ByteTokenizer("13a", tokenize_13a, split_13a),
    ByteTokenizer("char", tokenize_char, split_char, begins_character),
    ByteTokenizer("intl", tokenize_intl, split_intl),
    ByteTokenizer("none", tokenize_none, split_none),
    ByteTokenizer("zh", tokenize_zh, split_zh, between_chinese),
]

TOKENIZERS: dict[str, SpanTokenizer] = {
    **{tokenizer.name: tokenizer for tokenizer in _RULES},
    **{name: MecabTokenizer(name) for name in DICTIONARIES},
    **{name: SentencePieceTokenizer(name) for name in MODELS},
}


def resolve_tokenizer(tokenize: Any) -> Tokenizer:
    """A tokenizer by its name, a SentencePiece model's path, or the user's function."""
    if isinstance(tokenize, str):
        return find_tokenizer(tokenize)
    if callable(tokenize):
        return CallableTokenizer(tokenize)
    raise ValueError(
        f"tokenize is {tokenize!r}, expected the name of a tokenizer, or a callable "
        "from str to a list of str"
    )


def find_tokenizer(name: str) -> SpanTokenizer:
    """A tokenizer by its name, or the path of a SentencePiece model."""
    if name in TOKENIZERS:
        return TOKENIZERS[name]
    if name.endswith(".model") or os.path.dirname(name):
        return SentencePieceTokenizer(name)
    raise ValueError(
        f"tokenize is {name!r}, expected one of {', '.join(sorted(TOKENIZERS))}, or the path of a "
        "SentencePiece model (with a separator, or ending in .model)"
    )
