"""Tokenizers: from the bytes of a block of segments to token spans, by name."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from vecbleu.text import Text
from vecbleu.tokenizers.char import tokenize_char
from vecbleu.tokenizers.intl import tokenize_intl
from vecbleu.tokenizers.mecab import mecab_signature, tokenize_ja_mecab, tokenize_ko_mecab
from vecbleu.tokenizers.none import tokenize_none
from vecbleu.tokenizers.sentencepiece import (
    MODELS,
    pin_model,
    sentencepiece_signature,
    tokenize_sentencepiece,
)
from vecbleu.tokenizers.spans import Spans, UnitError
from vecbleu.tokenizers.v13a import tokenize_13a
from vecbleu.tokenizers.zh import tokenize_zh

Tokenizer = Callable[[Text], Spans]

TOKENIZERS: dict[str, Tokenizer] = {
    "13a": tokenize_13a,
    "char": tokenize_char,
    "intl": tokenize_intl,
    "ja-mecab": tokenize_ja_mecab,
    "ko-mecab": tokenize_ko_mecab,
    "none": tokenize_none,
    "zh": tokenize_zh,
    **{model: partial(tokenize_sentencepiece, model) for model in MODELS},
}

# What sacreBLEU's signature calls those that it does not call by their names.
_SIGNATURES: dict[str, Callable[[str], str]] = {
    "ja-mecab": mecab_signature,
    "ko-mecab": mecab_signature,
    **dict.fromkeys(MODELS, sentencepiece_signature),
}


def find_tokenizer(name: str, digest: str = "") -> Tokenizer:
    """Look up a tokenizer by its name, or a SentencePiece model by its path, as `pin_tokenizer`."""
    if digest:
        return partial(tokenize_sentencepiece, name, digest=digest)
    if name in TOKENIZERS:
        return TOKENIZERS[name]
    if _is_path(name):
        return partial(tokenize_sentencepiece, name)
    raise ValueError(
        f"tokenize is {name!r}, expected one of {', '.join(sorted(TOKENIZERS))}, or the path of a "
        "SentencePiece model (with a separator, or ending in .model)"
    )


def tokenizer_signature(name: str) -> str:
    """What a signature calls a tokenizer; loads what it needs, and raises if that is missing."""
    sign = _SIGNATURES.get(name, sentencepiece_signature if _is_path(name) else str)
    return sign(name)


def pin_tokenizer(name: str) -> tuple[str, str]:
    """What a tokenizer is called wherever somebody stands, and the digest of what it reads."""
    return pin_model(name) if name in MODELS or _is_path(name) else (name, "")


def _is_path(name: str) -> bool:
    """Whether a name that is none of a tokenizer is meant as a file's."""
    return name not in TOKENIZERS and (name.endswith(".model") or os.path.dirname(name) != "")


__all__ = [
    "TOKENIZERS",
    "Spans",
    "Tokenizer",
    "UnitError",
    "find_tokenizer",
    "pin_tokenizer",
    "tokenizer_signature",
]
