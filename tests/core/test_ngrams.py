"""Clipped matches are those of the oracle: words, ids, repeats, and sequences made to collide."""

from __future__ import annotations

from itertools import product

import numpy as np
import oracle
import pytest
from conftest import ON_ARRAYS
from hypothesis import given
from hypothesis import strategies as st
from strategies import opposites, token_corpora

import vecbleu
from vecbleu.kernel import ngrams, packed
from vecbleu.kernel.ngrams import mix, ngram_keys
from vecbleu.kernel.packed import END, FIRST_SYMBOL, Symbols, packed_matches
from vecbleu.kernel.plain import pair_matches, segment_matches
from vecbleu.kernel.ragged import Ragged, cuts, row_offsets

pytestmark = ON_ARRAYS


def check(hypotheses, references, max_order):
    """Hold what both kernels count to what the oracle counts."""
    own = [np.array(unit, np.int64) for unit in hypotheses]
    others = [[np.array(unit, np.int64) for unit in units] for units in references]
    counted = vecbleu.statistics(own, others, max_order=max_order).matches.tolist()
    pairs, orders = zip(hypotheses, references, strict=True), range(1, max_order + 1)
    assert counted == [[oracle.clipped(*pair, order) for order in orders] for pair in pairs]
    units = [unit for one, several in zip(own, others, strict=True) for unit in (one, *several)]
    segments = np.cumsum([0, *(1 + len(several) for several in others)])
    assert packed_matches(symbols_of(units), segments, max_order).tolist() == counted


def check_plain(hypotheses, references, max_order):
    """Hold what is counted in plain Python to what the oracle counts."""
    for own, others in zip(hypotheses, references, strict=True):
        orders = range(1, max_order + 1)
        expected = [oracle.clipped(own, others, order) for order in orders]
        assert segment_matches(own, others, max_order) == expected
        expected = [oracle.clipped(own, others[:1], order) for order in orders]
        assert pair_matches(tuple(own), tuple(others[0]), max_order) == expected


def symbols_of(units):
    """Units of integers as a block has its characters."""
    least = min([unit.min(initial=0) for unit in units], default=0)
    rows = [np.append(unit - least + FIRST_SYMBOL, END) for unit in units]
    values = np.concatenate([np.zeros(0, np.int64), *rows])
    highest = int(values.max(initial=1))  # at least the id that ends references
    small = Ragged(values.astype(np.min_scalar_type(highest)), row_offsets(rows))
    return Symbols(small, highest.bit_length())


@given(
    token_corpora(st.integers(-3, 3), max_references=6)
    | token_corpora(st.integers(0, 2), max_segments=2, max_references=50, max_tokens=40),
    st.integers(1, 17),
)
def test_matches_are_those_of_the_oracle(corpus, max_order):
    check(*corpus, max_order)
    check_plain(*corpus, max_order)


@pytest.mark.parametrize("references", [1, 2])
def test_no_ngram_goes_over_the_end_of_a_unit(references):
    """No n-gram over the end of a unit or a row matches, whatever stands on both sides."""
    sizes = range(4 - references // 2)
    units = [[*unit] for size in sizes for unit in product([0, 1], repeat=size)]
    segments = [*product(units, repeat=references + 1)]
    hypotheses, others = [s[0] for s in segments], [list(s[1:]) for s in segments]
    for max_order in (1, 4, 6):
        check(hypotheses, others, max_order)
        check_plain(hypotheses, others, max_order)


@given(token_corpora(st.integers(0, 3), max_segments=40, max_tokens=60), st.integers(0, 2**32))
def test_groups_of_any_size_count_the_same(corpus, seed):
    sizes = np.random.default_rng(seed).integers(1, 250, size=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "GROUP_KEYS", int(sizes[0]))
        patch.setattr(packed, "_PART_SYMBOLS", int(sizes[0]))
        patch.setattr(packed, "_ROW_KEYS", int(sizes[1]))
        patch.setattr(ngrams, "_SLACK", int(sizes[1]))
        check(*corpus, 4)


@pytest.mark.parametrize("repeats", [7, 8, 9, 10, 40, 300])
def test_ngrams_that_repeat_often_are_clipped(repeats):
    """Matches beyond the first windows, at the edges of rows and runs, more than a byte holds."""
    units = [[0] * repeats, [0] * (repeats + 1), [1] * repeats + [0] * repeats, [0, 1] * repeats]
    hypotheses, others = zip(*product(units, repeat=2), strict=True)
    for references in ([[other] for other in others], [[other, [0]] for other in others]):
        for max_order in (1, 4):
            check(hypotheses, references, max_order)


@pytest.mark.parametrize(("vocabulary", "max_order"), [(1, 4), (500, 4), (70_000, 4), (9000, 6)])
@pytest.mark.parametrize("sizes", [[2, 100_000, 0], [25, 33_000, 500, 750]])
def test_segments_of_many_tokens_count_among_short_ones(vocabulary, max_order, sizes):
    """Small ids that fit, that fit if they are numbered anew in each row, and that do not fit."""
    wide = np.random.default_rng(3).integers(0, vocabulary, size=(2, max(sizes))).tolist()
    own, others = ([one[:size] for size in sizes] for one in wide)
    check(own, [[other] for other in others], max_order)


def test_every_bit_of_an_id_changes_every_bit_of_its_hash_half_of_the_time():
    ids = np.random.default_rng(1).integers(0, 2**64, 2000, dtype=np.uint64)
    for bit in range(64):
        changed = mix(ids) ^ mix(ids ^ np.uint64(1 << bit))
        shares = np.unpackbits(changed.view(np.uint8)).reshape(-1, 64).mean(axis=0)
        assert np.abs(shares - 0.5).max() < 0.1


def test_permutations_get_different_keys():
    """The hash must tell order apart, in every bit that matching keeps."""
    grams = np.array(list(product(range(6), repeat=6)), np.int64)
    keys = np.empty((6, grams.size), np.uint64)
    ngram_keys(mix(grams.reshape(-1).view(np.uint64)) & ~np.uint64(1), keys)
    for order in range(2, 7):
        kept = keys[order - 1].reshape(-1, 6)[:, 0] >> np.uint64(12)
        assert len(np.unique(kept)) == 6**order  # in 52 bits: by chance 1 run in a million fails


@pytest.mark.parametrize("power", [3, 5, 6])
def test_a_sequence_and_its_opposite_differ(power):
    sequence, opposite = opposites(power)
    for references in (1, 70, 1000):
        check([sequence, [2]], [[opposite], [[3]] * references], 2**power)


@given(st.lists(st.integers(0, 9), max_size=99), st.integers(1, 40))
def test_parts_are_of_about_the_size_that_is_asked_for(lengths, size):
    """All rows in order, in few parts, none of which is much larger, as memory is limited."""
    offsets = np.cumsum([0, *lengths])
    parts = [range(*bounds) for bounds in cuts(offsets, size)]
    assert [row for part in parts for row in part] == [*range(len(lengths))]
    sizes = [sum(lengths[row] for row in part) for part in parts]
    assert max(sizes, default=0) <= 1.5 * size + max(lengths, default=0)
    assert len(parts) <= max(1, round(sum(lengths) / size))
