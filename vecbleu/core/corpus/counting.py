"""Ids of units in, rows of statistics out."""

from __future__ import annotations

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.kernel.lengths import reference_lengths
from vecbleu.core.kernel.ngrams import clipped_matches
from vecbleu.core.kernel.ragged import CodePoints, Ragged
from vecbleu.core.memory import keep_freed_memory
from vecbleu.core.options import RefLength
from vecbleu.core.statistics.table import Statistics

# Tokens of a block from which on its arrays are worth keeping: those of 16 KB and more.
_MANY_TOKENS = 1 << 11


def count_units(
    units: Ragged, segments: Int64, max_order: int, ref_length: RefLength
) -> Statistics:
    """Statistics of segments whose units are each a hypothesis and its references."""
    if len(units.values) >= _MANY_TOKENS:
        keep_freed_memory()
    lengths = units.lengths
    is_hypothesis = np.zeros(len(lengths), bool)  # `np.delete` takes 20 us more
    is_hypothesis[segments[:-1]] = True
    hyp_len, others = lengths[is_hypothesis], lengths[~is_hypothesis]
    ref_len = reference_lengths(hyp_len, others, np.diff(segments) - 1, ref_length)
    alphabet = int(units.values.max(initial=0)) + 1 if isinstance(units, CodePoints) else None
    matches = clipped_matches(units, segments, max_order, alphabet)
    return Statistics(hyp_len, ref_len, matches, ngram_totals(hyp_len, max_order))


def ngram_totals(hyp_len: Int64, max_order: int) -> Int64:
    """N-grams of each order in hypotheses of these lengths (segments, orders)."""
    totals: Int64 = np.maximum(hyp_len[:, None] - np.arange(max_order), 0)
    return totals
