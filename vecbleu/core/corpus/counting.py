"""Ids of units in, rows of statistics out."""

from __future__ import annotations

import numpy as np

from vecbleu.core.arrays import Int64
from vecbleu.core.kernel.matches import clipped_matches, reference_lengths
from vecbleu.core.kernel.ragged import Ragged
from vecbleu.core.memory import keep_freed_memory
from vecbleu.core.options import RefLength

# Tokens of a block from which on its arrays are worth keeping: those of 16 KB and more.
_MANY_TOKENS = 1 << 11


def count_units(units: Ragged, segments: Int64, max_order: int, ref_length: RefLength) -> Int64:
    """Count segments (S, 2 + 2N) whose units are each a hypothesis and its references."""
    if len(units.values) >= _MANY_TOKENS:
        keep_freed_memory()
    lengths = units.lengths
    is_hypothesis = np.zeros(len(lengths), bool)  # `np.delete` takes 20 us more
    is_hypothesis[segments[:-1]] = True
    hyp_len, others = lengths[is_hypothesis], lengths[~is_hypothesis]
    ref_len = reference_lengths(hyp_len, others, np.diff(segments) - 1, ref_length)
    matches = clipped_matches(units, segments, max_order)
    return joined_columns(hyp_len, ref_len, matches)


def joined_columns(hyp_len: Int64, ref_len: Int64, matches: Int64) -> Int64:
    """Put lengths (S,) and matches (S, N) into one array, with the totals (S, 2 + 2N)."""
    max_order = matches.shape[1]
    rows = np.empty((len(hyp_len), 2 + 2 * max_order), np.int64)
    rows[:, 0], rows[:, 1], rows[:, 2 : 2 + max_order] = hyp_len, ref_len, matches
    np.maximum(hyp_len[:, None] - np.arange(max_order), 0, out=rows[:, 2 + max_order :])
    return rows
