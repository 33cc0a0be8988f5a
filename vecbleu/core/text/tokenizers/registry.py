"""Tokenizers by what users call them."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from vecbleu.core.text.tokenizers.base import CallableTokenizer, SpanTokenizer, Tokenizer

# The module of each, loaded when the tokenizer is named: all of them together take 1 ms.
_MODULES = {
    "13a": "v13a",
    "char": "char",
    "intl": "intl",
    "none": "none",
    "zh": "zh",
    "ja-mecab": "mecab",
    "ko-mecab": "mecab",
    "spm": "sentencepiece",
    "flores101": "sentencepiece",
    "flores200": "sentencepiece",
    "spBLEU-1K": "sentencepiece",
}
NAMES = _MODULES.keys()


def resolve_tokenizer(tokenize: Any) -> Tokenizer:
    """A tokenizer by its name, a SentencePiece model's path, or the user's function."""
    if isinstance(tokenize, str):
        return find_tokenizer(tokenize)
    if callable(tokenize):
        return CallableTokenizer(tokenize)
    advice = '; the default is "13a", and "none" splits at white space' if not tokenize else ""
    raise ValueError(
        f"tokenize is {tokenize!r}, expected the name of a tokenizer, or a callable "
        f"from str to a list of str{advice}"
    )


def find_tokenizer(name: str) -> SpanTokenizer:
    """A tokenizer by its name, or the path of a SentencePiece model."""
    if name in _MODULES:
        module = import_module(f"vecbleu.core.text.tokenizers.{_MODULES[name]}")
        tokenizer: SpanTokenizer = module.TOKENIZERS[name]
        return tokenizer
    if name.endswith(".model") or os.path.dirname(name):
        from vecbleu.core.text.tokenizers.sentencepiece import SentencePieceTokenizer

        return SentencePieceTokenizer(name)
    raise ValueError(
        f"tokenize is {name!r}, expected one of {', '.join(sorted(NAMES))}, or the path of a "
        "SentencePiece model (with a separator, or ending in .model)"
    )
