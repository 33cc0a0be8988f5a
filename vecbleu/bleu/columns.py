"""Join, split and check rows of counts of BLEU: hyp_len, ref_len, N matches, N totals."""

from __future__ import annotations

import numpy as np

from vecbleu.arguments.errors import ArgumentError
from vecbleu.core.counts import refuse, refuse_impossible
from vecbleu.kernel.arrays import Counts, Int64

_PARTS = "hyp_len", "ref_len", "matches", "totals"


def joined_columns(hyp_len: Int64, ref_len: Int64, matches: Int64) -> Int64:
    """Return rows (S, 2 + 2N) of lengths (S,), matches (S, N), and totals computed from hyp_len."""
    totals = np.maximum(hyp_len[:, None] - np.arange(matches.shape[1]), 0)
    return np.column_stack([hyp_len, ref_len, matches, totals])


def split_columns(array: Counts) -> tuple[Counts, Counts, Counts, Counts]:
    """Split (..., 2 + 2N) into hyp_len (...), ref_len (...), matches and totals (..., N)."""
    columns = array.shape[-1] if array.ndim else 0
    if columns < 4 or columns % 2:
        raise ArgumentError(f"has {columns} columns", "2 + 2 * max_order")
    middle = columns // 2 + 1
    return array[..., 0], array[..., 1], array[..., 2:middle], array[..., middle:]


def checked_counts(counts: Counts) -> Counts:
    """Return counts (..., 2 + 2N) as int64 or float64; an error names the first bad count."""
    parts = split_columns(counts)
    for name, part in zip(_PARTS, parts, strict=True):
        refuse_impossible(part, name)
    _, _, matches, totals = parts
    refuse(matches > totals, matches, "matches", ", which is more than its total")
    return counts if counts.dtype.kind == "f" else counts.astype(np.int64, copy=False)


def check_possible(array: Counts) -> None:
    """Raise ValueError if no text has such counts (..., 2 + 2N).

    A segment has one n-gram fewer of each next order, until it has none. So the total falls from
    order to order by the number of segments that still have n-grams. Matches can grow: if the
    references are the nine pairs of a, b and c, "a a b b c c a c b a" has 6 unigram and 9 bigram
    matches.
    """
    hyp_len, _, matches, totals = split_columns(checked_counts(array))
    fall = totals[..., :-1] - totals[..., 1:]
    bad = np.zeros(totals.shape, bool)
    bad[..., 0] = totals[..., 0] != hyp_len
    bad[..., 1:] = fall < (totals[..., :-1] > 0)
    bad[..., 2:] |= fall[..., 1:] > fall[..., :-1]
    what = ", which does not fit hyp_len and the totals of lower orders"
    refuse(bad, totals, "totals", what)
    bad = np.zeros(totals.shape, bool)
    bad[..., 1:] = (matches[..., 1:] > 0) & (matches[..., :-1] == 0)
    refuse(bad, matches, "matches", ", but the next lower order has none")
