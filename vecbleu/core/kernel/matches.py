"""Clipped matches and reference lengths: what BLEU counts of a segment.

After the sort, the copies of an n-gram in the hypothesis, unit 0, stand right before those in the
references, and keys of one n-gram differ in the lowest bits alone::

    one reference       t0 t0 t1 t1 t1         several     t0 t0 t1 t2 t2 t2 t3 t3
                           ^^^^^     1st match             own   most in one: 3
                        ^^^^^^^^^^^  2nd match             2 matches

With one reference, a matched n-gram is a neighboring pair whose keys differ in the last bit, and
its k-th match exists where all pairs up to k - 1 steps further out are equal on both sides: masks,
no counters. With several, few n-grams that the hypothesis has repeat in it, and only the copies of
those are counted. No comparison leaves a row.
"""

from __future__ import annotations

import numpy as np

from vecbleu.core.arrays import Bytes, Index, Int64, Mask, UInt64
from vecbleu.core.kernel.ngrams import number_bits, sorted_rows
from vecbleu.core.kernel.ragged import Ragged, as_index, ranges, slices

# Count up to 8 matches of an n-gram by masks, and further ones in windows that begin with 16 keys
# on both sides. With 4 in place of 8, words take 5% and characters 10% longer; with 16, both 10%.
_COUNTED = 8
_REACH = 16


def clipped_matches(units: Ragged, segments: Int64, max_order: int) -> Int64:
    """Count each hypothesis' n-grams found in its references, clipped (S, orders).

    Ids must be hashes (`hashing.mix`). `segments` (S + 1,) are offsets into the units; each
    segment's first unit is its hypothesis.
    """
    matches = np.zeros((len(segments) - 1, max_order), np.int64)
    bits = number_bits(segments)
    for some, keys in sorted_rows(units, segments, max_order):
        rows = keys.reshape(-1, keys.shape[-1])
        counts = _in_one(rows) if bits == 1 else _in_several(rows, bits)
        matches[some] = counts.reshape(max_order, -1).T
    return matches


