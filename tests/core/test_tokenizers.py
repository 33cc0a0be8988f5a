"""The tokenizers against the peers', token by token."""

from __future__ import annotations

import pickle
import sys
import unicodedata
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from peers import TOKENIZE, newer_characters
from sacrebleu.tokenizers.tokenizer_zh import _UCODE_RANGES, TokenizerZh
from strategies import NEARLY_WHITE_SPACE, WHITE_SPACE, ugly_text

from vecbleu.core.text.text import Text
from vecbleu.core.text.tokenizers import TOKENIZERS, find_tokenizer, resolve_tokenizer, zh


def tokens_of(name, strings):
    spans = find_tokenizer(name).spans(Text.from_strings(strings))
    data = spans.data.tobytes()
    tokens = [
        data[start:end].decode("utf-8", "surrogatepass")
        for start, end in zip(spans.starts, spans.ends, strict=True)
    ]
    return [tokens[a:b] for a, b in zip(spans.offsets[:-1], spans.offsets[1:], strict=True)]


def assert_equal_to_peer(name, strings):
    if name == "intl":
        strings = [string.translate(newer_characters()) for string in strings]
    pairs = zip(strings, tokens_of(name, strings), map(TOKENIZE[name], strings), strict=True)
    assert [(string, ours) for string, ours, theirs in pairs if ours != theirs] == []


IS_LONG = settings.default.max_examples > 1000  # the profile "long"


@pytest.mark.parametrize("name", TOKENIZE)
@settings(max_examples=40_000 if IS_LONG else 60)  # at least 200,000 strings a tokenizer
@given(strings=st.lists(ugly_text, min_size=5, max_size=12))
def test_generated_text(name, strings):
    assert_equal_to_peer(name, strings)


def code_points(*unusual):
    """All characters; in the quick profile a few of those of some categories."""
    points = map(chr, range(sys.maxunicode + 1))
    if IS_LONG:
        return [*points]
    return [c for c in points if ord(c) % 64 == 5 or unicodedata.category(c) not in unusual]


@pytest.mark.parametrize("name", TOKENIZE)
def test_every_code_point(name):
    unassigned, private, ideographs = "Cn", "Co", "Lo"
    between = [f"{c}5{c}.{c}a{c}{c}" for c in code_points(unassigned, private)]
    assert_equal_to_peer(name, [" ".join(between[i::8192]) for i in range(8192)])
    assert_equal_to_peer(name, code_points(unassigned, private, ideographs))


# The characters that the rules tell apart, and some that only look like them.
ALPHABETS = {
    "13a": ["5", ".", ",", "-", "a", " ", "(", "\n", "é"],
    "char": ["5", ".", " ", "é", "中", "𠮷", "\u0301"],
    "intl": ["5", ".", "a", " ", "+", "\n", "é", "¿", "٣", "€"],
    "none": ["a", " ", "\u3000", "\x1c", "\u200b"],
    "zh": ["5", ".", "-", "a", " ", "(", "中", "€", "𠮷"],
}


EDGES = ["", "5", "a", " ", "中", "(", "٣"]
STRINGS = {
    "every short string": lambda name: (
        "".join(word) for size in range(6) for word in product(ALPHABETS[name], repeat=size)
    ),
    "runs of stops by parity": lambda name: (
        before + run * length + after
        for before, run, length, after in product(EDGES, ".,-«", range(12), EDGES)
    ),
    "white space and what looks like it": lambda name: (
        f"a{c}b{c}{c}5{c}.{c}" for c in WHITE_SPACE + NEARLY_WHITE_SPACE
    ),
    "only white space": lambda name: ["", " ", "\n\n", "\u3000"],
    "nothing": lambda name: [],
}


@pytest.mark.parametrize("name", TOKENIZE)
@pytest.mark.parametrize("strings", STRINGS.values(), ids=STRINGS)
def test_chosen_strings(name, strings):
    assert_equal_to_peer(name, [*strings(name)])


def test_white_space_is_pythons():
    assert {c for c in map(chr, range(sys.maxunicode + 1)) if c.isspace()} == set(WHITE_SPACE)


def test_zh_takes_its_published_ranges():
    peer = TokenizerZh._is_chinese_char.__wrapped__
    assert [*zh._CHINESE] == [peer(chr(point)) for point in range(1 << 16)]
    assert max(last for _, last in _UCODE_RANGES) < chr(1 << 16)


@pytest.mark.parametrize("name", TOKENIZE)
def test_real_text(name, wmt23):
    for path in sorted((wmt23 / "references").iterdir()):
        assert_equal_to_peer(name, path.read_text(encoding="utf-8").split("\n"))


@pytest.mark.parametrize("name", TOKENIZE)
def test_tokenizing_leaves_the_text_as_it_was(name):
    text = Text.from_strings(["a &amp; b-\nc <skipped>", " 中。5 "])
    before = text.data.copy()
    TOKENIZERS[name].spans(text)
    assert np.array_equal(text.data, before)


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_tokenizer_is_its_name(name):
    tokenizer = resolve_tokenizer(name)
    assert tokenizer == find_tokenizer(name) == pickle.loads(pickle.dumps(tokenizer))
    assert repr(tokenizer) == repr(name)
    assert tokenizer.is_portable
    if name in TOKENIZE:
        assert tokenizer.signature() == name
        assert tokenizer.pinned() == tokenizer


def test_a_function_has_no_name_and_stays_here():
    tokenizer, text = resolve_tokenizer(str.split), Text.from_strings(["a b", "", "b a c"])
    assert tokenizer.signature() is None
    assert tokenizer.pinned() == tokenizer
    assert not tokenizer.is_portable
    for own, other in zip(tokenizer.ids(text), TOKENIZERS["none"].ids(text), strict=True):
        assert own.tolist() == other.tolist()
