"""Numbered n-grams, sets of keys, joins, and equal numbers, against Python's own sets."""

from __future__ import annotations

from collections import Counter

import numpy as np
import oracle
from hypothesis import given
from hypothesis import strategies as st

from vecbleu.core.kernel.ngrams import NOTHING
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.text.tokens import hashed
from vecbleu.pairwise.distinct import representatives
from vecbleu.pairwise.keys import KeyIndex, KeySet, numbered_rows, occurs_again

units = st.lists(st.lists(st.integers(0, 3), max_size=30), max_size=12)
even = st.integers(1, 2**63 - 1).map(lambda number: 2 * number)


def rows_of(sequences, max_order):
    """The keys of each unit and order, as lists."""
    ragged = Ragged.from_arrays([hashed(np.array(one, np.int64)) for one in sequences])
    found = [[[] for _ in range(max_order)] for _ in sequences]
    for numbers, keys in numbered_rows(ragged, max_order):
        for place, number in enumerate(numbers.tolist()):
            found[number] = [row[row != NOTHING].tolist() for row in keys[:, place]]
    return found


@given(units, st.integers(1, 6), st.integers(0, 12))
def test_clipped_matches_are_members_of_the_union(sequences, max_order, cut):
    keys = rows_of(sequences, max_order)
    for order in range(max_order):
        union = KeySet(np.array([key for one in keys[:cut] for key in one[order]], np.uint64))
        for own, sequence in zip(keys, sequences, strict=True):
            assert len({*own[order]}) == len(own[order]) == max(0, len(sequence) - order)
            found = union.contains(np.array(own[order], np.uint64)).sum()
            if sequences[:cut]:
                assert found == oracle.clipped(sequence, sequences[:cut], order + 1)


@given(st.lists(even, max_size=60), st.lists(even, max_size=60))
def test_a_set_of_keys_is_a_set(members, others):
    found = KeySet(np.array(members, np.uint64)).contains(np.array(members + others, np.uint64))
    assert found.tolist() == [key in {*members} for key in members + others]


def test_keys_that_meet_in_one_slot_are_all_there():
    rng = np.random.default_rng(1)
    for size in (10, 1000, 200_000):
        keys = rng.integers(0, 2**63, size).astype(np.uint64) << np.uint64(1)
        known, unknown = keys[: size // 2], keys[size // 2 :]
        found = KeySet(np.concatenate([known, known]))
        assert found.contains(known).all()
        assert found.contains(unknown).sum() == np.isin(unknown, known).sum()
        assert found.nbytes >= 8 * len(known)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), unique=True, max_size=40),
       st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3)), max_size=20))  # fmt: skip
def test_an_index_counts_what_occurs(entries, looked_up):
    keys, places = np.array([*zip(*entries, strict=True)] or [[], []], np.int64)
    wanted, rows = np.array([*zip(*looked_up, strict=True)] or [[], []], np.int64)
    index = KeyIndex(keys.astype(np.uint64), places)
    counts = Counter(
        5 * row + place for key, row in looked_up for own, place in entries if own == key
    )
    found = index.counts(wanted.astype(np.uint64), 5 * rows, 20)
    assert found.tolist() == [counts[number] for number in range(20)]
    of_each = [sum(own == key for own, _ in entries) for key, _ in looked_up]
    assert index.sizes(wanted.astype(np.uint64)).tolist() == of_each


@given(st.lists(st.integers(-3, 40) | st.integers(-(2**63), 2**63 - 1), max_size=200))
def test_equal_numbers_have_one_representative(numbers):
    found = representatives(np.array(numbers, np.int64)).tolist()
    assert [numbers[place] for place in found] == numbers
    assert len({*found}) == len({*numbers})


@given(st.lists(st.integers(0, 40) | st.integers(0, 2**64 - 1), max_size=200))
def test_keys_that_occur_again_are_counted_twice(keys):
    counts = Counter(keys)
    assert occurs_again(np.array(keys, np.uint64)).tolist() == [counts[key] > 1 for key in keys]
