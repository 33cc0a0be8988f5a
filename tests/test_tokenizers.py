"""Both tokenizers against the peers', token by token."""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import TOKENIZE
from strategies import NEARLY_WHITE_SPACE, WHITE_SPACE, ugly_text

from vecbleu.text import Text
from vecbleu.tokenizers import TOKENIZERS


def tokens_of(name, strings):
    spans = TOKENIZERS[name](Text.from_strings(strings))
    data = spans.data.tobytes()
    tokens = [
        data[start:end].decode("utf-8", "surrogatepass")
        for start, end in zip(spans.starts, spans.ends, strict=True)
    ]
    return [tokens[a:b] for a, b in zip(spans.offsets[:-1], spans.offsets[1:], strict=True)]


def assert_equal_to_peer(name, strings):
    for string, tokens in zip(strings, tokens_of(name, strings), strict=True):
        assert tokens == TOKENIZE[name](string), repr(string)


@pytest.mark.parametrize("name", TOKENIZE)
@given(strings=st.lists(ugly_text, max_size=12))
def test_generated_text(name, strings):
    assert_equal_to_peer(name, strings)


@pytest.mark.parametrize("name", TOKENIZE)
def test_every_code_point(name):
    points = [chr(point) for point in range(sys.maxunicode + 1)]
    assert_equal_to_peer(name, [f"a{point}b {point}" for point in points])


def test_every_short_string_over_the_characters_that_the_rules_of_13a_tell_apart():
    alphabet = ["5", ".", ",", "-", "a", " ", "(", "\n", "é"]
    strings = ["".join(word) for size in range(6) for word in product(alphabet, repeat=size)]
    assert_equal_to_peer("13a", strings)


def test_runs_of_stops_by_parity():
    strings = [
        before + run * length + after
        for before, run, length, after in product(["", "5", "a"], [".", ","], range(12), ["", "5"])
    ]
    assert_equal_to_peer("13a", strings)


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


@given(st.lists(ugly_text, max_size=8))
def test_neighbors_do_not_matter(strings):
    together = tokens_of("13a", strings)
    assert together == [tokens_of("13a", [string])[0] for string in strings]


def test_tokenizing_leaves_the_text_as_it_was():
    text = Text.from_strings(["a &amp; b-\nc <skipped>"])
    before = text.data.copy()
    TOKENIZERS["13a"](text)
    assert np.array_equal(text.data, before)
