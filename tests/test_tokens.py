from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import odd_tokens, string_tokens

from vecbleu.text import Text
from vecbleu.tokenizers import TOKENIZERS, UnitError
from vecbleu.tokens import sequence_ids, span_ids


def partition(values):
    """Which places hold equal values, by first occurrence."""
    first = {}
    return [first.setdefault(value, len(first)) for value in values]


@given(st.lists(st.lists(odd_tokens, max_size=8), max_size=4))
def test_ids_are_equal_where_python_finds_tokens_equal(units):
    ids = sequence_ids(units)
    assert ids.lengths.tolist() == [len(unit) for unit in units]
    assert partition(ids.values.tolist()) == partition(token for unit in units for token in unit)


@given(st.lists(st.lists(string_tokens, max_size=8), max_size=4))
def test_strings_are_hashed_without_collisions(units):
    ids = sequence_ids(units)
    assert partition(ids.values.tolist()) == partition(token for unit in units for token in unit)


def test_strings_of_all_lengths_that_differ_in_one_byte():
    tokens = ["a" * length for length in range(70)]
    tokens += ["a" * place + "b" + "a" * (40 - place) for place in range(41)]
    tokens += ["a" * length + "\0" for length in range(40)]
    ids = sequence_ids([tokens]).values
    assert len(set(ids.tolist())) == len(set(tokens))


@given(st.lists(st.text(alphabet="ab é中\n\0", max_size=30), max_size=6))
def test_text_and_token_sequences_get_the_same_ids(strings):
    from_text = span_ids(TOKENIZERS["none"](Text.from_strings(strings)))
    from_tokens = sequence_ids([string.split() for string in strings])
    assert np.array_equal(from_text.values, from_tokens.values)
    assert np.array_equal(from_text.offsets, from_tokens.offsets)


def test_a_token_of_a_megabyte():
    long = "x" * 1_000_000
    ids = sequence_ids([[long, long + "y", long]]).values
    assert ids[0] == ids[2] != ids[1]


def test_unhashable_token_names_its_unit():
    with pytest.raises(UnitError, match=r"\['b'\] can't be used") as raised:
        sequence_ids([["a"], ["a", ["b"]]])
    assert raised.value.unit == 1