def _in_one(rows: UInt64) -> Int64:
    """Count matches in one reference, of each sorted row (rows,).

    Pair p is key p and the one behind it::

        keys    c0 m1 t0 t0 t1 t1 t1
        first            x               the last t0 and the first t1: the 1st match
        equal         x     x  x         1 step to the left and 1 to the right: the 2nd match
    """
    width = rows.shape[1]
    keys = rows.reshape(-1)
    difference = keys[1:] ^ keys[:-1]
    first = np.empty(keys.size, bool)
    around = np.zeros(keys.size + 2 * width, bool)  # a row without pairs on both sides
    equal = around[width:-width]
    for value, pairs in ((1, first), (0, equal)):
        np.equal(difference, value, out=pairs[:-1])
        pairs.reshape(rows.shape)[:, -1] = False  # the last key of a row has no neighbor
    kth = first
    found = first.view(np.uint8)  # counts of matches, beginning with the first
    for k in range(2, _COUNTED + 1):  # kth[i] is about pair i + k - 1
        inner = kth[1:-1]
        left, right = equal[: len(inner)], equal[2 * (k - 1) :][: len(inner)]
        kth = inner & left
        kth &= right
        found[k - 1 :][: len(kth)] += kth.view(np.uint8)
        # Words repeat as unigrams, which come first, so the rest need not be looked at.
        last_pair = kth.tobytes().rfind(1)
        kth = kth[: last_pair + 1 + _COUNTED]
    counts = _sums(found.reshape(rows.shape))
    at = np.flatnonzero(kth) + (_COUNTED - 1)
    near, far = _COUNTED, min(_REACH, width)
    while at.size:  # ends where a row does, at the latest: its last pair is not equal
        further = _count_further(around, at + width, near, far)
        counts += np.bincount(at // width, further, len(counts)).astype(np.int64)
        at = at[further == far + 1 - near]
        near, far = far + 1, min(4 * far, width)
    return counts


def _count_further(equal: Mask, at: Int64, near: int, far: int) -> Int64:
    """Count pairs that are equal on both sides of each place, from `near` steps off up to `far`.

    All nearer ones are equal, so places are at least `near` keys apart, and the windows take no
    more than some times the memory of the keys.
    """
    windows = slices(equal, at - far, 2 * far + 1)
    both = windows[:, far - near :: -1] & windows[:, far + near :]
    further: Int64 = both.argmin(axis=1)  # 0, too, where all are equal
    further[both[:, 0] & (further == 0)] = both.shape[1]
    return further


def _sums(found: Bytes) -> Int64:
    """Add up rows (rows, width), of which none is more than half of its width."""
    # Adding bytes takes two thirds of the time.
    narrow = np.uint8 if found.shape[1] <= 510 else np.int64
    sums: Int64 = np.add.reduce(found, axis=1, dtype=narrow).astype(np.int64)
    return sums


def _in_several(rows: UInt64, bits: int) -> Int64:
    """Count matches in several references, of each sorted row (rows,).

    Measuring all runs of equal keys takes 1.4 to 1.9 times as long.
    """
    width = rows.shape[1]
    keys = rows.reshape(-1)
    low = np.uint64((1 << bits) - 1)
    difference = keys[1:] ^ keys[:-1]
    goes_on = np.empty(keys.size, bool)  # with another copy of the n-gram
    np.less_equal(difference, low, out=goes_on[:-1])
    goes_on.reshape(rows.shape)[:, -1] = False
    equal = (difference == 0) & goes_on[:-1]
    first = ((keys & low) == 0) & goes_on
    first[:-1] &= ~equal  # the hypothesis' last copies, with one in a reference behind
    counts = _sums(first.view(np.uint8).reshape(rows.shape))
    repeated = np.flatnonzero(first[1:] & equal) + 1
    if repeated.size:
        further = _clipped(_copies(keys, goes_on, repeated), low) - 1
        counts += np.bincount(repeated // width, further, len(counts)).astype(np.int64)
    return counts


def _copies(keys: UInt64, goes_on: Mask, at: Index) -> UInt64:
    """Return all copies of the n-grams at some places, one after the other."""
    ends = np.concatenate([[-1], np.flatnonzero(~goes_on)])
    ngram = np.searchsorted(ends, at)
    return keys[ranges(ends[ngram - 1] + 1, ends[ngram] - ends[ngram - 1])]


def _clipped(copies: UInt64, low: np.uint64) -> Int64:
    """Count the matches of n-grams, given the copies of each in turn, the hypothesis' first."""
    starts = np.flatnonzero(copies[1:] != copies[:-1]) + 1  # of copies in one unit
    starts = np.concatenate([[0], starts])
    sizes = np.diff(starts, append=len(copies))
    ngrams = np.flatnonzero((copies[starts] & low) == 0)
    own = sizes[ngrams]
    sizes[ngrams] = 0
    most: Int64 = np.maximum.reduceat(sizes, ngrams)
    clipped: Int64 = np.minimum(own, most)
    return clipped


def reference_lengths(hyp_len: Int64, lengths: Int64, counts: Int64, ref_length: str) -> Int64:
    """Choose one length a segment: the closest, shortest or longest.

    `lengths` (references,) belong to the segments in turn, `counts` (segments,), at least one, to
    each. The closest of two equally near ones is the shorter.
    """
    if len(lengths) == len(counts):  # of one reference, all rules make the same
        return lengths
    sizes = as_index(counts)
    starts = np.cumsum(sizes) - sizes
    if ref_length != "closest":
        choose = np.minimum if ref_length == "shortest" else np.maximum
        chosen: Int64 = choose.reduceat(lengths, starts)
        return chosen
    own = np.repeat(hyp_len, sizes)
    # One number orders by distance, then by length.
    nearest = np.minimum.reduceat(np.abs(lengths - own) << 1 | (lengths > own), starts)
    return hyp_len + np.where(nearest & 1, nearest >> 1, -(nearest >> 1))
