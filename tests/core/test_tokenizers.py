"""Tokens are the peer's, on generated, chosen and real text; ids are equal where tokens are."""

from __future__ import annotations

import sys
import unicodedata
from itertools import product

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from peers import TOKENIZE, newer_characters, tokens_of
from strategies import IS_LONG, opposites, ugly_text

import vecbleu
from vecbleu.text.text import Text


def assert_equal_to_peer(name, strings):
    if name == "intl":
        strings = [string.translate(newer_characters()) for string in strings]
    tokens = tokens_of(name, Text.from_strings(strings))
    pairs = zip(strings, tokens, map(TOKENIZE[name], strings), strict=True)
    assert [(string, ours) for string, ours, theirs in pairs if ours != theirs] == []


@pytest.mark.parametrize("name", TOKENIZE)
@settings(max_examples=40_000 if IS_LONG else 60)  # at least 200,000 strings a tokenizer
@given(strings=st.lists(ugly_text, min_size=5, max_size=12))
def test_tokens_of_generated_text_are_the_peers(name, strings):
    assert_equal_to_peer(name, strings)


def code_points(*many):
    """All characters; in the quick profile a few of the categories that have most of them."""
    points = map(chr, range(sys.maxunicode + 1))
    if IS_LONG:
        return [*points]
    return [c for c in points if ord(c) % 64 == 5 or unicodedata.category(c) not in many]


@pytest.mark.parametrize("name", TOKENIZE)
def test_tokens_at_every_code_point_are_the_peers(name):
    characters = code_points("Cn", "Co", "Lo")
    between = [f"{c}5{c}.{c}a{c}{c}-{c}" for c in characters]
    assert_equal_to_peer(name, [" ".join(between[i::8192]) for i in range(8192)])
    assert_equal_to_peer(name, characters)


# The characters that the rules tell apart, and some that only look like them.
ALPHABETS = {
    "13a": ["5", ".", ",", "-", "a", " ", "(", "\n", "é"],
    "char": ["5", ".", " ", "é", "中", "𠮷", "\u0301"],
    "intl": ["5", ".", "a", " ", "+", "\n", "é", "¿", "٣", "€"],
    "none": ["a", " ", "\u3000", "\x1c", "\u200b"],
    "zh": ["5", ".", "-", "a", " ", "(", "中", "€", "𠮷"],
}
EDGES = ["", "5", "a", " ", "中", "(", "٣"]


@pytest.mark.parametrize("name", TOKENIZE)
def test_tokens_of_chosen_strings_are_the_peers(name):
    words = [product(ALPHABETS[name], repeat=size) for size in range(6 if IS_LONG else 5)]
    assert_equal_to_peer(name, ["".join(word) for some in words for word in some])
    runs = product(EDGES, ".,-«", range(12), EDGES)  # by parity
    assert_equal_to_peer(name, [a + run * length + b for a, run, length, b in runs])
    spaces = strategies.WHITE_SPACE + strategies.NEARLY_WHITE_SPACE
    assert_equal_to_peer(name, [f"a{c}b{c}{c}5{c}.{c}" for c in spaces])
    markup = [[f"{mark}{end}"] for mark, end in product(strategies.MARKUP, ["", "a"])]
    for alone in (*markup, ["", " ", "\n\n", "\u3000"], []):
        assert_equal_to_peer(name, alone)


OPPOSITES = [bits for power in range(1, 12) for bits in opposites(power)]
ENDS = ["", "\0", "\0\0", "\x7f", "\xff", "\udcff", "\U0010ffff"]
DIFFERENT = {
    "lengths and ends": ["a" * size + end for size in range(71) for end in ENDS],
    "one byte": ["a" * place + "b" + "a" * (40 - place) for place in range(41)],
    "words in any order": ["".join(c * 8 for c in word) for word in product("abcd", repeat=5)],
    "opposite words": ["".join("ab"[bit] * 8 for bit in bits) for bits in OPPOSITES],
    "a megabyte": ["x" * 1_000_000, "x" * 1_000_000 + "y", "x" * 999_992 + "y" * 8],
}


@pytest.mark.parametrize("kind", DIFFERENT)
def test_tokens_match_only_themselves(kind):
    """Self-BLEU of single tokens is 0 for those that no other one is equal to."""
    tokens = DIFFERENT[kind]
    for units in ([[token] for token in tokens], [*filter(None, tokens)]):
        assert not vecbleu.self_bleu(units, tokenize="none", max_order=1).any()
        assert vecbleu.self_bleu(units * 2, tokenize="none", max_order=1).all()
