"""Wide segments in pieces: as whole ones, token by token and match by match."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import token_corpora

from vecbleu.core.kernel import keys, ngrams, wide
from vecbleu.core.kernel.lengths import REF_LENGTHS, reference_lengths
from vecbleu.core.kernel.ragged import Ragged, row_offsets
from vecbleu.core.text.tokens import hashed


@pytest.mark.parametrize("alphabet", [None])
@given(
    token_corpora(st.integers(0, 6), max_segments=5, max_tokens=40),
    st.integers(1, 6),
    st.integers(1, 30),
)
def test_segments_of_any_width_count_the_same_both_ways(alphabet, corpus, max_order, piece):
    hypotheses, references = corpus
    units = [
        unit for pair in zip(hypotheses, references, strict=True) for unit in (pair[0], *pair[1])
    ]
    segments = row_offsets([[None, *refs] for refs in references])
    ids = Ragged.from_arrays([np.array(unit, np.int64) for unit in units])
    ids = Ragged(ids.values * (1 if alphabet == 7 else 499), ids.offsets)
    if alphabet is None:
        ids = Ragged(hashed(ids.values), ids.offsets)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "_WIDEST_ROW", 20)
        patch.setattr(wide, "_PIECE", piece)
        patch.setattr(keys, "_RANKED_AT_ONCE", piece)
        found = ngrams.clipped_matches(ids, segments, max_order, alphabet)
    assert found.tolist() == [
        [oracle.clipped(h, r, n) for n in range(1, max_order + 1)]
        for h, r in zip(hypotheses, references, strict=True)
    ]


def test_the_closest_of_lengths_that_32_bits_do_not_hold():
    hyp_len, lengths = np.array([2**31 + 5, 3]), np.array([5, 2**31 + 8, 2**31 + 2, 2**33])
    assert reference_lengths(hyp_len, lengths, np.array([3, 1]), "closest").tolist() == [
        2**31 + 2,
        2**33,
    ]


@pytest.mark.parametrize("rule", REF_LENGTHS)
def test_the_length_of_one_reference_is_what_its_rule_makes_of_it(rule):
    hyp_len, lengths, counts = np.array([5, 0, 9]), np.array([7, 3, 0]), np.ones(3, np.int64)
    found = reference_lengths(hyp_len, lengths, counts, rule)
    expected = REF_LENGTHS[rule](hyp_len, lengths, np.arange(3), counts)
    assert found.dtype == expected.dtype
    assert found.tolist() == expected.tolist() == [7, 3, 0]
    nothing = reference_lengths(counts[:0], counts[:0], counts[:0], rule)
    assert nothing.dtype == expected.dtype
    assert not nothing.size
