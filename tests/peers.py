"""Calls of the installed peers, and what comparing with them has to know."""

from __future__ import annotations

import functools
import logging
import math
import sys
import unicodedata
import warnings
from collections.abc import Callable
from typing import Any

import regex
import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

logging.getLogger("sacrebleu").setLevel(logging.ERROR)


def _tokenizer(peer: Callable[[str], str]) -> Callable[[str], list[str]]:
    """What `BLEU` does with a segment, to a list of tokens."""
    return lambda segment: peer(segment.rstrip()).split()


TOKENIZE: dict[str, Callable[[str], list[str]]] = {
    "13a": _tokenizer(Tokenizer13a()),
    "char": _tokenizer(TokenizerChar()),
    "intl": _tokenizer(TokenizerV14International()),
    "none": str.split,
    "zh": _tokenizer(TokenizerZh()),
}
MECAB: dict[str, Callable[[str], list[str]]] = {
    "ja-mecab": _tokenizer(TokenizerJaMecab()),
    "ko-mecab": _tokenizer(TokenizerKoMecab()),
}


@functools.cache
def newer_characters() -> dict[int, str]:
    """Characters that regex, which sacreBLEU's intl uses, has classes of and Python has not yet.

    A table for `str.translate` that puts a letter in their place.
    """
    points = "".join(map(chr, range(sys.maxunicode + 1)))
    differing = {
        character
        for letter in "NPS"
        for character in set(regex.findall(rf"\p{{{letter}}}", points))
        ^ {point for point in points if unicodedata.category(point)[0] == letter}
    }
    assert {unicodedata.category(character) for character in differing} <= {"Cn"}
    return dict.fromkeys(map(ord, differing), "x")


def same_digits(ours: float, theirs: float) -> bool:
    """Bit-equal to sacreBLEU.

    From Python 3.12 on the built-in sum that sacreBLEU adds logarithms with is compensated, and
    its last digits are no longer those of the published scores, which vecbleu keeps.
    """
    if sys.version_info < (3, 12):
        return ours == theirs
    return math.isclose(ours, theirs, rel_tol=4e-15)


def sacrebleu_score(hypotheses: list[str], references: list[list[str]], **options: Any) -> Any:
    """Per-segment references, of which sacreBLEU wants streams with holes."""
    most = max(map(len, references))
    streams = [
        [segment[k] if k < len(segment) else None for segment in references] for k in range(most)
    ]
    return sacrebleu.BLEU(**options).corpus_score(hypotheses, streams)


def outcome(function: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """What a call does: its value and type or its exception's type, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = function(*args, **kwargs)
        except Exception as error:
            return ("raises", type(error))
    said = sorted(str(warning.message) for warning in caught)
    return ("returns", value, _types(value), said)


def _types(value: Any) -> Any:
    return [*map(type, value)] if isinstance(value, list) else type(value)
