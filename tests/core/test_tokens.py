"""Text and tokens in arrays, and the ids of tokens."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import odd_tokens, string_tokens, ugly_text

from vecbleu.core.kernel.ragged import row_offsets
from vecbleu.core.text.spans import UnitError
from vecbleu.core.text.text import PADDING, Text
from vecbleu.core.text.tokens import joined_tokens, token_ids


@given(st.lists(ugly_text, max_size=8))
def test_strings_come_back_each_with_a_newline_behind(strings):
    text = Text.from_strings(strings)
    assert len(text) == len(strings)
    assert text.strings() == strings
    assert bytes(text.data[text.offsets[1:] - 1]) == b"\n" * len(strings)
    assert len(text.data) >= text.offsets[-1] + len(PADDING)
    assert text.lower().strings() == [string.lower() for string in strings]


def ids_of(units):
    """Ids of joined strings where that is possible, and of tokens of any kind else."""
    offsets = row_offsets(units)
    joined = joined_tokens(units, offsets)
    return token_ids(units, offsets) if joined is None else joined.ids()


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
def test_joined_tokens_have_the_ids_of_others(units):
    offsets = row_offsets(units)
    joined = joined_tokens(units, offsets)
    has_newlines = any("\n" in token for unit in units for token in unit)
    assert (joined is None) == has_newlines
    if joined is not None:
        assert joined.ids().values.tolist() == token_ids(units, offsets).values.tolist()


def test_strings_of_all_lengths_that_differ_in_one_byte():
    tokens = ["a" * length for length in range(70)]
    tokens += ["a" * place + "b" + "a" * (40 - place) for place in range(41)]
    tokens += ["a" * length + "\0" for length in range(40)]
    ids = ids_of([tokens]).values
    assert len(set(ids.tolist())) == len(set(tokens))


def test_a_token_of_a_megabyte():
    long = "x" * 1_000_000
    ids = ids_of([[long, long + "y", long]]).values
    assert ids[0] == ids[2] != ids[1]


def test_unhashable_token_names_its_unit():
    with pytest.raises(UnitError, match=r"\['b'\] can't be used") as raised:
        ids_of([["a"], ["a", ["b"]]])
    for error in (raised.value, pickle.loads(pickle.dumps(raised.value))):
        assert (error.unit, str(error)) == (1, str(raised.value))
