from __future__ import annotations

import pickle
import sys
import unicodedata
from itertools import product

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from peers import TOKENIZE, newer_characters
from sacrebleu.tokenizers.tokenizer_zh import _UCODE_RANGES, TokenizerZh
from strategies import IS_LONG, odd_tokens, string_tokens, ugly_text

from vecbleu.core.kernel.ragged import row_offsets
from vecbleu.core.text import rules
from vecbleu.core.text.text import PADDING, Text, UnitError
from vecbleu.core.text.tokenizers import (
    NAMES,
    ByteTokenizer,
    resolve_tokenizer,
)
from vecbleu.core.text.tokens import joined_tokens, token_ids


def tokens_of(name, strings):
    text, tokenizer = Text.from_strings(strings), resolve_tokenizer(name)
    if not isinstance(tokenizer, ByteTokenizer):
        return tokenizer.split(strings)
    spans = tokenizer.spans(text)
    assert text.strings() == strings  # it is as it was
    data = spans.data.tobytes()
    places = zip(spans.starts, spans.ends, strict=True)
    tokens = [data[start:end].decode("utf-8", "surrogatepass") for start, end in places]
    return [tokens[a:b] for a, b in zip(spans.offsets[:-1], spans.offsets[1:], strict=True)]


def assert_equal_to_peer(name, strings):
    if name == "intl":
        strings = [string.translate(newer_characters()) for string in strings]
    pairs = zip(strings, tokens_of(name, strings), map(TOKENIZE[name], strings), strict=True)
    assert [(string, ours) for string, ours, theirs in pairs if ours != theirs] == []


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
        f"a{c}b{c}{c}5{c}.{c}" for c in strategies.WHITE_SPACE + strategies.NEARLY_WHITE_SPACE
    ),
    "only white space": lambda name: ["", " ", "\n\n", "\u3000"],
    "nothing": lambda name: [],
}


@pytest.mark.parametrize("name", TOKENIZE)
@pytest.mark.parametrize("strings", STRINGS.values(), ids=STRINGS)
def test_chosen_strings(name, strings):
    assert_equal_to_peer(name, [*strings(name)])


def test_white_space_is_pythons():
    characters = map(chr, range(sys.maxunicode + 1))
    assert {c for c in characters if c.isspace()} == {*strategies.WHITE_SPACE}


def test_zh_takes_its_published_ranges():
    peer = TokenizerZh._is_chinese_char.__wrapped__
    assert [*rules._is_chinese()] == [peer(chr(point)) for point in range(1 << 16)]
    assert max(last for _, last in _UCODE_RANGES) < chr(1 << 16)


@pytest.mark.parametrize("name", TOKENIZE)
def test_real_text(name, wmt23):
    for path in sorted((wmt23 / "references").iterdir()):
        assert_equal_to_peer(name, path.read_text(encoding="utf-8").split("\n"))


@pytest.mark.parametrize("name", NAMES)
def test_a_tokenizer_is_its_name(name):
    tokenizer = resolve_tokenizer(name)
    assert tokenizer == pickle.loads(pickle.dumps(tokenizer))
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
    for own, other in zip(tokenizer.ids(text), resolve_tokenizer("none").ids(text), strict=True):
        assert own.tolist() == other.tolist()


@given(st.lists(ugly_text, max_size=8))
def test_strings_come_back_each_with_a_newline_behind(strings):
    text = Text.from_strings(strings)
    assert len(text) == len(strings)
    assert text.strings() == strings
    assert bytes(text.data[text.offsets[1:] - 1]) == b"\n" * len(strings)
    assert len(text.data) >= text.offsets[-1] + len(PADDING)
    assert text.lower().strings() == [string.lower() for string in strings]


def ids_of(units):
    return token_ids(units, row_offsets(units))


def partition(values):
    """Which places hold equal values, by first occurrence."""
    first = {}
    return [first.setdefault(value, len(first)) for value in values]


@pytest.mark.parametrize("tokens", [odd_tokens, string_tokens], ids=["odd", "strings"])
@given(data=st.data())
def test_ids_are_equal_where_python_finds_tokens_equal(tokens, data):
    units = data.draw(st.lists(st.lists(tokens, max_size=8), max_size=4))
    ids = ids_of(units)
    assert ids.lengths.tolist() == [len(unit) for unit in units]
    assert partition(ids.values.tolist()) == partition(token for unit in units for token in unit)


@given(st.lists(st.lists(string_tokens, max_size=8), min_size=1, max_size=4))
def test_strings_without_newlines_are_joined(units):
    joined = joined_tokens(units, row_offsets(units))
    has_newlines = any("\n" in token for unit in units for token in unit)
    assert (joined is None) == has_newlines
    if joined is not None:
        assert joined.data.tobytes().decode("utf-8", "surrogatepass").rstrip("\0") == "".join(
            f"{token}\n" for unit in units for token in unit
        ).rstrip("\0")


def test_strings_of_all_lengths_and_of_a_megabyte_that_differ_in_one_byte():
    tokens = ["a" * length for length in range(70)]
    tokens += ["a" * place + "b" + "a" * (40 - place) for place in range(41)]
    tokens += ["a" * length + "\0" for length in range(40)]
    tokens += ["x" * 1_000_000, "x" * 1_000_000 + "y", "x" * 1_000_000]
    assert partition(ids_of([tokens]).values.tolist()) == partition(tokens)


def test_unhashable_token_names_its_unit():
    with pytest.raises(UnitError, match=r"\['b'\] can't be used") as raised:
        ids_of([["a"], ["a", ["b"]]])
    for error in (raised.value, pickle.loads(pickle.dumps(raised.value))):
        assert (error.unit, str(error)) == (1, str(raised.value))
