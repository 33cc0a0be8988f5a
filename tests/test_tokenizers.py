"""The tokenizers against the peers', token by token."""

from __future__ import annotations

import sys
import unicodedata
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from peers import TOKENIZE, newer_characters
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
from strategies import NEARLY_WHITE_SPACE, WHITE_SPACE, ugly_text

from vecbleu.text import Text
from vecbleu.tokenizers import TOKENIZERS, zh


def tokens_of(name, strings):
    spans = TOKENIZERS[name](Text.from_strings(strings))
    data = spans.data.tobytes()
    tokens = [
        data[start:end].decode("utf-8", "surrogatepass")
        for start, end in zip(spans.starts, spans.ends, strict=True)
    ]
    return [tokens[a:b] for a, b in zip(spans.offsets[:-1], spans.offsets[1:], strict=True)]


def assert_equal_to_peer(name, strings):
    if name == "intl":
        strings = [string.translate(newer_characters()) for string in strings]
    for string, tokens in zip(strings, tokens_of(name, strings), strict=True):
        assert tokens == TOKENIZE[name](string), repr(string)


# In the long profile, at least 200,000 strings a tokenizer.
MANY = 60 if settings.default.max_examples < 1000 else 40_000


@pytest.mark.parametrize("name", TOKENIZE)
@settings(max_examples=MANY)
@given(strings=st.lists(ugly_text, min_size=5, max_size=12))
def test_generated_text(name, strings):
    assert_equal_to_peer(name, strings)


NOTHING = ("Cn", "Co")  # unassigned, private use


@pytest.mark.parametrize("name", TOKENIZE)
def test_every_code_point(name):
    points = [*map(chr, range(sys.maxunicode + 1))]
    if settings.default.max_examples < 1000:  # few of those that are nothing but a number
        points = [c for c in points if unicodedata.category(c) not in NOTHING or ord(c) % 16 == 5]
    between = [f"a{c}b {c}5{c}.{c}{c}, {c}" for c in points]
    assert_equal_to_peer(name, [" ".join(between[i : i + 64]) for i in range(0, len(points), 64)])
    assert_equal_to_peer(name, points)


# The characters that the rules tell apart, and some that only look like them.
ALPHABETS = {
    "13a": ["5", ".", ",", "-", "a", " ", "(", "\n", "é"],
    "char": ["5", ".", " ", "é", "中", "𠮷", "\u0301"],
    "intl": ["5", ".", "a", " ", "+", "\n", "é", "¿", "٣", "€"],
    "none": ["a", " ", "\u3000", "\x1c", "\u200b"],
    "zh": ["5", ".", "-", "a", " ", "(", "中", "€", "𠮷"],
}


@pytest.mark.parametrize("name", TOKENIZE)
def test_every_short_string_over_the_characters_that_the_rules_tell_apart(name):
    strings = ["".join(word) for size in range(6) for word in product(ALPHABETS[name], repeat=size)]
    assert_equal_to_peer(name, strings)


@pytest.mark.parametrize("name", TOKENIZE)
def test_runs_of_stops_by_parity(name):
    edges = ["", "5", "a", " ", "中", "(", "٣"]
    strings = [
        before + run * length + after
        for before, run, length, after in product(edges, ".,-«", range(12), edges)
    ]
    assert_equal_to_peer(name, strings)


def test_zh_takes_its_published_ranges():
    peer = TokenizerZh._is_chinese_char
    assert [*zh._CHINESE] == [peer(chr(point)) for point in range(1 << 16)]
    assert not any(peer(chr(point)) for point in range(1 << 16, sys.maxunicode + 1))


@pytest.mark.parametrize("name", TOKENIZE)
def test_white_space_and_what_looks_like_it(name):
    strings = [f"a{c}b{c}{c}5{c}.{c}" for c in WHITE_SPACE + NEARLY_WHITE_SPACE]
    assert_equal_to_peer(name, strings)
    assert {c for c in map(chr, range(sys.maxunicode + 1)) if c.isspace()} == set(WHITE_SPACE)


@pytest.mark.parametrize("name", TOKENIZE)
def test_real_text(name, wmt23):
    for path in sorted((wmt23 / "references").iterdir()):
        assert_equal_to_peer(name, path.read_text(encoding="utf-8").split("\n"))


@pytest.mark.parametrize("name", TOKENIZE)
def test_nothing_and_only_white_space(name):
    assert tokens_of(name, []) == []
    assert tokens_of(name, ["", " ", "\n\n", "\u3000"]) == [[], [], [], []]


@pytest.mark.parametrize("name", TOKENIZE)
@given(strings=st.lists(ugly_text, max_size=8))
def test_neighbors_do_not_matter(name, strings):
    together = tokens_of(name, strings)
    assert together == [tokens_of(name, [string])[0] for string in strings]


@pytest.mark.parametrize("name", TOKENIZE)
def test_tokenizing_leaves_the_text_as_it_was(name):
    text = Text.from_strings(["a &amp; b-\nc <skipped>", " 中。5 "])
    before = text.data.copy()
    TOKENIZERS[name](text)
    assert np.array_equal(text.data, before)
