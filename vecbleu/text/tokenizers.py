"""Find a tokenizer by its name, the path of its model, or the user's function."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from vecbleu.arguments.errors import ArgumentError
from vecbleu.text.tokenizer import CallableTokenizer, Tokenizer

# Tokenizers by rules: `tokenize_13a` and the other modules of this package define TOKENIZER.
_BY_RULES = ("13a", "char", "intl", "none", "zh")
_EXTERNAL = ("ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K")
NAMES = dict.fromkeys([*_BY_RULES, *_EXTERNAL]).keys()


def resolve_tokenizer(tokenize: Any) -> Tokenizer:
    """Return a tokenizer by its name, a SentencePiece model's path, or the user's function."""
    if callable(tokenize):
        return CallableTokenizer(tokenize)
    if isinstance(tokenize, str):
        if tokenize in _BY_RULES:
            module = import_module(f"vecbleu.text.tokenize_{tokenize}")
            tokenizer: Tokenizer = module.TOKENIZER
            return tokenizer
        if tokenize in NAMES or tokenize.endswith(".model") or os.path.dirname(tokenize):
            from vecbleu.text.external import ExternalTokenizer

            return ExternalTokenizer(tokenize)
    raise ArgumentError(
        f"is {tokenize!r}",
        f"one of {', '.join(sorted(NAMES))}, or the path of a SentencePiece model, "
        "which contains / or ends in .model",
    )
